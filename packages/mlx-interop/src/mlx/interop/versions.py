"""The namespaces of the standard's versions: what each has, and what it did otherwise."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache, wraps
from types import ModuleType
from typing import Any

from . import (
    constants,
    creation,
    data_types,
    elementwise,
    fft,
    indexing,
    linalg,
    linear_algebra,
    manipulation,
    searching,
    sets,
    sorting,
    statistical,
    utility,
)
from .dtypes import BY_NAME
from .info import Info
from .policy import POLICIES, WIDE, Policy, bound, wide_dtype

VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
LATEST = VERSIONS[-1]

CHAPTERS: tuple[ModuleType, ...] = (
    constants,
    creation,
    data_types,
    elementwise,
    indexing,
    linear_algebra,
    manipulation,
    searching,
    sets,
    sorting,
    statistical,
    utility,
)
EXTENSIONS: dict[str, ModuleType] = {"linalg": linalg, "fft": fft}

# What a version added; every other name is there since 2021.12.
ADDED: dict[str, tuple[str, ...]] = {
    "2022.12": (
        "complex64",
        "complex128",
        "conj",
        "fft",
        "imag",
        "isdtype",
        "real",
        "take",
    ),
    "2023.12": (
        "__array_namespace_info__",
        "clip",
        "copysign",
        "cumulative_sum",
        "hypot",
        "maximum",
        "minimum",
        "moveaxis",
        "repeat",
        "searchsorted",
        "signbit",
        "tile",
        "unstack",
    ),
    "2024.12": (
        "count_nonzero",
        "cumulative_prod",
        "diff",
        "nextafter",
        "reciprocal",
        "take_along_axis",
    ),
    "2025.12": ("broadcast_shapes", "isin", "linalg.eig", "linalg.eigvals"),
}

# These returned a list until the version named.
TUPLE_SINCE = {"broadcast_arrays": "2025.12", "meshgrid": "2025.12"}

# Functions that ask the float64 policy beside those with a `dtype` keyword.
ASKS_POLICY = ("astype", "dtypes", "from_dlpack")

_SINCE = {name: version for version, names in ADDED.items() for name in names}


def is_in(name: str, api_version: str) -> bool:
    """Does that version of the standard have the name? Extensions' names are "linalg.det".

    >>> is_in("isin", "2024.12")
    False
    """
    return _SINCE.get(name, VERSIONS[0]) <= api_version


def _as_list(function: Callable[..., tuple[Any, ...]]) -> Callable[..., list[Any]]:
    @wraps(function)
    def listed(*args: Any, **kwargs: Any) -> list[Any]:
        return list(function(*args, **kwargs))

    return listed


def _asks_policy(name: str, member: Any) -> bool:
    if not inspect.isfunction(member):
        return False
    return name in ASKS_POLICY or "dtype" in inspect.signature(member).parameters


def _member(name: str, member: Any, api_version: str, policy: Policy | None) -> Any:
    if policy is not None and _asks_policy(name, member):
        member = bound(member, policy)
    if api_version < TUPLE_SINCE.get(name, VERSIONS[0]):
        member = _as_list(member)
    return member


def _members(
    module: ModuleType, prefix: str, api_version: str, policy: Policy | None
) -> dict[str, Any]:
    return {
        name: _member(name, getattr(module, name), api_version, policy)
        for name in module.__all__
        if is_in(prefix + name, api_version)
    }


class Extension(ModuleType):
    """An extension of the standard in one version."""

    def __init__(self, parent: str, name: str, api_version: str, policy: Policy | None) -> None:
        super().__init__(f"{parent}.{name}", EXTENSIONS[name].__doc__)
        vars(self).update(_members(EXTENSIONS[name], f"{name}.", api_version, policy))


class Namespace(ModuleType):
    """One version of the standard, under one float64 policy (None: the one that holds).

    >>> Namespace("2024.12", None).__array_api_version__
    '2024.12'
    """

    def __init__(self, api_version: str, policy: Policy | None) -> None:
        suffix = f"_{policy}" if policy else ""
        super().__init__(f"mlx.interop.v{api_version.replace('.', '_')}{suffix}")
        self._policy = policy
        members = vars(self)
        members["__array_api_version__"] = api_version
        for chapter in CHAPTERS:
            members.update(_members(chapter, "", api_version, policy))
        for name, dtype in BY_NAME.items():
            if name not in WIDE and is_in(name, api_version):
                members[name] = dtype
        for name in EXTENSIONS:
            if is_in(name, api_version):
                members[name] = Extension(self.__name__, name, api_version, policy)
        if is_in("__array_namespace_info__", api_version):
            members["__array_namespace_info__"] = lambda: Info(api_version, policy)

    def __getattr__(self, name: str) -> Any:
        if name not in WIDE or not is_in(name, self.__array_api_version__):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return (bound(wide_dtype, self._policy) if self._policy else wide_dtype)(name)

    def __dir__(self) -> list[str]:
        wide = [name for name in WIDE if hasattr(self, name)]
        return sorted([*super().__dir__(), *wide])


@cache
def _namespace(api_version: str, policy: Policy | None) -> ModuleType:
    return Namespace(api_version, policy)


def namespace(api_version: str | None = None, *, float64: Policy | None = None) -> ModuleType:
    """The namespace of a version of the standard (the latest), with a float64 policy of its own.

    >>> namespace("2024.12").__array_api_version__
    '2024.12'
    """
    if api_version is not None and api_version not in VERSIONS:
        raise ValueError(
            f"[__array_namespace__] no such version of the standard: got {api_version!r}; "
            f"expected one of {', '.join(VERSIONS)}"
        )
    if float64 is not None and float64 not in POLICIES:
        raise ValueError(
            f"[namespace] no such float64 policy: got {float64!r}; "
            f"expected one of {', '.join(POLICIES)}"
        )
    if api_version in (None, LATEST) and float64 is None:
        return sys.modules[__package__]
    return _namespace(api_version or LATEST, float64)
