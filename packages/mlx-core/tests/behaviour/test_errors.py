"""Which exception a mistake raises, and that its message says op, what was given and wanted."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest

UNARY = [op["function"] for op in mx.ops() if op["function"] and len(op["inputs"]) == 1]
BINARY = [op["function"] for op in mx.ops() if op["function"] and len(op["inputs"]) == 2]


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("wrong", [None, "text", object(), {}], ids=lambda w: type(w).__name__)
def test_unary_functions_of_no_array(name, wrong):
    function = getattr(mx, name)
    with pytest.raises(TypeError, match=rf"^\[{name}\] .*got {type(wrong).__name__}; expected an"):
        function(wrong)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("wrong", [None, "text", object(), {}], ids=lambda w: type(w).__name__)
def test_binary_functions_of_no_array(name, wrong):
    function = getattr(mx, name)
    for arguments in ((wrong, 1), (mx.array(1), wrong)):
        with pytest.raises(TypeError, match=rf"^\[{name}\] .*got {type(wrong).__name__}; expected"):
            function(*arguments)


@pytest.mark.parametrize("name", UNARY + BINARY)
def test_wrong_number_of_arguments(name):
    function = getattr(mx, name)
    for arguments in ((), (1, 1, None, None, 1)):
        with pytest.raises(TypeError, match=r"incompatible function arguments(.|\n)*" + name):
            function(*arguments)
    with pytest.raises(TypeError):
        function(1, 1, nonsense=3)
    with pytest.raises(TypeError, match="stream: StreamOrDevice"):
        function(*[mx.array(1)] * (2 if name in BINARY else 1), stream="cpu")


@pytest.mark.parametrize("name", BINARY)
def test_shapes_that_do_not_broadcast(name):
    accepted = next(op["accepts"] for op in mx.ops() if op["function"] == name)
    a, b = mx.zeros((2, 3), accepted[0]), mx.zeros((2, 4), accepted[0])
    with pytest.raises(ValueError, match=rf"^\[{name}\] .*\(2, 3\).*\(2, 4\)"):
        getattr(mx, name)(a, b)


@pytest.mark.parametrize("op", [op for op in mx.ops() if op["function"]], ids=lambda op: op["name"])
def test_refused_dtypes(op):
    if op["integers"] == "to_bool":
        return
    for name in ("bool", "int32", "float32", "complex64"):
        dtype = getattr(mx, name)
        if op["integers"] == "to_inexact" and name in ("bool", "int32"):
            continue
        if dtype in op["accepts"]:
            continue
        arguments = [mx.ones(2, dtype)] * len(op["inputs"])
        with pytest.raises(TypeError, match=rf"^\[{op['function']}\] unusable dtype: got {name}"):
            getattr(mx, op["function"])(*arguments)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: x.sum(axis=2), IndexError, r"\[sum\] .*2"),
        (lambda x: x.sum(axis=-3), IndexError, r"\[sum\] .*-3"),
        (lambda x: x.sum(axis=(0, 0)), ValueError, r"\[sum\] "),
        (lambda x: mx.max(mx.zeros((0, 2))), ValueError, r"\[max\] "),
        (lambda x: x.sum(axis="a"), TypeError, "incompatible function arguments"),
        (lambda x: x.sum(axis=1.5), TypeError, "incompatible function arguments"),
        (lambda x: mx.var(x, ddof=1, correction=1), ValueError, r"\[var\] two corrections"),
        (lambda x: x.astype("float32"), TypeError, "incompatible function arguments"),
        (lambda x: x.astype(np.float32), TypeError, "incompatible function arguments"),
        (lambda x: x[2], IndexError, "2"),
        (lambda x: x[0, 0, 0], IndexError, "got"),
        (lambda x: x["a"], TypeError, r"\[index\] unusable index: got str"),
        (lambda x: x[1.0], TypeError, r"\[index\] unusable index: got float"),
        (lambda x: x[2**70], IndexError, "index-sized integer"),
        (lambda x: x[0:"a"], TypeError, r"\[index\] unusable bound of a slice: got str"),
        (lambda x: x[::0], ValueError, "step"),
        (lambda x: x[mx.array([0.5])], (TypeError, IndexError), "float32"),
        (
            lambda x: x.__setitem__(0, 1.5j),
            TypeError,
            r"\[index\] a complex number in a real array",
        ),
        (lambda x: x.__setitem__(0, [1j]), TypeError, r"\[index\] the value does not fit"),
        (lambda x: x.__setitem__((0, 0), "a"), TypeError, r"\[index\] .*got str"),
        (lambda x: x.__setitem__(0, [1, 2, 3]), ValueError, r"\(3,\)"),
        (lambda x: x.__delitem__(0), TypeError, "cannot be deleted"),
        (lambda x: x.no_such_attribute, AttributeError, "no_such_attribute"),
        (lambda x: mx.no_such_function, AttributeError, "no_such_function"),
        (lambda x: mx.sin(x, stream=mx.gpu), ValueError, "no such device: got Device"),
        (lambda x: mx.array([1], stream=None), TypeError, "incompatible"),
    ],
)
def test_mistakes(call, error, message):
    with pytest.raises(error, match=message):
        call(mx.zeros((2, 2)))


def test_integers_into_an_integer_array():
    x = mx.zeros(2, mx.uint8)
    with pytest.raises(OverflowError, match="got 256"):
        x[0] = 256
    x[0] = 255.5  # cut off, as by numpy
    assert x.tolist() == [255, 0]


def test_wide_values_keep_their_precision_when_written():
    x = mx.zeros(2, mx.float64)
    x[0] = 1 / 3
    x[1:] = np.array([1 / 7])
    assert x.tolist() == [1 / 3, 1 / 7]


def test_an_allocation_that_cannot_be_had():
    with pytest.raises(MemoryError, match=r"\d{12}"):
        mx.eval(mx.zeros((2**20, 2**20), mx.float64) + 1)
    with pytest.raises((MemoryError, OverflowError, ValueError)):
        mx.eval(mx.zeros((2**40, 2**40)) + 1)
    assert (mx.array([1]) + 1).item() == 2


def test_exceptions_of_python_pass_through_unchanged():
    class Special(Exception):
        pass

    class Bad:
        def __dlpack__(self, **keywords):
            raise Special("mine")

    with pytest.raises(Special, match="mine"):
        mx.array(Bad())

    class BadIndex:
        def __index__(self):
            raise Special("index")

    with pytest.raises(Special, match="index"):
        mx.zeros(3)[BadIndex()]


def test_names_that_apple_has_and_we_have_not():
    for name in ("metal", "fast", "distributed", "cuda", "quantize", "set_wired_limit"):
        if not hasattr(mx, name):
            with pytest.raises(AttributeError, match=name):
                getattr(mx, name)
