"""Write tests/standard.json from a checkout of the standard: names and signatures by version.

    python tools/read_standard.py CHECKOUT_OF_ARRAY_API > tests/standard.json

Each name has the version that brought it and its signature then, and each later version that
changed the signature. Annotations are left out. Names of parts are "linalg.det", "fft.fft",
"info.devices", "array.__add__".
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
PREFIXES = {"linalg": "linalg.", "fft": "fft.", "info": "info.", "array_object": "array."}


def signature_of(function: ast.FunctionDef) -> str:
    """The parameters without annotations, or "property" for an attribute."""
    if any(isinstance(d, ast.Name) and d.id == "property" for d in function.decorator_list):
        return "property"
    arguments = function.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    for star in (arguments.vararg, arguments.kwarg):
        if star is not None:
            star.annotation = None
    return f"({ast.unparse(arguments)})"


def functions_of(path: Path) -> list[ast.FunctionDef]:
    """Functions of a stub file, and the methods of the array's class."""
    body = ast.parse(path.read_text()).body
    found = [node for node in body if isinstance(node, ast.FunctionDef)]
    for node in body:
        if isinstance(node, ast.ClassDef):
            found += [part for part in node.body if isinstance(part, ast.FunctionDef)]
    return found


def names_of(version: str, stubs: Path) -> dict[str, str]:
    """Every name of a version and its signature."""
    names: dict[str, str] = {}
    for path in sorted((stubs / f"_{version.replace('.', '_')}").glob("*.py")):
        if path.stem in ("__init__", "_types", "data_types"):
            continue
        if path.stem == "constants":
            names |= {name: "constant" for name in constants_of(path)}
        for function in functions_of(path):
            if function.name != "__init__":
                own = function.name == "__array_namespace_info__"
                prefix = "" if own else PREFIXES.get(path.stem, "")
                names[prefix + function.name] = signature_of(function)
    return names


def constants_of(path: Path) -> list[str]:
    """The names that the chapter "constants" lists."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    raise ValueError(f"{path}: no __all__")


def main(checkout: str) -> None:
    """Print the table."""
    stubs = Path(checkout, "src", "array_api_stubs")
    history: dict[str, dict[str, str]] = {}
    for version in VERSIONS:
        for name, signature in names_of(version, stubs).items():
            changes = history.setdefault(name, {})
            if not changes or list(changes.values())[-1] != signature:
                changes[version] = signature
    lines = (f"  {json.dumps(name)}: {json.dumps(history[name])}" for name in sorted(history))
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main(*sys.argv[1:])
