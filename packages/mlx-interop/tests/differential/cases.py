"""For every function of the standard: how its inputs are drawn, and how closely results agree.

A case draws (args, kwargs). Inputs keep to what the standard defines, so that the two libraries
may not differ; where numpy itself departs from the standard (noted at the case), the value is
left to test_special_cases.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from .draws import (
    ALL,
    BOOL,
    COMPLEX,
    FLOATS,
    INEXACT,
    INTEGERS,
    NUMERIC,
    REAL,
    SIGNED,
    UNSIGNED,
    Name,
    arrays,
    axes_of,
    pairs,
    same_kind,
    shapes,
    values,
)

Draw = Callable[[st.SearchStrategy], Any]
Inputs = tuple[tuple[Any, ...], dict[str, Any]]


class Case(NamedTuple):
    """How to test one function."""

    name: str
    inputs: st.SearchStrategy[Inputs]
    loose: float = 1  # multiplies the tolerance; more than 1 also allows for cancellation
    valued: bool = True  # False: values are nobody's choice


CASES: dict[str, Case] = {}


def case(*names: str, loose: float = 1, valued: bool = True):
    """Declare how the inputs of some functions are drawn."""

    def declare(draw_inputs: Callable[..., Inputs]) -> Callable[..., Inputs]:
        for name in names:
            strategy = st.composite(draw_inputs)(name)
            CASES[name] = Case(name, strategy, loose, valued)
        return draw_inputs

    return declare


# --- elementwise ---------------------------------------------------------------------------------


@case("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1", loose=4)
@case("log", "log1p", "log2", "log10", "sin", "sinh", "sqrt", "tan", "tanh", loose=4)
def _(draw: Draw, name: str) -> Inputs:
    # Complex functions are compared where both are well conditioned; their edges are tables.
    dtypes = FLOATS if name in ("acos", "acosh", "asin", "atanh") else INEXACT
    return (draw(arrays(dtypes, small=True)),), {}


@case("abs", "positive", "square", "isfinite", "isinf", "isnan", "conj", "real")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(NUMERIC)),), {}


@case("negative")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(SIGNED + INEXACT)),), {}


@case("sign", loose=4)
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(NUMERIC))
    return (x,), {}


@case("round")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(NUMERIC)),), {}


@case("ceil", "floor", "trunc")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(REAL)),), {}


@case("imag")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(COMPLEX)),), {}


@case("reciprocal")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(FLOATS)),), {}


@case("signbit")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(FLOATS)),), {}


@case("logical_not")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(BOOL)),), {}


@case("bitwise_invert")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(INTEGERS + BOOL)),), {}


@case("add", "subtract", "multiply")
def _(draw: Draw, name: str) -> Inputs:
    return draw(pairs(NUMERIC)), {}


@case("divide", loose=2)
def _(draw: Draw, name: str) -> Inputs:
    a, b = draw(pairs(INEXACT))
    assume(np.all(b != 0) or not any(np.iscomplexobj(x) for x in (a, b)))
    return (a, b), {}


@case("pow", loose=8)
def _(draw: Draw, name: str) -> Inputs:
    kind = draw(st.sampled_from(["integer", "float"]))
    if kind == "float":
        return draw(pairs(FLOATS, small=True)), {}
    a, b = draw(pairs(INTEGERS, small=True))
    return (a, np.abs(b) if isinstance(b, np.ndarray) else abs(b)), {}


@case("floor_divide", "remainder")
def _(draw: Draw, name: str) -> Inputs:
    # numpy follows Python where the standard has infinities: finite operands only.
    a, b = draw(pairs(REAL, finite=True))
    assume(np.all(b != 0))
    if np.asarray(a).dtype.kind == "f" or np.asarray(b).dtype.kind == "f":
        # A quotient near an integer may be rounded to either side of it.
        a, b = (np.round(v) if isinstance(v, np.ndarray) else float(round(v)) for v in (a, b))
        assume(np.all(b != 0))
    return (a, b), {}


@case("atan2", "hypot", "logaddexp", loose=4)
@case("copysign", "nextafter")
def _(draw: Draw, name: str) -> Inputs:
    scalars = name != "nextafter"
    a, b = draw(pairs(FLOATS, scalars=scalars))
    if name == "nextafter":
        assume(a.dtype == b.dtype)
    return (a, b), {}


@case("maximum", "minimum")
def _(draw: Draw, name: str) -> Inputs:
    a, b = draw(pairs(REAL))
    # Which of two zeros wins is left to the library.
    a, b = (v + 0 if isinstance(v, np.ndarray) and v.dtype.kind == "f" else v for v in (a, b))
    return tuple(abs(v) if isinstance(v, float) and v == 0 else v for v in (a, b)), {}


@case("equal", "not_equal")
def _(draw: Draw, name: str) -> Inputs:
    return draw(pairs(ALL)), {}


@case("greater", "greater_equal", "less", "less_equal")
def _(draw: Draw, name: str) -> Inputs:
    return draw(pairs(REAL)), {}


@case("logical_and", "logical_or", "logical_xor")
def _(draw: Draw, name: str) -> Inputs:
    return draw(pairs(BOOL)), {}


@case("bitwise_and", "bitwise_or", "bitwise_xor")
def _(draw: Draw, name: str) -> Inputs:
    return draw(pairs(INTEGERS + BOOL)), {}


@case("bitwise_left_shift", "bitwise_right_shift")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(INTEGERS))
    bits = x.dtype.itemsize * 8
    scalar = draw(st.booleans())
    count = st.integers(0, bits - 1)
    by = draw(count) if scalar else draw(npst.arrays(x.dtype, x.shape, elements=count))
    return (x, by), {}


@case("clip")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(REAL))
    bounds = sorted(draw(values(x.dtype.name, finite=True)) for _ in range(2))
    low, high = (draw(st.sampled_from([bound, None])) for bound in bounds)
    if draw(st.booleans()):
        low, high = (None if b is None else np.asarray(b, x.dtype) for b in (low, high))
    return (x,), {"min": low, "max": high}


# --- creation ------------------------------------------------------------------------------------


@case("arange", loose=4)
def _(draw: Draw, name: str) -> Inputs:
    number = st.integers(-20, 20) | st.integers(-80, 80).map(lambda n: n / 4)
    start, stop = draw(number), draw(number)
    step = draw(number.filter(bool))
    exact = all(isinstance(value, int) for value in (start, stop, step))
    # The default real dtypes differ, so a float needs one said.
    dtypes = [None, *SIGNED, *FLOATS] if exact else FLOATS
    dtype = draw(st.sampled_from(dtypes))
    return (start, stop, step), {"dtype": None if dtype is None else Name(dtype)}


@case("asarray")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL))
    kind = draw(st.sampled_from(["array", "list", "default"]))
    copy = draw(st.sampled_from([None, True]))
    if kind == "array":
        return (x,), {"copy": copy}
    if kind == "list":
        return (x.tolist(),), {"dtype": Name(x.dtype.name), "copy": copy}
    return (draw(st.lists(st.integers(-99, 99)) | st.lists(st.booleans(), min_size=1)),), {
        "dtype": Name("int64")
    }


@case("empty", "empty_like", valued=False)
@case("zeros", "zeros_like", "ones", "ones_like", "full", "full_like")
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(ALL))
    filled = [draw(values(dtype, finite=True))] if name.startswith("full") else []
    if name.endswith("_like"):
        keep = draw(st.booleans())
        x = draw(arrays((dtype,)))
        return (x, *filled), {} if keep else {"dtype": Name(dtype)}
    shape = draw(shapes() | st.integers(0, 4))
    return (shape, *filled), {"dtype": Name(dtype)}


@case("eye")
def _(draw: Draw, name: str) -> Inputs:
    columns = draw(st.none() | st.integers(0, 5))
    dtype = draw(st.sampled_from(ALL))
    return (draw(st.integers(0, 5)), columns), {"k": draw(st.integers(-6, 6)), "dtype": Name(dtype)}


@case("from_dlpack")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(ALL)),), {}


@case("linspace", loose=4)
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(INEXACT))
    number = values(dtype, finite=True, small=True)
    kwargs = {"dtype": Name(dtype), "endpoint": draw(st.booleans())}
    return (draw(number), draw(number), draw(st.integers(0, 9))), kwargs


@case("meshgrid")
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(NUMERIC))
    vector = arrays((dtype,), shapes(min_dims=1, max_dims=1))
    vectors = draw(st.lists(vector, min_size=1, max_size=3))
    return tuple(vectors), {"indexing": draw(st.sampled_from(["xy", "ij"]))}


@case("tril", "triu")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(NUMERIC, shapes(min_dims=2))),), {"k": draw(st.integers(-6, 6))}


# --- data types ----------------------------------------------------------------------------------


@case("astype")
def _(draw: Draw, name: str) -> Inputs:
    source = draw(st.sampled_from(ALL))
    target = draw(st.sampled_from(ALL))
    # Complex to real is refused by both, to bool by strict against the standard; outside of a
    # dtype's range nothing is defined.
    assume(source not in COMPLEX or target in COMPLEX)
    small = target != source and target != "bool"
    x = draw(arrays((source,), small=True, finite=True) if small else arrays((source,)))
    if small and target in UNSIGNED:
        x = np.abs(x)
    return (x, Name(target)), {"copy": draw(st.booleans())}


@case("can_cast")
def _(draw: Draw, name: str) -> Inputs:
    source = draw(st.sampled_from(ALL))
    target = draw(st.sampled_from(same_kind(source, ALL)))
    return (Name(source), Name(target)), {}


@case("isdtype")
def _(draw: Draw, name: str) -> Inputs:
    kinds = st.sampled_from(
        ["bool", "signed integer", "unsigned integer", "integral", "real floating"]
        + ["complex floating", "numeric"]
    )
    dtype = st.sampled_from(ALL).map(Name)
    kind = draw(kinds | dtype | st.lists(kinds | dtype, max_size=3).map(tuple))
    return (draw(dtype), kind), {}


@case("result_type")
def _(draw: Draw, name: str) -> Inputs:
    first = draw(st.sampled_from(ALL))
    others = st.sampled_from(same_kind(first, ALL))
    operands = [first, *draw(st.lists(others, max_size=2))]
    assume(not ("uint64" in operands and set(operands) & set(SIGNED)))
    return tuple(np.zeros((), o) if draw(st.booleans()) else Name(o) for o in operands), {}


# --- indexing, searching, sorting, sets ----------------------------------------------------------


def _indices(draw: Draw, size: int, shape: Any) -> np.ndarray:
    assume(size > 0)
    elements = st.integers(-size, size - 1)
    return draw(npst.arrays(np.dtype("int64"), shape, elements=elements))


@case("take")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL, shapes(min_dims=1)))
    axis = draw(axes_of(x.ndim, none=x.ndim == 1, several=False))
    size = x.shape[0 if axis is None else axis]
    return (x, _indices(draw, size, draw(st.integers(0, 5)))), {"axis": axis}


@case("take_along_axis")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL, shapes(min_dims=1)))
    axis = draw(axes_of(x.ndim, none=False, several=False))
    shape = list(x.shape)
    shape[axis] = draw(st.integers(0, 4))
    return (x, _indices(draw, x.shape[axis], tuple(shape))), {"axis": axis}


@case("argmax", "argmin")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(REAL, shapes(min_side=1)))
    axis = draw(axes_of(x.ndim, several=False))
    return (x,), {"axis": axis, "keepdims": draw(st.booleans())}


@case("count_nonzero")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL))
    return (x,), {"axis": draw(axes_of(x.ndim)), "keepdims": draw(st.booleans())}


@case("nonzero")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(ALL)),), {}


@case("searchsorted")
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(REAL))
    x1 = draw(arrays((dtype,), shapes(1, 1, max_side=8), finite=True))
    x2 = draw(arrays((dtype,), finite=True) | values(dtype, finite=True))
    kwargs: dict[str, Any] = {"side": draw(st.sampled_from(["left", "right"]))}
    if draw(st.booleans()):
        return (x1, x2), {**kwargs, "sorter": np.argsort(x1)}
    return (np.sort(x1), x2), kwargs


@case("where")
def _(draw: Draw, name: str) -> Inputs:
    a, b = draw(pairs(ALL))
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    return (draw(arrays(BOOL, st.just(shape) | st.just(()))), a, b), {}


@case("argsort", "sort")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(REAL, shapes(min_dims=1)))
    assume(not np.isnan(x).any())  # where NaN goes is left to the library
    axis = draw(axes_of(x.ndim, none=False, several=False))
    kwargs = {"axis": axis, "descending": draw(st.booleans()), "stable": True}
    return (x,), kwargs


@case("isin")
def _(draw: Draw, name: str) -> Inputs:
    return draw(pairs(INTEGERS, small=True)), {}  # strict 2.6.1 ignores `invert`


@case("unique_all", "unique_counts", "unique_inverse", "unique_values")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL, small=True))
    assume(not np.isnan(x).any())  # their place among the others is left to the library
    return (x + 0 if x.dtype.kind == "f" else x,), {}


# --- manipulation --------------------------------------------------------------------------------


@case("broadcast_arrays")
def _(draw: Draw, name: str) -> Inputs:
    return draw(pairs(ALL, scalars=False)), {}


@case("broadcast_shapes")
def _(draw: Draw, name: str) -> Inputs:
    return tuple(draw(st.lists(shapes(max_side=2), max_size=3))), {}


@case("broadcast_to")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL))
    shape = draw(npst.broadcastable_shapes(x.shape, max_dims=4, max_side=4))
    assume(np.broadcast_shapes(x.shape, shape) == shape)
    return (x, shape), {}


@case("concat")
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(ALL))
    others = st.sampled_from([d for d in same_kind(dtype, ALL) if d not in ("uint64",)] or [dtype])
    shape = draw(shapes(min_dims=1))
    axis = draw(axes_of(len(shape), several=False))
    parts = []
    for name_of in [dtype, *draw(st.lists(others, max_size=2))]:
        size = list(shape)
        if axis is not None:
            size[axis] = draw(st.integers(0, 3))
        parts.append(draw(arrays((name_of,), st.just(tuple(size)))))
    assume(not ("uint64" in {p.dtype.name for p in parts} and len(parts) > 1))
    return (parts,), {"axis": axis}


@case("expand_dims")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL))
    axis = draw(st.integers(-x.ndim - 2, x.ndim + 1) | st.just((0, -1)))
    return (x, axis), {}


@case("flip")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL))
    return (x,), {"axis": draw(axes_of(x.ndim))}


@case("moveaxis")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL, shapes(min_dims=1)))
    count = draw(st.integers(1, x.ndim))
    source, target = (tuple(draw(st.permutations(range(x.ndim)))[:count]) for _ in range(2))
    single = count == 1 and draw(st.booleans())
    return (x, source[0] if single else source, target[0] if single else target), {}


@case("permute_dims")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL))
    return (x, tuple(draw(st.permutations(range(x.ndim))))), {}


@case("repeat")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL, shapes(min_dims=1)))
    axis = draw(axes_of(x.ndim, several=False))
    size = x.size if axis is None else x.shape[axis]
    if draw(st.booleans()):
        return (x, draw(st.integers(0, 3))), {"axis": axis}
    length = draw(st.sampled_from([size, 1]))
    counts = npst.arrays(np.dtype("int64"), length, elements=st.integers(0, 3))
    return (x, draw(counts)), {"axis": axis}


@case("reshape")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL))
    shape = draw(st.sampled_from([(x.size,), (-1,), (1, x.size), (x.size, 1), x.shape[::-1]]))
    assume(x.size or -1 not in shape)
    return (x, shape), {"copy": draw(st.sampled_from([None, True]))}


@case("roll")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL))
    axis = draw(axes_of(x.ndim))
    shift = draw(st.integers(-7, 7))
    if isinstance(axis, tuple) and draw(st.booleans()):
        return (x, tuple(draw(st.integers(-7, 7)) for _ in axis)), {"axis": axis}
    return (x, shift), {"axis": axis}


@case("squeeze")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL, shapes(max_side=2)))
    return (x, draw(axes_of(x.ndim, none=False)) if x.ndim else ()), {}


@case("stack")
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(ALL))
    shape = st.just(draw(shapes()))
    parts = draw(st.lists(arrays((dtype,), shape), min_size=1, max_size=3))
    ndim = parts[0].ndim
    return (parts,), {"axis": draw(st.integers(-ndim - 1, ndim))}


@case("tile")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(ALL)), tuple(draw(st.lists(st.integers(0, 3), max_size=4)))), {}


@case("unstack")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL, shapes(min_dims=1)))
    return (x,), {"axis": draw(axes_of(x.ndim, none=False, several=False))}


# --- statistical, utility ------------------------------------------------------------------------


@case("max", "min")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(REAL, shapes(min_side=1)))
    x = x + 0 if x.dtype.kind == "f" else x  # which of two zeros wins is left to the library
    return (x,), {"axis": draw(axes_of(x.ndim)), "keepdims": draw(st.booleans())}


@case("sum", "prod", loose=16)
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(NUMERIC, small=name == "prod", finite=True))
    kwargs: dict[str, Any] = {"axis": draw(axes_of(x.ndim)), "keepdims": draw(st.booleans())}
    if draw(st.booleans()):
        wider = {"i": "int64", "u": "uint64", "f": "float64", "c": "complex128"}[x.dtype.kind]
        kwargs["dtype"] = Name(wider)
    return (x,), kwargs


@case("mean", "std", "var", loose=64)
def _(draw: Draw, name: str) -> Inputs:
    dtypes = INEXACT if name == "mean" else FLOATS
    x = draw(arrays(dtypes, shapes(min_side=1), small=True, finite=True))
    kwargs: dict[str, Any] = {"axis": draw(axes_of(x.ndim)), "keepdims": draw(st.booleans())}
    if name != "mean":
        kwargs["correction"] = draw(st.sampled_from([0, 0.5]))
    return (x,), kwargs


@case("cumulative_sum", "cumulative_prod", loose=16)
def _(draw: Draw, name: str) -> Inputs:
    small = name == "cumulative_prod"
    x = draw(arrays(NUMERIC, shapes(min_dims=1), small=small, finite=True))
    axis = draw(axes_of(x.ndim, none=x.ndim == 1, several=False))
    return (x,), {"axis": axis, "include_initial": draw(st.booleans())}


@case("all", "any")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(ALL))
    return (x,), {"axis": draw(axes_of(x.ndim)), "keepdims": draw(st.booleans())}


@case("diff")
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(NUMERIC, shapes(min_dims=1), small=True, finite=True))
    axis = draw(axes_of(x.ndim, none=False, several=False))
    kwargs: dict[str, Any] = {"axis": axis, "n": draw(st.integers(0, 3))}
    for side in ("prepend", "append"):
        # numpy forgets what it is to prepend where n is 0, against the standard.
        if kwargs["n"] and draw(st.booleans()):
            shape = list(x.shape)
            shape[axis] = draw(st.integers(1, 2))
            kwargs[side] = draw(
                arrays((x.dtype.name,), st.just(tuple(shape)), small=True, finite=True)
            )
    return (x,), kwargs


# --- fft -----------------------------------------------------------------------------------------


def _signal(draw: Draw, dtypes: tuple[str, ...], least: int = 1) -> np.ndarray:
    shape = shapes(min_dims=1, min_side=least, max_side=9)
    return draw(arrays(dtypes, shape, small=True, finite=True))


_NORMS = st.sampled_from(["backward", "ortho", "forward"])


@case("fft.fft", "fft.ifft", "fft.rfft", "fft.ihfft", "fft.irfft", "fft.hfft", loose=256)
def _(draw: Draw, name: str) -> Inputs:
    real = name in ("fft.rfft", "fft.ihfft")
    x = _signal(draw, FLOATS if real else COMPLEX, 1 if real else 2)
    axis = draw(axes_of(x.ndim, none=False, several=False))
    n = draw(st.none() | st.integers(1, 12))
    return (x,), {"n": n, "axis": axis, "norm": draw(_NORMS)}


@case("fft.fftn", "fft.ifftn", "fft.rfftn", "fft.irfftn", loose=256)
def _(draw: Draw, name: str) -> Inputs:
    x = _signal(draw, FLOATS if name == "fft.rfftn" else COMPLEX, 2)
    count = draw(st.integers(1, x.ndim))
    axes = draw(st.none() | st.permutations(range(x.ndim)).map(lambda p: tuple(p[:count])))
    s = None
    if axes is not None and draw(st.booleans()):
        s = tuple(draw(st.integers(1, 9)) for _ in axes)
    return (x,), {"s": s, "axes": axes, "norm": draw(_NORMS)}


@case("fft.fftfreq", "fft.rfftfreq", loose=4)
def _(draw: Draw, name: str) -> Inputs:
    spacing = draw(st.integers(1, 16).map(lambda n: n / 4))
    return (draw(st.integers(1, 12)),), {
        "d": spacing,
        "dtype": Name(draw(st.sampled_from(FLOATS))),
    }


@case("fft.fftshift", "fft.ifftshift")
def _(draw: Draw, name: str) -> Inputs:
    x = _signal(draw, INEXACT)
    return (x,), {"axes": draw(axes_of(x.ndim))}
