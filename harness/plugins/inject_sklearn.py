"""pytest plugin: runs scikit-learn's own array API tests on another namespace.

Load with `-p inject_sklearn`. No installed file is touched: the generators in
sklearn.utils._array_api are replaced before a test module imports them by name. They are private,
so their absence is an error, never an empty run.

XP_TARGETS  comma list of MODULE[@DEVICE][:DTYPE], for example "mlx.interop:float32"
XP_MIXED    comma list of MODULE[@DEVICE]>MODULE[@DEVICE], for the tests of mixed inputs
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import NamedTuple

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # before scipy is imported

import sklearn.utils._array_api as array_api


class Target(NamedTuple):
    """A namespace, and the device and dtype to test it with."""

    module: str
    device: str | None
    dtype: str | None


def parsed(text: str) -> Target:
    """MODULE[@DEVICE][:DTYPE]."""
    place, _, dtype = text.strip().partition(":")
    module, _, device = place.partition("@")
    return Target(module, device or None, dtype or None)


TARGETS = [parsed(text) for text in os.environ["XP_TARGETS"].split(",")]
NAMES = list(dict.fromkeys(target.module for target in TARGETS))
MIXED = [text for text in os.environ.get("XP_MIXED", "").split(",") if text]


def _wanted(name: str, include_numpy: bool) -> bool:
    return include_numpy or name not in array_api._NUMPY_NAMESPACE_NAMES


def yield_namespaces(include_numpy_namespaces: bool = True) -> Iterator[str]:
    """Stands for scikit-learn's generator of the same name."""
    yield from (name for name in NAMES if _wanted(name, include_numpy_namespaces))


def yield_namespace_device_dtype_combinations(
    include_numpy_namespaces: bool = True,
) -> Iterator[Target]:
    """Stands for scikit-learn's generator of the same name."""
    yield from (t for t in TARGETS if _wanted(t.module, include_numpy_namespaces))


def yield_mixed_namespace_input_permutations() -> Iterator[tuple[object, object, str]]:
    """Stands for scikit-learn's generator of the same name."""
    for text in MIXED:
        pair = [parsed(part) for part in text.split(">")]
        first, second = (array_api.NamespaceAndDevice(t.module, t.device) for t in pair)
        yield first, second, text


_REPLACED = {
    function.__name__: function
    for function in (
        yield_namespaces,
        yield_namespace_device_dtype_combinations,
        yield_mixed_namespace_input_permutations,
    )
}
for _name in _REPLACED:
    if not hasattr(array_api, _name):
        raise ImportError(f"sklearn.utils._array_api.{_name} is gone: another scikit-learn?")
for _module in [m for n, m in list(sys.modules.items()) if n.startswith("sklearn") and m]:
    for _name, _function in _REPLACED.items():
        if _name in vars(_module):
            setattr(_module, _name, _function)


def _speaks_of_target(value: object) -> bool:
    if isinstance(value, str):
        return value in NAMES
    if isinstance(value, array_api.NamespaceAndDevice):
        return True
    # Checks of estimators are partials, with the namespace as a keyword.
    keywords = getattr(value, "keywords", None) or {}
    if keywords.get("array_namespace") in NAMES or "check_array_api_mixed" in repr(value):
        return True
    return isinstance(value, tuple) and bool(value) and value[0] in NAMES


def pytest_collection_modifyitems(config, items) -> None:
    """Keep the tests that the namespace reaches."""
    keep, drop = [], []
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        reached = any(_speaks_of_target(value) for value in parameters.values())
        (keep if reached else drop).append(item)
    config.hook.pytest_deselected(items=drop)
    items[:] = keep
