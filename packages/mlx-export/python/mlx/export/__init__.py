"""Export: the engine's graph handed to a callback or to a file, and back.

>>> events = []
>>> mx.export_function(events.append, lambda x: mx.log(mx.abs(x)), mx.array([1.0, -2.0]))
>>> [event["name"] for event in events if event["type"] == "primitive"]
['Abs', 'Log']
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

import mlx.core as mx

from . import _export
from ._build import cmake_dir
from .dot import export_to_dot

__all__ = [
    "FunctionExporter",
    "cmake_dir",
    "export_function",
    "export_to_dot",
    "exporter",
    "import_function",
]

Target = str | os.PathLike[str] | Callable[[dict[str, Any]], object]


class FunctionExporter:
    """Several traces of one function into one target; made by :func:`exporter`.

    Calling it traces the function for the arguments given. A file is written at the end, whole or
    not at all: an exception inside the ``with`` block leaves no file behind.
    """

    def __init__(
        self, target: Target, fun: Callable[..., Any], metadata: Mapping[str, str] | None
    ) -> None:
        if callable(target):
            if metadata:
                raise ValueError(
                    "[exporter] metadata goes into files: got metadata with a callback; "
                    "expected none"
                )
            self._exporter = _export._Exporter(target, fun)
        else:
            self._exporter = _export._Exporter(os.fspath(target), dict(metadata or {}), fun)
        self._open = True

    def __call__(self, *args: mx.array, **kwargs: mx.array) -> None:
        """Traces the function for arguments of these shapes, dtypes and keywords."""
        if not self._open:
            raise ValueError("[exporter] it is closed: no more traces can be added")
        self._exporter.trace(args, kwargs)

    def close(self) -> None:
        """Writes the file; more traces cannot be added."""
        if self._open:
            self._open = False
            self._exporter.finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        if exc_type is None:
            self.close()
        else:
            self._open = False


def _refuse_shapeless(op: str, shapeless: bool) -> None:
    if shapeless:
        raise NotImplementedError(
            f"[{op}] shapeless=True is not there yet: trace once for each shape with mx.exporter"
        )


def exporter(
    file: Target,
    fun: Callable[..., Any],
    *,
    shapeless: bool = False,
    metadata: Mapping[str, str] | None = None,
) -> FunctionExporter:
    """An exporter that traces ``fun`` as often as it is called.

    Args:
        file: A path, or a callback that gets every event of the walk as a dict.
        fun: Takes arrays by position and keyword; returns arrays, or lists, tuples and dicts
            (with string keys) of them.
        shapeless: Not there yet; raises NotImplementedError.
        metadata: Strings to store in the file; keys that begin with ``mlx.`` are taken.

    Names of arrays go on from trace to trace, and a constant is told or stored once.

    >>> names = []
    >>> with mx.exporter(lambda event: names.append(event["type"]), mx.abs) as add:
    ...     add(mx.array(1.0))
    ...     add(mx.array([1.0, 2.0]))
    >>> names.count("primitive")
    2
    """
    _refuse_shapeless("exporter", shapeless)
    return FunctionExporter(file, fun, metadata)


def export_function(
    file_or_callback: Target,
    fun: Callable[..., Any],
    *args: mx.array,
    shapeless: bool = False,
    metadata: Mapping[str, str] | None = None,
    **kwargs: mx.array,
) -> None:
    """Traces ``fun`` once and writes its graph to a file, or tells it to a callback.

    Args:
        file_or_callback: A path; or a callback, which is called with one dict for each event:
            ``inputs``, ``keyword_inputs``, ``outputs``, ``constants``, then a ``primitive`` for
            each node in the order of execution.
        fun: See :func:`exporter`.
        *args, **kwargs: Arguments whose shapes, dtypes and keywords the trace is for.
        shapeless: Not there yet; raises NotImplementedError.
        metadata: Strings to store in the file.

    Raises:
        TypeError: An argument or result is no array.
        Whatever ``fun`` or the callback raises, unchanged; a file is not written then.
    """
    _refuse_shapeless("export_function", shapeless)
    with FunctionExporter(file_or_callback, fun, metadata) as add:
        add(*args, **kwargs)


def import_function(
    file: str | os.PathLike[str], return_metadata: bool = False
) -> Callable[..., Any] | tuple[Callable[..., Any], dict[str, str]]:
    """The function that :func:`export_function` or :func:`exporter` wrote.

    Args:
        file: A path. The constants are mapped, not read; loading runs no code.
        return_metadata: Also return the strings stored with it.

    Returns:
        A function of arrays by position and keyword, whatever the order of the keywords; it returns
        what the exported one did, in the same containers. It raises ValueError, listing the traces
        there are, for arguments that no trace is for.

    Raises:
        ValueError: The file is damaged or of another format version.
        RuntimeError: It cannot be opened.
    """
    imported = _export._ImportedFunction.open(os.fspath(file))

    def function(*args: mx.array, **kwargs: mx.array) -> Any:
        outputs, structure = imported.call(args, kwargs)
        return _unpack(json.loads(structure), iter(outputs)) if structure else outputs

    return (function, imported.metadata) if return_metadata else function


def _unpack(structure: Any, outputs: Any) -> Any:
    if structure == "a":
        return next(outputs)
    if "dict" in structure:
        items = [_unpack(item, outputs) for item in structure["dict"]]
        return dict(zip(structure["keys"], items, strict=True))
    if "tuple" in structure:
        return tuple(_unpack(item, outputs) for item in structure["tuple"])
    return [_unpack(item, outputs) for item in structure["list"]]
