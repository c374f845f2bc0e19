"""Chapter "indexing functions" of the standard."""

from __future__ import annotations

import mlx.core as mx

from .dtypes import Array

__all__ = ["take", "take_along_axis"]


def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
    """The elements at some positions of an axis.

    >>> take(mx.array([10, 20, 30]), mx.array([2, 0]))
    array([30, 10], dtype=int32)
    """
    if axis is None and x.ndim != 1:
        raise ValueError(
            f"[take] axis is needed: got shape {x.shape}; expected one dimension or an axis"
        )
    return mx.take(x, indices, 0 if axis is None else axis)


def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """The elements at one position per line along an axis.

    >>> take_along_axis(mx.array([[1, 2], [3, 4]]), mx.array([[1], [0]]))
    array([[2],
           [3]], dtype=int32)
    """
    return mx.take_along_axis(x, indices, axis)
