"""Chapter "utility functions" of the standard."""

from __future__ import annotations

import mlx.core as mx

from .dtypes import Array

__all__ = ["all", "any", "diff"]

all = mx.all
any = mx.any


def diff(
    x: Array,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Array | None = None,
    append: Array | None = None,
) -> Array:
    """The n-th differences of neighbours along an axis.

    >>> diff(mx.array([1, 4, 9]))
    array([3, 5], dtype=int32)
    """
    parts = [part for part in (prepend, x, append) if part is not None]
    return mx.diff(mx.concat(parts, axis) if len(parts) > 1 else x, n, axis)
