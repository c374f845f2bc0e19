"""Installs all three packages into .venv and runs the main job: python3 ci/quickstart.py

It needs Python 3.11 or newer and a C++20 compiler; pip brings the rest.
"""

import sys

from environment import PACKAGES, ROOT, make_venv, run, runtime_requirements


def main() -> None:
    run(sys.executable, ROOT / "ci" / "wheels.py")
    python = make_venv(ROOT / ".venv")
    install = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    requirements = ROOT / "ci" / "requirements-quickstart.txt"
    run(*install, "-r", requirements, *runtime_requirements())
    # From the folder and from nowhere else, and again even if the version is the same.
    ours = ["--no-index", f"--find-links={ROOT / 'build' / 'wheels'}", "--force-reinstall"]
    run(*install, "--no-deps", *ours, *PACKAGES)
    run(python, ROOT / "examples" / "quickstart.py")


if __name__ == "__main__":
    main()
