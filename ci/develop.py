"""Makes .venv with all that building, testing and linting need: python3 ci/develop.py"""

from environment import ROOT, build_requirements, make_venv, run, runtime_requirements


def main() -> None:
    python = make_venv(ROOT / ".venv")
    files = [
        f"--requirement={ROOT / 'ci' / f'requirements-{name}.txt'}" for name in ("test", "lint")
    ]
    run(python, "-m", "pip", "install", *build_requirements(), *runtime_requirements(), *files)


if __name__ == "__main__":
    main()
