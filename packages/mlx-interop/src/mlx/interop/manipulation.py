"""Chapter "manipulation functions" of the standard."""

from __future__ import annotations

import mlx.core as mx

from .dtypes import DEFAULT_INDEX, Array
from .tracing import require_values

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]

broadcast_shapes = mx.broadcast_shapes
broadcast_to = mx.broadcast_to
concat = mx.concat
expand_dims = mx.expand_dims
flip = mx.flip
moveaxis = mx.moveaxis
permute_dims = mx.permute_dims
stack = mx.stack
tile = mx.tile


def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """The arrays, all of the shape that they have in common.

    >>> [a.shape for a in broadcast_arrays(mx.zeros((2, 1)), mx.zeros((3,)))]
    [(2, 3), (2, 3)]
    """
    return tuple(mx.broadcast_arrays(*arrays))


def repeat(x: Array, repeats: int | Array, /, *, axis: int | None = None) -> Array:
    """Each element, as often as `repeats` says.

    An array of counts is read at once, since the result's shape depends on it.

    >>> repeat(mx.array([7, 8]), mx.array([1, 2]))
    array([7, 8, 8], dtype=int32)
    """
    if not isinstance(repeats, mx.array):
        return mx.repeat(x, repeats, axis)
    if axis is None:
        x, axis = mx.flatten(x), 0
    return _repeat_by_counts(x, repeats, axis)


def _repeat_by_counts(x: Array, counts: Array, axis: int) -> Array:
    require_values("repeat", counts)
    size = x.shape[axis]
    if counts.ndim > 1 or counts.size not in (1, size):
        raise ValueError(
            f"[repeat] one count per element: got counts of shape {counts.shape}; "
            f"expected ({size},) or (1,)"
        )
    if counts.size and mx.min(counts).item() < 0:
        raise ValueError(
            f"[repeat] negative count: got {mx.min(counts).item()}; expected 0 or more"
        )
    if counts.size == 1:
        return mx.repeat(x, counts.item(), axis)
    ends = mx.cumsum(counts.astype(DEFAULT_INDEX))
    total = ends[-1].item() if size else 0
    return mx.take(x, mx.searchsorted(ends, mx.arange(total), side="right"), axis)


def reshape(x: Array, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Array:
    """The same elements in another shape.

    >>> reshape(mx.arange(4), (2, 2)).shape
    (2, 2)
    """
    return mx.reshape(mx.array(x) if copy else x, shape)


def roll(
    x: Array,
    /,
    shift: int | tuple[int, ...],
    *,
    axis: int | tuple[int, ...] | None = None,
) -> Array:
    """The elements moved along axes; what leaves at one end comes in at the other.

    >>> roll(mx.array([1, 2, 3]), 1)
    array([3, 1, 2], dtype=int32)
    """
    return mx.roll(x, shift, axis)


def squeeze(x: Array, /, axis: int | tuple[int, ...]) -> Array:
    """The array without some axes of size 1.

    >>> squeeze(mx.zeros((1, 2)), 0).shape
    (2,)
    """
    return mx.squeeze(x, axis)


def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """The slices of an array along an axis.

    >>> len(unstack(mx.zeros((3, 2))))
    3
    """
    return tuple(mx.unstack(x, axis=axis))
