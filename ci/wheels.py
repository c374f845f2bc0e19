"""Builds the wheels of all three packages: python3 ci/wheels.py [FOLDER]

Compiler output is kept in build/, and so is the environment that the tools are in, whoever calls:
a second call compiles what has changed. With --tests the C++ tests are built, too. In CI warnings
are errors; elsewhere the compiler may be one that knows more of them than ours.
"""

import argparse
import os
import shutil
from pathlib import Path

from environment import PACKAGES, ROOT, build_requirements, make_venv, run, runtime_requirements


def wheel_of(folder: Path, package: str) -> Path:
    """The one wheel of a package in a folder."""
    (wheel,) = folder.glob(f"{package.replace('-', '_')}-*.whl")
    return wheel


def build(package: str, pip: list[str | Path], options: argparse.Namespace) -> None:
    """Builds one wheel, without build isolation: mlx-export builds on the engine just installed."""
    settings = []
    if package != "mlx-interop":
        name = {"mlx-core": "engine", "mlx-export": "export"}[package]
        settings += ["-C", f"build-dir={ROOT / 'build' / name}"]
        if os.environ.get("CI"):
            settings += ["-C", "cmake.define.MLX_WERROR=ON"]
    if package == "mlx-core":
        tests = "ON" if options.tests else "OFF"
        settings += ["-C", f"cmake.define.MLX_BUILD_TESTS={tests}"]
    print(f"building {package}" + ("; this takes a while" if package == "mlx-core" else ""))
    command = [*pip, "wheel", "--no-deps", "--no-cache-dir", "--no-build-isolation"]
    run(*command, "--wheel-dir", options.folder, *settings, ROOT / "packages" / package)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "wheels")
    parser.add_argument("--tests", action="store_true", help="build the C++ tests, too")
    options = parser.parse_args()

    pip = [make_venv(ROOT / "build" / "tools"), "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "install", "--quiet", *build_requirements(), *runtime_requirements())
    shutil.rmtree(options.folder, ignore_errors=True)
    for package in PACKAGES:
        build(package, pip, options)
        wheel = wheel_of(options.folder, package)
        run(*pip, "install", "--quiet", "--no-deps", "--force-reinstall", wheel)
    print("built", *(wheel.name for wheel in sorted(options.folder.iterdir())), sep="\n  ")


if __name__ == "__main__":
    main()
