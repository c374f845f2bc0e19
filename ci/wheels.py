"""Builds the wheels of all three packages with this Python's pip: python ci/wheels.py [FOLDER]

The engine is compiled in build/engine, which is kept: a second call compiles what has changed.
With --tests the C++ tests are built as well, from the same objects.
"""

import argparse
import shutil
import sys
from pathlib import Path

from environment import PACKAGES, ROOT, build_requirements, run, runtime_requirements

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def wheel_of(folder: Path, package: str) -> Path:
    """The one wheel of a package in a folder."""
    (wheel,) = folder.glob(f"{package.replace('-', '_')}-*.whl")
    return wheel


def build(package: str, folder: Path, options: argparse.Namespace) -> None:
    """Builds one wheel, without build isolation: mlx-export builds on the engine just installed."""
    settings = []
    if package != "mlx-interop":
        name = {"mlx-core": "engine", "mlx-export": "export"}[package]
        settings += ["-C", f"build-dir={ROOT / 'build' / name}"]
        if options.strict:
            settings += ["-C", "cmake.define.MLX_WERROR=ON"]
    if package == "mlx-core":
        tests = "ON" if options.tests else "OFF"
        settings += ["-C", f"cmake.define.MLX_BUILD_TESTS={tests}"]
    print(f"building {package}" + ("; this takes a while" if package == "mlx-core" else ""))
    command = [*PIP, "wheel", "--no-deps", "--no-cache-dir", "--no-build-isolation"]
    run(*command, "--wheel-dir", folder, *settings, ROOT / "packages" / package)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "wheels")
    parser.add_argument("--tests", action="store_true", help="build the C++ tests, too")
    parser.add_argument("--strict", action="store_true", help="treat warnings as errors")
    options = parser.parse_args()

    run(*PIP, "install", "--quiet", *build_requirements(), *runtime_requirements())
    shutil.rmtree(options.folder, ignore_errors=True)
    for package in PACKAGES:
        build(package, options.folder, options)
        wheel = wheel_of(options.folder, package)
        run(*PIP, "install", "--quiet", "--no-deps", "--force-reinstall", wheel)
    print("built", *(wheel.name for wheel in sorted(options.folder.iterdir())), sep="\n  ")


if __name__ == "__main__":
    main()
