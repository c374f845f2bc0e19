"""Chapter "searching functions" of the standard."""

from __future__ import annotations

from typing import Literal

import mlx.core as mx

from .dtypes import Array
from .tracing import require_values

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]

argmax = mx.argmax
argmin = mx.argmin
count_nonzero = mx.count_nonzero
where = mx.where


def nonzero(x: Array, /) -> tuple[Array, ...]:
    """The indices of the elements that are not 0, an array per axis; x is evaluated.

    >>> nonzero(mx.array([0, 5, 7]))
    (array([1, 2], dtype=int64),)
    """
    require_values("nonzero", x)
    if x.ndim == 0:
        raise ValueError("[nonzero] no axes to index: got a 0-d array; expected one axis or more")
    return tuple(mx.nonzero(x))


def searchsorted(
    x1: Array,
    x2: Array | int | float,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Array | None = None,
) -> Array:
    """Where to insert the values of x2 so that x1 stays sorted.

    >>> searchsorted(mx.array([1, 3, 5]), mx.array([3, 4]))
    array([1, 2], dtype=int64)
    """
    if sorter is not None:
        x1 = mx.take(x1, sorter, 0)
    return mx.searchsorted(x1, x2, side=side)
