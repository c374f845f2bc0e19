"""Runs the Python blocks of the README files, so that they cannot rot. Docstrings have tests."""

import re
import subprocess
import sys

from environment import ROOT

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def main() -> None:
    failed = 0
    files = sorted([*ROOT.glob("*.md"), *ROOT.glob("packages/*/*.md")])
    blocks = [(path, block) for path in files for block in BLOCK.findall(path.read_text())]
    if not blocks:
        sys.exit("no Python block found in any README.md")
    for path, block in blocks:
        print(f"{path.relative_to(ROOT)}: {len(block.splitlines())} lines", flush=True)
        failed += subprocess.run([sys.executable, "-c", block], cwd=ROOT).returncode != 0
    sys.exit(f"{failed} of {len(blocks)} blocks failed" if failed else 0)


if __name__ == "__main__":
    main()
