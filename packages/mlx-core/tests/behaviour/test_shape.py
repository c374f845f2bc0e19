"""Functions that give arrays another shape or order, against numpy."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from layouts import DTYPES, arrays, mx_dtype, numbers, same, to_mx


@st.composite
def factored(draw, size):
    """A shape of this many elements, with ones in it."""
    shape = []
    while size > 1:
        divisors = [d for d in range(2, size + 1) if size % d == 0]
        shape.append(draw(st.sampled_from(divisors)))
        size //= shape[-1]
    for _ in range(draw(st.integers(0, 2))):
        shape.insert(draw(st.integers(0, len(shape))), 1)
    return tuple(shape)


@given(arrays(dtypes=("int32", "complex128"), min_size=1), st.data())
def test_reshape(pair, data):
    ours, theirs = pair
    assume(theirs.size)
    shape = data.draw(factored(theirs.size))
    same(mx.reshape(ours, shape), theirs.reshape(shape))
    same(ours.reshape(*shape) if shape else ours.reshape(()), theirs.reshape(shape))
    if shape:
        unknown = list(shape)
        unknown[data.draw(st.integers(0, len(shape) - 1))] = -1
        same(ours.reshape(unknown), theirs.reshape(unknown))


def test_reshape_of_nothing():
    x = mx.zeros((0, 3))
    assert x.reshape(3, 0).shape == (3, 0)
    assert x.reshape(0, 7, 2).shape == (0, 7, 2)
    assert x.reshape(-1, 3).shape == (0, 3)
    with pytest.raises(ValueError, match=r"\[reshape\]"):
        x.reshape(0, -1)


@pytest.mark.parametrize("shape", [(5,), (-1, 4), (-1, -1), (-2, 3), (2**62, 2**62)])
def test_reshape_refuses(shape):
    with pytest.raises((ValueError, OverflowError), match=r"\[(reshape|shape)\]"):
        mx.zeros((6,)).reshape(shape)


@given(arrays(), st.data())
def test_transpose(pair, data):
    ours, theirs = pair
    axes = data.draw(st.permutations(range(theirs.ndim)))
    signed = [a - theirs.ndim if data.draw(st.booleans()) else a for a in axes]
    same(mx.transpose(ours, signed), theirs.transpose(signed))
    same(mx.permute_dims(ours, axes), theirs.transpose(axes))
    same(ours.transpose(*axes), theirs.transpose(*axes))
    same(ours.T, theirs.T)
    same(mx.transpose(ours), theirs.T)


def test_transpose_refuses():
    x = mx.zeros((2, 3))
    with pytest.raises(ValueError, match=r"\[transpose\]"):
        mx.transpose(x, (0, 0))
    with pytest.raises(ValueError, match=r"\[transpose\]"):
        mx.transpose(x, (0,))
    with pytest.raises(IndexError, match=r"\[transpose\]"):
        mx.transpose(x, (0, 2))
    with pytest.raises(ValueError, match=r"\[matrix_transpose\]"):
        mx.matrix_transpose(mx.zeros(3))


@given(arrays(min_dims=1), st.data())
def test_moving_axes(pair, data):
    ours, theirs = pair
    axis = st.integers(-theirs.ndim, theirs.ndim - 1)
    a, b = data.draw(axis), data.draw(axis)
    same(mx.moveaxis(ours, a, b), np.moveaxis(theirs, a, b))
    same(ours.swapaxes(a, b), np.swapaxes(theirs, a, b))
    count = data.draw(st.integers(0, theirs.ndim))
    source = data.draw(st.permutations(range(theirs.ndim)))[:count]
    target = data.draw(st.permutations(range(theirs.ndim)))[:count]
    same(mx.moveaxis(ours, source, target), np.moveaxis(theirs, source, target))
    if theirs.ndim >= 2:
        same(mx.matrix_transpose(ours), np.swapaxes(theirs, -1, -2))
        same(ours.mT, np.swapaxes(theirs, -1, -2))


def test_moving_axes_refuses():
    x = mx.zeros((2, 3))
    with pytest.raises(ValueError, match=r"\[moveaxis\].*2 and 1"):
        mx.moveaxis(x, (0, 1), (0,))
    with pytest.raises(ValueError, match=r"\[moveaxis\].*repeated"):
        mx.moveaxis(x, (0, 0), (0, 1))
    with pytest.raises(IndexError, match=r"\[swapaxes\]"):
        mx.swapaxes(x, 0, 2)


@given(arrays(), st.data())
def test_adding_and_removing_axes(pair, data):
    ours, theirs = pair
    count = data.draw(st.integers(1, 2))
    places = st.integers(-theirs.ndim - count, theirs.ndim + count - 1)
    axes = tuple(data.draw(places) for _ in range(count))
    assume(len({a % (theirs.ndim + count) for a in axes}) == count)
    wanted = np.expand_dims(theirs, axes)
    same(mx.expand_dims(ours, axes), wanted)
    same(mx.squeeze(mx.expand_dims(ours, axes), axes), theirs)
    same(mx.squeeze(mx.expand_dims(ours, axes)), np.squeeze(wanted))


def test_removing_axes_refuses():
    with pytest.raises(ValueError, match=r"\[squeeze\]"):
        mx.squeeze(mx.zeros((2, 1)), 0)
    with pytest.raises(IndexError, match=r"\[squeeze\]"):
        mx.squeeze(mx.zeros((2, 1)), 2)
    with pytest.raises(ValueError, match=r"\[expand_dims\].*repeated"):
        mx.expand_dims(mx.zeros(2), (0, 0))


@given(arrays(), st.data())
def test_flip(pair, data):
    ours, theirs = pair
    axes = data.draw(st.lists(st.integers(0, max(theirs.ndim - 1, 0)), unique=True))
    axes = tuple(axes) if theirs.ndim else ()
    same(mx.flip(ours, axes), np.flip(theirs, axes))
    same(mx.flip(ours), np.flip(theirs))


@given(arrays(), st.data())
def test_roll(pair, data):
    ours, theirs = pair
    shift = data.draw(st.integers(-12, 12))
    same(mx.roll(ours, shift), np.roll(theirs, shift))
    if theirs.ndim:
        axis = data.draw(st.integers(-theirs.ndim, theirs.ndim - 1))
        same(mx.roll(ours, shift, axis), np.roll(theirs, shift, axis))
        same(mx.roll(ours, (shift, 1), (axis, 0)), np.roll(theirs, (shift, 1), (axis, 0)))


@given(arrays(max_dims=3), st.lists(st.integers(0, 3), max_size=4))
def test_tile(pair, reps):
    ours, theirs = pair
    same(mx.tile(ours, reps), np.tile(theirs, reps))


@given(arrays(max_dims=3), st.data())
def test_repeat(pair, data):
    ours, theirs = pair
    count = data.draw(st.integers(0, 3))
    same(mx.repeat(ours, count), np.repeat(theirs, count))
    if theirs.ndim:
        axis = data.draw(st.integers(-theirs.ndim, theirs.ndim - 1))
        same(mx.repeat(ours, count, axis=axis), np.repeat(theirs, count, axis=axis))
        size = theirs.shape[axis]
        counts = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
        counts = np.array(counts, "int32")
        same(mx.repeat(ours, mx.array(counts), axis=axis), np.repeat(theirs, counts, axis=axis))


def test_repetition_refuses():
    with pytest.raises(ValueError, match=r"\[tile\]"):
        mx.tile(mx.zeros(2), -1)
    with pytest.raises(ValueError, match=r"\[repeat\]"):
        mx.repeat(mx.zeros(2), -1)
    with pytest.raises(ValueError, match=r"\[repeat\]"):
        mx.repeat(mx.zeros(3), mx.array([1, 2]))
    with pytest.raises(OverflowError, match=r"\[(repeat|shape)\]"):
        mx.repeat(mx.zeros(4), 2**62)


@given(arrays(), st.data())
def test_broadcast_to(pair, data):
    ours, theirs = pair
    shape = [data.draw(st.integers(0, 3)) if size == 1 else size for size in theirs.shape]
    shape = (*data.draw(st.lists(st.integers(0, 3), max_size=2)), *shape)
    same(mx.broadcast_to(ours, shape), np.broadcast_to(theirs, shape))


def test_broadcasting():
    a, b = mx.broadcast_arrays(mx.zeros((2, 1)), mx.ones(3, mx.int32))
    assert (a.shape, b.shape) == ((2, 3), (2, 3))
    assert (a.dtype, b.dtype) == (mx.float32, mx.int32)
    assert mx.broadcast_shapes() == ()
    assert mx.broadcast_shapes((2, 1), (1, 3), (3,)) == (2, 3)
    with pytest.raises(ValueError, match=r"\[broadcast_shapes\]"):
        mx.broadcast_shapes((2,), (3,))
    for shape in [(2,), (4,), ()]:
        with pytest.raises(ValueError, match=r"\[(broadcast_to|Broadcast)\]"):
            mx.broadcast_to(mx.zeros(3), shape)
    with pytest.raises(ValueError):
        mx.broadcast_to(mx.zeros(1), (-1,))


@given(arrays(), st.data())
def test_flatten(pair, data):
    ours, theirs = pair
    same(mx.flatten(ours), theirs.reshape(-1))
    if theirs.ndim:
        start = data.draw(st.integers(0, theirs.ndim - 1))
        end = data.draw(st.integers(start, theirs.ndim - 1))
        middle = int(np.prod(theirs.shape[start : end + 1]))
        shape = (*theirs.shape[:start], middle, *theirs.shape[end + 1 :])
        same(ours.flatten(start, end), theirs.reshape(shape))
        flat = ours.flatten(start, end)
        same(mx.unflatten(flat, start, theirs.shape[start : end + 1]), theirs)


def test_flatten_refuses():
    with pytest.raises(ValueError, match=r"\[flatten\]"):
        mx.flatten(mx.zeros((2, 3)), 1, 0)
    with pytest.raises(ValueError, match=r"\[unflatten\]"):
        mx.unflatten(mx.zeros((2, 6)), 1, (4, -1))
    assert mx.unflatten(mx.zeros((0, 6)), 1, (3, -1)).shape == (0, 3, 2)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 3, 4), (1, 2, 3, 4)])
def test_at_least(shape):
    x = numbers(shape)
    for name in ["atleast_1d", "atleast_2d", "atleast_3d"]:
        same(getattr(mx, name)(to_mx(x)), getattr(np, name)(x))
    results = mx.atleast_2d(to_mx(x), mx.array(1))
    assert isinstance(results, list)
    same(results[0], np.atleast_2d(x))


@given(arrays(dtypes=DTYPES))
def test_every_dtype_moves(pair):
    ours, theirs = pair
    same(mx.contiguous(mx.flip(ours).T), np.flip(theirs).T)
    same(mx.roll(ours, 3), np.roll(theirs, 3))


# --- memory --------------------------------------------------------------------------------------


def test_as_strided():
    x = numbers((4, 6))
    ours = to_mx(x)
    cases = [
        ((3, 3), (1, 1), 0),
        ((2, 5), (12, -1), 4),
        ((3,), (0,), 23),
        ((), (), 7),
        ((0, 5), (100, 100), 0),
        ((2, 2, 2), (8, 4, 1), 5),
    ]
    flat = x.reshape(-1)
    for shape, strides, offset in cases:
        index = np.full(shape, offset)
        for axis, stride in enumerate(strides):
            steps = np.arange(shape[axis]) * stride
            index = index + steps.reshape([-1 if i == axis else 1 for i in range(len(shape))])
        wanted = flat[index] if index.size else np.zeros(shape, x.dtype)
        same(mx.as_strided(ours, shape, strides, offset), wanted)
    # Of an array that is not in row-major order its elements in that order count.
    same(mx.as_strided(ours.T, (3,), (2,), 1), x.T.reshape(-1)[1:7:2])
    same(mx.as_strided(ours), x)


@pytest.mark.parametrize(
    ("shape", "strides", "offset"),
    [((5,), (1,), 1), ((2,), (-1,), 0), ((2, 2), (3, 1), 0), ((1,), (1,), -1), ((2,), (2**62,), 0)],
)
def test_as_strided_stays_inside(shape, strides, offset):
    with pytest.raises(IndexError, match="outside"):
        mx.as_strided(mx.arange(4), shape, strides, offset)


@pytest.mark.parametrize("source", DTYPES)
@pytest.mark.parametrize("target", ["uint8", "int16", "float32", "int64", "complex128"])
def test_view(source, target):
    x = numbers((3, 32), source)
    same(mx.view(to_mx(x), mx_dtype(target)), x.view(target))
    same(to_mx(x)[:, ::2].view(mx_dtype(target)), np.ascontiguousarray(x[:, ::2]).view(target))
    same(to_mx(x)[1:].view(mx_dtype(target)), x[1:].view(target))


def test_view_refuses():
    with pytest.raises(ValueError, match="(?i)view"):
        mx.zeros(3, mx.uint8).view(mx.int16)
    with pytest.raises(ValueError, match="(?i)view"):
        mx.array(1.0).view(mx.int8)
    assert mx.array(1.0).view(mx.int32).item() == 0x3F800000


def test_contiguous():
    x = to_mx(numbers((3, 4)))
    same(mx.contiguous(x.T), np.array(x).T)
    assert mx.contiguous(x.T, allow_col_major=True).shape == (4, 3)


# --- transforms ----------------------------------------------------------------------------------

LINEAR = {
    "reshape": lambda x: x.reshape(4, 3),
    "transpose": lambda x: x.T,
    "flip": lambda x: mx.flip(x, 1),
    "slice": lambda x: x[1:, ::-2],
    "squeeze": lambda x: mx.squeeze(mx.expand_dims(x, (0, 2)), 0),
    "broadcast": lambda x: mx.broadcast_to(mx.expand_dims(x, 1), (2, 3, 5, 4)),
    "roll": lambda x: mx.roll(x, 2, 1),
    "tile": lambda x: mx.tile(x, (2, 1, 3)),
    "repeat": lambda x: mx.repeat(x, 2, 1),
    "as_strided": lambda x: mx.as_strided(x, (4, 4), (2, 1), 1),
    "contiguous": lambda x: mx.contiguous(x.T),
    "moveaxis": lambda x: mx.moveaxis(x, 0, 1),
}


@pytest.mark.parametrize("name", LINEAR)
def test_derivatives_of_linear_functions(name):
    """vjp is the transpose of the function, jvp the function, vmap a loop."""
    fun = LINEAR[name]
    rng = np.random.default_rng(0)
    x = mx.array(rng.standard_normal((3, 4)), dtype=mx.float64)
    dx = mx.array(rng.standard_normal((3, 4)), dtype=mx.float64)
    y = fun(x)
    dy = mx.array(rng.standard_normal(y.shape), dtype=mx.float64)
    (pulled,) = mx.vjp(fun, [x], [dy])[1]
    (pushed,) = mx.jvp(fun, [x], [dx])[1]
    np.testing.assert_allclose(np.array(pushed), np.array(fun(dx)))
    product = float((pulled * dx).sum())
    assert product == pytest.approx(float((dy * pushed).sum()), rel=1e-9)
    batch = mx.array(rng.standard_normal((3, 5, 4)), dtype=mx.float64)
    looped = np.stack([np.array(fun(batch[:, i])) for i in range(5)])
    np.testing.assert_array_equal(np.array(mx.vmap(fun, in_axes=1)(batch)), looped)


def test_stop_gradient():
    x = mx.array([1.0, 2.0])
    same(mx.stop_gradient(x), np.array([1, 2], "float32"))
    grad = mx.grad(lambda x: (x * mx.stop_gradient(x)).sum())(x)
    same(grad, np.array([1, 2], "float32"))
    same(mx.vmap(mx.stop_gradient)(x), np.array([1, 2], "float32"))


def test_depends():
    a, b = mx.array([1.0]), mx.array(2.0) * 3
    x, y = mx.depends([a, a * 2], [b])
    mx.eval(x, y)
    assert (x.item(), y.item()) == (1, 2)
    assert mx.depends(a, b).item() == 1
    assert mx.grad(lambda a: mx.depends(a, b).sum())(a).item() == 1


def test_views_share_memory():
    x = mx.zeros((1000, 1000)) + 1
    mx.eval(x)
    before = mx.get_active_memory()
    views = [x.T, x[::2, ::-1], x.reshape(10, -1), mx.broadcast_to(x, (3, 1000, 1000)), x[:, None]]
    mx.eval(views)
    assert mx.get_active_memory() == before
