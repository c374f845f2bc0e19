"""Hypothesis strategies for inputs of the standard's functions, as numpy arrays.

A numpy array among the arguments stands for an array of either library, a `Name` for one of its
dtypes. Values lean to the edges of a dtype: zeros of both signs, infinities, NaN, extremes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
FLOATS = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
REAL = INTEGERS + FLOATS
NUMERIC = REAL + COMPLEX
INEXACT = FLOATS + COMPLEX
BOOL = ("bool",)
ALL = BOOL + NUMERIC


class Name(NamedTuple):
    """A dtype, by name."""

    name: str


def shapes(min_dims: int = 0, max_dims: int = 3, min_side: int = 0, max_side: int = 5):
    """Shapes, the empty and the 0-d among them."""
    return npst.array_shapes(
        min_dims=min_dims, max_dims=max_dims, min_side=min_side, max_side=max_side
    )


def values(name: str, *, finite: bool = False, small: bool = False) -> st.SearchStrategy[Any]:
    """Elements of a dtype. Small ones keep products and powers of a few within the dtype."""
    dtype = np.dtype(name)
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        if small:
            return st.integers(max(info.min, -5), 5)
        edges = st.sampled_from([info.min, info.max, 0, 1, info.max // 2])
        return edges | st.integers(info.min, info.max)
    if dtype.kind == "c":
        part = values("float32" if name == "complex64" else "float64", finite=True, small=small)
        return st.builds(complex, part, part)
    width = dtype.itemsize * 8
    bound = 50.0 if small else 1e4
    usual = st.floats(-bound, bound, width=width, allow_subnormal=False)
    if finite:
        return usual
    edges = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, -2.0, float("inf"), -float("inf"), np.nan])
    return usual | edges


@st.composite
def arrays(draw, dtypes, shape=None, **kinds) -> np.ndarray:
    """An array of one of the dtypes."""
    name = draw(st.sampled_from(dtypes))
    size = draw(shapes() if shape is None else shape)
    return draw(npst.arrays(np.dtype(name), size, elements=values(name, **kinds)))


def same_kind(name: str, dtypes: tuple[str, ...]) -> list[str]:
    """The dtypes that promote with one, by the standard."""
    kinds = {"i": "iu", "u": "iu", "f": "fc", "c": "fc", "b": "b"}[np.dtype(name).kind]
    found = [other for other in dtypes if np.dtype(other).kind in kinds]
    if name == "uint64":
        return [other for other in found if other in UNSIGNED]
    return [other for other in found if other != "uint64" or name in UNSIGNED]


@st.composite
def pairs(draw, dtypes, *, scalars: bool = True, **kinds) -> tuple[Any, Any]:
    """Two operands: arrays that broadcast and promote, or an array and a Python scalar."""
    first = draw(st.sampled_from(dtypes))
    second = draw(st.sampled_from(same_kind(first, dtypes)))
    both = draw(npst.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4))
    a, b = (
        draw(npst.arrays(np.dtype(name), shape, elements=values(name, **kinds)))
        for name, shape in zip((first, second), both.input_shapes, strict=True)
    )
    place = draw(st.sampled_from(["none", "left", "right"])) if scalars else "none"
    if place == "none":
        return a, b
    number = draw(values(first, **kinds))
    return (number, a) if place == "left" else (a, number)


@st.composite
def axes_of(draw, ndim: int, *, none: bool = True, several: bool = True) -> Any:
    """None, an axis or some axes, of either sign."""
    choices = [st.none()] if none or ndim == 0 else []
    if ndim:
        choices.append(st.integers(-ndim, ndim - 1))
        if several:
            unique = st.lists(st.integers(0, ndim - 1), unique=True, max_size=ndim)
            choices.append(unique.map(tuple))
    return draw(st.one_of(choices))


@st.composite
def matrices(draw, dtypes=INEXACT, *, square: bool = False, min_side: int = 0) -> np.ndarray:
    """Matrices, well conditioned when square: off the diagonal they are small."""
    name = draw(st.sampled_from(dtypes))
    rows = draw(st.integers(min_side, 4))
    columns = rows if square else draw(st.integers(min_side, 4))
    batch = draw(st.sampled_from([(), (2,), (2, 1)]))
    part = st.integers(-8, 8).map(lambda n: n / 16)
    kind = st.builds(complex, part, part) if np.dtype(name).kind == "c" else part
    x = draw(npst.arrays(np.dtype(name), (*batch, rows, columns), elements=kind))
    if square and rows:
        x = x + np.diag(np.arange(2, 2 + rows)).astype(x.dtype) * 2
    return x
