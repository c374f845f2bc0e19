"""Fails when a lane object defines a symbol outside its own instruction set's namespace."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

# Itanium mangling of mlx::core::cpu::<set>, wherever it stands in the name.
INSIDE = re.compile(r"N?3mlx4core3cpu(2v[234]|10native_isa)")
# Weak or global definitions of code and data; V and W are the ones that the linker merges.
DEFINED = set("TWVuDBRS")


def strays(nm: str, objects: list[str]) -> list[str]:
    """Names that another object of the same link could also define."""
    found = []
    for path in objects:
        listing = subprocess.run([nm, path], capture_output=True, text=True, check=True).stdout
        for line in listing.splitlines():
            kind, _, name = line[17:].partition(" ")
            if kind in DEFINED and not INSIDE.search(name) and not name.startswith("DW.ref."):
                found.append(f"{Path(path).parent.name}/{Path(path).name}: {name}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--stamp", required=True, type=Path)
    parser.add_argument("objects", nargs="+")
    options = parser.parse_args()
    found = strays(options.nm, options.objects)
    if found:
        print("lane code must stay in namespace mlx::core::cpu::MLX_ISA; these symbols are shared")
        print("between instruction sets (c++filt tells their names):")
        print("\n".join(f"  {entry}" for entry in found))
        sys.exit(1)
    options.stamp.touch()


if __name__ == "__main__":
    main()
