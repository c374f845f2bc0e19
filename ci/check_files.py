"""Checks what no formatter does: order of the folders, opening line and length of the files."""

import re
import subprocess
import sys
from pathlib import Path

from environment import ROOT

# A folder includes only folders before it.
ORDER = ("array", "graph", "ops", "transforms", "schedule", "backends", "io", "core",
         "bindings", "export")  # fmt: skip
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]mlx/([\w/]+\.h)[">]')
OPENINGS = {
    ".h": "//", ".cpp": "//", ".py": ('"""', "#", 'r"""'), ".sh": "#", ".cmake": "#", ".ini": "#",
}  # fmt: skip
SOFT_LIMIT, LIMIT = 600, 700


def tracked_files() -> list[Path]:
    """The files that git knows or would add."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    paths = [ROOT / line for line in listing.splitlines()]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def folder_of(path: Path) -> str | None:
    """The folder of the engine that a C++ source is in, if it is under the rule."""
    parts = path.relative_to(ROOT).parts
    if parts[0] != "packages" or len(parts) < 4:
        return None
    if parts[2] == "bindings":
        return "bindings" if parts[1] == "mlx-core" else "export"
    if parts[2:4] == ("src", "mlx"):
        return parts[4].removesuffix(".h")
    return None


def check_includes(path: Path, lines: list[str]) -> list[str]:
    """Includes of a later folder, and of kernels from outside the backends."""
    folder = folder_of(path)
    if folder is None:
        return []
    if folder not in ORDER:
        return [f"folder {folder} has no place in the order {' < '.join(ORDER)}"]
    faults = []
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match[1].split("/")
        other = target[0].removesuffix(".h")
        if other not in ORDER:
            faults.append(f"{number}: {match[1]} is in no folder of {' < '.join(ORDER)}")
        elif ORDER.index(other) > ORDER.index(folder):
            faults.append(f"{number}: {folder}/ includes {match[1]}, of a later folder")
        elif folder == "export" and (other == "backends" or "lanes" in target):
            faults.append(f"{number}: mlx-export includes {match[1]}, which is not installed")
    return faults


def check_opening(path: Path, lines: list[str]) -> list[str]:
    """Does the file begin with a line that says what it is for?"""
    opening = OPENINGS[path.suffix]
    first = lines[1:2] if lines and lines[0].startswith("#!") else lines[:1]
    if not lines or (first and first[0].startswith(opening)):
        return []
    return ["the first line does not say what the file is for"]


def check_length(lines: list[str]) -> list[str]:
    """Is it short enough to be held in mind?"""
    if len(lines) > LIMIT:
        return [f"{len(lines)} lines: split it, the aim is {SOFT_LIMIT}"]
    return []


def main() -> None:
    faults = []
    checked = 0
    for path in tracked_files():
        if path.suffix not in OPENINGS:
            continue
        checked += 1
        lines = path.read_text().splitlines()
        found = check_opening(path, lines) + check_length(lines)
        if path.suffix in (".h", ".cpp"):
            found += check_includes(path, lines)
        faults += [f"{path.relative_to(ROOT)}: {fault}" for fault in found]
    if not checked:
        sys.exit("no files found: is this a git checkout?")
    print("\n".join(faults) or f"{checked} files are in order")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
