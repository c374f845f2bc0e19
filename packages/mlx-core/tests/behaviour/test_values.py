"""Values users count on: accuracy, no wrapping, exact integers."""

from __future__ import annotations

import math

import mlx.core as mx
import numpy as np
import pytest


def test_float32_sum_is_accurate():
    x = mx.full((10_000_000,), 0.1)
    exact = float(np.float32(0.1)) * 10_000_000
    assert abs(mx.sum(x).item() - exact) <= 1e-6 * exact
    assert abs(mx.mean(x).item() - 0.1) <= 1e-7


@pytest.mark.parametrize("dtype", ["int32", "float16", "uint8"])
def test_mean_does_not_wrap_or_overflow(dtype):
    value = {"int32": 2**31 - 1, "float16": 60000, "uint8": 255}[dtype]
    x = mx.full((10_000,), value, dtype=getattr(mx, dtype))
    assert mx.mean(x).item() == pytest.approx(value, rel=1e-3 if dtype == "float16" else 1e-6)


def test_arange_is_exact_beyond_doubles():
    start = 2**53
    x = mx.arange(start, start + 5, dtype=mx.int64)
    assert x.tolist() == [start + i for i in range(5)]


def test_large_unsigned_integers():
    top = 2**64 - 1
    x = mx.array([top, top - 1], dtype=mx.uint64)
    assert x.tolist() == [top, top - 1]
    assert (x - mx.array(1, dtype=mx.uint64)).tolist() == [top - 1, top - 2]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_integer_division_never_traps(dtype):
    info = np.iinfo(dtype)
    kind = getattr(mx, dtype)
    least = mx.array([info.min, info.min, 5], dtype=kind)
    divisor = mx.array([-1, 0, 0], dtype=kind)
    assert (least // divisor).tolist() == [info.min, 0, 0]
    assert (least % divisor).tolist() == [0, 0, 0]


FUNCTIONS = "exp log sin cos tan tanh sinh cosh arctan arcsinh expm1 log1p sqrt erf sigmoid".split()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_float64_is_accurate(name):
    x = np.linspace(0.1, 0.9, 101)
    reference = {
        "erf": np.vectorize(math.erf),
        "sigmoid": lambda v: 1 / (1 + np.exp(-v)),
    }.get(name, getattr(np, name, None))
    result = np.array(getattr(mx, name)(mx.array(x, dtype=mx.float64)))
    assert result.dtype == np.float64
    np.testing.assert_allclose(result, reference(x), rtol=1e-15)


def test_index_dtype_is_signed():
    x = mx.array([3.0, 1.0, 2.0])
    for index in (mx.argmin(x), mx.argmax(x)):
        assert mx.issubdtype(index.dtype, mx.signedinteger)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
def test_integers_multiply_as_matrices(dtype):
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, 100, (17, 17)).astype(dtype) for _ in range(2))
    kind = getattr(mx, dtype)
    product = mx.array(a, dtype=kind) @ mx.array(b, dtype=kind)
    np.testing.assert_array_equal(np.array(product), a @ b)


def test_randint_covers_its_range_evenly():
    draws = np.array(mx.random.randint(0, 3, (90_000,), key=mx.random.key(1)))
    counts = np.bincount(draws, minlength=3)
    assert counts.sum() == 90_000 and abs(counts - 30_000).max() < 800
    info = np.iinfo("int64")
    wide = mx.random.randint(info.min, info.max, (20_000,), dtype=mx.int64, key=mx.random.key(2))
    high = np.array(wide) >= 0
    assert 0.47 < high.mean() < 0.53
