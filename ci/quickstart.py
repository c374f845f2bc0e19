"""Installs all three packages into .venv and runs the main job: python3 ci/quickstart.py

It needs Python 3.11 or newer and a C++20 compiler; pip brings the rest.
"""

from environment import ROOT, make_venv, run


def main() -> None:
    python = make_venv(ROOT / ".venv")
    run(python, ROOT / "ci" / "wheels.py")
    requirements = ROOT / "ci" / "requirements-quickstart.txt"
    run(python, "-m", "pip", "install", "--quiet", "-r", requirements)
    run(python, ROOT / "examples" / "quickstart.py")


if __name__ == "__main__":
    main()
