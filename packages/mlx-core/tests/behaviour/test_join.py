"""Putting arrays together and taking them apart, against numpy."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts import DTYPES, arrays, numbers, same, to_mx


@given(arrays(dtypes=DTYPES, min_dims=1), st.data())
def test_concatenate(pair, data):
    ours, theirs = pair
    axis = data.draw(st.integers(-theirs.ndim, theirs.ndim - 1))
    parts = [pair]
    for seed in range(data.draw(st.integers(0, 3))):
        shape = list(theirs.shape)
        shape[axis] = data.draw(st.integers(0, 3))
        more = numbers(shape, theirs.dtype, seed)
        parts.append((to_mx(more), more))
    wanted = np.concatenate([p[1] for p in parts], axis=axis)
    same(mx.concatenate([p[0] for p in parts], axis=axis), wanted)
    same(mx.concat([p[0] for p in parts], axis=axis), wanted)
    same(
        mx.concatenate([p[0] for p in parts], axis=None),
        np.concatenate([p[1] for p in parts], axis=None),
    )


def test_concatenate_promotes():
    result = mx.concatenate([mx.array([1, 2]), mx.array([0.5], dtype=mx.float16), mx.array([True])])
    same(result, np.array([1, 2, 0.5, 1], "float16"))


@pytest.mark.parametrize("axis", [0, 1])
def test_concatenate_long_arrays(axis):
    """Long enough for several threads; some parts transposed, reversed or repeated."""
    x = numbers((700, 700), "float32")
    ours = to_mx(x)
    parts = [ours, ours.T, ours[::-1, ::-1], mx.broadcast_to(ours[0], (700, 700))]
    wanted = [x, x.T, x[::-1, ::-1], np.broadcast_to(x[0], (700, 700))]
    same(mx.concatenate(parts, axis=axis), np.concatenate(wanted, axis=axis))


def test_concatenate_refuses():
    with pytest.raises(ValueError, match=r"\[concatenate\].*no arrays"):
        mx.concatenate([])
    with pytest.raises(ValueError, match=r"\[concatenate\].*\(2, 3\).*\(2, 4\)"):
        mx.concatenate([mx.zeros((2, 3)), mx.zeros((2, 4))])
    with pytest.raises(ValueError, match=r"\[concatenate\]"):
        mx.concatenate([mx.zeros((2, 3)), mx.zeros(3)])
    with pytest.raises(IndexError, match=r"\[concatenate\]"):
        mx.concatenate([mx.zeros(3)], axis=1)
    with pytest.raises(IndexError, match=r"\[concatenate\]"):
        mx.concatenate([mx.array(1), mx.array(2)])
    with pytest.raises(TypeError, match=r"\[concatenate\]"):
        mx.concatenate(3)


@given(arrays(dtypes=("int32", "float64")), st.integers(1, 4), st.data())
def test_stack_and_unstack(pair, count, data):
    ours, theirs = pair
    axis = data.draw(st.integers(-theirs.ndim - 1, theirs.ndim))
    wanted = np.stack([theirs] * count, axis=axis)
    stacked = mx.stack([ours] * count, axis=axis)
    same(stacked, wanted)
    parts = mx.unstack(stacked, axis=axis)
    assert isinstance(parts, tuple) and len(parts) == count
    for part in parts:
        same(part, theirs)


def test_stack_refuses():
    with pytest.raises(ValueError, match=r"\[stack\]"):
        mx.stack([])
    with pytest.raises(ValueError, match=r"\[stack\]"):
        mx.stack([mx.zeros(2), mx.zeros(3)])
    with pytest.raises(ValueError, match=r"\[unstack\]"):
        mx.unstack(mx.array(1))


@given(arrays(min_dims=1), st.data())
def test_split(pair, data):
    ours, theirs = pair
    axis = data.draw(st.integers(-theirs.ndim, theirs.ndim - 1))
    size = theirs.shape[axis]
    sections = data.draw(st.sampled_from([n for n in range(1, size + 2) if size % n == 0]))
    positions = sorted(data.draw(st.lists(st.integers(0, size + 1), max_size=4)))
    for how in [sections, positions, tuple(positions)]:
        actual = mx.split(ours, how, axis=axis)
        wanted = np.split(theirs, how, axis=axis)
        assert isinstance(actual, list) and len(actual) == len(wanted)
        for a, w in zip(actual, wanted, strict=True):
            same(a, w)
        assert len(ours.split(how, axis=axis)) == len(wanted)


def test_split_refuses():
    with pytest.raises(ValueError, match=r"\[split\]"):
        mx.split(mx.zeros(5), 2)
    with pytest.raises(ValueError, match=r"\[split\]"):
        mx.split(mx.zeros(5), 0)
    with pytest.raises(TypeError, match=r"\[split\]"):
        mx.split(mx.zeros(5), "a")


@given(
    arrays(dtypes=DTYPES, min_size=1, max_dims=3),
    st.sampled_from(["constant", "edge", "reflect", "symmetric", "wrap"]),
    st.data(),
)
def test_pad(pair, mode, data):
    ours, theirs = pair
    if theirs.size == 0:  # a slice of a slice
        mode = "constant"
    widths = [
        (data.draw(st.integers(0, 7)), data.draw(st.integers(0, 7))) for _ in range(theirs.ndim)
    ]
    if theirs.ndim == 0:
        same(mx.pad(ours, widths, mode), theirs)
        return
    same(mx.pad(ours, widths, mode), np.pad(theirs, widths, mode))
    same(mx.pad(ours, 2, mode), np.pad(theirs, 2, mode))
    same(mx.pad(ours, (1, 2), mode), np.pad(theirs, (1, 2), mode))


def test_pad_values():
    x = numbers((2, 3), "float32")
    wanted = np.pad(x, 1, constant_values=2.5)
    same(mx.pad(to_mx(x), 1, constant_values=2.5), wanted)
    same(mx.pad(to_mx(x), ((1, 1),), constant_values=mx.array(2.5)), wanted)
    same(mx.pad(mx.zeros((0, 2)), 1), np.zeros((2, 4), "float32"))
    big = numbers((600, 600), "int64")
    same(mx.pad(to_mx(big), 3), np.pad(big, 3))


def test_pad_refuses():
    with pytest.raises(ValueError, match=r"\[pad\].*negative"):
        mx.pad(mx.zeros(3), -1)
    with pytest.raises(ValueError, match=r"\[pad\]"):
        mx.pad(mx.zeros((3, 3, 3)), [(1, 1), (2, 2)])
    with pytest.raises(ValueError, match=r"\[pad\].*mode"):
        mx.pad(mx.zeros(3), 1, "mirror")
    with pytest.raises(ValueError, match=r"\[pad\]"):
        mx.pad(mx.zeros(0), 1, "edge")
    with pytest.raises(OverflowError):
        mx.pad(mx.zeros(3), 2**63 - 2)


FUNCTIONS = {
    "concatenate": lambda x: mx.concatenate([x, x * 2, x[:, :1]], axis=1),
    "stack": lambda x: mx.stack([x, -x], axis=-1),
    "split": lambda x: mx.split(x, [1, 3], axis=1)[1] * 3,
    "unstack": lambda x: mx.unstack(x)[2],
    "constant": lambda x: mx.pad(x, 2),
    "edge": lambda x: mx.pad(x, 2, "edge"),
    "reflect": lambda x: mx.pad(x, 2, "reflect"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives(name):
    """The functions are linear: vjp is the transpose, jvp the function itself, vmap a loop."""
    fun = FUNCTIONS[name]
    rng = np.random.default_rng(0)
    x = mx.array(rng.standard_normal((3, 4)), dtype=mx.float64)
    dx = mx.array(rng.standard_normal((3, 4)), dtype=mx.float64)
    dy = mx.array(rng.standard_normal(fun(x).shape), dtype=mx.float64)
    (pulled,) = mx.vjp(fun, [x], [dy])[1]
    (pushed,) = mx.jvp(fun, [x], [dx])[1]
    np.testing.assert_allclose(np.array(pushed), np.array(fun(dx)))
    assert float((pulled * dx).sum()) == pytest.approx(float((dy * pushed).sum()), rel=1e-9)
    batch = mx.array(rng.standard_normal((3, 4, 5)), dtype=mx.float64)
    looped = np.stack([np.array(fun(batch[..., i])) for i in range(5)])
    np.testing.assert_array_equal(np.array(mx.vmap(fun, in_axes=2)(batch)), looped)
