"""Arrays from Python numbers and nested sequences."""

from __future__ import annotations

import enum
import math
from collections import deque
from fractions import Fraction

import mlx.core as mx
import numpy as np
import pytest

DTYPES = [
    mx.bool_, mx.uint8, mx.uint16, mx.uint32, mx.uint64, mx.int8, mx.int16, mx.int32, mx.int64,
    mx.float16, mx.bfloat16, mx.float32, mx.float64, mx.complex64, mx.complex128,
]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (True, mx.bool_),
        (3, mx.int32),
        (2**31 - 1, mx.int32),
        (-(2**31), mx.int32),
        (2**31, mx.int64),
        (-(2**63), mx.int64),
        (2**63, mx.uint64),
        (2**64 - 1, mx.uint64),
        (2.5, mx.float32),
        (1 + 2j, mx.complex64),
    ],
)
def test_number(value, dtype):
    x = mx.array(value)
    assert x.dtype is dtype
    assert x.shape == ()
    assert x.item() == value
    assert type(x.item()) is type(value)


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, 10**400])
def test_integer_beyond_64_bits(value):
    with pytest.raises(OverflowError, match=r"\[array\] a Python integer does not fit: got "):
        mx.array(value)
    with pytest.raises(OverflowError):
        mx.array([0, value])


def test_integer_too_long_to_print():
    with pytest.raises(OverflowError, match="thousands of digits"):
        mx.array(10**5000)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(256, mx.uint8), (-1, mx.uint8), (-1, mx.uint64), (128, mx.int8), (2**31, mx.int32)],
)
def test_integer_beyond_the_given_dtype(value, dtype):
    with pytest.raises(OverflowError, match=f"got {value}; expected a value in .* of {dtype.name}"):
        mx.array(value, dtype=dtype)
    with pytest.raises(OverflowError):
        mx.array([1, value], dtype=dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_given_dtype(dtype):
    x = mx.array([0, 1, 1], dtype=dtype)
    assert x.dtype is dtype
    assert x.tolist() == [0, 1, 1]
    assert mx.array(1, dtype=dtype).item() == 1


def test_float_as_integer_is_truncated():
    assert mx.array([2.7, -2.7], dtype=mx.int32).tolist() == [2, -2]
    assert mx.array(2.0**63, dtype=mx.uint64).item() == 2**63


@pytest.mark.parametrize(
    ("value", "dtype", "error"),
    [
        (math.nan, mx.int32, ValueError),
        (math.inf, mx.int32, OverflowError),
        (2.0**31, mx.int32, OverflowError),
        (2.0**63, mx.int64, OverflowError),
        (2.0**64, mx.uint64, OverflowError),
        (-1.0, mx.uint8, OverflowError),
        (1j, mx.float32, TypeError),
        (1j, mx.int8, TypeError),
        (10**400, mx.float64, OverflowError),
    ],
)
def test_number_that_the_dtype_cannot_hold(value, dtype, error):
    with pytest.raises(error, match=r"^\[array\] "):
        mx.array(value, dtype=dtype)
    with pytest.raises(error, match=r"^\[array\] "):
        mx.array([value], dtype=dtype)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([], mx.float32),
        ([[]], mx.float32),
        ([True, False], mx.bool_),
        ([True, 2], mx.int32),
        ([1, 2], mx.int32),
        ([1, 2**40], mx.int64),
        ([1, 2**63], mx.uint64),
        ([1, 2.5], mx.float32),
        ([2**40, 2.5], mx.float32),
        ([1, 2.5, 1j], mx.complex64),
        ([[[1], [2]], [[3], [4]]], mx.int32),
        ((1, (2), 3), mx.int32),
        ([(1, 2), [3, 4]], mx.int32),
        (range(5), mx.int32),
        (deque([1, 2]), mx.int32),
    ],
)
def test_sequence(value, dtype):
    x = mx.array(value)
    expected = np.array(list(value) if isinstance(value, (deque, range)) else value)
    assert x.dtype is dtype
    assert x.shape == expected.shape
    np.testing.assert_array_equal(np.array(x.tolist(), dtype=expected.dtype), expected)


def test_negative_integers_beside_ones_beyond_int64():
    with pytest.raises(OverflowError):
        mx.array([-1, 2**63])


def test_enums_are_integers():
    class Colour(enum.IntEnum):
        red = 7

    assert mx.array([Colour.red, 1]).tolist() == [7, 1]


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ([[1, 2], [3]], r"got length 1 at \[1\]; expected 2"),
        ([[1], [2, 3]], r"got length 2 at \[1\]; expected 1"),
        ([[], [1]], r"got length 1 at \[1\]; expected 0"),
        ([1, [2]], r"got list at \[1\]; expected a number"),
        ([[1], 2], r"got int at \[1\]; expected a sequence"),
        ([[[1, 2], [3, 4]], [[5, 6], [7]]], r"got length 1 at \[1\]\[1\]; expected 2"),
        ([[[1]], [2]], r"got int at \[1\]\[0\]; expected a sequence"),
        ([[1, 2], (3, 4, 5)], r"got length 3 at \[1\]"),
        ([mx.array([1, 2]), mx.array([1])], r"got shape \(1,\) at \[1\]; expected \(2,\)"),
        ([mx.array([1, 2]), 3], r"got shape \(\) at \[1\]; expected \(2,\)"),
    ],
)
def test_ragged_sequence(value, where):
    with pytest.raises(ValueError, match=r"^\[array\] a ragged sequence: " + where):
        mx.array(value)


def test_a_sequence_that_holds_itself():
    endless: list = []
    endless.append(endless)
    with pytest.raises(ValueError, match="too many nested sequences"):
        mx.array(endless)


@pytest.mark.parametrize("value", ["abc", None, object(), {"a": 1}, {1, 2}, Fraction(1, 2), int])
def test_no_array_can_be_made_of(value):
    with pytest.raises(TypeError, match=r"^\[array\] .*got .*" + type(value).__name__):
        mx.array(value)
    with pytest.raises(TypeError, match=r"^\[array\] "):
        mx.array([1, value])


@pytest.mark.parametrize("value", [[1, "a"], [[1], ["a"]]])
def test_text_in_a_sequence_says_where(value):
    with pytest.raises(TypeError, match=r"got str; expected a number, a sequence or an array"):
        mx.array(value)


def test_sequence_of_arrays():
    a, b = mx.array([1, 2]), mx.array([3.5, 4.5], dtype=mx.float16)
    x = mx.array([a, b])
    assert x.dtype is mx.float16
    assert x.tolist() == [[1, 2], [3.5, 4.5]]
    assert mx.array([a, [5, 6]]).tolist() == [[1, 2], [5, 6]]
    assert mx.array([a[0], 7]).tolist() == [1, 7]
    assert mx.array([[a[0], 7], [8, a[1]]]).tolist() == [[1, 7], [8, 2]]
    assert mx.array([np.array([1, 2]), [3, 4]], dtype=mx.float64).dtype is mx.float64
    # Numbers take the dtype of the arrays beside them.
    assert mx.array([b[0], 1.25]).dtype is mx.float16


def test_derivatives_flow_into_sequences():
    def f(x):
        return (mx.array([x, 2 * x, 1.0]) * mx.array([1.0, 10.0, 100.0])).sum()

    assert mx.grad(f)(mx.array(1.0)).item() == 21


def test_array_of_an_array():
    a = mx.array([1, 2, 3])
    b = mx.array(a)
    b += 1
    assert a.tolist() == [1, 2, 3]
    assert mx.array(a, dtype=mx.float16).dtype is mx.float16


def test_keyword_and_position():
    assert mx.array(val=[1], dtype=mx.int8).dtype is mx.array([1], mx.int8).dtype
    with pytest.raises(TypeError):
        mx.array()
    with pytest.raises(TypeError, match="incompatible function arguments"):
        mx.array([1], dtype=float)


def test_large_sequences():
    values = [0.5 * i for i in range(200_000)]
    x = mx.array(values)
    assert x.shape == (200_000,)
    assert x[123_456].item() == 61728
    assert mx.array([[i, -i] for i in range(10_000)])[-1].tolist() == [9999, -9999]
