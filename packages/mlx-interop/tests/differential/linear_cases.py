"""Cases of linear algebra; results that are not unique are rebuilt, see RECONSTRUCTIONS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.interop as xp
import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from .cases import CASES, Case, Draw, Inputs, case
from .compare import Difference, close_to
from .draws import INEXACT, NUMERIC, Name, arrays, axes_of, matrices, shapes

__all__ = ["CASES", "RECONSTRUCTIONS", "Case"]


@case("matmul", "linalg.matmul", loose=32)
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(NUMERIC))
    signature = npst.mutually_broadcastable_shapes(
        signature="(m?,n),(n,p?)->(m?,p?)", max_dims=2, max_side=4
    )
    shapes_ = draw(signature).input_shapes
    kinds = {"small": True, "finite": True}
    return tuple(draw(arrays((dtype,), st.just(shape), **kinds)) for shape in shapes_), {}


@case("matrix_transpose", "linalg.matrix_transpose")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(NUMERIC, shapes(min_dims=2))),), {}


@case("tensordot", "linalg.tensordot", loose=32)
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(NUMERIC))
    x1 = draw(arrays((dtype,), shapes(max_side=3), small=True, finite=True))
    count = draw(st.integers(0, x1.ndim))
    shape = st.just(x1.shape[x1.ndim - count :] + draw(shapes(max_dims=2, max_side=3)))
    x2 = draw(arrays((dtype,), shape, small=True, finite=True))
    axes: Any = count
    if draw(st.booleans()):
        axes = (tuple(range(x1.ndim - count, x1.ndim)), tuple(range(count)))
    return (x1, x2), {"axes": axes}


@case("vecdot", "linalg.vecdot", loose=32)
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(NUMERIC))
    size = draw(st.integers(0, 4))
    both = draw(npst.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=3))
    kinds = {"small": True, "finite": True}
    return tuple(
        draw(arrays((dtype,), st.just((*shape, size)), **kinds)) for shape in both.input_shapes
    ), {}


@case("linalg.cross", loose=16)
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(NUMERIC))
    both = draw(npst.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=3))
    kinds = {"small": True, "finite": True}
    return tuple(
        draw(arrays((dtype,), st.just((*shape, 3)), **kinds)) for shape in both.input_shapes
    ), {}


@case("linalg.diagonal")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(arrays(NUMERIC, shapes(min_dims=2))),), {"offset": draw(st.integers(-6, 6))}


@case("linalg.trace", loose=16)
def _(draw: Draw, name: str) -> Inputs:
    x = draw(arrays(NUMERIC, shapes(min_dims=2), small=True, finite=True))
    kwargs: dict[str, Any] = {"offset": draw(st.integers(-6, 6))}
    if draw(st.booleans()):
        wider = {"i": "int64", "u": "uint64", "f": "float64", "c": "complex128"}[x.dtype.kind]
        kwargs["dtype"] = Name(wider)
    return (x,), kwargs


@case("linalg.outer")
def _(draw: Draw, name: str) -> Inputs:
    dtype = draw(st.sampled_from(NUMERIC))
    vector = arrays((dtype,), shapes(1, 1), small=True, finite=True)
    return (draw(vector), draw(vector)), {}


@case("linalg.det", "linalg.inv", "linalg.slogdet", loose=512)
def _(draw: Draw, name: str) -> Inputs:
    return (draw(matrices(square=True)),), {}


@case("linalg.matrix_power", loose=4096)
def _(draw: Draw, name: str) -> Inputs:
    return (draw(matrices(square=True)), draw(st.integers(-3, 5))), {}


@case("linalg.solve", loose=512)
def _(draw: Draw, name: str) -> Inputs:
    a = draw(matrices(square=True))
    rows = a.shape[-1]
    tail = draw(st.sampled_from([(rows,), (rows, 2), (2, rows, 3)]))
    b = draw(arrays((a.dtype.name,), st.just(tail), small=True, finite=True))
    assume(len(tail) < 3 or a.ndim < 4)
    return (a, b), {}


@case("linalg.cholesky", loose=512)
def _(draw: Draw, name: str) -> Inputs:
    x = draw(matrices(square=True))
    return (x @ np.conj(np.swapaxes(x, -1, -2)),), {"upper": draw(st.booleans())}


@case("linalg.eigvalsh", loose=512)
def _(draw: Draw, name: str) -> Inputs:
    x = draw(matrices(square=True, min_side=1))
    return (x + np.conj(np.swapaxes(x, -1, -2)),), {}


@case("linalg.svdvals", loose=512)
def _(draw: Draw, name: str) -> Inputs:
    return (draw(matrices()),), {}


@case("linalg.matrix_rank")
def _(draw: Draw, name: str) -> Inputs:
    return (draw(matrices(min_side=1)),), {}


@case("linalg.pinv", loose=4096)
def _(draw: Draw, name: str) -> Inputs:
    return (draw(matrices(square=True, min_side=1)),), {}


@case("linalg.matrix_norm", loose=512)
def _(draw: Draw, name: str) -> Inputs:
    order = draw(st.sampled_from(["fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf")]))
    x = draw(matrices(min_side=1))
    return (x,), {"ord": order, "keepdims": draw(st.booleans())}


@case("linalg.vector_norm", loose=64)
def _(draw: Draw, name: str) -> Inputs:
    order = draw(st.sampled_from([0, 1, 2, 3, 0.5, float("inf"), -float("inf"), -1, -2]))
    x = draw(arrays(INEXACT, shapes(min_side=1), small=True, finite=True))
    if order != 0 and order < 1:
        assume(np.all(np.abs(x) > 0.1))
    axis = draw(axes_of(x.ndim))
    assume(axis != ())
    return (x,), {"ord": order, "axis": axis, "keepdims": draw(st.booleans())}


# --- results that are not unique: what they are made of must be what went in ---------------------


def _adjoint(x: Any) -> Any:
    return xp.conj(xp.matrix_transpose(x))


def _is_unit(x: Any) -> None:
    unit = np.eye(x.shape[-1], dtype=np.asarray(x).dtype)
    close_to(x, np.broadcast_to(unit, x.shape))


def _qr(x: np.ndarray, mode: str) -> None:
    q, r = xp.linalg.qr(xp.asarray(x), mode=mode)
    close_to(q @ r, x)
    close_to(
        _adjoint(q) @ q,
        np.broadcast_to(np.eye(q.shape[-1], dtype=x.dtype), (_adjoint(q) @ q).shape),
    )
    if np.tril(np.asarray(r), -1).any():
        raise Difference("R is not triangular")


def _svd(x: np.ndarray, full: bool) -> None:
    u, s, vh = xp.linalg.svd(xp.asarray(x), full_matrices=full)
    k = s.shape[-1]
    close_to((u[..., :k] * s[..., None, :].astype(u.dtype)) @ vh[..., :k, :], x)
    _is_unit(_adjoint(u) @ u)
    _is_unit(vh @ _adjoint(vh))


def _eigh(x: np.ndarray) -> None:
    x = x + np.conj(np.swapaxes(x, -1, -2))
    values_, vectors = xp.linalg.eigh(xp.asarray(x))
    close_to((vectors * values_[..., None, :].astype(vectors.dtype)) @ _adjoint(vectors), x)


def _eig(x: np.ndarray) -> None:
    values_, vectors = xp.linalg.eig(xp.asarray(x))
    a = xp.asarray(x).astype(values_.dtype)
    close_to(a @ vectors, np.asarray(vectors * values_[..., None, :]), loose=400)
    found = np.sort_complex(np.asarray(xp.linalg.eigvals(xp.asarray(x))).ravel())
    close_to(xp.asarray(found), np.sort_complex(np.asarray(values_).ravel()), loose=4000)


_MODES = st.sampled_from(["reduced", "complete"])
RECONSTRUCTIONS: dict[str, tuple[Callable[..., None], dict[str, st.SearchStrategy]]] = {
    "linalg.qr": (
        _qr,
        {"x": matrices(min_side=1), "mode": st.sampled_from(["reduced", "complete"])},
    ),
    "linalg.svd": (_svd, {"x": matrices(min_side=1), "full": st.booleans()}),
    "linalg.eigh": (_eigh, {"x": matrices(square=True, min_side=1)}),
    "linalg.eig": (_eig, {"x": matrices(square=True, min_side=1)}),
    "linalg.eigvals": (_eig, {"x": matrices(square=True, min_side=1)}),
}
