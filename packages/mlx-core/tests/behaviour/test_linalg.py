"""Factorisations, equations, determinants and norms: what they must satisfy, and against numpy."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from derivatives import check_derivatives, random_array
from layouts import mx_dtype, to_mx

DTYPES = ["float32", "float64", "complex64", "complex128"]
BATCHES = [(), (3,), (2, 0), (2, 17)]
SIZES = [0, 1, 2, 5, 20]
SHAPES = [(0, 3), (3, 0), (1, 4), (4, 1), (5, 3), (3, 5), (20, 12), (6, 6)]


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def tolerance(dtype) -> float:
    return 1e-4 if dtype in ("float32", "complex64") else 1e-11


def check(actual, wanted, dtype, factor=1.0) -> None:
    actual = np.asarray(actual)
    np.testing.assert_allclose(
        actual, np.broadcast_to(wanted, actual.shape), rtol=0, atol=tolerance(dtype) * factor
    )


def real_dtype(dtype) -> mx.Dtype:
    return mx_dtype(np.zeros(0, dtype).real.dtype)


def matrices(dtype, shape, batches=BATCHES):
    """(numpy's, ours) in several batches and layouts."""
    rng = np.random.default_rng(0)
    for batch in batches:
        x = random_array(rng, (*batch, *shape), dtype)
        yield x, to_mx(x)
        yield x, to_mx(np.swapaxes(x, -1, -2).copy()).swapaxes(-1, -2)
    padded = np.zeros((2, shape[0] * 2, shape[1] * 2), dtype)
    padded[:, ::2, 1::2] = random_array(rng, (2, *shape), dtype)
    yield padded[:, ::2, 1::2], to_mx(padded)[:, ::2, 1::2]


@pytest.fixture(params=DTYPES)
def dtype(request):
    return request.param


@pytest.fixture(params=SIZES)
def n(request):
    return request.param


def positive_definite(x):
    return x @ adjoint(x) + x.shape[-1] * np.eye(x.shape[-1])


@pytest.mark.parametrize("upper", [False, True])
def test_cholesky(dtype, n, upper):
    for x, _ in matrices(dtype, (n, n)):
        a = positive_definite(x).astype(dtype)
        other = random_array(np.random.default_rng(1), a.shape, dtype)
        # The other triangle is not read.
        given = np.triu(a) + np.tril(other, -1) if upper else np.tril(a) + np.triu(other, 1)
        result = mx.linalg.cholesky(to_mx(given.astype(dtype)), upper=upper)
        assert result.dtype == mx_dtype(dtype) and result.shape == a.shape
        factor = np.array(result)
        check(adjoint(factor) @ factor if upper else factor @ adjoint(factor), a, dtype, n + 1)
        np.testing.assert_array_equal(factor, np.triu(factor) if upper else np.tril(factor))
        inverse = mx.linalg.cholesky_inv(result, upper=upper)
        check(np.array(inverse) @ a, np.eye(n), dtype, n + 1)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("mode", ["reduced", "complete"])
def test_qr(dtype, shape, mode):
    m, n = shape
    k = m if mode == "complete" else min(m, n)
    for x, a in matrices(dtype, shape):
        q, r = mx.linalg.qr(a, mode=mode)
        assert q.shape == (*x.shape[:-2], m, k) and r.shape == (*x.shape[:-2], k, n)
        assert q.dtype == r.dtype == mx_dtype(dtype)
        q, r = np.array(q), np.array(r)
        check(q @ r, x, dtype, 10)
        check(adjoint(q) @ q, np.eye(k), dtype)
        np.testing.assert_array_equal(r, np.triu(r))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("full", [False, True])
def test_svd(dtype, shape, full):
    m, n = shape
    k = min(m, n)
    for x, a in matrices(dtype, shape):
        u, s, vt = mx.linalg.svd(a, full_matrices=full)
        assert u.shape[-2:] == ((m, m) if full else (m, k))
        assert vt.shape[-2:] == ((n, n) if full else (k, n))
        assert s.dtype == real_dtype(dtype) and s.shape == (*x.shape[:-2], k)
        u, s, vt = np.array(u), np.array(s), np.array(vt)
        check((u[..., :k] * s[..., None, :]) @ vt[..., :k, :], x, dtype, 10)
        check(adjoint(u) @ u, np.eye(u.shape[-1]), dtype)
        check(vt @ adjoint(vt), np.eye(vt.shape[-2]), dtype)
        assert (s >= 0).all() and (np.diff(s) <= 0).all()
        check(np.array(mx.linalg.svd(a, compute_uv=False)), s, dtype)


@pytest.mark.parametrize("triangle", ["L", "U"])
def test_eigh(dtype, n, triangle):
    for x, _ in matrices(dtype, (n, n)):
        a = ((x + adjoint(x)) / 2).astype(dtype)
        other = random_array(np.random.default_rng(1), a.shape, dtype)
        lower, upper = np.tril(a) + np.triu(other, 1), np.triu(a) + np.tril(other, -1)
        given = lower if triangle == "L" else upper
        w, v = mx.linalg.eigh(to_mx(given.astype(dtype)), UPLO=triangle)
        assert w.dtype == real_dtype(dtype) and v.dtype == mx_dtype(dtype)
        assert w.shape == a.shape[:-1] and v.shape == a.shape
        w, v = np.array(w), np.array(v)
        check(a @ v, v * w[..., None, :], dtype, n + 1)
        check(adjoint(v) @ v, np.eye(n), dtype)
        assert (np.diff(w) >= 0).all()
        check(np.array(mx.linalg.eigvalsh(to_mx(given.astype(dtype)), triangle)), w, dtype, n + 1)


def test_eig(dtype, n):
    wanted = mx.complex64 if dtype in ("float32", "complex64") else mx.complex128
    for x, a in matrices(dtype, (n, n)):
        w, v = mx.linalg.eig(a)
        assert w.dtype == v.dtype == wanted
        w, v = np.array(w), np.array(v)
        check(x @ v, v * w[..., None, :], dtype, 10 * (n + 1))
        check(np.linalg.norm(v, axis=-2), 1, dtype)
        values = np.array(mx.linalg.eigvals(a))
        check(np.sort_complex(values), np.sort_complex(w), dtype, 10 * (n + 1))


@pytest.mark.parametrize("shape", SHAPES)
def test_lu(dtype, shape):
    m, n = shape
    k = min(m, n)
    for x, a in matrices(dtype, shape):
        p, lower, upper = mx.linalg.lu(a)
        assert p.dtype == mx.int64 and p.shape == (*x.shape[:-2], m)
        assert lower.shape[-2:] == (m, k) and upper.shape[-2:] == (k, n)
        p, lower, upper = np.array(p), np.array(lower), np.array(upper)
        check(np.take_along_axis(lower @ upper, p[..., None], axis=-2), x, dtype, 10)
        np.testing.assert_array_equal(upper, np.triu(upper))
        np.testing.assert_array_equal(np.tril(lower, -1) + np.eye(m, k), lower)
        packed, pivots = mx.linalg.lu_factor(a)
        np.testing.assert_array_equal(np.array(packed), np.tril(packed, -1) + np.triu(packed))
        assert pivots.shape == (*x.shape[:-2], k)
        for index in np.ndindex(x.shape[:-2]):
            moved = x[index].copy()
            for i, j in enumerate(np.array(pivots[index]) if index else np.array(pivots)):
                moved[[i, j]] = moved[[j, i]]
            check((lower @ upper)[index], moved, dtype, 10)


@pytest.mark.parametrize("columns", [None, 0, 1, 4])
def test_solve(dtype, n, columns):
    rng = np.random.default_rng(1)
    for x, a in matrices(dtype, (n, n), [(), (3,)]):
        b = random_array(rng, (n,) if columns is None else (*x.shape[:-2], n, columns), dtype)
        result = np.array(mx.linalg.solve(a, to_mx(b)))
        product = x @ (result[..., None] if columns is None else result)
        check(product, b[..., None] if columns is None else b, dtype, 1000)
        for upper in (False, True):
            diagonal = np.sign(np.diagonal(x, 0, -2, -1).real)[..., None, :] * n * np.eye(n)
            t = (np.triu(x) if upper else np.tril(x)) + diagonal
            rest = np.tril(x, -1) if upper else np.triu(x, 1)
            given = to_mx((t + rest).astype(dtype))
            result = np.array(mx.linalg.solve_triangular(given, to_mx(b), upper=upper))
            product = t @ (result[..., None] if columns is None else result)
            check(product, b[..., None] if columns is None else b, dtype, 100)
            check(np.array(mx.linalg.tri_inv(given, upper=upper)) @ t, np.eye(n), dtype, 100)


def test_solve_broadcasts():
    rng = np.random.default_rng(0)
    a, b = random_array(rng, (4, 1, 3, 3)), random_array(rng, (5, 3, 2))
    result = mx.linalg.solve(to_mx(a), to_mx(b))
    assert result.shape == (4, 5, 3, 2)
    np.testing.assert_allclose(a @ np.array(result), np.broadcast_to(b, (4, 5, 3, 2)), atol=1e-10)


def test_inverse(dtype, n):
    for x, a in matrices(dtype, (n, n)):
        inverse = mx.linalg.inv(a)
        assert inverse.dtype == mx_dtype(dtype) and inverse.shape == x.shape
        check(np.array(inverse) @ x, np.eye(n), dtype, 1000)


@pytest.mark.parametrize("shape", SHAPES)
def test_pinv(dtype, shape):
    for x, a in matrices(dtype, shape):
        p = np.array(mx.linalg.pinv(a))
        assert p.shape == (*x.shape[:-2], *shape[::-1])
        check(x @ p @ x, x, dtype, 10)
        check(p @ x @ p, p, dtype, 100)
        check(adjoint(x @ p), x @ p, dtype, 10)


def test_pinv_of_less_than_full_rank():
    a = np.outer([1.0, 2.0, 3.0], [1.0, -1.0])
    np.testing.assert_allclose(np.array(mx.linalg.pinv(to_mx(a))), np.linalg.pinv(a), atol=1e-12)


def test_determinants(dtype, n):
    for x, a in matrices(dtype, (n, n)):
        det, (sign, logarithm) = mx.linalg.det(a), mx.linalg.slogdet(a)
        assert det.dtype == sign.dtype == mx_dtype(dtype)
        assert logarithm.dtype == real_dtype(dtype)
        wide = x.astype("complex128" if x.dtype.kind == "c" else "float64")
        wanted_sign, wanted = np.linalg.slogdet(wide)
        check(np.array(logarithm), wanted, dtype, 100)
        check(np.array(sign), wanted_sign, dtype, 100)
        ratio = np.array(det) / (wanted_sign * np.exp(wanted))
        check(ratio, 1, dtype, 1000)


def test_determinants_of_singular_matrices():
    a = mx.array([[1.0, 2.0], [2.0, 4.0]])
    assert mx.linalg.det(a).item() == 0
    sign, logarithm = mx.linalg.slogdet(a)
    assert sign.item() == 0 and logarithm.item() == -np.inf


# --- norms, cross --------------------------------------------------------------------------------

VECTOR_ORDERS = [None, 2, 1, 0, 3, 0.5, -1, np.inf, -np.inf]
MATRIX_ORDERS = [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("order", VECTOR_ORDERS)
def test_vector_norms(dtype, order, keepdims):
    x = random_array(np.random.default_rng(0), (3, 4, 5), dtype)
    for axis in (0, -1):
        wanted = np.linalg.norm(x, ord=order, axis=axis, keepdims=keepdims)
        actual = mx.linalg.norm(to_mx(x), order, axis, keepdims)
        assert actual.shape == wanted.shape and actual.dtype == real_dtype(dtype)
        np.testing.assert_allclose(np.array(actual), wanted, rtol=1e-5)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("order", MATRIX_ORDERS)
def test_matrix_norms(dtype, order, keepdims):
    x = random_array(np.random.default_rng(0), (3, 4, 5), dtype)
    for axis in ((0, 1), (2, 0), (-1, 1)):
        wanted = np.linalg.norm(x, ord=order, axis=axis, keepdims=keepdims)
        actual = mx.linalg.norm(to_mx(x), order, axis, keepdims)
        assert actual.shape == wanted.shape
        np.testing.assert_allclose(np.array(actual), wanted, rtol=1e-5)


def test_norms_of_all_elements():
    x = np.arange(24.0).reshape(2, 3, 4)
    assert mx.linalg.norm(to_mx(x)).item() == pytest.approx(np.linalg.norm(x.ravel()))
    assert mx.linalg.norm(to_mx(x), keepdims=True).shape == (1, 1, 1)
    assert mx.linalg.norm(to_mx(x[0]), "nuc").item() == pytest.approx(np.linalg.norm(x[0], "nuc"))
    assert mx.linalg.norm(to_mx(x[0, 0]), 1).item() == 6
    # float16 would overflow at 256 ** 2.
    assert mx.linalg.norm(mx.array([300.0, 400.0], dtype=mx.float16)).item() == 500
    assert mx.linalg.norm(mx.array([3, 4])).dtype == mx.float32


@pytest.mark.parametrize(
    "shape, arguments",
    [
        ((2, 3, 4), {"ord": 2}),
        ((2, 3), {"ord": 3}),
        ((2, 3), {"ord": "frob"}),
        ((2,), {"ord": "fro"}),
        ((2, 3, 4), {"ord": 2, "axis": (0, 1, 2)}),
    ],
)
def test_norm_refuses(shape, arguments):
    with pytest.raises(ValueError, match=r"\[linalg.norm\]"):
        mx.linalg.norm(mx.zeros(shape), **arguments)


def test_norm_refuses_axes():
    with pytest.raises(IndexError, match=r"\[linalg.norm\]"):
        mx.linalg.norm(mx.zeros((2, 3)), axis=2)


def test_cross():
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (4, 1, 3)), rng.integers(-9, 9, (5, 3))
    np.testing.assert_array_equal(np.array(mx.linalg.cross(to_mx(a), to_mx(b))), np.cross(a, b))
    c = rng.integers(-9, 9, (3, 4))
    result = mx.linalg.cross(to_mx(c), to_mx(c[:, ::-1].copy()), axis=0)
    np.testing.assert_array_equal(np.array(result), np.cross(c, c[:, ::-1], axis=0))
    x, y, z = mx.array([1, 2]), mx.array([3, 5]), mx.array([3, 4, 5])
    assert mx.linalg.cross(x, y).item() == -1
    np.testing.assert_array_equal(np.array(mx.linalg.cross(x, z)), np.cross([1, 2, 0], [3, 4, 5]))
    np.testing.assert_array_equal(np.array(mx.linalg.cross(z, x)), np.cross([3, 4, 5], [1, 2, 0]))
    with pytest.raises(ValueError, match=r"\[linalg.cross\]"):
        mx.linalg.cross(mx.zeros(4), mx.zeros(4))
    with pytest.raises(IndexError, match=r"\[linalg.cross\]"):
        mx.linalg.cross(mx.zeros(3), mx.zeros(3), axis=1)


# --- what cannot be computed ---------------------------------------------------------------------

SINGULAR = [[1.0, 2.0], [2.0, 4.0]]


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda a: mx.linalg.inv(a), r"\[linalg.inv\] matrix 1 of the batch is singular"),
        (lambda a: mx.linalg.solve(a, mx.ones(2)), r"\[linalg.solve\] matrix 1 .*singular"),
        (
            lambda a: mx.linalg.solve_triangular(a - a[1, 0, 0] * mx.eye(2), mx.ones(2)),
            r"\[linalg.solve_triangular\] matrix 0 .*singular",
        ),
        (lambda a: mx.linalg.cholesky(-a), r"\[linalg.cholesky\].*not positive definite"),
        (lambda a: mx.linalg.cholesky(a * mx.nan), r"\[linalg.cholesky\].*not positive definite"),
        (lambda a: mx.linalg.svd(a * mx.nan)[1], r"\[linalg.svd\].*NaN"),
        (lambda a: mx.linalg.svd(a * mx.inf)[1], r"\[linalg.svd\].*infinity"),
        (lambda a: mx.linalg.eigh(a * mx.nan)[1], r"\[linalg.eigh\].*NaN"),
        (lambda a: mx.linalg.eigvalsh(a * mx.inf), r"\[linalg.eigh\].*NaN"),
        (lambda a: mx.linalg.eig(a * mx.nan)[0], r"\[linalg.eig\].*NaN"),
    ],
)
def test_failures_raise_at_evaluation(function, message):
    result = function(mx.array([np.eye(2).tolist(), SINGULAR]))
    with pytest.raises(ValueError, match=message):
        mx.eval(result)
    # Nothing else suffers.
    assert mx.sum(mx.linalg.inv(mx.eye(3))).item() == 3


def test_nan_stays_nan():
    assert np.isnan(np.array(mx.linalg.inv(mx.full((2, 2), mx.nan)))).all()
    assert np.isnan(mx.linalg.det(mx.full((2, 2), mx.nan)).item())


@pytest.mark.parametrize("name", ["cholesky", "eig", "eigh", "inv", "det", "slogdet", "tri_inv"])
def test_square_matrices_only(name):
    function = getattr(mx.linalg, name)
    with pytest.raises(ValueError, match=rf"\[linalg.{name}\].*square.*\(2, 3\)"):
        function(mx.zeros((2, 3)))
    with pytest.raises(ValueError, match=rf"\[linalg.{name}\].*\(3,\)"):
        function(mx.zeros(3))
    with pytest.raises(TypeError, match=rf"\[linalg.{name}\].*float16"):
        function(mx.zeros((2, 2), dtype=mx.float16))
    result = function(mx.array([[2, 0], [0, 2]]))
    first = result[0] if isinstance(result, tuple) else result
    assert first.dtype in (mx.float32, mx.complex64)


def test_other_refusals():
    with pytest.raises(ValueError, match=r"\[linalg.solve\].*rows"):
        mx.linalg.solve(mx.eye(3), mx.zeros((2, 2)))
    with pytest.raises(ValueError, match=r"\[linalg.solve\]"):
        mx.linalg.solve(mx.eye(3), mx.array(1.0))
    with pytest.raises(ValueError, match=r"\[linalg.eigh\].*'X'"):
        mx.linalg.eigh(mx.eye(2), "X")
    with pytest.raises(ValueError, match=r"\[linalg.qr\].*'raw'"):
        mx.linalg.qr(mx.eye(2), mode="raw")


# --- derivatives and vmap ------------------------------------------------------------------------


def hermitian(x):
    return (x + adjoint(x)) / 2


@pytest.fixture(params=["float64", "complex128"])
def wide(request):
    return request.param


@pytest.mark.parametrize("upper", [False, True])
def test_derivative_of_cholesky(wide, upper):
    a = positive_definite(random_array(np.random.default_rng(0), (2, 4, 4), wide))
    check_derivatives(lambda x: mx.linalg.cholesky(x, upper), [a], along=hermitian)


@pytest.mark.parametrize("shape", [(5, 3), (3, 3), (3, 5)])
def test_derivative_of_qr(wide, shape):
    a = random_array(np.random.default_rng(0), (2, *shape), wide)
    check_derivatives(mx.linalg.qr, [a])


@pytest.mark.parametrize("shape", [(5, 3), (3, 3), (3, 5)])
def test_derivative_of_svd(wide, shape):
    a = random_array(np.random.default_rng(0), (2, *shape), wide)

    def without_phases(x):
        u, s, vt = mx.linalg.svd(x, full_matrices=False)
        middle = s[..., None] * mx.array(np.arange(1.0, 4.0).reshape(3, 1), dtype=mx.float64)
        return u @ (middle * vt), s, mx.abs(u), mx.abs(vt)

    check_derivatives(without_phases, [a])
    check_derivatives(lambda x: mx.linalg.svd(x, compute_uv=False), [a])
    if wide == "float64":
        check_derivatives(lambda x: mx.linalg.svd(x, full_matrices=False), [a])


def test_derivative_of_eigh(wide):
    a = hermitian(random_array(np.random.default_rng(0), (2, 4, 4), wide))

    def without_phases(x):
        w, v = mx.linalg.eigh(x)
        weights = mx.array(np.arange(1.0, 5.0), dtype=mx.float64)
        return w, (v * weights) @ mx.conj(v.swapaxes(-1, -2)), mx.abs(v)

    check_derivatives(without_phases, [a], along=hermitian)
    check_derivatives(mx.linalg.eigvalsh, [a], along=hermitian)


def test_derivative_of_eig(wide):
    a = random_array(np.random.default_rng(0), (2, 4, 4), wide)
    check_derivatives(mx.linalg.eigvals, [a])
    check_derivatives(lambda x: [mx.linalg.eig(x)[0], mx.abs(mx.linalg.eig(x)[1])], [a])


def test_derivatives_of_equations(wide):
    rng = np.random.default_rng(0)
    a, b = random_array(rng, (2, 4, 4), wide) + 4 * np.eye(4), random_array(rng, (2, 4, 3), wide)
    check_derivatives(mx.linalg.inv, [a])
    check_derivatives(mx.linalg.solve, [a, b])
    for upper in (False, True):
        check_derivatives(lambda x, y, u=upper: mx.linalg.solve_triangular(x, y, upper=u), [a, b])
    check_derivatives(mx.linalg.det, [a])
    check_derivatives(mx.linalg.slogdet, [a], tolerance=1e-5)
    check_derivatives(lambda x: mx.linalg.lu(x)[1:], [a])
    check_derivatives(mx.linalg.pinv, [random_array(rng, (5, 3), wide)])
    check_derivatives(lambda x: mx.linalg.norm(x, 2), [a[0]])
    check_derivatives(lambda x, y: mx.linalg.cross(x, y), [a[0, :, :3], a[1, :, :3]])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: mx.sum(mx.linalg.inv(x) * x * x),
        lambda x: mx.sum(mx.linalg.cholesky((x + x.T) / 2) ** 3),
        lambda x: mx.linalg.slogdet(x)[1],
        lambda x: mx.sum(mx.linalg.svd(x)[1] ** 3),
        lambda x: mx.sum(mx.linalg.eigvalsh((x + x.T) / 2) ** 3),
        lambda x: mx.sum(mx.linalg.qr(x)[1] ** 3),
        lambda x: mx.sum(mx.linalg.lu(x)[2] ** 3),
        lambda x: mx.sum(mx.linalg.solve(x, x @ x) ** 2),
        lambda x: mx.sum(mx.linalg.pinv(x) ** 3),
    ],
)
def test_second_derivatives(function):
    a = positive_definite(random_array(np.random.default_rng(0), (3, 3)))
    check_derivatives(mx.grad(function), [a], tolerance=1e-5)


def test_derivatives_that_do_not_exist():
    def complete(x):
        return mx.sum(mx.linalg.qr(x, mode="complete")[0])

    with pytest.raises(ValueError, match=r"\[linalg.qr\]"):
        mx.eval(mx.grad(complete)(mx.ones((4, 2))))
    with pytest.raises(ValueError, match=r"\[linalg.svd\]"):
        mx.eval(mx.grad(lambda x: mx.sum(mx.linalg.svd(x)[0]))(mx.ones((4, 2))))


@pytest.mark.parametrize(
    "function",
    [
        mx.linalg.inv,
        mx.linalg.det,
        lambda a: mx.linalg.cholesky(a @ a.T + 5 * mx.eye(4, dtype=a.dtype)),
        lambda a: mx.linalg.qr(a)[1],
        lambda a: mx.linalg.svd(a, compute_uv=False),
        lambda a: mx.linalg.eigvalsh(a),
        lambda a: mx.linalg.lu(a)[2],
        lambda a: mx.linalg.solve(a, mx.ones(4, dtype=a.dtype)),
        lambda a: mx.linalg.solve_triangular(a, a),
    ],
)
def test_vmap(function):
    x = random_array(np.random.default_rng(0), (4, 3, 4))
    together = np.array(mx.vmap(function, in_axes=1)(to_mx(x)))
    for i in range(3):
        np.testing.assert_allclose(together[i], np.array(function(to_mx(x[:, i]))), atol=1e-10)
