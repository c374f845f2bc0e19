"""Guards functions whose result's shape depends on values."""

from __future__ import annotations

from mlx.core import _core

from .dtypes import Array


def require_values(function: str, *arrays: Array) -> None:
    """Raises, naming the function, where an array has no values because it is being traced.

    >>> require_values("nonzero", mx.array([1]))
    """
    for array in arrays:
        _core._require_concrete(function, array)
