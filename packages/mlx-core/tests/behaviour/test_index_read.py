"""x[...], take, take_along_axis and slice, against numpy."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from index_expressions import forms, index_expressions, is_valid, to_ours
from layouts import DTYPES, arrays, numbers, same, to_mx


@given(arrays(), st.data())
def test_basic_indices(pair, data):
    ours, theirs = pair
    index = data.draw(index_expressions(theirs.shape, masks=False, arrays=False))
    same(ours[index], theirs[index])
    if len(index) == 1:
        same(ours[index[0]], theirs[index[0]])


@given(arrays(dtypes=("int32", "bool", "complex128")), st.data())
def test_any_index(pair, data):
    ours, theirs = pair
    index = data.draw(index_expressions(theirs.shape))
    assume(is_valid(theirs, index))
    for form in forms(index):
        same(ours[form], theirs[index])


@given(arrays(min_dims=2, min_size=1), st.data())
def test_several_arrays(pair, data):
    """The axes of index arrays stand where they were, or in front if something separates them."""
    ours, theirs = pair
    assume(theirs.size)
    shape = tuple(data.draw(st.lists(st.integers(1, 3), max_size=2)))
    rng = np.random.default_rng(data.draw(st.integers(0, 5)))
    kind = st.sampled_from(["array", "array", "integer", "slice", "new"])
    index = []
    axis = 0
    while axis < theirs.ndim:
        chosen = data.draw(kind)
        if chosen == "array":
            index.append(rng.integers(0, theirs.shape[axis], shape))
        elif chosen == "integer":
            index.append(0)
        elif chosen == "slice":
            index.append(slice(None, None, -1))
        else:
            index.append(None)
            continue
        axis += 1
    if data.draw(st.booleans()):
        index.insert(data.draw(st.integers(0, len(index))), ...)
    index = tuple(index)
    same(ours[to_ours(index)], theirs[index])


@pytest.mark.parametrize("index", [True, False, np.bool_(True), np.array(False)])
def test_masks_without_axes(index):
    x = numbers((2, 3))
    ours = to_mx(x)
    same(ours[index], x[index])
    same(ours[:, index], x[:, index])
    same(ours[np.array([0]), index], x[np.array([0]), index])
    if index:
        same(ours[np.array([0, 1]), index], x[np.array([0, 1]), index])
    else:
        with pytest.raises(IndexError, match=r"\[index\]"):
            ours[np.array([0, 1]), index]
    same(mx.array(7)[index], np.array(7, "int32")[index])


def test_lists_and_empty_indices():
    x = numbers((4, 3))
    ours = to_mx(x)
    same(ours[[0, 2]], x[[0, 2]])
    same(ours[[]], x[[]])
    same(ours[:, []], x[:, []])
    same(ours[[[0, 1], [2, 3]], [0]], x[[[0, 1], [2, 3]], [0]])
    same(ours[[True, False, True, False]], x[[True, False, True, False]])
    same(ours[()], x[()])
    same(ours[...], x)
    same(ours[mx.array(1)], x[1])
    same(ours[mx.array(1), mx.array([0, 2])], x[1, [0, 2]])
    same(mx.zeros((0, 3))[mx.array([], dtype=mx.int32)], np.zeros((0, 3), "float32"))
    same(ours[np.int64(2)], x[2])
    same(ours[: np.int8(2)], x[:2])
    same(ours[: mx.array(2)], x[:2])


def test_iteration_and_length():
    x = numbers((3, 2))
    assert len(to_mx(x)) == 3
    for row, wanted in zip(to_mx(x), x, strict=True):
        same(row, wanted)


@pytest.mark.parametrize("index", [4, -5, 2**70, -(2**70), (0, 3), (0, -4), (..., 3)])
def test_integers_out_of_range(index):
    """Told at once, before anything is evaluated."""
    with pytest.raises(IndexError):
        mx.zeros((4, 3))[index]


@pytest.mark.parametrize(
    "index", [(0, 0, 0), (None, 0, 0, 0), (..., 0, 0, 0), (slice(None),) * 3, (..., ...)]
)
def test_too_many_indices(index):
    with pytest.raises(IndexError, match=r"\[index\]"):
        mx.zeros((4, 3))[index]


@pytest.mark.parametrize("mask", [(3,), (4, 4), (4, 3, 1)])
def test_masks_that_do_not_fit(mask):
    with pytest.raises(IndexError, match=r"\[index\]"):
        mx.zeros((4, 3))[mx.zeros(mask, mx.bool_)]


@pytest.mark.parametrize("index", ["a", 1.5, {}, mx.array([1.0]), np.array([1.0]), object()])
def test_what_is_no_index(index):
    with pytest.raises(TypeError):
        mx.zeros((4, 3))[index]


def test_slices_refuse():
    with pytest.raises(ValueError, match="step"):
        mx.zeros(3)[::0]
    with pytest.raises(TypeError):
        mx.zeros(3)[1.5:]


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint64"])
@pytest.mark.parametrize("shape", [(4,), (100_000,)])
def test_index_arrays_out_of_range(dtype, shape):
    """Told at evaluation, wherever the bad index is; the message names it."""
    bad = [4] if dtype.startswith("u") else [4, -5, 100, -128]
    bad += {"int64": [2**62, -(2**63)], "uint64": [2**64 - 1, 2**63]}.get(dtype, [])
    for value in bad:
        for position in [0, shape[0] // 2, shape[0] - 1]:
            index = np.zeros(shape, dtype)
            index[position] = value
            lazy = [
                mx.zeros(4)[to_mx(index)],
                mx.zeros((2, 4))[:, to_mx(index)],
                mx.zeros((4, 4))[to_mx(index), to_mx(index * 0)],
                mx.take_along_axis(mx.zeros(4), to_mx(index), axis=0),
            ]
            for result in lazy:
                with pytest.raises(IndexError, match=rf"got {value} .*4 elements"):
                    mx.eval(result)


def test_nothing_can_be_taken_of_nothing():
    for x in [mx.zeros((0, 3)), mx.zeros((0,))]:
        with pytest.raises(IndexError):
            mx.eval(x[mx.array([0])])
    assert mx.take(mx.zeros((3, 0)), mx.array([[0, 2]]), axis=0).shape == (1, 2, 0)


# --- functions -----------------------------------------------------------------------------------


@given(arrays(dtypes=DTYPES, min_size=1), st.data())
def test_take(pair, data):
    ours, theirs = pair
    assume(theirs.size)
    shape = tuple(data.draw(st.lists(st.integers(0, 3), max_size=2)))
    rng = np.random.default_rng(data.draw(st.integers(0, 5)))
    index = rng.integers(-theirs.size, theirs.size, shape).astype("int32")
    same(mx.take(ours, to_mx(index)), np.take(theirs, index))
    if theirs.ndim:
        axis = data.draw(st.integers(-theirs.ndim, theirs.ndim - 1))
        size = theirs.shape[axis]
        index = rng.integers(-size, size, shape)
        same(mx.take(ours, to_mx(index), axis=axis), np.take(theirs, index, axis=axis))
        same(mx.take(ours, size - 1, axis=axis), np.take(theirs, size - 1, axis=axis))


@given(arrays(dtypes=("int32", "float64", "uint8"), min_size=1, min_dims=1), st.data())
def test_take_along_axis(pair, data):
    ours, theirs = pair
    assume(theirs.size)
    axis = data.draw(st.integers(-theirs.ndim, theirs.ndim - 1))
    shape = list(theirs.shape)
    shape[axis] = data.draw(st.integers(0, 4))
    rng = np.random.default_rng(data.draw(st.integers(0, 5)))
    size = theirs.shape[axis]
    index = rng.integers(-size, size, shape)
    same(
        mx.take_along_axis(ours, to_mx(index), axis=axis),
        np.take_along_axis(theirs, index, axis=axis),
    )
    for other in range(theirs.ndim):
        if other != axis % theirs.ndim and shape[other] > 1:
            narrow = np.take(index, [0], axis=other)
            same(
                mx.take_along_axis(ours, to_mx(narrow), axis=axis),
                np.take_along_axis(theirs, narrow, axis=axis),
            )
    flat = rng.integers(0, theirs.size, 5)
    same(
        mx.take_along_axis(ours, to_mx(flat), axis=None),
        np.take_along_axis(theirs, flat, axis=None),
    )


def test_functions_refuse():
    x = mx.zeros((4, 3))
    with pytest.raises(IndexError, match=r"\[take\]"):
        mx.take(x, 4, axis=0)
    with pytest.raises(IndexError, match=r"\[take\]"):
        mx.take(x, 12)
    with pytest.raises(IndexError, match=r"\[take\]"):
        mx.take(x, mx.array([0]), axis=2)
    with pytest.raises(TypeError, match=r"\[take\]"):
        mx.take(x, mx.array([0.0]), axis=0)
    with pytest.raises(ValueError, match=r"\[take_along_axis\]"):
        mx.take_along_axis(x, mx.array([0]), axis=0)
    with pytest.raises(ValueError, match=r"\[take_along_axis\]"):
        mx.take_along_axis(x, mx.zeros((2, 2), mx.int32), axis=0)


def test_slice_function():
    x = numbers((4, 5, 3))
    start = mx.array([1, 2])
    same(mx.slice(to_mx(x), start, (0, 1), (2, 3, 3)), x[1:3, 2:5])
    same(mx.slice(to_mx(x), mx.array([1]), (2,), (1, 1, 2)), x[:1, :1, 1:3])
    same(mx.slice(to_mx(x), 1, 0, (2, 5, 3)), x[1:3])
    with pytest.raises(IndexError):
        mx.eval(mx.slice(to_mx(x), mx.array([3]), (0,), (2, 5, 3)))
    with pytest.raises(ValueError):
        mx.slice(to_mx(x), mx.array([0]), (0,), (5, 5, 3))


@given(arrays(dtypes=DTYPES, min_dims=1))
def test_nonzero(pair):
    ours, theirs = pair
    actual = mx.nonzero(ours)
    wanted = np.nonzero(theirs)
    assert len(actual) == len(wanted)
    for a, w in zip(actual, wanted, strict=True):
        same(a, w)


@pytest.mark.parametrize("dtype", DTYPES)
def test_long_arrays(dtype):
    """Long enough for several threads and many tiles."""
    rng = np.random.default_rng(0)
    x = numbers((300, 400), dtype)
    ours = to_mx(x)
    rows = rng.integers(-300, 300, 5000)
    columns = rng.integers(-400, 400, 5000)
    same(ours[to_mx(rows)], x[rows])
    same(ours.T[to_mx(columns)], x.T[columns])
    same(ours[:, to_mx(columns)], x[:, columns])
    same(ours[to_mx(rows), to_mx(columns)], x[rows, columns])
    same(ours[::-1, ::2][to_mx(rows // 2)], x[::-1, ::2][rows // 2])
    mask = rng.integers(0, 2, x.shape).astype(bool)
    same(ours[to_mx(mask)], x[mask])
    same(ours[to_mx(mask[:, 0])], x[mask[:, 0]])
    along = rng.integers(0, 400, (300, 77))
    same(mx.take_along_axis(ours, to_mx(along), axis=1), np.take_along_axis(x, along, axis=1))


# --- transforms ----------------------------------------------------------------------------------

READERS = {
    "rows": lambda x, i: x[i],
    "columns": lambda x, i: x[:, i],
    "pairs": lambda x, i: x[i, i[::-1]],
    "separated": lambda x, i: x[i, None, i],
    "with slices": lambda x, i: x[1:, ::-1][i - 1],
    "take": lambda x, i: mx.take(x, i),
    "along": lambda x, i: mx.take_along_axis(x, mx.stack([i, i, i, i]).T, axis=0),
    "slice": lambda x, i: mx.slice(x, i[:2], (0, 1), (2, 2)),
}


@pytest.mark.parametrize("name", READERS)
def test_derivatives(name):
    """Reading is linear: vjp is the transpose, jvp the function itself; duplicates add up."""
    rng = np.random.default_rng(0)
    i = mx.array([1, 2, 1, 3])
    fun = lambda x: READERS[name](x, i)  # noqa: E731
    x = mx.array(rng.standard_normal((4, 4)), dtype=mx.float64)
    dx = mx.array(rng.standard_normal((4, 4)), dtype=mx.float64)
    dy = mx.array(rng.standard_normal(fun(x).shape), dtype=mx.float64)
    (pulled,) = mx.vjp(fun, [x], [dy])[1]
    (pushed,) = mx.jvp(fun, [x], [dx])[1]
    np.testing.assert_allclose(np.array(pushed), np.array(fun(dx)))
    assert float((pulled * dx).sum()) == pytest.approx(float((dy * pushed).sum()), rel=1e-9)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("axes", [(1, None), (None, 0), (0, 1)])
def test_vmap(name, axes):
    rng = np.random.default_rng(0)
    fun = READERS[name]
    x = mx.array(rng.standard_normal((3, 4, 4)))
    i = mx.array(rng.integers(1, 3, (3, 4)))
    xs = x if axes[0] is not None else x[0]
    xs = mx.moveaxis(xs, 0, axes[0]) if axes[0] is not None else xs
    indices = i if axes[1] is not None else i[0]
    indices = mx.moveaxis(indices, 0, axes[1]) if axes[1] is not None else indices
    looped = [
        np.array(fun(x[k if axes[0] is not None else 0], i[k if axes[1] is not None else 0]))
        for k in range(3)
    ]
    actual = mx.vmap(fun, in_axes=axes)(xs, indices)
    np.testing.assert_array_equal(np.array(actual), np.stack(looped))


def test_masks_of_traced_arrays_are_refused():
    with pytest.raises(ValueError, match=r"\[index\].*traced"):
        mx.vmap(lambda x: x[x > 0])(mx.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"\[nonzero\].*traced"):
        mx.compile(mx.nonzero)(mx.zeros(3))
    with pytest.raises(ValueError, match=r"\[repeat\].*traced"):
        mx.compile(lambda x: mx.repeat(mx.zeros(3), x))(mx.array([1, 2, 3]))
