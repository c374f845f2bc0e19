"""Scans: sums, products, extremes and log-sums so far, against numpy; differences."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from derivatives import check_derivatives
from layouts import DTYPES, mx_dtype, same, to_mx

ACCUMULATED = {
    "bool": "int32", "int8": "int32", "int16": "int32", "uint8": "uint32", "uint16": "uint32",
}  # fmt: skip
FOLDS = {
    "cumsum": np.add,
    "cumprod": np.multiply,
    "cummax": np.maximum,
    "cummin": np.minimum,
    "logcumsumexp": np.logaddexp,
}
FLOATING = ["float16", "float32", "float64"]


def draw(rng, shape, dtype):
    if dtype == "bool":
        return rng.random(shape) < 0.5
    if np.dtype(dtype).kind in "iu":
        return rng.integers(1, 5, shape).astype(dtype)
    x = rng.uniform(0.5, 1.5, shape)
    return (x * (0.6 + 0.8j if np.dtype(dtype).kind == "c" else 1)).astype(dtype)


def wanted_dtype(name, dtype):
    return ACCUMULATED.get(dtype, dtype) if name in ("cumsum", "cumprod") else dtype


def accepts(name, dtype) -> bool:
    if name == "logcumsumexp":
        return dtype in FLOATING
    return name in ("cumsum", "cumprod") or not dtype.startswith("complex")


def reference(name, x, axis, reverse, inclusive):
    dtype = np.dtype(wanted_dtype(name, x.dtype.name))
    wide = {"f": np.longdouble, "c": np.clongdouble}.get(dtype.kind, dtype)
    x = x.astype(wide)
    x = np.flip(x, axis) if reverse else x
    result = FOLDS[name].accumulate(x, axis=axis, dtype=wide)
    if not inclusive:
        shape = list(x.shape)
        shape[axis] = min(1, shape[axis])
        first = np.full(shape, identity(name, dtype), wide)
        kept = np.take(result, range(max(x.shape[axis] - 1, 0)), axis)
        result = np.concatenate([first, kept], axis)
    return np.flip(result, axis) if reverse else result


def identity(name, dtype):
    if name == "cumsum":
        return 0
    if name == "cumprod":
        return 1
    if name == "logcumsumexp":
        return -np.inf
    if dtype.kind == "b":
        return name == "cummin"
    if dtype.kind == "f":
        return -np.inf if name == "cummax" else np.inf
    return np.iinfo(dtype).min if name == "cummax" else np.iinfo(dtype).max


def check(actual, wanted, dtype) -> None:
    assert actual.dtype == mx_dtype(dtype) and actual.shape == wanted.shape
    if np.dtype(dtype).kind in "fc":
        tolerance = {2: 2e-3, 4: 1e-6}.get(np.zeros(0, dtype).real.itemsize, 1e-14)
        np.testing.assert_allclose(
            np.array(actual).astype(wanted.dtype), wanted, rtol=tolerance, atol=tolerance
        )
    else:
        same(actual, wanted.astype(dtype))


CASES = [
    pytest.param(name, dtype, id=f"{name}-{dtype}")
    for name in FOLDS
    for dtype in DTYPES
    if accepts(name, dtype)
]


@pytest.mark.parametrize("name, dtype", CASES)
def test_scan(name, dtype):
    rng = np.random.default_rng(0)
    function, result = getattr(mx, name), wanted_dtype(name, dtype)
    for shape in [(1,), (0,), (9,), (5, 7), (3, 0), (2, 3, 4), (3, 300)]:
        x = draw(rng, shape, dtype)
        for theirs, ours in [(x, to_mx(x)), (x.T, to_mx(x).T), (x[::-1], to_mx(x)[::-1])]:
            for axis in range(-x.ndim, 0):
                for reverse in (False, True):
                    for inclusive in (False, True):
                        wanted = reference(name, theirs, axis, reverse, inclusive)
                        actual = function(ours, axis, reverse=reverse, inclusive=inclusive)
                        check(actual, wanted, result)


@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize("shape, axis", [((300_001,), 0), ((70_000, 3), 0), ((3, 70_000), 1)])
def test_long_scans(name, shape, axis):
    """In segments, over several threads."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(shape) if name != "cumprod" else 1 + rng.standard_normal(shape) / 1e4
    for reverse in (False, True):
        for inclusive in (False, True):
            wanted = reference(name, x, axis, reverse, inclusive)
            actual = getattr(mx, name)(to_mx(x), axis, reverse=reverse, inclusive=inclusive)
            np.testing.assert_allclose(
                np.array(actual), wanted.astype("float64"), rtol=1e-11, atol=1e-11
            )


@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize("shape, axis", [((300_001,), 0), ((7, 9), 0), ((7, 9), 1)])
def test_scans_in_the_memory_of_their_input(name, shape, axis):
    """Nobody else needs what is scanned, so the result takes its place."""
    x = np.random.default_rng(0).uniform(-0.5, 0.5, shape)
    for reverse in (False, True):
        for inclusive in (False, True):
            wanted = reference(name, x + 1, axis, reverse, inclusive)
            scan = getattr(mx, name)
            actual = scan(to_mx(x) + 1, axis, reverse=reverse, inclusive=inclusive)
            np.testing.assert_allclose(
                np.array(actual), wanted.astype("float64"), rtol=1e-11, atol=1e-11
            )


def test_accuracy_of_float32():
    x = np.full(1_000_000, 0.1, "float32")
    actual = np.array(mx.cumsum(to_mx(x)))
    wanted = np.cumsum(x.astype("float64"))
    np.testing.assert_allclose(actual, wanted, rtol=1e-7)


def test_flattened_and_dtype():
    x = np.arange(6, dtype="int8").reshape(2, 3)
    same(mx.cumsum(to_mx(x)), np.cumsum(x, dtype="int32"))
    same(mx.cumsum(to_mx(x), dtype=mx.int8), np.cumsum(x, dtype="int8"))
    assert mx.cumprod(to_mx(x), axis=1, dtype=mx.float64).dtype == mx.float64
    same(to_mx(x).cummax(axis=1, reverse=True), np.array([[2, 2, 2], [5, 5, 5]], "int8"))
    assert mx.logcumsumexp(mx.array([1, 2])).dtype == mx.float32


def test_nan_and_infinity():
    x = mx.array([1.0, mx.nan, 2.0])
    for name in FOLDS:
        result = np.array(getattr(mx, name)(x))
        assert result[0] == 1 and np.isnan(result[1:]).all(), name
    infinite = mx.array([-mx.inf, 0.0, mx.inf, mx.inf])
    assert mx.logcumsumexp(infinite).tolist() == [-np.inf, 0, np.inf, np.inf]


def test_refusals():
    with pytest.raises(IndexError, match=r"\[cumsum\]"):
        mx.cumsum(mx.zeros(3), axis=1)
    with pytest.raises(TypeError, match=r"\[cummax\].*complex64"):
        mx.cummax(mx.array([1j]))
    with pytest.raises(TypeError, match=r"\[logcumsumexp\].*complex64"):
        mx.logcumsumexp(mx.array([1j]))


OPTIONS = [(reverse, inclusive) for reverse in (False, True) for inclusive in (False, True)]


@pytest.mark.parametrize("reverse, inclusive", OPTIONS)
@pytest.mark.parametrize("name", FOLDS)
def test_derivatives(name, reverse, inclusive):
    function = getattr(mx, name)
    rng = np.random.default_rng(0)

    def call(a):
        y = function(a, 0, reverse=reverse, inclusive=inclusive)
        return mx.where(mx.isinf(y), mx.array(0, dtype=y.dtype), y)

    check_derivatives(call, [rng.standard_normal((6, 3))])
    if name in ("cumsum", "cumprod"):
        check_derivatives(call, [rng.standard_normal((5, 2)) + 1j * rng.standard_normal((5, 2))])
    if name == "cumprod":
        for zeros in ([1], [1, 3]):
            x = rng.standard_normal((5, 2))
            x[zeros] = 0
            check_derivatives(call, [x])


@pytest.mark.parametrize("name", FOLDS)
def test_second_derivatives(name):
    def of_squares(a):
        return mx.sum(getattr(mx, name)(a, 0) ** 2)

    check_derivatives(mx.grad(of_squares), [np.random.default_rng(0).standard_normal((5, 2))])


def test_vmap():
    x = np.random.default_rng(0).standard_normal((4, 3))
    together = mx.vmap(lambda a: mx.cumsum(a, 0), in_axes=1)(to_mx(x))
    np.testing.assert_allclose(np.array(together), np.cumsum(x.T, axis=1))


def test_diff():
    x = np.random.default_rng(0).integers(0, 99, (4, 5, 6))
    for n in range(7):
        for axis in (-1, 0, 1):
            same(mx.diff(to_mx(x), n, axis), np.diff(x, n, axis))
    same(mx.diff(mx.array([True, False, False])), np.array([True, False]))
    with pytest.raises(ValueError, match=r"\[diff\]"):
        mx.diff(mx.zeros(3), -1)
    with pytest.raises(IndexError, match=r"\[diff\]"):
        mx.diff(mx.zeros(3), axis=2)
