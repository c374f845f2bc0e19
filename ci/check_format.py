"""Runs clang-format over all C++ files; with --fix it rewrites them."""

import subprocess
import sys
from pathlib import Path

from check_files import tracked_files


def main() -> None:
    files = [str(path) for path in tracked_files() if path.suffix in (".h", ".cpp")]
    mode = ["-i"] if "--fix" in sys.argv[1:] else ["--dry-run", "-Werror"]
    program = Path(sys.executable).parent / "clang-format"  # of ci/requirements-lint.txt
    sys.exit(subprocess.run([program, *mode, *files]).returncode)


if __name__ == "__main__":
    main()
