"""Arrays made of nothing but numbers, against numpy and exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from layouts import DTYPES, arrays, mx_dtype, numbers, same, shapes, to_mx


@given(shapes(), st.sampled_from(DTYPES))
def test_constants(shape, dtype):
    same(mx.zeros(shape, mx_dtype(dtype)), np.zeros(shape, dtype))
    same(mx.ones(shape, mx_dtype(dtype)), np.ones(shape, dtype))
    same(mx.full(shape, 1, mx_dtype(dtype)), np.full(shape, 1, dtype))
    like = to_mx(numbers(shape, dtype))
    same(mx.zeros_like(like), np.zeros(shape, dtype))
    same(mx.ones_like(like), np.ones(shape, dtype))
    same(mx.full_like(like, 1), np.full(shape, 1, dtype))
    assert mx.empty(shape, mx_dtype(dtype)).shape == shape


def test_constants_by_default():
    assert mx.zeros(3).dtype == mx.float32
    assert mx.full((2,), 3).dtype == mx.int32
    assert mx.full((2,), 3.0).dtype == mx.float32
    assert mx.full((2,), True).dtype == mx.bool_
    assert mx.zeros_like(mx.zeros(2, mx.int8), mx.float16).dtype == mx.float16
    assert mx.empty_like(mx.zeros(2, mx.int8)).dtype == mx.int8
    same(mx.full((2, 3), mx.array([1, 2, 3])), np.array([[1, 2, 3]] * 2, "int32"))
    assert mx.zeros(3).tolist() == [0, 0, 0]
    assert mx.zeros([]).shape == ()


def test_constants_refuse():
    with pytest.raises(ValueError):
        mx.zeros((2, -1))
    with pytest.raises(OverflowError):
        mx.zeros((2**40, 2**40))
    with pytest.raises(ValueError):
        mx.full((2,), mx.array([1, 2, 3]))


small = st.integers(-50, 50)


@given(small, small, small.filter(bool), st.sampled_from(["int8", "int32", "int64", "float32"]))
def test_arange_of_integers(start, stop, step, dtype):
    assume(dtype != "int8" or abs(start) + abs(stop) + abs(step) < 120)
    same(mx.arange(start, stop, step, mx_dtype(dtype)), np.arange(start, stop, step, dtype))
    same(mx.arange(start, stop, step), np.arange(start, stop, step, "int32"))


big = st.integers(-(2**63), 2**63 - 1)


@given(big, st.integers(0, 20), st.integers(-(2**62), 2**62).filter(bool), st.integers(0, 5))
def test_arange_is_exact(start, count, step, extra):
    wanted = [start + i * step for i in range(count)]
    short = min(extra, abs(step) - 1)
    stop = start + count * step - (short if step > 0 else -short)
    assume(all(-(2**63) <= v < 2**63 for v in [*wanted, stop]))
    assert mx.arange(start, stop, step, dtype=mx.int64).tolist() == wanted


def test_arange_dtypes():
    assert mx.arange(3).dtype == mx.int32
    assert mx.arange(2**31).dtype == mx.int32  # the last value fits
    assert mx.arange(2**31, 2**31 + 2).dtype == mx.int64
    assert mx.arange(3.0).dtype == mx.float32
    assert mx.arange(0, 1, 0.5).dtype == mx.float32
    assert mx.arange(3, dtype=mx.complex64).dtype == mx.complex64
    top = 2**64
    assert mx.arange(top - 3, top - 1, dtype=mx.uint64).tolist() == [top - 3, top - 2]
    assert mx.arange(top - 1, top - 5, -2, dtype=mx.uint64).tolist() == [top - 1, top - 3]


def test_arange_forms():
    same(mx.arange(4), np.arange(4, dtype="int32"))
    same(mx.arange(stop=4), np.arange(4, dtype="int32"))
    same(mx.arange(4, step=2), np.arange(0, 4, 2, dtype="int32"))
    same(mx.arange(1, 4), np.arange(1, 4, dtype="int32"))
    same(mx.arange(np.int64(4)), np.arange(4, dtype="int32"))
    same(mx.arange(5, 0, -2), np.arange(5, 0, -2, dtype="int32"))
    same(mx.arange(0, 2, 0.5, dtype=mx.int32), np.array([0, 0, 1, 1], "int32"))


def test_arange_of_floats():
    x = np.array(mx.arange(0, 1000, 0.1, dtype=mx.float64))
    assert x.shape == (10000,)
    np.testing.assert_array_equal(x, np.arange(10000) * 0.1)
    assert mx.arange(1e9, 1e9 + 3, 1.0, dtype=mx.float64).tolist() == [1e9, 1e9 + 1, 1e9 + 2]
    assert mx.arange(0.0).shape == (0,)
    assert mx.arange(3, 0).shape == (0,)


def test_arange_refuses():
    with pytest.raises(ValueError, match=r"\[arange\]"):
        mx.arange(0, 3, 0)
    with pytest.raises(ValueError, match=r"\[arange\]"):
        mx.arange(0.0, math.nan)
    with pytest.raises((ValueError, OverflowError), match=r"\[arange\]"):
        mx.arange(0.0, math.inf)
    with pytest.raises(TypeError, match=r"\[arange\]"):
        mx.arange("3")
    with pytest.raises(TypeError):
        mx.arange()


finite = st.floats(-1e6, 1e6)


@given(finite, finite, st.integers(0, 40), st.booleans())
def test_linspace(start, stop, num, endpoint):
    x = mx.linspace(start, stop, num, endpoint=endpoint, dtype=mx.float64)
    assert x.shape == (num,)
    values = x.tolist()
    count = num - 1 if endpoint else num
    scale = max(abs(start), abs(stop))
    for i, value in enumerate(values):
        exact = Fraction(start) + (Fraction(stop) - Fraction(start)) * i / max(count, 1)
        assert abs(value - float(exact)) <= 4e-16 * scale
    if num:
        assert values[0] == start
    if endpoint and num > 1:
        assert values[-1] == stop


def test_linspace_ends_and_dtypes():
    assert mx.linspace(0, 1).shape == (50,)
    assert mx.linspace(0, 1).dtype == mx.float32
    assert mx.linspace(0.1, 0.7, 7)[-1].item() == np.float32(0.7)
    same(mx.linspace(0, 10, 4, dtype=mx.int32), np.linspace(0, 10, 4).astype("int32"))
    same(mx.linspace(-1, 1, 4, dtype=mx.int32), np.linspace(-1, 1, 4, dtype="int32"))
    wide = mx.linspace(-1.7e308, 1.7e308, 3, dtype=mx.float64)
    assert wide.tolist() == [-1.7e308, 0, 1.7e308]
    z = mx.linspace(0, 1 + 2j, 3, dtype=mx.complex128)
    np.testing.assert_allclose(np.array(z), np.linspace(0, 1 + 2j, 3))
    with pytest.raises(ValueError, match=r"\[linspace\]"):
        mx.linspace(0, 1, -1)
    with pytest.raises(TypeError, match=r"\[linspace\]"):
        mx.linspace(0, 1j, 3, dtype=mx.float32)


@given(st.integers(0, 6), st.integers(0, 6), st.integers(-9, 9), st.sampled_from(DTYPES))
def test_eye_and_tri(n, m, k, dtype):
    same(mx.eye(n, m, k, mx_dtype(dtype)), np.eye(n, m, k, dtype))
    same(mx.tri(n, m, k, mx_dtype(dtype)), np.tri(n, m, k, dtype))
    same(mx.identity(n, mx_dtype(dtype)), np.identity(n, dtype))
    same(mx.eye(n), np.eye(n, dtype="float32"))


def test_far_diagonals():
    for k in [2**40, -(2**40), 2**63 - 1, -(2**63)]:
        above = k > 0
        same(mx.eye(3, k=k), np.zeros((3, 3), "float32"))
        same(mx.tri(3, k=k), np.full((3, 3), above, "float32"))
        assert mx.diagonal(mx.ones((3, 3)), offset=k).shape == (0,)


@given(arrays(dtypes=DTYPES, min_dims=2), st.integers(-6, 6))
def test_triangles(pair, k):
    ours, theirs = pair
    same(mx.tril(ours, k), np.tril(theirs, k))
    same(mx.triu(ours, k), np.triu(theirs, k))


@given(arrays(dtypes=DTYPES, min_dims=2), st.integers(-6, 6), st.data())
def test_diagonals(pair, k, data):
    ours, theirs = pair
    a, b = data.draw(st.permutations(range(theirs.ndim)))[:2]
    same(mx.diagonal(ours, k, a, b), np.diagonal(theirs, k, a, b))
    same(ours.diagonal(k), np.diagonal(theirs, k))
    if theirs.dtype.itemsize >= 4:
        total = np.diagonal(theirs, k, a, b).sum(-1, dtype=theirs.dtype)
        actual = mx.trace(ours, k, a, b)
        np.testing.assert_allclose(np.array(actual), total)
        assert mx.trace(ours, k, a, b, dtype=mx.float64).dtype == mx.float64


@given(arrays(max_dims=1, min_dims=1), st.integers(-6, 6))
def test_diag(pair, k):
    ours, theirs = pair
    same(mx.diag(ours, k), np.diag(theirs, k))
    matrix = to_mx(numbers((3, 5)))
    same(matrix.diag(k), np.diag(numbers((3, 5)), k))


def test_matrices_refuse():
    with pytest.raises(ValueError, match=r"\[tril\]"):
        mx.tril(mx.zeros(3))
    with pytest.raises(ValueError, match=r"\[diagonal\]"):
        mx.diagonal(mx.zeros(3))
    with pytest.raises(ValueError, match=r"\[diagonal\]"):
        mx.diagonal(mx.zeros((2, 2)), 0, 1, -1)
    with pytest.raises(ValueError, match=r"\[diag\]"):
        mx.diag(mx.zeros((2, 2, 2)))
    with pytest.raises(OverflowError):
        mx.diag(mx.zeros(2), 2**62)
    with pytest.raises(ValueError, match=r"\[eye\]"):
        mx.eye(-1)


@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("sizes", [(3,), (2, 3), (2, 3, 4), (1, 0, 2), ()])
def test_meshgrid(sizes, sparse, indexing):
    axes = [numbers((n,), "float32", seed=n) for n in sizes]
    wanted = np.meshgrid(*axes, sparse=sparse, indexing=indexing)
    actual = mx.meshgrid(*map(to_mx, axes), sparse=sparse, indexing=indexing)
    assert isinstance(actual, list) and len(actual) == len(wanted)
    for a, w in zip(actual, wanted, strict=True):
        same(a, w)


def test_meshgrid_refuses():
    with pytest.raises(ValueError, match=r"\[meshgrid\]"):
        mx.meshgrid(mx.zeros((2, 2)))
    with pytest.raises(ValueError, match=r"\[meshgrid\]"):
        mx.meshgrid(mx.zeros(2), indexing="yx")


@given(arrays(max_dims=3), arrays(max_dims=3))
def test_kron(a, b):
    same(mx.kron(a[0], b[0]), np.kron(a[1], b[1]))


def test_derivatives():
    x = mx.array([[1.0, 2.0], [3.0, 4.0]])
    same(mx.grad(lambda x: mx.trace(x * x))(x), np.array([[2, 0], [0, 8]], "float32"))
    same(mx.grad(lambda x: mx.tril(x).sum())(x), np.array([[1, 0], [1, 1]], "float32"))
    v = mx.array([1.0, 2.0])
    weights = mx.arange(9.0).reshape(3, 3)
    same(mx.grad(lambda v: (mx.diag(v, 1) * weights).sum())(v), np.array([1, 5], "float32"))
    batch = mx.arange(8.0).reshape(2, 2, 2)
    same(mx.vmap(mx.trace)(batch), np.array([3, 11], "float32"))
    same(
        mx.vmap(lambda x: mx.arange(2) + x)(mx.array([0, 10])),
        np.array([[0, 1], [10, 11]], "int32"),
    )
    fill = mx.grad(lambda v: mx.full((3,), v).sum())(mx.array(2.0))
    assert fill.item() == 3
