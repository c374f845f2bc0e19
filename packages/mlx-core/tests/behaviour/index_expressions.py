"""Random index expressions: what may stand between the brackets of x[...]."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
from hypothesis import strategies as st
from layouts import to_mx

INDEX_DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@st.composite
def slices(draw, size):
    bound = st.one_of(st.none(), st.integers(-size - 2, size + 2))
    step = st.one_of(st.none(), st.integers(-3, 3).filter(bool), st.sampled_from([2**62, -(2**62)]))
    return slice(draw(bound), draw(bound), draw(step))


@st.composite
def integer_arrays(draw, size, shape):
    """Indices of an axis of this size, in any integer dtype."""
    dtype = draw(st.sampled_from(INDEX_DTYPES))
    low = -size if np.dtype(dtype).kind == "i" else 0
    count = int(np.prod(shape))
    values = draw(st.lists(st.integers(low, size - 1), min_size=count, max_size=count))
    return np.array(values, dtype).reshape(shape)


@st.composite
def index_expressions(draw, shape, masks=True, arrays=True):
    """An index of an array of this shape, as numpy takes it: a tuple."""
    common = tuple(draw(st.lists(st.integers(0, 3), max_size=2)))
    kinds = ["integer", "slice", "slice", "whole"]
    kinds += ["array", "array"] if arrays else []
    kinds += ["mask"] if masks else []
    items = []
    axis = 0
    masked = None
    while axis < len(shape):
        kind = draw(st.sampled_from([*kinds, "new", "stop"]))
        size = shape[axis]
        if kind == "stop":
            break
        if kind == "new":
            items.append(None)
            continue
        if kind in ("integer", "array") and size == 0:
            kind = "slice"
        if kind == "integer":
            items.append(draw(st.integers(-size, size - 1)))
        elif kind == "slice":
            items.append(draw(slices(size)))
        elif kind == "whole":
            items.append(slice(None))
        elif kind == "array":
            # Shapes that broadcast against the common one.
            own = tuple(draw(st.sampled_from([n, 1])) for n in common)
            own = own[draw(st.integers(0, len(own))) :]
            items.append(draw(integer_arrays(size, own)))
        else:
            if masked is not None:
                continue
            covers = draw(st.integers(1, len(shape) - axis))
            block = shape[axis : axis + covers]
            count = int(np.prod(block))
            bits = draw(st.lists(st.booleans(), min_size=count, max_size=count))
            masked = np.array(bits, bool).reshape(block)
            items.append(masked)
            axis += covers - 1
        axis += 1
    if draw(st.booleans()):
        # What comes after an ellipsis would be for other axes, unless all axes are indexed.
        position = draw(st.integers(0, len(items))) if axis == len(shape) else len(items)
        items.insert(position, ...)
    return tuple(items)


def is_valid(x: np.ndarray, index) -> bool:
    """Does numpy take it? (Index arrays may not broadcast against the number of true elements.)"""
    try:
        x[index]
    except IndexError:
        return False
    return True


def to_ours(index):
    """The same index with arrays of ours."""
    return tuple(to_mx(i) if isinstance(i, np.ndarray) else i for i in index)


def forms(index):
    """The same index with arrays of ours, with numpy's, and without a tuple if that is possible."""
    yield to_ours(index)
    yield index
    if len(index) == 1 and not isinstance(index[0], mx.array):
        yield index[0]
