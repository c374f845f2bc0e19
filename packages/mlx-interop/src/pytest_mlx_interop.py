"""pytest plugin: skips or substitutes dtype parameters that the library under test lacks.

Tests name dtypes as the standard does::

    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_norm(dtype): ...

and the configuration names the library (`pytest.ini`, or the same on the command line)::

    [pytest]
    array_library = mlx.interop          # --array-library
    array_device =                       # --array-device, as the library's device= takes it
    missing_dtypes = skip                # --missing-dtypes: skip or substitute
    dtype_parameters = dtype dtypes      # parameters that hold dtype names

A test whose parameters include a namespace (by default one called `xp`, a module or its name) is
about that library instead. With `substitute`, float64 runs as float32 and complex128 as complex64;
tests that would then run twice with the same parameters are skipped. The mark
`@pytest.mark.needs_dtypes("float64")` says what a test without such parameters needs. Without
`array_library`, and for tests without a namespace, the plugin does nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

SUBSTITUTES = {
    "float64": "float32",
    "complex128": "complex64",
    "float16": "float32",
    "bfloat16": "float32",
    "int64": "int32",
    "uint64": "uint32",
    "uint32": "int64",
    "uint16": "int32",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options and their ini twins."""
    group = parser.getgroup("array libraries (mlx-interop)")
    for name, text in (
        ("array_library", "namespace under test, for example mlx.interop, numpy or torch"),
        ("array_device", "device on which the dtypes must exist (default: the library's)"),
        ("missing_dtypes", "what to do about dtypes that it lacks: skip (default) or substitute"),
    ):
        parser.addini(name, text)
        group.addoption(f"--{name.replace('_', '-')}", dest=name, default=None, help=text)
    parser.addini("dtype_parameters", "parameters that hold dtype names", "args", ["dtype"])
    parser.addini("namespace_parameters", "parameters that hold a namespace", "args", ["xp"])


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark and check the configuration."""
    config.addinivalue_line(
        "markers", "needs_dtypes(*names): dtypes that the library under test must have"
    )
    if _option(config, "missing_dtypes") not in ("", "skip", "substitute"):
        raise pytest.UsageError(
            f"missing_dtypes: got {_option(config, 'missing_dtypes')!r}; "
            "expected skip or substitute"
        )


def _option(config: pytest.Config, name: str) -> str:
    return config.getoption(name, None) or config.getini(name) or ""


def _library(item: pytest.Item) -> Any:
    """The namespace that a test is about; None: the plugin has nothing to say."""
    parameters = _parameters(item)
    for name in item.config.getini("namespace_parameters"):
        value = parameters.get(name)
        if isinstance(value, str):
            return import_module(value)
        if isinstance(value, ModuleType):
            return value
    configured = _option(item.config, "array_library")
    return import_module(configured) if configured else None


def _parameters(item: pytest.Item) -> dict[str, Any]:
    callspec = getattr(item, "callspec", None)
    return callspec.params if callspec is not None else {}


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _names(one)


class _Lookup:
    """Which dtypes libraries have, each asked once."""

    def __init__(self, device: str) -> None:
        self._device = device or None
        self._known: dict[tuple[int, str], bool] = {}

    def has(self, library: Any, name: str) -> bool:
        from mlx.interop.choice import has_dtype

        key = (id(library), name)
        if key not in self._known:
            self._known[key] = has_dtype(library, name, self._device)
        return self._known[key]

    def missing(self, library: Any, names: Iterable[str]) -> list[str]:
        return [name for name in names if not self.has(library, name)]

    def substituted(self, library: Any, value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return type(value)(self.substituted(library, one) for one in value)
        if not isinstance(value, str) or self.has(library, value):
            return value
        other = SUBSTITUTES.get(value)
        return other if other is not None and self.has(library, other) else value


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip tests, or give them other dtypes, before any of them runs."""
    lookup = _Lookup(_option(config, "array_device"))
    substitute = _option(config, "missing_dtypes") == "substitute"
    for item in items:
        library = _library(item)
        if library is not None:
            _treat(item, items, library, lookup, substitute)


def _treat(
    item: pytest.Item, items: list[pytest.Item], library: Any, lookup: _Lookup, substitute: bool
) -> None:
    parameters = _parameters(item)
    names = [name for mark in item.iter_markers("needs_dtypes") for name in mark.args]
    for parameter in item.config.getini("dtype_parameters"):
        if parameter not in parameters:
            continue
        if substitute and lookup.missing(library, _names(parameters[parameter])):
            parameters[parameter] = lookup.substituted(library, parameters[parameter])
            if _has_twin(item, items):
                item.add_marker(pytest.mark.skip(reason="the substituted dtype runs already"))
        names += _names(parameters[parameter])
    missing = lookup.missing(library, names)
    if missing:
        reason = f"{getattr(library, '__name__', library)} lacks {', '.join(missing)}"
        item.add_marker(pytest.mark.skip(reason=reason))


def _has_twin(item: pytest.Item, items: list[pytest.Item]) -> bool:
    function = getattr(item, "originalname", item.name)
    return any(
        other is not item
        and other.parent is item.parent
        and getattr(other, "originalname", other.name) == function
        and _parameters(other) == _parameters(item)
        for other in items
    )
