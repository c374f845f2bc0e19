"""Runs the tests: python3 ci/test.py [tox arguments]

It installs tox into build/tox and calls it; without arguments that is everything CI runs.
"""

import os
import sys

from environment import ROOT, make_venv, run

TOX = "tox >=4.30,<5"


def main() -> None:
    python = make_venv(ROOT / "build" / "tox")
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", TOX)
    # An outer PYTHONPATH would put somebody's build tree before the wheels that are to be tested.
    os.environ.pop("PYTHONPATH", None)
    run(python, "-m", "tox", "run", *sys.argv[1:], cwd=ROOT)


if __name__ == "__main__":
    main()
