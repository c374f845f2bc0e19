"""``python -m mlx.core``: facts about the installed engine."""

import argparse

from . import build_info, cmake_dir


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m mlx.core", description=__doc__)
    parser.add_argument(
        "--cmake-dir", action="store_true", help="print the directory of the CMake package MLXCore"
    )
    options = parser.parse_args()
    if options.cmake_dir:
        print(cmake_dir())
    else:
        for name, value in build_info().items():
            print(f"{name}: {value}")


if __name__ == "__main__":
    main()
