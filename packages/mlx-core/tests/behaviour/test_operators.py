"""Operators: on what, with which dtype, reflected, in place, and what they leave to others."""

from __future__ import annotations

import decimal
import operator
from unittest.mock import ANY

import mlx.core as mx
import numpy as np
import pytest

DTYPES = [
    mx.bool_, mx.uint8, mx.uint16, mx.uint32, mx.uint64, mx.int8, mx.int16, mx.int32, mx.int64,
    mx.float16, mx.bfloat16, mx.float32, mx.float64, mx.complex64, mx.complex128,
]  # fmt: skip
INTEGERS = [d for d in DTYPES if d.kind in "iu"]
ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv]
REAL = [operator.floordiv, operator.mod, operator.pow]
BITWISE = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]
COMPARISONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]


@pytest.mark.parametrize("op", ARITHMETIC + REAL + COMPARISONS, ids=lambda f: f.__name__)
def test_arrays_agree_with_numpy(op):
    a, b = np.array([[7.0], [-6.5]], "f4"), np.array([2.0, 3.0], "f4")
    a = np.abs(a) if op is operator.pow else a
    result = op(mx.array(a), mx.array(b))
    np.testing.assert_allclose(np.asarray(result), op(a, b), rtol=1e-6)


@pytest.mark.parametrize("op", REAL + BITWISE + COMPARISONS, ids=lambda f: f.__name__)
def test_integers_agree_with_numpy(op):
    a, b = np.array([7, 6, 1, 0], "i4"), np.array([2, 3, 1, 2], "i4")
    np.testing.assert_array_equal(np.asarray(op(mx.array(a), mx.array(b))), op(a, b))


@pytest.mark.parametrize("op", ARITHMETIC + REAL + COMPARISONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("number", [2, 2.5])
def test_numbers_on_either_side(op, number):
    a = np.array([1.0, 2.0, 4.0], "f4")
    for result, expected in (
        (op(mx.array(a), number), op(a, number)),
        (op(number, mx.array(a)), op(number, a)),
    ):
        assert isinstance(result, mx.array)
        np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-6)
        assert str(np.asarray(result).dtype) == str(expected.dtype)


@pytest.mark.parametrize("op", BITWISE, ids=lambda f: f.__name__)
def test_bitwise_numbers_on_either_side(op):
    a = np.array([1, 2, 4], "i4")
    assert op(mx.array(a), 2).tolist() == op(a, 2).tolist()
    assert op(2, mx.array(a)).tolist() == op(2, a).tolist()


def test_bitwise_on_bools():
    a = mx.array([True, False])
    assert (a & True).tolist() == [True, False] and (True & a).dtype is mx.bool_
    assert (a | True).tolist() == [True, True]
    assert (a ^ True).tolist() == [False, True]
    assert (~a).tolist() == [False, True]
    with pytest.raises(TypeError, match=r"\[bitwise_and\] unusable dtype: got float32"):
        mx.array([1.0]) & 1


# --- dtypes with Python numbers -------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_take_the_dtype_of_the_array(dtype):
    x = mx.ones(2, dtype)
    integer = dtype if dtype is not mx.bool_ else mx.int32
    floating = dtype if dtype.kind in "fc" else mx.float32
    wide = dtype in (mx.float64, mx.complex128)
    complex_ = mx.complex128 if wide else mx.complex64
    assert (x + True).dtype is dtype
    assert (x + 1).dtype is (1 + x).dtype is integer
    assert (x + 1.5).dtype is (1.5 * x).dtype is floating
    assert (x * 1j).dtype is (1j + x).dtype is complex_


def test_float16_does_not_lose_its_dtype_to_large_numbers():
    x = mx.array([1.0], dtype=mx.float16)
    assert (x * 1e6).dtype is mx.float16 and (x * 1e6).item() == mx.inf
    assert (x + 2**20).dtype is mx.float16


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_that_do_not_fit(dtype):
    info, x = mx.iinfo(dtype), mx.zeros(1, dtype)
    assert (x + info.max).item() == info.max
    assert (x + info.min).item() == info.min
    for number in (info.max + 1, info.min - 1, 10**30):
        for function in (operator.add, operator.mul, lambda a, b: b - a):
            with pytest.raises(OverflowError, match=rf"got {number}; .* of {dtype.name}"):
                function(x, number)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", COMPARISONS, ids=lambda f: f.__name__)
def test_comparison_with_integers_that_do_not_fit(dtype, op):
    info = mx.iinfo(dtype)
    x = mx.array([info.min, info.max], dtype=dtype)
    for number in (info.max, info.max + 1, 2**64, 10**30, info.min, info.min - 1, -(10**30), 0):
        assert op(x, number).tolist() == [op(v, number) for v in (info.min, info.max)]
        assert op(number, x).tolist() == [op(number, v) for v in (info.min, info.max)]


def test_exact_comparison_of_large_integers():
    x = mx.array([2**63 - 1, 2**53 + 1])
    assert (x == 2**63 - 1).tolist() == [True, False]
    assert (x == 2**53).tolist() == [False, False]


# --- numpy on the other side ----------------------------------------------------------------------


@pytest.mark.parametrize("op", ARITHMETIC + COMPARISONS, ids=lambda f: f.__name__)
def test_numpy_arrays_on_either_side(op):
    a, b = np.array([1.0, 2.0], "f4"), np.array([2.0, 2.0], "f4")
    for result in (op(mx.array(a), b), op(a, mx.array(b))):
        assert isinstance(result, mx.array)
        np.testing.assert_array_equal(np.asarray(result), op(a, b))


def test_dtypes_with_numpy():
    wide = np.array([1.5])
    assert (mx.array([1.0]) + wide).dtype is mx.float32
    assert (mx.array([1.0], dtype=mx.float64) + wide).dtype is mx.float64
    assert (wide + mx.array([1.0], dtype=mx.complex128)).dtype is mx.complex128
    third = mx.array([0.0], dtype=mx.float64) + np.array([1 / 3])
    assert third.item() == 1 / 3  # nothing was narrowed on the way
    third = mx.add(np.array([1 / 3]), mx.array([0.0], dtype=mx.float64))
    assert third.item() == 1 / 3
    assert mx.add(np.array([1.5]), mx.array([1.0])).dtype is mx.float32
    assert (mx.array([1]) + np.array([2**40])).tolist() == [2**40 + 1]


@pytest.mark.parametrize("name", ["float64", "float32", "int64", "uint8", "bool", "complex64"])
def test_numpy_scalars_on_either_side(name):
    x = mx.array([1.0, 2.0], dtype=mx.float16)
    scalar = np.dtype(name).type(1)
    for result in (x + scalar, scalar + x, scalar * x, x == scalar):
        assert isinstance(result, mx.array)
    assert (scalar + x).tolist() == [2, 3]
    # float64 is a float of Python's, and as weak as one.
    if name == "float64":
        assert (x + scalar).dtype is mx.float16


def test_numpy_functions_still_take_arrays():
    x = mx.array([1.0, 4.0])
    assert np.sqrt(x).tolist() == [1, 2]
    assert np.add(x, 1).tolist() == [2, 5]
    assert np.concatenate([x, x]).shape == (4,)


# --- other types ----------------------------------------------------------------------------------


def test_lists_are_arrays():
    x = mx.array([1, 2])
    assert (x + [3, 4]).tolist() == ([3, 4] + x).tolist() == [4, 6]
    assert (x == (1, 3)).tolist() == [True, False]
    with pytest.raises(ValueError, match="ragged"):
        x + [[1], 2]


@pytest.mark.parametrize("other", [object(), decimal.Decimal(1), {"a": 1}, {1}, len])
@pytest.mark.parametrize("op", ARITHMETIC + REAL + BITWISE + [operator.lt, operator.ge, divmod])
def test_unknown_types_are_left_to_python(op, other):
    x = mx.array([1, 2])
    for a, b in ((x, other), (other, x)):
        with pytest.raises(TypeError, match=r"not supported between|unsupported operand"):
            op(a, b)


def test_unknown_types_have_their_say():
    class Other:
        def __add__(self, other):
            return "added"

        def __radd__(self, other):
            return "added on the right"

        def __eq__(self, other):
            return "equal"

        def __rmatmul__(self, other):
            return "multiplied"

        __hash__ = None

    x = mx.array([1, 2])
    assert x + Other() == "added on the right"
    assert Other() + x == "added"
    assert (x == Other()) == "equal"
    assert x @ Other() == "multiplied"
    assert x.__add__(Other()) is NotImplemented
    assert x.__eq__(Other()) is NotImplemented
    assert (x == ANY) is True
    assert (x == object()) is False and (x != object()) is True


@pytest.mark.parametrize("other", [None, "a", b"a", ""])
def test_equality_with_none_and_text_is_numpys(other):
    values = np.array([[1, 2]])
    x = mx.array(values)
    for op in (operator.eq, operator.ne):
        result = op(x, other)
        assert result.dtype is mx.bool_
        np.testing.assert_array_equal(np.asarray(result), op(values, other))
        np.testing.assert_array_equal(np.asarray(op(other, x)), op(other, values))
    for op in (operator.lt, operator.add):
        with pytest.raises(TypeError):
            op(x, other)
    assert not bool(mx.array(1) == None)  # noqa: E711


def test_unary():
    x = mx.array([1, -2])
    assert (-x).tolist() == [-1, 2] and (+x).tolist() == [1, -2] and (~x).tolist() == [-2, 1]
    assert (+x) is not x
    with pytest.raises(TypeError, match=r"\[negative\] unusable dtype: got bool"):
        -mx.array([True])
    with pytest.raises(TypeError, match=r"\[bitwise_invert\]"):
        ~mx.array([1.5])


def test_nan_is_unequal_to_itself():
    x = mx.array([mx.nan, 1.0])
    assert (x == x).tolist() == [False, True] and (x != x).tolist() == [True, False]


def test_division_by_zero():
    assert (mx.array([1, -1, 0]) / 0).tolist()[:2] == [mx.inf, -mx.inf]
    assert (mx.array([7, -7]) // 0).tolist() == [0, 0]
    assert (mx.array([7, -7]) % 0).tolist() == [0, 0]
    low = mx.array([mx.iinfo(mx.int64).min])
    assert (low // -1).dtype is mx.int64 and (low % -1).tolist() == [0]


def test_shapes_that_do_not_broadcast():
    with pytest.raises(ValueError, match=r"\[add\] .*\(2,\).*\(3,\)"):
        mx.zeros(2) + mx.zeros(3)
    with pytest.raises(ValueError, match=r"\[equal\]"):
        _ = mx.zeros(2) == mx.zeros(3)


# --- in place -------------------------------------------------------------------------------------

IN_PLACE = [
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv,
    operator.imod, operator.ipow,
]  # fmt: skip
IN_PLACE_BITS = [
    operator.iand, operator.ior, operator.ixor, operator.ilshift, operator.irshift,
]  # fmt: skip


@pytest.mark.parametrize("op", IN_PLACE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("other", [2, 2.0, [2.0, 3.0, 4.0]])
def test_in_place(op, other):
    expected = np.array([5.0, 6.0, 7.0], "f4")
    x = mx.array(expected)
    alias, before = x, x + 0
    y = op(x, mx.array(other) if isinstance(other, list) else other)
    expected = op(expected, np.array(other, "f4"))
    assert y is x is alias
    np.testing.assert_allclose(np.asarray(alias), expected, rtol=1e-6)
    assert before.tolist() == [5, 6, 7]


@pytest.mark.parametrize("op", IN_PLACE_BITS, ids=lambda f: f.__name__)
def test_bits_in_place(op):
    x = mx.array([5, 6])
    y = op(x, 1)
    assert y is x and x.tolist() == op(np.array([5, 6]), 1).tolist()


@pytest.mark.parametrize(
    ("dtype", "other"),
    [
        (mx.int32, 1.5),
        (mx.int32, mx.array([1.0])),
        (mx.float32, 1j),
        (mx.uint8, mx.array([1], dtype=mx.int8)),
        (mx.bool_, 1),
        (mx.bool_, mx.array([1])),
        (mx.int8, np.array([1.0])),
    ],
)
def test_in_place_keeps_the_kind(dtype, other):
    x = mx.ones(1, dtype)
    with pytest.raises(TypeError, match=r"\[add\] the result does not fit in place: got .* x = x"):
        x += other
    assert x.dtype is dtype and x.tolist() == [1]


def test_in_place_keeps_dtype_and_shape():
    x = mx.ones(2, mx.float16)
    x += mx.ones(2, mx.float64)
    assert x.dtype is mx.float16
    x = mx.ones(2, mx.int8)
    x += mx.array([100, 200])
    assert x.dtype is mx.int8
    with pytest.raises(ValueError, match=r"the shape would change in place: got \(3, 2\)"):
        x += mx.ones((3, 1), mx.int8)
    with pytest.raises(TypeError, match="does not fit in place"):
        x /= 2
    with pytest.raises(TypeError):
        x += None
    with pytest.raises(OverflowError):
        x += 1000
    assert x.tolist() == [101, -55]


def test_numpy_in_place():
    x = np.array([1.0, 2.0])
    y = x
    x += mx.array([1.0, 1.0])
    assert np.asarray(x).tolist() == [2, 3]
    assert np.asarray(y).tolist() in ([1, 2], [2, 3])


# --- matrix product -------------------------------------------------------------------------------


def test_matmul():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    x, y = mx.array(a), mx.array(b)
    for result in (x @ y, x @ b.astype("f4"), a.astype("f4") @ y):
        assert isinstance(result, mx.array)
        np.testing.assert_allclose(np.asarray(result), a @ b)
    square = mx.array([[1.0, 1.0], [0.0, 1.0]])
    alias = square
    square @= square
    assert alias.tolist() == [[1, 2], [0, 1]]
    with pytest.raises((TypeError, ValueError)):
        x @ 2
    with pytest.raises(ValueError, match=r"\[matmul\]"):
        y @ x
