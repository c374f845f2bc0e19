"""x[...] = v, x.at[...] and put_along_axis, against numpy."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from index_expressions import index_expressions, is_valid, to_ours
from layouts import DTYPES, arrays, numbers, same, to_mx


@st.composite
def values(draw, shape):
    """Something that broadcasts to this shape."""
    own = tuple(1 if draw(st.integers(0, 3)) == 0 else n for n in shape)
    own = own[draw(st.integers(0, len(own))) :]
    return numbers(own, "int32", draw(st.integers(0, 3))) + 1000


def has_duplicates(x, index) -> bool:
    chosen = np.arange(x.size).reshape(x.shape)[index]
    return np.unique(chosen).size != chosen.size


@given(arrays(), st.data())
def test_basic_indices(pair, data):
    ours, theirs = pair
    index = data.draw(index_expressions(theirs.shape, masks=False, arrays=False))
    value = data.draw(values(theirs[index].shape))
    wanted = theirs.copy()
    wanted[index] = value
    written = mx.array(ours)
    written[index] = to_mx(value)
    same(written, wanted)
    same(ours, theirs)


@given(arrays(), st.data())
def test_any_index(pair, data):
    ours, theirs = pair
    index = data.draw(index_expressions(theirs.shape))
    assume(is_valid(theirs, index))
    value = data.draw(values(theirs[index].shape))
    wanted = theirs.copy()
    wanted[index] = value
    written = mx.array(ours)
    written[to_ours(index)] = to_mx(value)
    # Of several writes to one element the last one stays, as in numpy.
    same(written, wanted)
    same(ours, theirs)


@given(arrays(), st.data())
def test_numbers(pair, data):
    ours, theirs = pair
    index = data.draw(index_expressions(theirs.shape))
    assume(is_valid(theirs, index))
    wanted = theirs.copy()
    wanted[index] = 7
    for value in [7, 7.0, mx.array(7.0), np.array(7), [7]]:
        written = mx.array(ours)
        written[to_ours(index)] = value
        same(written, wanted)


COMBINE = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


@given(arrays(), st.sampled_from(list(COMBINE)), st.data())
def test_combining(pair, name, data):
    """Elements that are named several times are combined as often."""
    ours, theirs = pair
    index = data.draw(index_expressions(theirs.shape))
    assume(is_valid(theirs, index))
    value = data.draw(values(theirs[index].shape))
    wanted = theirs.copy()
    COMBINE[name].at(wanted, index, value)
    same(getattr(ours.at[to_ours(index)], name)(to_mx(value)), wanted)
    same(ours, theirs)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", COMBINE)
def test_combining_dtypes(dtype, name):
    if dtype == "bool" and name == "subtract":
        return
    x = numbers((4, 3), dtype)
    v = numbers((5, 3), dtype, seed=1)
    index = np.array([0, 3, 0, -1, 1])
    update = getattr(to_mx(x).at[to_mx(index)], name)
    if dtype.startswith("complex") and name in ("maximum", "minimum"):
        with pytest.raises(TypeError):
            update(to_mx(v))
        return
    wanted = x.copy()
    COMBINE[name].at(wanted, index, v)
    same(update(to_mx(v)), wanted)
    # Whole elements, not rows.
    flat = x[:, 0].copy()
    COMBINE[name].at(flat, index, v[:, 0])
    same(getattr(to_mx(x)[:, 0].at[to_mx(index)], name)(to_mx(v)[:, 0]), flat)


def test_bfloat16():
    x = mx.zeros(3, mx.bfloat16).at[mx.array([0, 0, 2])].add(mx.array(1.5, dtype=mx.bfloat16))
    assert x.tolist() == [3, 0, 1.5]
    assert x[mx.array([2, 0])].tolist() == [1.5, 3]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64"])
def test_dividing(dtype):
    x = numbers((4,), dtype) + 1
    wanted = x.copy()
    index = np.array([0, 2, 0])
    np.divide.at(wanted, index, np.array([2, 4, 2], dtype))
    same(to_mx(x).at[to_mx(index)].divide(mx.array([2.0, 4.0, 2.0])), wanted)
    with pytest.raises(TypeError, match=r"\[divide\]"):
        mx.array([1, 2]).at[0].divide(2)


def test_nan_is_an_extreme():
    x = mx.array([1.0, float("nan"), 3.0])
    v = mx.array([float("nan"), 1.0, 5.0])
    i = mx.array([0, 1, 2])
    for name in ["maximum", "minimum"]:
        actual = np.array(getattr(x.at[i], name)(v))
        assert np.isnan(actual).tolist() == [True, True, False]


def test_values_are_cast():
    x = mx.array([1, 2, 3])
    x[0] = mx.array(2.9)
    x[1] = 2.9
    assert x.tolist() == [2, 2, 3]
    assert x.dtype == mx.int32
    y = mx.zeros(2, mx.int8)
    with pytest.raises(OverflowError):
        y[0] = 300
    with pytest.raises(TypeError):
        y[0] = 1j
    with pytest.raises(TypeError):
        del y[0]


@pytest.mark.parametrize(
    ("index", "shape"),
    [(0, (2,)), ((slice(None), 0), (3,)), (mx.array([0, 1]), (3, 3)), (..., (2, 4, 3))],
)
def test_values_that_do_not_fit(index, shape):
    x = mx.zeros((4, 3))
    with pytest.raises(ValueError, match=r"\[index\].*does not fit"):
        x[index] = mx.zeros(shape)
    # Leading axes of size 1 may be too many.
    x[0] = mx.ones((1, 1, 3))
    assert x[0].tolist() == [1, 1, 1]


def test_masks_and_values_that_do_not_fit():
    x = mx.arange(4)
    with pytest.raises(ValueError, match=r"\[index\]"):
        x[x > 1] = mx.array([1, 2, 3])
    x[x > 1] = mx.array([8, 9])
    assert x.tolist() == [0, 1, 8, 9]
    with pytest.raises(IndexError):
        x[mx.array([True, False])] = 1


@pytest.mark.parametrize("index", [4, -5, (0, 3), (0, 0, 0), 2**70])
def test_integers_out_of_range(index):
    x = mx.zeros((4, 3))
    with pytest.raises(IndexError):
        x[index] = 1
    with pytest.raises(IndexError):
        x.at[index].add(1)
    assert x.tolist() == np.zeros((4, 3)).tolist()


@pytest.mark.parametrize("bad", [4, -5, 2**40, -(2**40)])
@pytest.mark.parametrize("length", [3, 100_000])
def test_index_arrays_out_of_range(bad, length):
    """Told at evaluation, and nothing outside of the array is written."""
    index = np.zeros(length, "int64")
    index[length // 2] = bad
    index = to_mx(index)
    x = mx.zeros(4)
    for result in [
        x.at[index].add(1),
        mx.zeros((4, 4)).at[index].multiply(2),
        mx.zeros((2, 4)).at[:, index].add(1),
        mx.zeros((4, 4)).at[index, index * 0].add(1),
        mx.put_along_axis(x, index, mx.array(1.0), axis=0),
    ]:
        with pytest.raises(IndexError, match=f"got {bad} "):
            mx.eval(result)
    x[index] = 5
    with pytest.raises(IndexError):
        mx.eval(x)


def test_writing_leaves_other_handles_alone():
    x = mx.zeros((3, 4)) + 1
    mx.eval(x)
    y, view = x, x[1]
    z = mx.array(x)
    x[1] = 5
    x[:, mx.array([0])] = 7
    assert y is x
    assert z.tolist() == np.ones((3, 4)).tolist()
    assert view.tolist() == [1, 1, 1, 1]
    assert x.tolist() == [[7, 1, 1, 1], [7, 5, 5, 5], [7, 1, 1, 1]]
    x[0] = x[1]
    x[1:] = x[:-1]
    assert x.tolist() == [[7, 5, 5, 5]] * 2 + [[7, 5, 5, 5]]
    x[::-1] = x * mx.array([[1.0], [2.0], [3.0]])
    assert x[:, 1].tolist() == [15, 10, 5]


def test_writing_in_place_reuses_memory():
    x = mx.zeros((1000, 1000)) + 1
    mx.eval(x)
    mx.reset_peak_memory()
    before = mx.get_peak_memory()
    for i in range(5):
        x[i] = 5
        x[mx.array([i, i + 7])] = 6
        mx.eval(x)
    assert mx.get_peak_memory() < before + 3_000_000


def test_in_place_operators():
    x = mx.arange(6).reshape(2, 3)
    x[0] += 10
    x[:, mx.array([0, 0])] *= 2
    assert x.tolist() == [[20, 11, 12], [6, 4, 5]]


@given(arrays(min_size=1, min_dims=1), st.data())
def test_put_along_axis(pair, data):
    ours, theirs = pair
    assume(theirs.size)
    axis = data.draw(st.integers(-theirs.ndim, theirs.ndim - 1))
    shape = list(theirs.shape)
    shape[axis] = data.draw(st.integers(0, 4))
    rng = np.random.default_rng(data.draw(st.integers(0, 5)))
    index = rng.integers(-theirs.shape[axis], theirs.shape[axis], shape)
    value = data.draw(values(tuple(shape)))
    wanted = theirs.copy()
    np.put_along_axis(wanted, index, value, axis=axis)
    same(mx.put_along_axis(ours, to_mx(index), to_mx(value), axis=axis), wanted)
    flat = rng.integers(0, theirs.size, 5)
    wanted = theirs.copy()
    np.put_along_axis(wanted, flat, 7, axis=None)
    same(mx.put_along_axis(ours, to_mx(flat), 7, axis=None), wanted)


def test_slice_update_function():
    x = numbers((4, 5))
    wanted = x.copy()
    wanted[1:3, 2:5] = 9
    same(mx.slice_update(to_mx(x), mx.full((2, 3), 9), mx.array([1, 2]), (0, 1)), wanted)
    with pytest.raises(IndexError):
        mx.eval(mx.slice_update(to_mx(x), mx.full((2, 3), 9), mx.array([3, 2]), (0, 1)))
    with pytest.raises(ValueError):
        mx.slice_update(to_mx(x), mx.zeros((5, 3)), mx.array([0]), (0,))


@pytest.mark.parametrize("name", ["add", "multiply", "maximum"])
@pytest.mark.parametrize("layout", ["elements", "rows", "columns", "pairs"])
def test_long_arrays(name, layout):
    """Long enough for several threads; many updates of one element, in order."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 100, (200, 300)).astype("int64")
    rows, columns = rng.integers(-200, 200, 40_000), rng.integers(-300, 300, 40_000)
    index = {
        "elements": (rows[:, None] % 2, columns[:, None]),
        "rows": (rows[:4000],),
        "columns": (slice(None), columns[:4000]),
        "pairs": (rows, columns),
    }[layout]
    value = rng.integers(0, 100, x[index].shape)
    wanted = x.copy()
    COMBINE[name].at(wanted, index, value)
    same(getattr(to_mx(x).at[to_ours(index)], name)(to_mx(value)), wanted)
    wanted = x.copy()
    wanted[index] = value
    written = to_mx(x)
    written[to_ours(index)] = to_mx(value)
    same(written, wanted)


def test_float_sums_do_not_depend_on_threads():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(1000).astype("float32")
    index = rng.integers(0, 1000, 300_000)
    value = rng.standard_normal(300_000).astype("float32")
    wanted = x.copy()
    np.add.at(wanted, index, value)
    same(to_mx(x).at[to_mx(index)].add(to_mx(value)), wanted)


# --- transforms ----------------------------------------------------------------------------------

INDICES = {
    "integer": lambda i: (1,),
    "slice": lambda i: (slice(None), slice(3, 0, -2)),
    "rows": lambda i: (i,),
    "columns": lambda i: (slice(None), i),
    "pairs": lambda i: (i, i[::-1]),
    "mask": lambda i: (mx.array([True, False, True, False]),),
}


def updated(x, v, index, name):
    if name == "set":
        y = mx.array(x)
        y[index] = v
        return y
    return getattr(x.at[index], name)(v)


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("name", ["set", "add", "subtract", "multiply", "divide", "maximum"])
def test_derivatives(index, name):
    """Against finite differences; indices name some elements twice."""
    rng = np.random.default_rng(0)
    key = INDICES[index](mx.array([0, 2, 0, 3]))
    x = mx.array(rng.standard_normal((4, 4)), dtype=mx.float64)
    v = mx.array(rng.standard_normal(x[key].shape), dtype=mx.float64) + 3
    weights = mx.array(rng.standard_normal((4, 4)), dtype=mx.float64)

    def loss(x, v):
        return (updated(x, v, key, name) * weights).sum()

    gx, gv = mx.grad(loss, argnums=(0, 1))(x, v)
    step = 1e-6
    for array, gradient, which in [(x, gx, 0), (v, gv, 1)]:
        direction = mx.array(rng.standard_normal(array.shape), dtype=mx.float64)
        ends = []
        for sign in (1, -1):
            args = [x, v]
            args[which] = array + sign * step * direction
            ends.append(loss(*args).item())
        slope = (ends[0] - ends[1]) / (2 * step)
        assert float((gradient * direction).sum()) == pytest.approx(slope, rel=1e-6, abs=1e-7)
    tangents = [mx.ones_like(x), mx.ones_like(v)]
    (pushed,) = mx.jvp(lambda x, v: loss(x, v), [x, v], tangents)[1]
    assert pushed.item() == pytest.approx((gx.sum() + gv.sum()).item(), rel=1e-6, abs=1e-9)


def test_derivative_of_products_with_zeros():
    x = mx.array([2.0, 3.0, 0.0], dtype=mx.float64)
    index = mx.array([0, 0, 1, 2, 1, 1])
    v = mx.array([0.0, 5.0, 0.0, 4.0, 0.0, 7.0], dtype=mx.float64)
    gx, gv = mx.grad(lambda x, v: x.at[index].multiply(v).sum(), argnums=(0, 1))(x, v)
    assert gx.tolist() == [0, 0, 4]
    assert gv.tolist() == [10, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("index", ["integer", "slice", "rows", "columns", "pairs"])
@pytest.mark.parametrize("name", ["set", "add", "maximum"])
@pytest.mark.parametrize("batched", [(True, True), (True, False), (False, True)])
def test_vmap(index, name, batched):
    rng = np.random.default_rng(0)
    i = mx.array([0, 2, 0, 3])
    xs = mx.array(rng.standard_normal((3, 4, 4)))
    shape = xs[0][INDICES[index](i)].shape
    vs = mx.array(rng.standard_normal((3, *shape)))

    def fun(x, v):
        return updated(x, v, INDICES[index](i), name)

    looped = [
        np.array(fun(xs[k] if batched[0] else xs[0], vs[k] if batched[1] else vs[0]))
        for k in range(3)
    ]
    axes = tuple(0 if b else None for b in batched)
    actual = mx.vmap(fun, in_axes=axes)(xs if batched[0] else xs[0], vs if batched[1] else vs[0])
    np.testing.assert_array_equal(np.array(actual), np.stack(looped))


@pytest.mark.parametrize("index", ["rows", "columns", "pairs"])
def test_vmap_over_indices(index):
    rng = np.random.default_rng(0)
    x = mx.array(rng.standard_normal((4, 4)))
    indices = mx.array(rng.integers(0, 4, (3, 4)))

    def fun(i):
        return x.at[INDICES[index](i)].add(1.0)

    looped = np.stack([np.array(fun(indices[k])) for k in range(3)])
    np.testing.assert_array_equal(np.array(mx.vmap(fun)(indices)), looped)


def test_writing_with_masks_in_a_trace():
    """Where the value has no element for each true one, nothing needs to be known."""

    def relu(x):
        x = mx.array(x)
        x[x < 0] = 0
        return x

    x = mx.array([-1.0, 2.0, -3.0])
    assert mx.compile(relu)(x).tolist() == [0, 2, 0]
    assert mx.vmap(relu)(mx.stack([x, -x])).tolist() == [[0, 2, 0], [1, 0, 3]]
    assert mx.grad(lambda x: relu(x).sum())(x).tolist() == [0, 1, 0]
