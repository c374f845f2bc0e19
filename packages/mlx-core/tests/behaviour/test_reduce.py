"""Reductions against numpy in float64, over dtypes, axes, layouts and sizes beyond one tile."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

SHAPES = [
    (),
    (0,),
    (7,),
    (5000,),
    (3, 1, 4),
    (2, 0, 3),
    (70, 3),
    (3, 70),
    (33, 129),
    (2, 65, 3, 31),
]
REAL = ["float32", "float64", "int32", "int64", "uint8", "int8", "uint64"]


def data(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    if np.dtype(dtype).kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    return rng.integers(0, 5, shape).astype(dtype)


def all_axes(ndim):
    yield None
    for mask in range(2**ndim):
        axes = tuple(axis for axis in range(ndim) if mask >> axis & 1)
        yield axes


def to_mx(x):
    return mx.array(x, dtype=getattr(mx, "bool_" if x.dtype == bool else x.dtype.name))


def close(actual, wanted):
    assert actual.shape == wanted.shape
    np.testing.assert_allclose(np.array(actual), wanted, rtol=3e-6, atol=3e-6)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["sum", "mean", "var", "std", "max", "min", "prod"])
def test_every_choice_of_axes(name, shape):
    x = data(shape, "float32") * (0.5 if name == "prod" else 1)
    wide = x.astype("float64")
    for axes in all_axes(len(shape)):
        reduced = range(len(shape)) if axes is None else axes
        count = int(np.prod([shape[axis] for axis in reduced]))
        if count == 0 and name in ("max", "min"):
            with pytest.raises(ValueError, match=rf"\[{name}\]"):
                getattr(mx, name)(to_mx(x), axis=axes)
            continue
        for keepdims in (False, True):
            with np.errstate(all="ignore"), np.testing.suppress_warnings() as quiet:
                quiet.filter(RuntimeWarning)
                wanted = getattr(np, name)(wide, axis=axes, keepdims=keepdims)
            close(getattr(mx, name)(to_mx(x), axis=axes, keepdims=keepdims), np.asarray(wanted))


@pytest.mark.parametrize(
    "dtype",
    [
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
    ],
)
def test_sum_and_prod_dtypes(dtype):
    x = data((11, 300), dtype)
    total = mx.sum(to_mx(x), axis=1)
    small = {"int8": mx.int32, "int16": mx.int32, "uint8": mx.uint32, "uint16": mx.uint32}
    assert total.dtype == small.get(dtype, getattr(mx, dtype))
    wide = x.astype("complex128" if x.dtype.kind == "c" else "float64")
    tolerance = 2e-3 if dtype == "float16" else 2e-6
    np.testing.assert_allclose(np.array(total), wide.sum(axis=1), rtol=tolerance, atol=tolerance)
    few = x[:, :3]
    np.testing.assert_allclose(
        np.array(mx.prod(to_mx(few), axis=1)),
        few.astype(wide.dtype).prod(axis=1),
        rtol=3e-3,
        atol=1e-3,
    )


@pytest.mark.parametrize("name", ["all", "any"])
@pytest.mark.parametrize("dtype", ["bool", "int32", "float32", "complex64"])
def test_all_and_any(name, dtype):
    for shape in SHAPES:
        x = data(shape, dtype) if dtype == "bool" else data(shape, "int32").astype(dtype)
        for axes in all_axes(len(shape)):
            wanted = getattr(np, name)(x, axis=axes)
            np.testing.assert_array_equal(np.array(getattr(mx, name)(to_mx(x), axis=axes)), wanted)


@given(
    shape=st.lists(st.integers(1, 40), min_size=1, max_size=4),
    data_=st.data(),
    dtype=st.sampled_from(REAL),
)
@settings(max_examples=60, deadline=None)
def test_any_layout(shape, data_, dtype):
    x = data(tuple(shape), dtype)
    order = data_.draw(st.permutations(range(len(shape))))
    steps = [data_.draw(st.sampled_from([1, 2, -1])) for _ in shape]
    index = tuple(slice(None, None, step) for step in steps)
    view = x.transpose(order)[index]
    axes = data_.draw(st.sets(st.integers(0, len(shape) - 1)))
    ours = mx.transpose(to_mx(x), order)[index]
    wanted = view.astype("float64").sum(axis=tuple(axes))
    np.testing.assert_allclose(
        np.array(mx.sum(ours, axis=tuple(axes))).astype("float64"), wanted, rtol=1e-5, atol=1e-4
    )


def test_nan_is_the_extreme():
    x = mx.array([1.0, float("nan"), 3.0])
    assert np.isnan(mx.max(x).item()) and np.isnan(mx.min(x).item())
    large = np.zeros(100_000, "float32")
    large[77_777] = np.nan
    assert np.isnan(mx.max(mx.array(large)).item())


def test_logsumexp():
    x = data((5, 400), "float32", 3) * 50
    wide = x.astype("float64")
    top = wide.max(axis=1)
    close(mx.logsumexp(mx.array(x), axis=1), top + np.log(np.exp(wide - top[:, None]).sum(axis=1)))
    inf = float("inf")
    assert mx.logsumexp(mx.array([-inf, -inf])).item() == -inf
    assert mx.logsumexp(mx.array([inf, 0.0])).item() == inf


def test_reductions_of_one_program_agree_with_their_own():
    x = mx.array(data((300, 50), "float32"))
    y = x * 2
    total, largest, scaled = mx.sum(y, axis=1), mx.max(y, axis=1), y + 1
    mx.eval(total, largest, scaled)
    wide = np.array(x).astype("float64") * 2
    close(total, wide.sum(axis=1))
    close(largest, wide.max(axis=1))
    close(scaled, wide + 1)


@pytest.mark.parametrize("axis", [2, -3, (0, 5)])
def test_axis_out_of_range(axis):
    with pytest.raises(IndexError, match=r"\[sum\] axis out of range: got"):
        mx.sum(mx.zeros((2, 2)), axis=axis)


def test_repeated_axis():
    with pytest.raises(ValueError, match=r"\[sum\] repeated axis"):
        mx.sum(mx.zeros((2, 2)), axis=(0, -2))
