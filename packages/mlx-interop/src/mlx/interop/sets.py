"""Chapter "set functions" of the standard: all of them evaluate their input, but `isin`."""

from __future__ import annotations

from typing import NamedTuple

import mlx.core as mx

from .dtypes import Array
from .tracing import require_values

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


isin = mx.isin


class UniqueAll(NamedTuple):
    """What `unique_all` returns."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """What `unique_counts` returns."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """What `unique_inverse` returns."""

    values: Array
    inverse_indices: Array


def unique_all(x: Array, /) -> UniqueAll:
    """The distinct elements, where each occurs first, how to rebuild x, and how often each occurs.

    >>> unique_all(mx.array([3, 1, 3])).counts
    array([1, 2], dtype=int64)
    """
    require_values("unique_all", x)
    parts = mx.unique(x, return_index=True, return_inverse=True, return_counts=True)
    values, indices, inverse, counts = parts
    return UniqueAll(values, indices, inverse, counts)


def unique_counts(x: Array, /) -> UniqueCounts:
    """The distinct elements and how often each occurs.

    >>> unique_counts(mx.array([3, 1, 3])).values
    array([1, 3], dtype=int32)
    """
    require_values("unique_counts", x)
    return UniqueCounts(*mx.unique(x, return_counts=True))


def unique_inverse(x: Array, /) -> UniqueInverse:
    """The distinct elements and, for each element of x, which one it is.

    >>> unique_inverse(mx.array([3, 1, 3])).inverse_indices
    array([1, 0, 1], dtype=int64)
    """
    require_values("unique_inverse", x)
    return UniqueInverse(*mx.unique(x, return_inverse=True))


def unique_values(x: Array, /) -> Array:
    """The distinct elements.

    >>> unique_values(mx.array([3, 1, 3]))
    array([1, 3], dtype=int32)
    """
    require_values("unique_values", x)
    return mx.unique(x)
