"""Graphs in the DOT language: a listener of the same walk as every other."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, TextIO

import mlx.core as mx

from . import _export

__all__ = ["dot_of_events", "export_to_dot"]

Event = dict[str, Any]


def export_to_dot(
    file: str | os.PathLike[str] | TextIO, *args: mx.array, **kwargs: mx.array
) -> None:
    """Writes the graph that has still to be computed for these arrays, in the DOT language.

    Args:
        file: A path, or an open text file.
        *args: The arrays.
        **kwargs: Arrays whose keyword becomes their label.

    >>> import io
    >>> text = io.StringIO()
    >>> mx.export_to_dot(text, y=mx.exp(mx.zeros(2)))
    >>> "Exp" in text.getvalue()
    True
    """
    events: list[Event] = []
    arrays = [*args, *kwargs.values()]
    _export._Exporter(events.append, lambda: arrays).trace((), {})
    labels = [None] * len(args) + list(kwargs)
    text = dot_of_events(events, labels)
    if hasattr(file, "write"):
        file.write(text)
    else:
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(text)


def dot_of_events(events: Iterable[Event], output_labels: list[str | None] | None = None) -> str:
    """The graph of one trace: boxes are primitives, ellipses are arrays."""
    lines = ["digraph {"]

    def array(name: str, shape: tuple[int, ...], dtype: mx.Dtype, label: str | None = None) -> None:
        text = f"{label or name} {shape} {str(dtype).removeprefix('mlx.core.')}"
        lines.append(f"  {_quote(name)} [label={_quote(text)}]")

    count = 0
    for event in events:
        if event["type"] == "inputs":
            for name, shape, dtype in event["inputs"]:
                array(name, shape, dtype)
        elif event["type"] == "outputs":
            labels = output_labels or [None] * len(event["outputs"])
            for (name, shape, dtype), label in zip(event["outputs"], labels, strict=True):
                array(name, shape, dtype, label)
        elif event["type"] == "constants":
            for name, value in event["constants"]:
                array(name, value.shape, value.dtype)
        elif event["type"] == "primitive":
            count += 1
            arguments = ", ".join(f"{k}={v}" for k, v in event["named_arguments"].items())
            label = f"{event['name']}({arguments})" if arguments else event["name"]
            lines.append(f"  op{count} [shape=box, label={_quote(label)}]")
            lines += [f"  {_quote(name)} -> op{count}" for name, _, _ in event["inputs"]]
            lines += [f"  op{count} -> {_quote(name)}" for name, _, _ in event["outputs"]]
    return "\n".join([*lines, "}"]) + "\n"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
