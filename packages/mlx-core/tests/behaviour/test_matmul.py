"""Matrix products of every dtype and layout, against numpy in higher precision."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from derivatives import check_derivatives, random_array
from hypothesis import given
from hypothesis import strategies as st
from layouts import mx_dtype, same, to_mx

INTEGERS = ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]
# Of the inner size's root, beside the sizes of the elements.
TOLERANCE = {
    "float16": 1e-3,
    "float32": 1e-6,
    "float64": 1e-14,
    "complex64": 1e-6,
    "complex128": 1e-14,
}
BATCHES = [((), ()), ((2, 3), (2, 3)), ((2, 1), (3,)), ((4,), ()), ((), (4,)), ((0,), (1,))]
SIZES = [(3, 4, 5), (1, 7, 1), (1, 7, 9), (9, 7, 1), (5, 1, 6), (0, 3, 2), (2, 0, 3), (70, 90, 33)]


def elements(rng, shape, dtype) -> np.ndarray:
    if dtype == "bool":
        return rng.random(shape) < 0.3
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    return random_array(rng, shape, dtype)


def layouts(x: np.ndarray):
    """The same matrices, differently placed in memory: (ours, name)."""
    yield to_mx(x), "plain"
    yield to_mx(np.swapaxes(x, -1, -2).copy()).swapaxes(-1, -2), "transposed"
    spread = np.zeros([2 * n for n in x.shape], x.dtype)
    every_other = tuple(slice(None, None, 2) for _ in x.shape)
    spread[every_other] = x
    yield to_mx(spread)[every_other], "spread"
    yield to_mx(x[..., ::-1, :].copy())[..., ::-1, :], "backwards"


def precise(x: np.ndarray) -> np.ndarray:
    kind = x.dtype.kind
    return x.astype(np.clongdouble if kind == "c" else np.longdouble) if kind in "fc" else x


def check(actual: mx.array, a: np.ndarray, b: np.ndarray) -> None:
    name = a.dtype.name
    if name == "bool":
        return same(actual, (a.astype(int) @ b.astype(int)) > 0)
    if name in INTEGERS:
        return same(actual, a @ b)
    wanted = precise(a) @ precise(b)
    assert actual.dtype == mx_dtype(name) and actual.shape == wanted.shape
    scale = np.sqrt(a.shape[-1]) * (1 + np.abs(wanted).max(initial=0))
    error = np.abs(precise(np.array(actual)) - wanted).max(initial=0)
    assert error <= TOLERANCE[name] * scale
    return None


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *TOLERANCE])
def test_matmul(dtype):
    rng = np.random.default_rng(0)
    for batch_a, batch_b in BATCHES:
        for m, k, n in SIZES[:: 1 if batch_a == batch_b == () else 3]:
            a = elements(rng, (*batch_a, m, k), dtype)
            b = elements(rng, (*batch_b, k, n), dtype)
            for x, _ in layouts(a):
                for y, _ in layouts(b):
                    check(x @ y, a, b)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float16", "float32", "complex128"])
def test_matmul_of_many_elements(dtype):
    """Long enough to be split over threads, by rows, columns and matrices."""
    rng = np.random.default_rng(0)
    for a, b in [((300, 200), (200, 20)), ((20, 200), (200, 500)), ((40, 50, 60), (40, 60, 30))]:
        x, y = elements(rng, a, dtype), elements(rng, b, dtype)
        check(to_mx(x) @ to_mx(y), x, y)


def test_bfloat16_is_summed_in_float32():
    a = mx.ones((1, 4096), dtype=mx.bfloat16)
    result = a @ a.T
    assert result.dtype == mx.bfloat16
    assert result.item() == 4096
    x = np.random.default_rng(0).standard_normal((30, 40)).astype("float32")
    rounded = mx.array(x).astype(mx.bfloat16)
    wanted = np.array(rounded.astype(mx.float32)) @ np.array(rounded.astype(mx.float32)).T
    actual = np.array((rounded @ rounded.T).astype(mx.float32))
    np.testing.assert_allclose(actual, wanted, rtol=2**-8)


@pytest.mark.parametrize(
    "shapes", [((3,), (3,)), ((3,), (3, 4)), ((4, 3), (3,)), ((3,), (2, 3, 4))]
)
def test_vectors(shapes):
    a, b = (random_array(np.random.default_rng(i), s) for i, s in enumerate(shapes))
    actual = to_mx(a) @ to_mx(b)
    assert actual.shape == (a @ b).shape
    np.testing.assert_allclose(np.array(actual), a @ b)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("batch", [(), (3,), (2, 70)])
def test_half_matrices_with_vectors(dtype, batch):
    """They are multiplied as they are read, along either axis."""
    dtype = getattr(mx, dtype)
    rng = np.random.default_rng(0)
    for m, k in [(1, 5), (5, 1), (7, 700), (600, 33)]:
        a = mx.array(rng.integers(-4, 5, (*batch, m, k)), dtype=dtype)
        row, column = (mx.array(rng.integers(-4, 5, n), dtype=dtype) for n in (m, k))
        for x in (a, a.swapaxes(-1, -2).astype(mx.float32).astype(dtype).swapaxes(-1, -2)):
            wide = np.array(x.astype(mx.float32))
            for product, wanted in [
                (x @ column, wide @ np.array(column.astype(mx.float32))),
                (row @ x, np.array(row.astype(mx.float32)) @ wide),
                (x[..., ::2, ::-1] @ column[::-1], wide[..., ::2, :] @ column.tolist()),
            ]:
                assert product.dtype == dtype
                wanted = np.array(
                    mx.array(wanted.astype("float32")).astype(dtype).astype(mx.float32)
                )
                np.testing.assert_array_equal(np.array(product.astype(mx.float32)), wanted)


def test_dtypes_promote():
    same(mx.array([[1, 2]]) @ mx.array([[3], [4]], dtype=mx.int64), np.array([[11]]))
    assert (mx.ones((2, 2), dtype=mx.int8) @ mx.ones((2, 2))).dtype == mx.float32
    assert (mx.ones((2, 2), dtype=mx.float16) @ mx.ones((2, 2), dtype=mx.int64)).dtype == mx.float16


def test_nan_and_infinity_stay():
    a = mx.array([[mx.nan, 1.0], [1.0, mx.inf]])
    wanted = np.array([[np.nan, np.nan], [np.nan, np.inf]], "float32")
    np.testing.assert_array_equal(np.array(a @ mx.array([[1.0, mx.nan], [1.0, 1.0]]))[0], wanted[0])
    assert np.isposinf(np.array(a @ mx.array([1.0, 1.0]))[1])
    # What the memory held before does not matter.
    mx.eval(mx.full((64, 64), mx.nan))
    assert not np.isnan(np.array(mx.zeros((64, 64)) @ mx.ones((64, 64)))).any()
    mx.eval(mx.full((64,), mx.nan))
    assert not np.isnan(np.array(mx.zeros((64, 64)) @ mx.ones(64))).any()


def test_operator_and_other_types():
    x = np.arange(4.0, dtype="float32").reshape(2, 2)
    for result in (mx.array(x) @ x, x @ mx.array(x), mx.array(x) @ x.tolist()):
        assert isinstance(result, mx.array)
        np.testing.assert_array_equal(np.array(result), x @ x)
    a = mx.array(x)
    a @= a
    np.testing.assert_array_equal(np.array(a), x @ x)
    with pytest.raises(TypeError):
        mx.array(x) @ object()


@pytest.mark.parametrize(
    "a, b, message",
    [
        ((2, 3), (4, 5), r"\[matmul\].*\(2, 3\) and \(4, 5\)"),
        ((), (3,), r"\[matmul\].*at least one axis"),
        ((2, 3, 4), (3, 4, 5), r"\[matmul\].*\(2,\).*\(3,\)"),
    ],
)
def test_matmul_refuses(a, b, message):
    with pytest.raises(ValueError, match=message):
        mx.zeros(a) @ mx.zeros(b)


# --- composed of it ------------------------------------------------------------------------------


def test_addmm():
    rng = np.random.default_rng(0)
    c, a, b = (random_array(rng, s) for s in [(4,), (3, 5), (5, 4)])
    actual = mx.addmm(to_mx(c), to_mx(a), to_mx(b), alpha=0.5, beta=2)
    np.testing.assert_allclose(np.array(actual), 0.5 * a @ b + 2 * c)
    same(mx.addmm(mx.array([1]), mx.array([[2]]), mx.array([[3]]), 2, 3), np.array([[15]], "int32"))
    with pytest.raises(TypeError, match=r"\[addmm\].*whole"):
        mx.addmm(mx.array([1]), mx.array([[2]]), mx.array([[3]]), 0.5)
    with pytest.raises(ValueError, match=r"\[addmm\]"):
        mx.addmm(mx.zeros((2, 3, 4)), mx.zeros((3, 2)), mx.zeros((2, 4)))


@pytest.mark.parametrize("axes", [0, 1, 2, [[0, 2], [1, 0]], [1, 1], ((-1,), (0,)), [[], []]])
def test_tensordot(axes):
    rng = np.random.default_rng(0)
    a = rng.integers(-9, 9, (3, 3, 3))
    b = rng.integers(-9, 9, (3, 3, 3))
    same(mx.tensordot(to_mx(a), to_mx(b), axes=axes), np.tensordot(a, b, axes=axes))


def test_tensordot_refuses():
    a = mx.zeros((2, 3))
    with pytest.raises(ValueError, match=r"\[tensordot\]"):
        mx.tensordot(a, a, axes=1)
    with pytest.raises(ValueError, match=r"\[tensordot\]"):
        mx.tensordot(a, a, axes=3)
    with pytest.raises(ValueError, match=r"\[tensordot\]"):
        mx.tensordot(a, a, axes=[[0, 1], [0]])
    with pytest.raises(IndexError, match=r"\[tensordot\]"):
        mx.tensordot(a, a, axes=[[2], [0]])
    with pytest.raises(TypeError, match=r"\[tensordot\]"):
        mx.tensordot(a, a, axes="ab")


def test_inner_and_outer():
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (2, 3, 4)), rng.integers(-9, 9, (5, 4))
    same(mx.inner(to_mx(a), to_mx(b)), np.inner(a, b))
    same(mx.inner(to_mx(a), 3), np.inner(a, 3))
    same(mx.outer(to_mx(a), to_mx(b)), np.outer(a, b))
    with pytest.raises(ValueError, match=r"\[inner\].*\(2, 3\).*\(4,\)"):
        mx.inner(mx.zeros((2, 3)), mx.zeros(4))


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "complex128"])
def test_vecdot(dtype):
    rng = np.random.default_rng(0)
    a, b = elements(rng, (2, 1, 4, 3), dtype), elements(rng, (5, 4, 1), dtype)
    wanted = np.sum(np.conj(a) * b, axis=-2, dtype=dtype)
    actual = mx.vecdot(to_mx(a), to_mx(b), axis=-2)
    assert actual.dtype == mx_dtype(dtype)
    np.testing.assert_allclose(np.array(actual), wanted, rtol=1e-5)
    same(mx.vecdot(mx.array([[1, 2]]), mx.array([[3, 4]]), axis=0), np.array([3, 8], "int32"))
    for axis in (-4, 0):
        with pytest.raises(IndexError, match=r"\[vecdot\]"):
            mx.vecdot(mx.zeros((2, 3)), mx.zeros(3), axis=axis)
    with pytest.raises(ValueError, match=r"\[vecdot\].*equal sizes"):
        mx.vecdot(mx.zeros((2, 3)), mx.zeros(2))


def test_products_of_bools():
    a, b = np.array([True, False, True]), np.array([[True], [False]])
    same(mx.outer(to_mx(a), to_mx(b)), np.outer(a, b))
    same(mx.inner(to_mx(a), True), a)
    same(mx.vecdot(to_mx(a), to_mx(~a)), np.array(False))
    same(mx.einsum("i,ji->ji", to_mx(a), to_mx(b & a)), b & a)
    same(mx.einsum("i->", to_mx(a)), np.array(True))


EINSUMS = [
    ("ij,jk->ik", [(2, 3), (3, 4)]),
    ("ij,jk", [(2, 3), (3, 4)]),
    ("ba", [(2, 3)]),
    ("ii", [(3, 3)]),
    ("ii->i", [(3, 3)]),
    ("iij->j", [(3, 3, 2)]),
    ("ijij->ji", [(2, 3, 2, 3)]),
    ("iii->i", [(3, 3, 3)]),
    ("ij->", [(2, 3)]),
    ("->", [()]),
    (",->", [(), ()]),
    (",i->i", [(), (3,)]),
    ("i,i->i", [(3,), (3,)]),
    ("i,j->ji", [(3,), (2,)]),
    ("bij,bjk->bik", [(5, 2, 3), (5, 3, 4)]),
    ("...ij,...jk->...ik", [(5, 2, 3), (4, 1, 3, 2)]),
    ("...ij,jk", [(5, 2, 3), (3, 2)]),
    ("i...->...", [(2, 3, 4)]),
    ("...->...", [(2, 3)]),
    ("ij...,jk...->ik...", [(2, 3, 4), (3, 5, 4)]),
    ("ij,ij->ij", [(1, 3), (2, 3)]),
    ("ij,jk->ik", [(2, 1), (3, 4)]),
    ("ij,jk,kl,lm->im", [(2, 3), (3, 4), (4, 5), (5, 2)]),
    ("abc,bd,cd->a", [(2, 3, 4), (3, 5), (4, 5)]),
    ("ij,kl,jl->ik", [(2, 3), (4, 5), (3, 5)]),
    ("ab,ab,ab->", [(2, 3), (2, 3), (2, 3)]),
    (" i j , j k -> k i ", [(2, 3), (3, 4)]),
    ("aB,Bc->ac", [(2, 3), (3, 4)]),
    ("i,ii->i", [(1,), (3, 3)]),
    ("ij,j->i", [(0, 3), (3,)]),
    ("ij,j->i", [(2, 0), (0,)]),
]


@pytest.mark.parametrize("subscripts, shapes", EINSUMS)
def test_einsum(subscripts, shapes):
    rng = np.random.default_rng(0)
    operands = [rng.integers(-9, 9, s) for s in shapes]
    same(mx.einsum(subscripts, *map(to_mx, operands)), np.einsum(subscripts, *operands))
    path, text = mx.einsum_path(subscripts, *map(to_mx, operands))
    left = len(operands)
    for step in path:
        assert all(0 <= i < left for i in step)
        left -= len(step) - 1
    assert left == 1
    assert "operations" in text


@given(st.data())
def test_einsum_of_anything(data):
    letters = "abcd"
    sizes = {c: data.draw(st.integers(1, 4)) for c in letters}
    terms = data.draw(st.lists(st.text(letters, max_size=4), min_size=1, max_size=4))
    used = sorted(set("".join(terms)))
    output = "".join(data.draw(st.permutations(used)))[: data.draw(st.integers(0, 4))]
    subscripts = ",".join(terms) + "->" + output
    rng = np.random.default_rng(0)
    operands = [rng.integers(-3, 3, [sizes[c] for c in term]) for term in terms]
    same(mx.einsum(subscripts, *map(to_mx, operands)), np.einsum(subscripts, *operands))


@pytest.mark.parametrize(
    "subscripts, shapes",
    [
        ("ij", [(2,)]),
        ("i", [(2, 3)]),
        ("ij,jk", [(2, 3)]),
        ("i,i", [(2,), (3,)]),
        ("ii", [(1, 3)]),
        ("i->j", [(2,)]),
        ("i->ii", [(2,)]),
        ("i?->i", [(2, 2)]),
        ("..i", [(2, 2)]),
        ("...i->i", [(2, 2)]),
        ("", []),
    ],
)
def test_einsum_refuses(subscripts, shapes):
    with pytest.raises(ValueError, match=r"\[einsum\]"):
        mx.einsum(subscripts, *(mx.zeros(s) for s in shapes))


# --- transforms ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_derivatives(dtype):
    rng = np.random.default_rng(0)
    a, b = random_array(rng, (2, 3, 4), dtype), random_array(rng, (4, 5), dtype)
    check_derivatives(mx.matmul, [a, b])
    check_derivatives(lambda x, y: mx.einsum("bij,jk->kb", x, y), [a, b])
    check_derivatives(lambda x: mx.einsum("iij->j", x), [random_array(rng, (3, 3, 2), dtype)])
    check_derivatives(lambda x, y: mx.vecdot(x, y, axis=-1), [a, a[0] + 1])


def test_vmap():
    rng = np.random.default_rng(0)
    a, b = random_array(rng, (3, 5, 4)), random_array(rng, (4, 2, 5))
    product = mx.vmap(mx.matmul, in_axes=(1, 2))(to_mx(a), to_mx(b))
    np.testing.assert_allclose(np.array(product), np.einsum("ikj,jlk->kil", a, b))
    product = mx.vmap(mx.matmul, in_axes=(None, 2))(to_mx(a[:, 0]), to_mx(b))
    np.testing.assert_allclose(np.array(product), np.einsum("ij,jlk->kil", a[:, 0], b))
