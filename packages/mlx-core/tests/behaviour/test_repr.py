"""Arrays as text."""

from __future__ import annotations

import mlx.core as mx
import pytest


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (mx.array([1, 2, 3]), "array([1, 2, 3], dtype=int32)"),
        (mx.array(3.5), "array(3.5, dtype=float32)"),
        (mx.array([]), "array([], dtype=float32)"),
        (mx.zeros((2, 0)), "array([[],\n       []], dtype=float32)"),
        (mx.array([True, False]), "array([True, False], dtype=bool)"),
        (mx.array([1.5, 2], dtype=mx.bfloat16), "array([1.5, 2], dtype=bfloat16)"),
        (mx.array([1.5], dtype=mx.float16), "array([1.5], dtype=float16)"),
        (
            mx.array([0.1, 1e7, 1234567.0, 1e-10, mx.nan, -mx.inf]),
            "array([0.1, 1e+07, 1.23457e+06, 1e-10, nan, -inf], dtype=float32)",
        ),
        (mx.array([1 + 2j, -0.5 - 1j]), "array([1+2j, -0.5-1j], dtype=complex64)"),
        (mx.array([2**64 - 1]), "array([18446744073709551615], dtype=uint64)"),
        (mx.array([[1, 2], [3, 4]]), "array([[1, 2],\n       [3, 4]], dtype=int32)"),
        (mx.array([[1, 2], [3, 4]]).T, "array([[1, 3],\n       [2, 4]], dtype=int32)"),
        (
            mx.array([[[1], [2]], [[3], [4]]]),
            "array([[[1],\n        [2]],\n       [[3],\n        [4]]], dtype=int32)",
        ),
        (mx.array(list(range(6))), "array([0, 1, 2, 3, 4, 5], dtype=int32)"),
        (mx.array(list(range(7))), "array([0, 1, 2, ..., 4, 5, 6], dtype=int32)"),
        (mx.array(list(range(100)))[::-1], "array([99, 98, 97, ..., 2, 1, 0], dtype=int32)"),
        (
            mx.array([[i] for i in range(8)]),
            "array([[0],\n       [1],\n       [2],\n       ...,\n       [5],\n       [6],\n"
            "       [7]], dtype=int32)",
        ),
        (mx.array([1, 2]) + 1, "array([2, 3], dtype=int32)"),
    ],
)
def test_repr(x, text):
    assert repr(x) == str(x) == text
    assert f"{x}" == text


def test_large_arrays_are_quick():
    assert repr(mx.zeros((10_000, 1000))).count("\n") == 6


def test_format():
    x = mx.array(3.14159)
    assert f"{x:.2f}" == "3.14"
    assert f"{mx.array([42]):05d}" == "00042"
    with pytest.raises(TypeError, match=r"\[format\] a format needs one element"):
        f"{mx.array([1, 2]):.2f}"
    with pytest.raises(ValueError):
        f"{x:d}"


def test_print_options():
    x = mx.array([1.23456, 123456.789, 2.0])
    with mx.printoptions(precision=2) as options:
        assert options.precision == 2
        assert repr(x) == "array([1.23, 123456.79, 2.00], dtype=float32)"
        with mx.printoptions(precision=0):
            assert repr(x) == "array([1, 123457, 2], dtype=float32)"
        assert mx.get_printoptions().precision == 2
    assert repr(x) == "array([1.23456, 123457, 2], dtype=float32)"
    mx.set_printoptions(precision=1)
    try:
        assert repr(mx.array(1 + 2j)) == "array(1.0+2.0j, dtype=complex64)"
        assert repr(mx.get_printoptions()) == "PrintOptions(precision=1)"
    finally:
        mx.set_printoptions()
    assert mx.get_printoptions().precision == -1
    assert mx.PrintOptions(precision=3).precision == 3


@pytest.mark.parametrize("precision", [-2, 18, 10**6])
def test_bad_precision(precision):
    for function in (mx.set_printoptions, mx.printoptions, mx.PrintOptions):
        with pytest.raises(ValueError, match="unusable precision"):
            function(precision=precision)
    assert mx.get_printoptions().precision == -1


def test_options_survive_exceptions():
    with pytest.raises(KeyError), mx.printoptions(precision=1):
        raise KeyError
    assert mx.get_printoptions().precision == -1


def test_other_objects():
    assert repr(mx.cpu) == "DeviceType.cpu"
    assert repr(mx.Device(mx.cpu)) == "Device(cpu, 0)"
    assert repr(mx.default_stream(mx.cpu)) == "Stream(Device(cpu, 0), 0)"


def test_an_argument_of_a_trace():
    texts = []
    mx.vmap(lambda x: (texts.append(repr(x)), x)[1])(mx.ones((2, 3)))
    assert texts == ["array(<of a trace>, shape=(3,), dtype=float32)"]
