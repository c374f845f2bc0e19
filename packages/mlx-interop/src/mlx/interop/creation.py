"""Chapter "creation functions" of the standard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import mlx.core as mx

from .dtypes import (
    BY_NAME,
    DEFAULT_COMPLEX,
    DEFAULT_INTEGER,
    DEFAULT_REAL,
    Array,
    Device,
    Dtype,
    default_dtype_of,
)
from .policy import admit

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

Scalar = bool | int | float | complex
Shape = int | tuple[int, ...]
_SCALARS = (bool, int, float, complex)


def arange(
    start: int | float,
    /,
    stop: int | float | None = None,
    step: int | float = 1,
    *,
    dtype: Dtype | None = None,
    device: Device | None = None,
) -> Array:
    """Evenly spaced values of the half-open interval [start, stop).

    >>> arange(5)
    array([0, 1, 2, 3, 4], dtype=int64)
    """
    if stop is None:
        start, stop = 0, start
    if dtype is None:
        exact = all(isinstance(value, int) for value in (start, stop, step))
        dtype = DEFAULT_INTEGER if exact else DEFAULT_REAL
    else:
        dtype, device = admit(dtype, device, "arange")
    return mx.arange(start, stop, step, dtype, stream=device)


def asarray(
    obj: Any,
    /,
    *,
    dtype: Dtype | None = None,
    device: Device | None = None,
    copy: bool | None = None,
) -> Array:
    """An array of a scalar, nested sequences, another library's array or a buffer.

    Python scalars get the namespace's default dtypes; arrays and buffers keep their own.

    >>> asarray([1.0, 2.0])
    array([1, 2], dtype=float32)
    """
    if dtype is not None:
        dtype, device = admit(dtype, device, "asarray")
    if isinstance(obj, mx.array):
        return _from_array(obj, dtype, device, copy)
    if isinstance(obj, (*_SCALARS, list, tuple)) and not hasattr(obj, "dtype"):
        if copy is False:
            raise ValueError("[asarray] Python scalars must be copied: got copy=False")
        return _from_scalars(obj, dtype, device)
    return _from_buffer(obj, dtype, device, copy)


def _placed(x: Array, device: Device | None) -> Array:
    return x if device is None or device == x.device else x.to_device(device)


def _from_array(x: Array, dtype: Dtype | None, device: Device | None, copy: bool | None) -> Array:
    same = (dtype is None or dtype == x.dtype) and (device is None or device == x.device)
    if same:
        return mx.array(x) if copy else x
    if copy is False:
        raise ValueError(
            f"[asarray] another dtype or device needs a copy: got copy=False, dtype {dtype} for "
            f"{x.dtype}, device {device} for {x.device}"
        )
    return _placed(x if dtype is None else x.astype(dtype), device)


def _scalar_types(obj: Any) -> set[type]:
    types: set[type] = set()
    pending = [obj]
    while pending:
        item = pending.pop()
        if isinstance(item, (list, tuple)):
            inner = set(map(type, item))
            if list in inner or tuple in inner:
                pending.extend(item)
            else:
                types |= inner
        else:
            types.add(type(item))
    return types


def _inferred(types: set[type]) -> Dtype | None:
    """The default dtype of the scalars; None where not all of them are Python's."""
    if not all(issubclass(t, _SCALARS) and not hasattr(t, "dtype") for t in types):
        return None
    if any(issubclass(t, complex) for t in types):
        return DEFAULT_COMPLEX
    if any(issubclass(t, float) for t in types) or not types:
        return DEFAULT_REAL
    return DEFAULT_INTEGER if any(t is not bool for t in types) else mx.bool_


def _from_scalars(obj: Any, dtype: Dtype | None, device: Device | None) -> Array:
    if dtype is None:
        dtype = _inferred(_scalar_types(obj))
    if dtype is None:  # arrays or another library's scalars among them: they have dtypes
        return _from_mixed(obj, device)
    return _placed(mx.array(obj, dtype), device)


def _from_mixed(obj: Sequence[Any], device: Device | None) -> Array:
    items = [asarray(item, device=device) for item in obj]
    return mx.stack(items) if items else mx.zeros((0,), DEFAULT_REAL, stream=device)


def _from_buffer(obj: Any, dtype: Dtype | None, device: Device | None, copy: bool | None) -> Array:
    if dtype is None:
        own = BY_NAME.get(str(getattr(obj, "dtype", "")).removeprefix("torch."))
        if own is not None:
            dtype, device = admit(own, device, "asarray")
    return _placed(mx.asarray(obj, dtype, copy=copy), device)


def empty(shape: Shape, *, dtype: Dtype | None = None, device: Device | None = None) -> Array:
    """An array whose values nobody has chosen; here they are zeros.

    >>> empty((2, 3)).shape
    (2, 3)
    """
    return zeros(shape, dtype=dtype, device=device)


def empty_like(x: Array, /, *, dtype: Dtype | None = None, device: Device | None = None) -> Array:
    """An array like x whose values nobody has chosen; here they are zeros.

    >>> empty_like(asarray([1, 2])).shape
    (2,)
    """
    return zeros_like(x, dtype=dtype, device=device)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Dtype | None = None,
    device: Device | None = None,
) -> Array:
    """A matrix with ones on the k-th diagonal and zeros elsewhere.

    >>> eye(2)
    array([[1, 0],
           [0, 1]], dtype=float32)
    """
    if dtype is not None:
        dtype, device = admit(dtype, device, "eye")
    return mx.eye(n_rows, n_cols, k, dtype or DEFAULT_REAL, stream=device)


def from_dlpack(x: Any, /, *, device: Device | None = None, copy: bool | None = None) -> Array:
    """The data of another library's array, without a copy where the layout allows.

    >>> import numpy
    >>> from_dlpack(numpy.ones(2))
    array([1, 1], dtype=float64)
    """
    result = mx.from_dlpack(x, copy=copy)
    dtype, device = admit(result.dtype, device, "from_dlpack")
    return _placed(result if dtype == result.dtype else result.astype(dtype), device)


def full(
    shape: Shape,
    fill_value: Scalar,
    *,
    dtype: Dtype | None = None,
    device: Device | None = None,
) -> Array:
    """An array filled with one value.

    >>> full((2,), 7)
    array([7, 7], dtype=int64)
    """
    if dtype is None:
        if not isinstance(fill_value, mx.array):
            dtype = default_dtype_of(type(fill_value))
    else:
        dtype, device = admit(dtype, device, "full")
    return mx.full(shape, fill_value, dtype, stream=device)


def full_like(
    x: Array,
    /,
    fill_value: Scalar,
    *,
    dtype: Dtype | None = None,
    device: Device | None = None,
) -> Array:
    """An array of x's shape filled with one value.

    >>> full_like(asarray([1, 2]), 7)
    array([7, 7], dtype=int64)
    """
    if dtype is not None:
        dtype, device = admit(dtype, device, "full_like")
    return mx.full(x.shape, fill_value, dtype or x.dtype, stream=device or x.device)


def linspace(
    start: Scalar,
    stop: Scalar,
    /,
    num: int,
    *,
    dtype: Dtype | None = None,
    device: Device | None = None,
    endpoint: bool = True,
) -> Array:
    """Evenly spaced numbers over an interval.

    >>> linspace(0, 1, 3)
    array([0, 0.5, 1], dtype=float32)
    """
    if dtype is not None:
        dtype, device = admit(dtype, device, "linspace")
    elif isinstance(start, complex) or isinstance(stop, complex):
        dtype = DEFAULT_COMPLEX
    return mx.linspace(start, stop, num, endpoint, dtype or DEFAULT_REAL, stream=device)


def meshgrid(*arrays: Array, indexing: Literal["xy", "ij"] = "xy") -> tuple[Array, ...]:
    """Coordinate matrices of coordinate vectors.

    >>> [grid.shape for grid in meshgrid(arange(2), arange(3))]
    [(3, 2), (3, 2)]
    """
    return tuple(mx.meshgrid(*arrays, indexing=indexing))


def ones(shape: Shape, *, dtype: Dtype | None = None, device: Device | None = None) -> Array:
    """An array of ones.

    >>> ones((2,))
    array([1, 1], dtype=float32)
    """
    if dtype is None:
        return mx.ones(shape, DEFAULT_REAL, stream=device)
    dtype, device = admit(dtype, device, "ones")
    return mx.ones(shape, dtype, stream=device)


def ones_like(x: Array, /, *, dtype: Dtype | None = None, device: Device | None = None) -> Array:
    """An array of ones like x.

    >>> ones_like(asarray([5, 6]))
    array([1, 1], dtype=int64)
    """
    if dtype is not None:
        dtype, device = admit(dtype, device, "ones_like")
    return mx.ones(x.shape, dtype or x.dtype, stream=device or x.device)


def tril(x: Array, /, *, k: int = 0) -> Array:
    """The matrices with zeros above the k-th diagonal.

    >>> tril(ones((2, 2)))
    array([[1, 0],
           [1, 1]], dtype=float32)
    """
    return mx.tril(x, k)


def triu(x: Array, /, *, k: int = 0) -> Array:
    """The matrices with zeros below the k-th diagonal.

    >>> triu(ones((2, 2)))
    array([[1, 1],
           [0, 1]], dtype=float32)
    """
    return mx.triu(x, k)


def zeros(shape: Shape, *, dtype: Dtype | None = None, device: Device | None = None) -> Array:
    """An array of zeros.

    >>> zeros((2,))
    array([0, 0], dtype=float32)
    """
    if dtype is None:
        return mx.zeros(shape, DEFAULT_REAL, stream=device)
    dtype, device = admit(dtype, device, "zeros")
    return mx.zeros(shape, dtype, stream=device)


def zeros_like(x: Array, /, *, dtype: Dtype | None = None, device: Device | None = None) -> Array:
    """An array of zeros like x.

    >>> zeros_like(asarray([5, 6]))
    array([0, 0], dtype=int64)
    """
    if dtype is not None:
        dtype, device = admit(dtype, device, "zeros_like")
    return mx.zeros(x.shape, dtype or x.dtype, stream=device or x.device)
