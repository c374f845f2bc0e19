"""What the scripts of this folder share: the checkout, its packages, and virtual environments."""

import os
import subprocess
import sys
import venv
from pathlib import Path

try:
    import tomllib
except ImportError:  # somebody runs us with what their system calls python3
    sys.exit(f"Python 3.11 or newer is needed; this one is {sys.version.split()[0]}")

ROOT = Path(__file__).resolve().parent.parent
# In the order in which they build on each other.
PACKAGES = ("mlx-core", "mlx-export", "mlx-interop")


def run(*command: str | Path, **options) -> None:
    """Runs a command, shows it, and leaves with its exit code where it fails."""
    print("$", *command, flush=True)
    code = subprocess.run([str(part) for part in command], **options).returncode
    if code:
        sys.exit(code)


def make_venv(folder: Path) -> Path:
    """The Python of a virtual environment in ``folder``, made if it is not there."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        print(f"making a virtual environment in {folder}", flush=True)
        try:
            venv.create(folder, with_pip=True)
        except subprocess.CalledProcessError:
            sys.exit("this Python cannot make virtual environments: install its venv module")
    return python


def settings(package: str) -> dict:
    """The package's pyproject.toml."""
    return tomllib.loads((ROOT / "packages" / package / "pyproject.toml").read_text())


def is_ours(requirement: str) -> bool:
    """Is it one of the packages of this checkout, which no index has?"""
    return requirement.startswith(PACKAGES)


def build_requirements() -> list[str]:
    """What pip installs before it builds; cmake and ninja only matter where the system has none."""
    wanted = {"cmake >=3.26", "ninja >=1.11"}
    for package in PACKAGES:
        wanted.update(settings(package)["build-system"]["requires"])
    return sorted(requirement for requirement in wanted if not is_ours(requirement))


def runtime_requirements() -> list[str]:
    """What the packages need from the index at run time."""
    wanted = set()
    for package in PACKAGES:
        wanted.update(settings(package)["project"].get("dependencies", []))
    return sorted(requirement for requirement in wanted if not is_ours(requirement))
