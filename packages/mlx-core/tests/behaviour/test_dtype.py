"""Dtypes as objects: names, comparison, categories, promotion, limits."""

from __future__ import annotations

import copy
import itertools
import pickle

import mlx.core as mx
import numpy as np
import pytest

NAMES = [
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
DTYPES = [getattr(mx, name) for name in NAMES]
NUMPY = [name for name in NAMES if name != "bfloat16"]


@pytest.mark.parametrize("name", NAMES)
def test_object(name):
    dtype = getattr(mx, name)
    assert repr(dtype) == f"mlx.core.{name}"
    assert dtype.name == name
    assert dtype == dtype
    assert dtype != "int32" and dtype is not None
    assert mx.array(0, dtype=dtype).dtype is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.copy(dtype) is dtype and copy.deepcopy(dtype) is dtype
    with pytest.raises(AttributeError):
        dtype.size = 3


def test_all_differ():
    assert len(set(DTYPES)) == len(NAMES)
    assert mx.bool_ is mx.bool
    assert all(a != b for a, b in itertools.combinations(DTYPES, 2))


@pytest.mark.parametrize("name", NUMPY)
def test_numpy_dtype(name):
    dtype = getattr(mx, name)
    assert np.dtype(dtype) == np.dtype(name)
    assert dtype.size == dtype.itemsize == np.dtype(name).itemsize
    assert dtype.kind == np.dtype(name).kind
    assert np.zeros(2, dtype=dtype).dtype == np.dtype(name)


def test_numpy_has_no_bfloat16():
    assert mx.bfloat16.size == 2
    with pytest.raises(TypeError, match="numpy has no bfloat16"):
        _ = mx.bfloat16.dtype
    with pytest.raises(TypeError):
        np.dtype(mx.bfloat16)


@pytest.mark.parametrize("name", NUMPY)
def test_issubdtype_agrees_with_numpy(name):
    for category in (
        "generic", "number", "integer", "signedinteger", "unsignedinteger",
        "inexact", "floating", "complexfloating",
    ):  # fmt: skip
        expected = np.issubdtype(np.dtype(name), getattr(np, category))
        assert mx.issubdtype(getattr(mx, name), getattr(mx, category)) == expected
    for other in DTYPES:
        assert mx.issubdtype(getattr(mx, name), other) == (other is getattr(mx, name))


def test_issubdtype_of_categories():
    assert mx.issubdtype(mx.floating, mx.inexact)
    assert mx.issubdtype(mx.integer, mx.generic)
    assert not mx.issubdtype(mx.number, mx.integer)
    assert not mx.issubdtype(mx.floating, mx.float32)
    assert repr(mx.floating) == "DtypeCategory.floating"
    for bad in [("float32", mx.floating), (mx.float32, "floating"), (1, 2)]:
        with pytest.raises(TypeError, match=r"\[issubdtype\] unusable"):
            mx.issubdtype(*bad)


@pytest.mark.parametrize("name", NUMPY)
def test_isdtype_agrees_with_numpy(name):
    for kind in (
        "bool", "signed integer", "unsigned integer", "integral",
        "real floating", "complex floating", "numeric",
    ):  # fmt: skip
        expected = np.isdtype(np.dtype(name), kind)
        assert mx.isdtype(getattr(mx, name), kind) == expected
        assert mx.isdtype(getattr(mx, name), (kind, mx.bfloat16)) == expected


def test_isdtype_of_bfloat16():
    assert mx.isdtype(mx.bfloat16, "real floating")
    assert mx.isdtype(mx.bfloat16, mx.bfloat16)
    assert not mx.isdtype(mx.bfloat16, ())
    with pytest.raises(ValueError, match="no such kind: got 'float'; expected one of 'bool', "):
        mx.isdtype(mx.float32, "float")
    with pytest.raises(TypeError, match="unusable kind: got int"):
        mx.isdtype(mx.float32, 3)


STANDARD = [name for name in NUMPY if name not in ("float16",)]


@pytest.mark.parametrize(("a", "b"), list(itertools.product(STANDARD, repeat=2)))
def test_promotion_within_a_kind_agrees_with_numpy(a, b):
    kinds = {np.dtype(a).kind, np.dtype(b).kind}
    if kinds not in ({"b"}, {"i"}, {"u"}, {"f"}, {"c"}, {"f", "c"}, {"i", "u"}):
        return
    if kinds == {"i", "u"} and "uint64" in (a, b):
        return  # numpy: float64; here float32
    expected = getattr(mx, str(np.promote_types(a, b)))
    assert mx.result_type(getattr(mx, a), getattr(mx, b)) is expected


def test_promotion_between_kinds():
    assert mx.result_type(mx.int64, mx.float16) is mx.float16
    assert mx.result_type(mx.uint64, mx.int8) is mx.float32
    assert mx.result_type(mx.float16, mx.bfloat16) is mx.float32
    assert mx.result_type(mx.float64, mx.complex64) is mx.complex128
    assert mx.result_type(mx.bool_, mx.uint8) is mx.uint8


@pytest.mark.parametrize(("a", "b"), list(itertools.product(DTYPES, repeat=2)))
def test_result_type_is_that_of_an_operation(a, b):
    expected = (mx.zeros(1, a) + mx.zeros(1, b)).dtype
    assert mx.result_type(a, b) is expected
    assert mx.result_type(mx.zeros(1, a), b) is expected
    assert mx.can_cast(a, b) == (mx.result_type(a, b) == b)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("number", [True, 1, 2.5, 1j])
def test_result_type_with_numbers(dtype, number):
    assert mx.result_type(dtype, number) is (mx.zeros(1, dtype) + number).dtype
    assert mx.result_type(number, dtype) is mx.result_type(dtype, number)


def test_result_type_of_numbers():
    assert mx.result_type(1) is mx.int32
    assert mx.result_type(1, 2.5) is mx.float32
    assert mx.result_type(2**40) is mx.int64
    assert mx.result_type(np.zeros(2, "int8"), mx.int8) is mx.int8
    with pytest.raises(ValueError, match="nothing to combine"):
        mx.result_type()
    with pytest.raises(TypeError, match=r"\[result_type\]"):
        mx.result_type("float32")
    with pytest.raises(OverflowError):
        mx.result_type(2**64)


@pytest.mark.parametrize("name", ["float16", "float32", "float64", "complex64", "complex128"])
def test_finfo_agrees_with_numpy(name):
    ours, numpys = mx.finfo(getattr(mx, name)), np.finfo(name)
    for field in ("bits", "eps", "max", "min", "smallest_normal"):
        assert getattr(ours, field) == getattr(numpys, field)
    part = name.replace("complex64", "float32").replace("complex128", "float64")
    assert ours.dtype is getattr(mx, part)
    assert type(ours.max) is float


def test_finfo_of_bfloat16():
    info = mx.finfo(mx.array(1, dtype=mx.bfloat16))
    assert (info.bits, info.eps, info.smallest_normal) == (16, 2.0**-7, 2.0**-126)
    assert info.max == mx.array(info.max, dtype=mx.bfloat16).item() != mx.inf
    assert repr(mx.finfo(mx.float32)) == "finfo(min=-3.40282e+38, max=3.40282e+38, dtype=float32)"


@pytest.mark.parametrize("name", [name for name in NAMES if "int" in name])
def test_iinfo_agrees_with_numpy(name):
    ours, numpys = mx.iinfo(getattr(mx, name)), np.iinfo(name)
    for field in ("bits", "max", "min"):
        assert getattr(ours, field) == getattr(numpys, field)
    assert ours.dtype is getattr(mx, name)


def test_limits_of_other_dtypes():
    for wrong in (mx.int32, mx.bool_):
        with pytest.raises(TypeError, match="no floating dtype"):
            mx.finfo(wrong)
    for wrong in (mx.float32, mx.bool_):
        with pytest.raises(TypeError, match="no integer dtype"):
            mx.iinfo(wrong)
    with pytest.raises(TypeError, match="no dtype: got str"):
        mx.finfo("float32")
    assert repr(mx.iinfo(mx.int8)) == "iinfo(min=-128, max=127, dtype=int8)"


def test_deprecated_names_do_not_exist():
    for name in ("Inf", "NAN", "NaN", "PINF", "NINF", "infty"):
        assert not hasattr(mx, name)
    assert (mx.e, mx.pi, mx.euler_gamma) == (np.e, np.pi, np.euler_gamma)
    assert mx.inf == float("inf") and mx.nan != mx.nan and mx.newaxis is None
