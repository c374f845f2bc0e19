"""Chapter "statistical functions" of the standard."""

from __future__ import annotations

import mlx.core as mx

from .dtypes import WIDENED, Array, Dtype
from .policy import admit

__all__ = [
    "cumulative_prod",
    "cumulative_sum",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]

Axis = int | tuple[int, ...] | None

max = mx.max
mean = mx.mean
min = mx.min

_sum, _prod, _widened = mx.sum, mx.prod, WIDENED.get


def _accumulated(x: Array, dtype: Dtype | None, function: str) -> Array:
    """The array in the dtype that it is to be added or multiplied up in."""
    if dtype is None:
        wider = _widened(x.dtype)
        return x if wider is None else x.astype(wider)
    return x.astype(admit(dtype, x.device, function)[0])


def sum(
    x: Array, /, *, axis: Axis = None, dtype: Dtype | None = None, keepdims: bool = False
) -> Array:
    """Sum over axes; integers are added up in the default integer dtype at least.

    >>> sum(mx.array([1, 2, 3]))
    array(6, dtype=int64)
    """
    if dtype is None and _widened(x.dtype) is None:
        return _sum(x, axis, keepdims)
    accumulated = _accumulated(x, dtype, "sum")
    result = _sum(accumulated, axis, keepdims)
    return result if result.dtype == accumulated.dtype else result.astype(accumulated.dtype)


def prod(
    x: Array, /, *, axis: Axis = None, dtype: Dtype | None = None, keepdims: bool = False
) -> Array:
    """Product over axes; integers are multiplied in the default integer dtype at least.

    >>> prod(mx.array([2, 3]))
    array(6, dtype=int64)
    """
    if dtype is None and _widened(x.dtype) is None:
        return _prod(x, axis, keepdims)
    accumulated = _accumulated(x, dtype, "prod")
    result = _prod(accumulated, axis, keepdims)
    return result if result.dtype == accumulated.dtype else result.astype(accumulated.dtype)


def std(
    x: Array, /, *, axis: Axis = None, correction: int | float = 0.0, keepdims: bool = False
) -> Array:
    """Standard deviation over axes.

    >>> std(mx.array([1.0, 3.0]))
    array(1, dtype=float32)
    """
    return mx.std(x, axis, keepdims, correction)


def var(
    x: Array, /, *, axis: Axis = None, correction: int | float = 0.0, keepdims: bool = False
) -> Array:
    """Variance over axes.

    >>> var(mx.array([1.0, 3.0]), correction=1)
    array(2, dtype=float32)
    """
    return mx.var(x, axis, keepdims, correction)


def _scanned_axis(x: Array, axis: int | None, function: str) -> int:
    if axis is None and x.ndim > 1:
        raise ValueError(
            f"[{function}] axis is needed: got shape {x.shape}; expected one dimension or an axis"
        )
    return 0 if axis is None else axis


def _with_initial(scanned: Array, axis: int, value: int) -> Array:
    shape = list(scanned.shape)
    shape[axis] = 1
    return mx.concat([mx.full(shape, value, scanned.dtype), scanned], axis)


def cumulative_sum(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: Dtype | None = None,
    include_initial: bool = False,
) -> Array:
    """Running sum along an axis.

    >>> cumulative_sum(mx.array([1, 2, 3]), include_initial=True)
    array([0, 1, 3, 6], dtype=int64)
    """
    axis = _scanned_axis(x, axis, "cumulative_sum")
    accumulated = _accumulated(x, dtype, "cumulative_sum")
    result = mx.cumsum(accumulated, axis).astype(accumulated.dtype)
    return _with_initial(result, axis, 0) if include_initial else result


def cumulative_prod(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: Dtype | None = None,
    include_initial: bool = False,
) -> Array:
    """Running product along an axis.

    >>> cumulative_prod(mx.array([1, 2, 3]))
    array([1, 2, 6], dtype=int64)
    """
    axis = _scanned_axis(x, axis, "cumulative_prod")
    accumulated = _accumulated(x, dtype, "cumulative_prod")
    result = mx.cumprod(accumulated, axis).astype(accumulated.dtype)
    return _with_initial(result, axis, 1) if include_initial else result
