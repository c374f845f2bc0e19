"""What an exported file holds, for people: nothing is run and no data is read."""

from __future__ import annotations

import json
import os
import struct
from dataclasses import dataclass, field
from typing import Any

from . import _export

__all__ = ["FileContents", "read_file"]


@dataclass
class FileContents:
    """A checked file as plain Python: ``functions`` and ``constants`` as FORMAT.md describes."""

    functions: list[dict[str, Any]]
    constants: dict[str, dict[str, Any]]
    metadata: dict[str, str] = field(default_factory=dict)

    def listing(self) -> str:
        """The functions, a line for each array and primitive, and totals."""
        lines = []
        for key, value in sorted(self.metadata.items()):
            lines.append(f"# {key}: {value}")
        for number, function in enumerate(self.functions):
            lines.append(f"function {number}")
            keywords = {name: keyword for keyword, name in function["keywords"]}
            for name, shape, dtype in function["inputs"]:
                keyword = f" keyword {keywords[name]}" if name in keywords else ""
                lines.append(f"  input    {name}: {dtype} {_shape(shape)}{keyword}")
            for op, inputs, outputs, arguments in function["primitives"]:
                results = ", ".join(f"{n}: {d} {_shape(s)}" for n, s, d in outputs)
                given = ", ".join([*inputs, *(f"{k}={_plain(v)}" for k, v in arguments.items())])
                lines.append(f"  {results} = {op}({given})")
            names = ", ".join(name for name, _, _ in function["outputs"])
            lines.append(f"  output   {names}")
        total = 0
        for name, constant in self.constants.items():
            begin, end = constant["data_offsets"]
            total += end - begin
            lines.append(f"constant {name}: {constant['dtype']} {_shape(constant['shape'])}")
        primitives = sum(len(function["primitives"]) for function in self.functions)
        lines.append(
            f"{len(self.functions)} functions, {primitives} primitives, "
            f"{len(self.constants)} constants, {total} bytes of data"
        )
        return "\n".join(lines) + "\n"


def _shape(shape: list[int]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def _plain(value: Any) -> Any:
    return next(iter(value.values())) if isinstance(value, dict) else value


def read_file(path: str | os.PathLike[str]) -> FileContents:
    """Checks a file whole, then reads its header.

    Raises:
        ValueError: The file is damaged or holds no exported function.
        RuntimeError: It cannot be opened.
    """
    _export._ImportedFunction.open(os.fspath(path))
    with open(path, "rb") as stream:
        (size,) = struct.unpack("<Q", stream.read(8))
        header = json.loads(stream.read(size))
    metadata = header.pop("__metadata__")
    graph = json.loads(metadata.pop("mlx.functions"))
    metadata.pop("mlx.format_version")
    return FileContents(graph["functions"], header, metadata)
