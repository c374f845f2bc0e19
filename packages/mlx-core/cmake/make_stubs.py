"""Writes the type stubs of a package whose names come from an extension and from Python files."""

import argparse
import importlib
import re
import sys
from pathlib import Path

from nanobind import stubgen


# With a __getattr__ in the stub, a type checker would believe in every name.
MODULE_HOOKS = re.compile(r"^def __(getattr|dir)__\(.*\n+", re.MULTILINE)


def add_optional_names(stub: Path, provided: dict[str, tuple[str, ...]]) -> None:
    """Names that another package adds: a type checker takes them from there."""
    lines = [
        f"from mlx.{package} import {name} as {name}\n"
        for package, names in provided.items()
        for name in names
    ]
    stub.write_text(MODULE_HOOKS.sub("", stub.read_text()) + "".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python-path", action="append", default=[])
    parser.add_argument("--module", required=True)
    parser.add_argument("--output", required=True, type=Path)
    options = parser.parse_args()
    sys.path[:0] = options.python_path
    options.output.mkdir(parents=True, exist_ok=True)
    stubgen.main(["-q", "-m", options.module, "-r", "-O", str(options.output)])

    package = importlib.import_module(options.module)
    source = Path(package.__file__).parent
    for stub in options.output.rglob("*.pyi"):
        relative = stub.relative_to(options.output).with_suffix(".py")
        # A Python file has its own annotations, better ones.
        if relative.name != "__init__.py" and (source / relative).exists():
            stub.unlink()
    if hasattr(package, "_packages"):
        add_optional_names(options.output / "__init__.pyi", package._packages.PROVIDED_BY)


if __name__ == "__main__":
    main()
