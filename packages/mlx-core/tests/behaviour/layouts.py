"""Arrays of every dtype and in odd layouts, beside what numpy has: what tests here share."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
from hypothesis import strategies as st

DTYPES = [
    "bool",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]


def mx_dtype(dtype) -> mx.Dtype:
    name = np.dtype(dtype).name
    return mx.bool_ if name == "bool" else getattr(mx, name)


def to_mx(x) -> mx.array:
    x = np.asarray(x)
    return mx.array(x, dtype=mx_dtype(x.dtype))


def numbers(shape, dtype="int32", seed=0) -> np.ndarray:
    """Distinct values where the dtype has enough of them: a wrong element is seen."""
    count = int(np.prod(shape))
    order = np.random.default_rng(seed).permutation(count)
    if np.dtype(dtype) == bool:
        return (order % 2 == 0).reshape(shape)
    if np.dtype(dtype) == np.float16:
        order = order % 2048  # what it holds exactly
    if np.dtype(dtype).kind == "c":
        return (order + 1j * (order + 1)).astype(dtype).reshape(shape)
    return order.astype(dtype).reshape(shape)


def same(actual, wanted) -> None:
    """Equal shape, dtype and elements."""
    wanted = np.asarray(wanted)
    assert isinstance(actual, mx.array)
    assert actual.shape == wanted.shape
    assert actual.dtype == mx_dtype(wanted.dtype)
    np.testing.assert_array_equal(np.array(actual), wanted)


@st.composite
def shapes(draw, max_dims=4, min_size=0, max_size=5):
    return tuple(draw(st.lists(st.integers(min_size, max_size), min_size=0, max_size=max_dims)))


@st.composite
def arrays(draw, dtypes=("int32",), max_dims=4, min_size=0, min_dims=0):
    """A pair (ours, numpy's) with equal elements; often not in row-major order in memory."""
    shape = draw(
        st.lists(st.integers(min_size, 5), min_size=min_dims, max_size=max_dims).map(tuple)
    )
    theirs = numbers(shape, draw(st.sampled_from(list(dtypes))), draw(st.integers(0, 3)))
    ours = to_mx(theirs)
    layout = draw(st.sampled_from(["plain", "transposed", "sliced", "flipped", "repeated"]))
    if layout == "transposed":
        return ours.T, theirs.T
    if layout == "flipped":
        return mx.flip(ours), np.asarray(np.flip(theirs))
    if layout == "sliced" and theirs.ndim:
        return ours[1::2], theirs[1::2]
    if layout == "repeated":
        target = (2, *theirs.shape)
        return mx.broadcast_to(ours, target), np.broadcast_to(theirs, target)
    return ours, theirs
