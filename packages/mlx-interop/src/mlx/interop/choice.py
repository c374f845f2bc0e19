"""`choose_dtype`: the best dtype that a device of any array library has."""

from __future__ import annotations

from types import ModuleType
from typing import Any

__all__ = ["choose_dtype", "has_dtype"]

_INFO = "__array_namespace_info__"


def _wrapped(xp: Any) -> Any:
    """The namespace with inspection: the library's own, or what array-api-compat adds to it."""
    if hasattr(xp, _INFO) or not isinstance(xp, ModuleType):
        return xp
    try:
        from importlib import import_module

        return import_module(f"array_api_compat.{xp.__name__}")
    except ImportError:
        return xp


def has_dtype(xp: Any, name: str, device: Any = None) -> bool:
    """Does the library have the dtype on that device (None: its default device)?

    The inspection API answers for the standard's dtypes; of others, and of libraries without it,
    the library is asked for an array of no elements.

    >>> import mlx.interop
    >>> has_dtype(mlx.interop, "float32")
    True
    """
    xp = _wrapped(xp)
    if hasattr(xp, _INFO):
        if name in getattr(xp, _INFO)().dtypes(device=device):
            return True
        if name in _STANDARD:
            return False
    dtype = getattr(xp, name, None)
    if dtype is None:
        return False
    try:
        xp.empty((0,), dtype=dtype, device=device)
    except Exception:  # whatever a library raises for a dtype it lacks
        return False
    return True


_STANDARD = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    "float32 float64 complex64 complex128".split()
)


def choose_dtype(xp: Any, preferred: str, *fallbacks: str, device: Any = None) -> Any:
    """The first of the named dtypes that the library has on the device.

    >>> import mlx.interop
    >>> choose_dtype(mlx.interop, "float128", "float64", "float32")
    mlx.core.float64
    """
    names = (preferred, *fallbacks)
    for name in names:
        if has_dtype(xp, name, device):
            found = getattr(_wrapped(xp), name, None)
            return found if found is not None else _from_info(xp, name, device)
    raise TypeError(
        f"[choose_dtype] {getattr(xp, '__name__', xp)} lacks every dtype asked for: "
        f"got {', '.join(names)} on device {device}"
    )


def _from_info(xp: Any, name: str, device: Any) -> Any:
    return getattr(_wrapped(xp), _INFO)().dtypes(device=device)[name]
