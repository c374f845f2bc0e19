"""Calls a function in two libraries with the same inputs and compares what comes back."""

from __future__ import annotations

import math
from typing import Any

import array_api_strict as strict
import mlx.core as mx
import mlx.interop as xp
import numpy as np

from .draws import Name

# Units of relative error that two good implementations may differ by.
TOLERANCE = {"float32": 2e-6, "complex64": 4e-6, "float64": 1e-14, "complex128": 2e-14}


class Difference(AssertionError):
    """The libraries disagree."""


def converted(value: Any, library: Any) -> Any:
    """Arrays and dtypes of a library for what stands for them."""
    if isinstance(value, (np.ndarray, np.generic)):  # numpy makes scalars of 0-d arrays
        return library.asarray(np.asarray(value))
    if isinstance(value, Name):
        return getattr(library, value.name)
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(converted(item, library) for item in value)
    if isinstance(value, dict):
        return {key: converted(item, library) for key, item in value.items()}
    return value


def found(name: str, library: Any) -> Any:
    """A function by its name, "linalg.det" among them."""
    for part in name.split("."):
        library = getattr(library, part)
    return library


def outcome(function: Any, args: Any, kwargs: Any) -> Any:
    """The result, evaluated, or the exception."""
    try:
        return evaluated(function(*args, **kwargs))
    except Exception as error:
        return error


def evaluated(result: Any) -> Any:
    """Errors of a lazy array belong to the call."""
    if isinstance(result, mx.array):
        mx.eval(result)
    elif isinstance(result, (tuple, list)):
        for item in result:
            evaluated(item)
    return result


def agree(
    name: str,
    args: Any,
    kwargs: Any,
    *,
    loose: float = 1,
    valued: bool = True,
    implementation: Any = None,
) -> None:
    """Both libraries raise, or give equal dtypes, shapes and values."""
    ours = outcome(implementation or found(name, xp), *converted((args, kwargs), xp))
    theirs = outcome(found(name, strict), *converted((args, kwargs), strict))
    if not valued:
        ours, theirs = xp.zeros_like(ours), strict.zeros_like(theirs)
    try:
        same(ours, theirs, loose)
    except Difference as difference:
        raise Difference(
            f"{name}(*{args!r}, **{kwargs!r}): {difference}\n  ours: {ours!r}\n  strict: {theirs!r}"
        ) from None


def same(ours: Any, theirs: Any, loose: float) -> None:
    """Raise a Difference where two results are not the same."""
    if isinstance(ours, Exception) or isinstance(theirs, Exception):
        if not (isinstance(ours, Exception) and isinstance(theirs, Exception)):
            raise Difference("one of them raises")
    elif isinstance(theirs, (tuple, list)):
        if type(ours).__base__ is not type(theirs).__base__ or len(ours) != len(theirs):
            raise Difference(f"{type(ours)} of {len(ours)} for {type(theirs)} of {len(theirs)}")
        for mine, other in zip(ours, theirs, strict=True):
            same(mine, other, loose)
    elif isinstance(ours, mx.array):
        same_array(ours, theirs, loose)
    elif isinstance(ours, mx.Dtype):
        if dtype_name(ours) != dtype_name(theirs):
            raise Difference("the dtypes differ")
    elif ours != theirs:
        raise Difference("the values differ")


def dtype_name(dtype: Any) -> str:
    """ "float32", whatever the library."""
    return str(dtype).rsplit(".", 1)[-1]


def same_array(ours: mx.array, theirs: Any, loose: float) -> None:
    """Dtype, shape and values, NaN and the sign of zero among them."""
    if dtype_name(ours.dtype) != dtype_name(theirs.dtype):
        raise Difference(f"dtype {ours.dtype} for {theirs.dtype}")
    if tuple(ours.shape) != tuple(theirs.shape):
        raise Difference(f"shape {ours.shape} for {theirs.shape}")
    mine, other = np.asarray(ours), np.asarray(theirs)
    if other.dtype.kind not in "fc":
        if not np.array_equal(mine, other):
            raise Difference("the values differ")
        return
    tolerance = TOLERANCE[other.dtype.name] * loose
    with np.errstate(all="ignore"):
        close = np.isclose(mine, other, rtol=tolerance, atol=0, equal_nan=True)
        if loose > 1 or other.dtype.kind == "c":  # cancellation: relative to the largest element
            finite = np.abs(other[np.isfinite(other)])
            scale = float(finite.max()) if finite.size else 0.0
            # numpy's complex log1p and expm1 are log(1 + z) and exp(z) - 1: right to a unit of 1.
            scale = max(scale, 1.0) if other.dtype.kind == "c" else scale
            close |= np.abs(mine - other) <= tolerance * scale
    if not close.all():
        raise Difference("the values differ")
    if loose == 1 and other.dtype.kind == "f":
        zeros = (mine == 0) & (other == 0)
        if not np.array_equal(np.signbit(mine[zeros]), np.signbit(other[zeros])):
            raise Difference("the signs of zeros differ")


def close_to(x: Any, y: Any, loose: float = 100) -> None:
    """Two of our arrays hold nearly the same numbers."""
    a, b = np.asarray(x), np.asarray(y)
    scale = max(1.0, float(np.abs(b).max()) if b.size else 1.0)
    error = float(np.abs(a - b).max()) if b.size else 0.0
    if a.shape != b.shape or not error <= TOLERANCE[b.dtype.name] * loose * scale:
        raise Difference(f"{a!r} is not {b!r}")
    if math.isnan(error):
        raise Difference("NaN")
