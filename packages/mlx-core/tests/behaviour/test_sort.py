"""Sorting, partitions and the median, against numpy's stable order."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from derivatives import check_derivatives
from layouts import DTYPES, mx_dtype, same, to_mx

SHAPES = [(1,), (0,), (7,), (600,), (3, 5), (4, 0), (0, 4), (40, 30), (5, 3, 17), (30, 600)]


def mixed(rng, shape, dtype) -> np.ndarray:
    """Elements with ties; floating ones with NaN, infinities and zeros of both signs."""
    if dtype == "bool":
        return rng.random(shape) < 0.5
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        low, high = (info.min, info.max) if rng.random() < 0.5 else (0, 9)
        return rng.integers(low, high, shape, dtype=dtype, endpoint=True)
    x = rng.standard_normal(shape) * 3
    if rng.random() < 0.5:
        x = np.round(x)
    specials = [-0.0, 0.0, np.inf, -np.inf, *([np.nan] if rng.random() < 0.5 else [])]
    for special in specials:
        x[rng.random(shape) < 0.05] = special
    if np.dtype(dtype).kind == "c":
        y = np.round(rng.standard_normal(shape))
        y[rng.random(shape) < 0.05] = np.nan
        x = np.round(x) + 0j
        x.imag = y
    return x.astype(dtype)


def order_of(x, axis, descending=False):
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    # Stable and descending: the order of the reversed array, reversed.
    backwards = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(backwards, axis)


def same_with_signs(actual, wanted) -> None:
    same(actual, wanted)
    if wanted.dtype.kind == "f":
        numbers = ~np.isnan(wanted)
        np.testing.assert_array_equal(
            np.signbit(np.array(actual))[numbers], np.signbit(wanted)[numbers]
        )


@pytest.mark.parametrize("dtype", DTYPES)
def test_sort_and_argsort(dtype):
    rng = np.random.default_rng(0)
    for shape in SHAPES:
        x = mixed(rng, shape, dtype)
        for theirs, ours in [(x, to_mx(x)), (x.T, to_mx(x).T), (x[::-1], to_mx(x)[::-1])]:
            for axis in range(-1, x.ndim - 1):
                order = order_of(theirs, axis)
                same(mx.argsort(ours, axis=axis), order.astype("int64"))
                wanted = np.take_along_axis(theirs, order, axis)
                same_with_signs(mx.sort(ours, axis=axis), wanted)
                order = order_of(theirs, axis, descending=True)
                same(mx.argsort(ours, axis=axis, descending=True), order.astype("int64"))
                wanted = np.take_along_axis(theirs, order, axis)
                same_with_signs(mx.sort(ours, axis=axis, descending=True), wanted)
        flat = x.ravel()
        same(mx.argsort(to_mx(x), axis=None), order_of(flat, 0).astype("int64"))
        same(mx.sort(to_mx(x), axis=None), flat[order_of(flat, 0)])


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float16", "int32", "float32", "float64"])
def test_long_lines(dtype):
    """Long enough for the radix sort on several threads."""
    rng = np.random.default_rng(0)
    x = mixed(rng, (200_001,), dtype)
    for descending in (False, True):
        order = order_of(x, 0, descending)
        same(mx.argsort(to_mx(x), descending=descending), order.astype("int64"))
        same_with_signs(mx.sort(to_mx(x), descending=descending), x[order])


@pytest.mark.parametrize("dtype", ["int64", "uint64", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("spread", [1e-300, 1e-9, 1.0, 1e9, 1e300])
def test_close_and_distant_numbers(dtype, spread):
    """What the leading bits of the elements do not tell apart."""
    rng = np.random.default_rng(0)
    x = 1 + rng.standard_normal(3000).round(3) * spread
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(3000).round(1)
    if np.dtype(dtype).kind in "iu":
        x = np.abs(x).clip(0, 2**62)
    with np.errstate(over="ignore", invalid="ignore"):
        x = x.astype(dtype)
    for descending in (False, True):
        order = order_of(x, 0, descending)
        same(mx.argsort(to_mx(x), descending=descending), order.astype("int64"))
        same(mx.sort(to_mx(x), descending=descending), x[order])
    kth = mx.argpartition(to_mx(x), 1234)[1234].item()
    assert x[kth] == x[order_of(x, 0)][1234]


def test_bfloat16():
    x = mx.array([2.0, mx.nan, -1.0, 0.0, -mx.inf], dtype=mx.bfloat16)
    assert mx.argsort(x).tolist() == [4, 2, 3, 0, 1]
    assert mx.sort(x).dtype == mx.bfloat16
    assert mx.sort(x)[:4].astype(mx.float32).tolist() == [-np.inf, -1, 0, 2]


@pytest.mark.parametrize("dtype", DTYPES)
def test_partition(dtype):
    rng = np.random.default_rng(0)
    for shape in [(1,), (9,), (1000,), (4, 50), (3, 5, 20)]:
        x = mixed(rng, shape, dtype)
        for axis in range(-x.ndim, 0):
            size = x.shape[axis]
            kth = int(rng.integers(-size, size))
            wanted = np.sort(x, axis=axis, kind="stable")
            order = mx.argpartition(to_mx(x), kth, axis=axis)
            assert order.dtype == mx.int64
            gathered = np.take_along_axis(x, np.array(order), axis)
            for y in (np.array(mx.partition(to_mx(x), kth, axis=axis)), gathered):
                np.testing.assert_array_equal(np.take(y, kth, axis), np.take(wanted, kth, axis))
                np.testing.assert_array_equal(np.sort(y, axis=axis), np.sort(x, axis=axis))
                place = kth % size
                before = np.sort(np.take(y, range(place), axis), axis=axis)
                np.testing.assert_array_equal(before, np.take(wanted, range(place), axis))


def test_topk():
    x = np.random.default_rng(0).permutation(60).reshape(3, 20).astype("float32")
    for k in (0, 1, 7, 20):
        result = mx.sort(mx.topk(to_mx(x), k), axis=-1)
        np.testing.assert_array_equal(np.array(result), np.sort(x, axis=-1)[:, 20 - k :])
    assert mx.topk(to_mx(x), 2, axis=0).shape == (2, 20)
    assert mx.topk(to_mx(x), 2, axis=None).shape == (2,)


def test_median():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, 4, 5)).astype("float32")
    for axis in (None, 0, -1, (0, 2), (1, 0)):
        for keepdims in (False, True):
            wanted = np.median(x, axis=axis, keepdims=keepdims)
            actual = mx.median(to_mx(x), axis=axis, keepdims=keepdims)
            assert actual.shape == wanted.shape
            np.testing.assert_allclose(np.array(actual), wanted, rtol=1e-6)
    assert mx.median(mx.array([1, 2, 3, 10])).item() == 2.5
    x[1, 2, 3] = np.nan
    np.testing.assert_array_equal(
        np.isnan(np.array(mx.median(to_mx(x), axis=0))), np.isnan(np.median(x, axis=0))
    )


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: mx.sort(mx.zeros(3), axis=1), IndexError, r"\[sort\]"),
        (lambda: mx.argsort(mx.array(1.0)), IndexError, r"\[argsort\]"),
        (lambda: mx.partition(mx.zeros(3), 3), ValueError, r"\[partition\].*3"),
        (lambda: mx.argpartition(mx.zeros(3), -4), ValueError, r"\[argpartition\].*-4"),
        (lambda: mx.topk(mx.zeros(3), 4), ValueError, r"\[topk\].*4"),
        (lambda: mx.median(mx.zeros((0, 3)), axis=0), ValueError, r"\[median\].*\(0, 3\)"),
        (lambda: mx.median(mx.array([1j])), TypeError, r"\[median\]"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_derivatives_and_vmap():
    x = np.random.default_rng(0).standard_normal((3, 5))
    check_derivatives(lambda a: mx.sort(a, axis=0), [x])
    check_derivatives(lambda a: mx.sort(a, axis=None), [x])
    check_derivatives(lambda a: mx.partition(a, 2), [x])
    check_derivatives(lambda a: mx.topk(a, 2), [x])
    together = mx.vmap(mx.argsort, in_axes=1)(to_mx(x))
    np.testing.assert_array_equal(np.array(together), np.argsort(x.T, axis=-1))
    assert mx_dtype("int64") == together.dtype
