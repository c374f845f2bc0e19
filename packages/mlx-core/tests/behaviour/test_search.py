"""Extremes, places in sorted arrays and sets, against numpy."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from layouts import DTYPES, same, to_mx
from test_sort import mixed

ORDERED = [d for d in DTYPES if not d.startswith("complex")]


@pytest.mark.parametrize("dtype", ORDERED)
@pytest.mark.parametrize("name", ["argmin", "argmax"])
def test_arg_reduce(name, dtype):
    rng = np.random.default_rng(0)
    ours_function, function = getattr(mx, name), getattr(np, name)
    for shape in [(1,), (7,), (300,), (600_000,), (5, 7), (40, 300), (300, 40), (3, 4, 5)]:
        x = mixed(rng, shape, dtype)
        pairs = [(x, to_mx(x)), (x.T, to_mx(x).T), (x[::-1], to_mx(x)[::-1])]
        for theirs, ours in pairs[: 1 if x.size > 1e5 else 3]:
            for axis in (None, *range(-x.ndim, 0)):
                for keepdims in (False, True):
                    wanted = function(theirs, axis=axis, keepdims=keepdims)
                    actual = ours_function(ours, axis=axis, keepdims=keepdims)
                    same(actual, np.asarray(wanted, "int64"))


def test_first_of_equals_and_nan():
    assert mx.argmax(mx.array([0.0, -0.0, 0.0])).item() == 0
    assert mx.argmin(mx.array([3, 1, 1])).item() == 1
    assert mx.argmax(mx.array([1.0, mx.nan, 5.0, mx.nan])).item() == 1
    assert mx.argmin(mx.array([1.0, mx.nan], dtype=mx.bfloat16)).item() == 1
    x = np.zeros(1000, "float32")
    x[[700, 800]] = np.nan
    assert mx.argmax(to_mx(x)).item() == 700
    assert to_mx(x).argmin().item() == 700


def test_arg_reduce_refuses():
    with pytest.raises(ValueError, match=r"\[argmax\].*nothing"):
        mx.argmax(mx.zeros((0, 3)), axis=0)
    with pytest.raises(ValueError, match=r"\[argmin\].*nothing"):
        mx.argmin(mx.zeros(0))
    assert mx.argmax(mx.zeros((0, 3)), axis=1).shape == (0,)
    with pytest.raises(IndexError, match=r"\[argmax\]"):
        mx.argmax(mx.zeros(3), axis=1)
    with pytest.raises(TypeError, match=r"\[argmin\].*complex64"):
        mx.argmin(mx.array([1j]))


@pytest.mark.parametrize("dtype", ORDERED)
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(dtype, side):
    rng = np.random.default_rng(0)
    for n, m in [(0, 3), (1, 5), (50, 200), (2000, 9000)]:
        x = np.sort(mixed(rng, (n,), dtype))
        v = mixed(rng, (m,), dtype)
        wanted = np.searchsorted(x, v, side=side).astype("int64")
        same(mx.searchsorted(to_mx(x), to_mx(v), side=side), wanted)
        same(mx.searchsorted(to_mx(x[::-1].copy())[::-1], to_mx(v), side), wanted)
        if m % 5 == 0:
            values = to_mx(v.reshape(5, -1)).T
            same(mx.searchsorted(to_mx(x), values, side=side), wanted.reshape(5, -1).T)


def test_searchsorted_of_other_kinds():
    same(mx.searchsorted(mx.array([1, 3]), 2), np.array(1))
    same(mx.searchsorted(mx.array([1, 3]), mx.array([2.5, 3.5])), np.array([1, 2]))
    stacked = mx.vmap(mx.searchsorted)(mx.array([[1, 2], [3, 4]]), mx.array([[2, 2], [5, 0]]))
    same(stacked, np.array([[1, 1], [2, 0]]))
    with pytest.raises(ValueError, match=r"\[searchsorted\].*'middle'"):
        mx.searchsorted(mx.zeros(3), 1, side="middle")
    with pytest.raises(ValueError, match=r"\[searchsorted\].*\(2, 2\)"):
        mx.searchsorted(mx.zeros((2, 2)), 1)
    with pytest.raises(TypeError, match=r"\[searchsorted\]"):
        mx.searchsorted(mx.array([1j]), 1)


def test_count_nonzero():
    x = np.random.default_rng(0).integers(-1, 2, (3, 4, 5))
    for axis in (None, 0, -1, (0, 2)):
        for keepdims in (False, True):
            wanted = np.count_nonzero(x, axis=axis, keepdims=keepdims)
            same(mx.count_nonzero(to_mx(x), axis=axis, keepdims=keepdims), np.asarray(wanted))
    assert mx.count_nonzero(mx.array([mx.nan, 0.0, -0.0])).item() == 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [0, 1, 5, 100])
def test_isin(dtype, count):
    rng = np.random.default_rng(0)
    x, test = mixed(rng, (6, 30), dtype), mixed(rng, (count,), dtype)
    same(mx.isin(to_mx(x), to_mx(test)), np.isin(x, test))
    same(mx.isin(to_mx(x), to_mx(test), invert=True), np.isin(x, test, invert=True))


def test_isin_of_mixed_integers():
    """No dtype holds both, yet no value is mistaken for another."""
    large = mx.array([2**64 - 1, 2**63, 7, 0], dtype=mx.uint64)
    small = mx.array([-1, 7, -(2**63), 8], dtype=mx.int64)
    assert mx.isin(large, small).tolist() == [False, False, True, False]
    assert mx.isin(small, large).tolist() == [False, True, False, False]
    assert mx.isin(large, mx.array([-1], dtype=mx.int8)).tolist() == [False] * 4


@pytest.mark.parametrize("dtype", DTYPES)
def test_unique(dtype):
    rng = np.random.default_rng(0)
    for shape in [(), (0,), (1,), (40,), (5, 60)]:
        x = np.asarray(mixed(rng, shape, dtype) if shape else np.ones((), dtype))
        wanted = np.unique(
            x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
        )
        values, index, inverse, counts = mx.unique(
            to_mx(x), return_index=True, return_inverse=True, return_counts=True
        )
        flat = x.ravel()
        assert values.shape == wanted[0].shape
        same(mx.unique(to_mx(x)), np.array(values))
        np.testing.assert_array_equal(np.array(values), flat[np.array(index)])
        np.testing.assert_array_equal(np.array(values)[np.array(inverse)], x)
        assert inverse.shape == x.shape and counts.sum().item() == x.size
        if not np.isnan(x).any():
            np.testing.assert_array_equal(np.array(values), wanted[0])
            np.testing.assert_array_equal(np.array(index), wanted[1])
            np.testing.assert_array_equal(np.array(counts), wanted[3])


def test_unique_of_a_known_size():
    x = mx.array([3, 1, 3, 2, 1])
    values, index, inverse, counts = mx.unique(x, 5, True, True, True)
    assert values.tolist() == [1, 2, 3, 1, 1]
    assert index.tolist() == [1, 3, 0, 1, 1]
    assert inverse.tolist() == [2, 0, 2, 1, 0]
    assert counts.tolist() == [2, 1, 2, 0, 0]
    assert mx.unique(x, size=2).tolist() == [1, 2]
    assert mx.unique(x, 4, fill_value=-1).tolist() == [1, 2, 3, -1]
    assert mx.unique(x, 0).shape == (0,)
    assert mx.unique(mx.zeros(0), 2, fill_value=9).tolist() == [9, 9]
    stacked = mx.vmap(lambda a: mx.unique(a, size=2))(mx.array([[1, 1, 2], [5, 4, 4]]))
    assert stacked.tolist() == [[1, 2], [4, 5]]
    assert mx.compile(lambda a: mx.unique(a, size=3))(x).tolist() == [1, 2, 3]


def test_unique_refuses():
    with pytest.raises(ValueError, match=r"\[unique\].*negative"):
        mx.unique(mx.zeros(3), -1)
    with pytest.raises(ValueError, match=r"\[unique\].*fill_value"):
        mx.unique(mx.zeros(0), 1)
    with pytest.raises(ValueError, match=r"\[unique\].*traced"):
        mx.compile(mx.unique)(mx.zeros(3))
