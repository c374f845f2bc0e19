"""Extension "linalg" of the standard."""

from __future__ import annotations

from math import inf
from typing import Literal, NamedTuple

import mlx.core as mx

from . import statistical
from .dtypes import DEFAULT_INTEGER, Array, Dtype
from .linear_algebra import matmul, matrix_transpose, tensordot, vecdot

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]

_linalg = mx.linalg

det = _linalg.det
eigvals = _linalg.eigvals
inv = _linalg.inv


class EigResult(NamedTuple):
    """What `eig` returns."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """What `eigh` returns."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """What `qr` returns."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """What `slogdet` returns."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """What `svd` returns."""

    U: Array
    S: Array
    Vh: Array


def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """The triangular factor of positive definite matrices.

    >>> cholesky(mx.array([[4.0]]))
    array([[2]], dtype=float32)
    """
    return _linalg.cholesky(x, upper)


def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """The cross product of vectors of three elements.

    >>> cross(mx.array([1, 0, 0]), mx.array([0, 1, 0]))
    array([0, 0, 1], dtype=int32)
    """
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            f"[cross] vectors of another size: got shapes {x1.shape} and {x2.shape}; "
            f"expected size 3 along axis {axis}"
        )
    if axis >= 0:  # counts from the end, since the other axes broadcast
        axis -= min(x1.ndim, x2.ndim)
    return _linalg.cross(x1, x2, axis)


def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """The diagonals of matrices.

    >>> diagonal(mx.array([[1, 2], [3, 4]]))
    array([1, 4], dtype=int32)
    """
    return mx.diagonal(x, offset, -2, -1)


def eig(x: Array, /) -> EigResult:
    """Eigenvalues and eigenvectors of square matrices, complex.

    >>> eig(mx.array([[2.0]])).eigenvalues
    array([2+0j], dtype=complex64)
    """
    return EigResult(*_linalg.eig(x))


def eigh(x: Array, /) -> EighResult:
    """Eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices.

    >>> eigh(mx.array([[2.0]])).eigenvalues
    array([2], dtype=float32)
    """
    return EighResult(*_linalg.eigh(x))


def eigvalsh(x: Array, /) -> Array:
    """Eigenvalues, ascending, of symmetric or Hermitian matrices.

    >>> eigvalsh(mx.array([[2.0]]))
    array([2], dtype=float32)
    """
    return _linalg.eigvalsh(x)


def matrix_norm(
    x: Array,
    /,
    *,
    keepdims: bool = False,
    ord: int | float | Literal["fro", "nuc"] | None = "fro",
) -> Array:
    """The norm of matrices.

    >>> matrix_norm(mx.array([[3.0, 4.0]]))
    array(5, dtype=float32)
    """
    if ord == "fro" or ord is None:
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    result = _matrix_norm(x, ord)
    return mx.expand_dims(result, (-2, -1)) if keepdims else result


def _matrix_norm(x: Array, ord: int | float | str) -> Array:
    if ord == "nuc":
        return mx.sum(svdvals(x), -1)
    if ord in (2, -2):
        choose = mx.max if ord == 2 else mx.min
        return choose(svdvals(x), -1)
    if ord in (1, -1, inf, -inf):
        summed = mx.sum(_real_magnitudes(x), -2 if ord in (1, -1) else -1)
        return (mx.max if ord > 0 else mx.min)(summed, -1)
    raise ValueError(
        f"[matrix_norm] no such order: got {ord!r}; "
        "expected 'fro', 'nuc', 1, -1, 2, -2, inf or -inf"
    )


def _real_magnitudes(x: Array) -> Array:
    """Absolute values as floating-point numbers."""
    return mx.abs(x if mx.issubdtype(x.dtype, mx.inexact) else x.astype(mx.float32))


def matrix_power(x: Array, n: int, /) -> Array:
    """Square matrices multiplied by themselves n times; the inverse where n is negative.

    >>> matrix_power(mx.array([[2.0]]), 3)
    array([[8]], dtype=float32)
    """
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(
            f"[matrix_power] square matrices: got shape {x.shape}; expected (..., M, M)"
        )
    if n < 0:
        x, n = inv(x), -n
    result = None
    while n:
        if n & 1:
            result = x if result is None else matmul(result, x)
        n >>= 1
        if n:
            x = matmul(x, x)
    if result is None:
        return mx.broadcast_to(mx.eye(x.shape[-1], dtype=x.dtype), x.shape)
    return result


def _significant(s: Array, x: Array, rtol: float | Array | None) -> Array:
    """Which singular values are not 0, up to the tolerance."""
    if rtol is None:
        rtol = max(x.shape[-2:]) * mx.finfo(s.dtype).eps
    if isinstance(rtol, mx.array):
        rtol = mx.expand_dims(rtol, -1)
    if s.shape[-1] == 0:
        return mx.zeros(s.shape, mx.bool_)
    return mx.greater(s, mx.multiply(rtol, mx.max(s, -1, keepdims=True)))


def matrix_rank(x: Array, /, *, rtol: float | Array | None = None) -> Array:
    """The number of singular values that are not 0, up to a tolerance.

    >>> matrix_rank(mx.array([[1.0, 1.0], [1.0, 1.0]]))
    array(1, dtype=int64)
    """
    if x.ndim < 2:
        raise ValueError(f"[matrix_rank] matrices: got shape {x.shape}; expected (..., M, N)")
    return mx.sum(_significant(svdvals(x), x, rtol).astype(DEFAULT_INTEGER), -1)


def outer(x1: Array, x2: Array, /) -> Array:
    """Every product of an element of one vector with an element of another.

    >>> outer(mx.array([1, 2]), mx.array([3, 4]))
    array([[3, 4],
           [6, 8]], dtype=int32)
    """
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            f"[outer] vectors: got shapes {x1.shape} and {x2.shape}; expected one dimension each"
        )
    return mx.outer(x1, x2)


def pinv(x: Array, /, *, rtol: float | Array | None = None) -> Array:
    """The pseudo-inverse of matrices.

    >>> pinv(mx.array([[2.0]]))
    array([[0.5]], dtype=float32)
    """
    u, s, vh = svd(x, full_matrices=False)
    keep = _significant(s, x, rtol)
    inverse = mx.where(keep, mx.divide(1, mx.where(keep, s, mx.ones_like(s))), mx.zeros_like(s))
    adjoint = mx.conj(matrix_transpose(vh))
    scaled = mx.multiply(adjoint, mx.expand_dims(inverse, -2))
    return matmul(scaled, mx.conj(matrix_transpose(u)))


def qr(x: Array, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """An orthogonal times a triangular factor.

    >>> qr(mx.array([[1.0], [1.0]])).R.shape
    (1, 1)
    """
    return QRResult(*_linalg.qr(x, mode=mode))


def slogdet(x: Array, /) -> SlogdetResult:
    """Sign of the determinant and the logarithm of its absolute value.

    >>> slogdet(mx.array([[-1.0]])).sign
    array(-1, dtype=float32)
    """
    return SlogdetResult(*_linalg.slogdet(x))


def solve(x1: Array, x2: Array, /) -> Array:
    """The solution of systems of linear equations.

    >>> solve(mx.array([[2.0]]), mx.array([4.0]))
    array([2], dtype=float32)
    """
    if x2.ndim == 1:
        return mx.squeeze(_linalg.solve(x1, mx.expand_dims(x2, -1)), -1)
    return _linalg.solve(x1, x2)


def svd(x: Array, /, *, full_matrices: bool = True) -> SVDResult:
    """The singular value decomposition of matrices.

    >>> svd(mx.array([[3.0]])).S
    array([3], dtype=float32)
    """
    return SVDResult(*_linalg.svd(x, full_matrices=full_matrices))


def svdvals(x: Array, /) -> Array:
    """The singular values of matrices, descending.

    >>> svdvals(mx.array([[3.0]]))
    array([3], dtype=float32)
    """
    return _linalg.svd(x, compute_uv=False)


def trace(x: Array, /, *, offset: int = 0, dtype: Dtype | None = None) -> Array:
    """The sum along diagonals.

    >>> trace(mx.array([[1, 2], [3, 4]]))
    array(5, dtype=int64)
    """
    return statistical.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def vector_norm(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: int | float = 2,
) -> Array:
    """The norm of vectors, which may lie along several axes.

    >>> vector_norm(mx.array([3.0, 4.0]))
    array(5, dtype=float32)
    """
    size = _real_magnitudes(x)
    if ord == 2:
        return mx.sqrt(mx.sum(mx.square(size), axis, keepdims))
    if ord in (inf, -inf):
        return (mx.max if ord > 0 else mx.min)(size, axis, keepdims)
    if ord == 0:
        return mx.sum(mx.not_equal(size, 0).astype(size.dtype), axis, keepdims)
    if ord == 1:
        return mx.sum(size, axis, keepdims)
    return mx.power(mx.sum(mx.power(size, ord), axis, keepdims), 1 / ord)
