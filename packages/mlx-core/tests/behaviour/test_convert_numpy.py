"""Arrays from and to numpy, the buffer protocol and other array protocols."""

from __future__ import annotations

import array as python_array
import gc
import io
import subprocess
import sys
import weakref

import ml_dtypes
import mlx.core as mx
import numpy as np
import pytest

NAMES = [
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
NARROWED = {"float64": "float32", "complex128": "complex64"}


def sample(name: str, shape=(3, 4)) -> np.ndarray:
    rng = np.random.default_rng(7)
    if name == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    x = rng.normal(size=shape) * 50
    if name.startswith("complex"):
        x = x + 1j * rng.normal(size=shape)
    return (np.abs(x) if name.startswith("u") else x).astype(name)


def layouts(x: np.ndarray):
    """The same values in memory in many ways."""
    yield x
    yield np.asfortranarray(x)
    yield np.repeat(x, 2, axis=1)[:, ::2]
    yield x[::-1, ::-1].copy()[::-1, ::-1]
    yield x.T.copy().T
    padded = np.zeros((x.shape[0] + 2, x.shape[1] + 3), x.dtype)
    padded[1:-1, 2:-1] = x
    yield padded[1:-1, 2:-1]
    yield x.astype(x.dtype.newbyteorder(">"))
    yield x.astype(x.dtype.newbyteorder(">")).T.copy().T
    packed = np.zeros(x.shape, np.dtype([("gap", "u1"), ("value", x.dtype)]))
    packed["value"] = x
    yield packed["value"]  # strides that are no multiple of the item size
    frozen = x.copy()
    frozen.flags.writeable = False
    yield frozen


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("convert", [mx.array, mx.asarray], ids=["array", "asarray"])
def test_every_layout(name, convert):
    x = sample(name)
    for layout in layouts(x):
        np.testing.assert_array_equal(layout, x)
        kept = convert(layout, dtype=getattr(mx, name))
        assert kept.dtype is getattr(mx, name)
        np.testing.assert_array_equal(np.asarray(kept), x)


@pytest.mark.parametrize("name", NAMES)
def test_dtypes(name):
    x = sample(name)
    assert mx.array(x).dtype is getattr(mx, NARROWED.get(name, name))
    np.testing.assert_array_equal(np.asarray(mx.array(x)), x.astype(NARROWED.get(name, name)))
    assert mx.asarray(x).dtype is getattr(mx, name)
    assert mx.array(x, dtype=mx.float16).dtype is mx.float16


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (1, 1, 5)])
def test_shapes(shape):
    x = np.ones(shape, np.float64)
    for y in (mx.array(x), mx.asarray(x), mx.array(x, dtype=mx.float64)):
        assert y.shape == shape
        np.testing.assert_array_equal(np.asarray(y), x)


@pytest.mark.parametrize("name", NAMES)
def test_numpy_scalars(name):
    x = sample(name, (1,))[0]
    y = mx.array(x)
    assert y.shape == ()
    assert y.dtype is getattr(mx, NARROWED.get(name, name))
    assert y.item() == x.astype(NARROWED.get(name, name)).item()


def test_numpy_scalars_in_sequences():
    assert mx.array([np.int64(1), np.int64(2)]).dtype is mx.int64
    assert mx.array([np.float16(1), 2.5]).dtype is mx.float16
    assert mx.array([np.float64(1.5), 2]).dtype is mx.float32
    assert mx.array([np.bool_(True), False]).tolist() == [True, False]
    assert mx.array([[np.uint8(200)], [np.int8(-1)]]).tolist() == [[200], [-1]]


def test_array_copies():
    for x in (np.zeros(3, "f4"), np.zeros(3), np.zeros(3, "i8")):
        y = mx.array(x)
        x[:] = 1
        assert y.tolist() == [0, 0, 0]


def test_asarray_shares():
    x = np.zeros((2, 3), "f4")
    for view in (x, x.T, x[::-1], x[:, ::2], x[:0]):
        y = mx.asarray(view)
        again = np.asarray(y)
        np.testing.assert_array_equal(again, view)
        assert np.shares_memory(again, x) == (view.size > 0)
    y = mx.asarray(x)
    x[0, 0] = 5
    assert y[0, 0].item() == 5
    copied = mx.asarray(x, copy=True)
    x[0, 0] = 6
    assert copied[0, 0].item() == 5


def test_asarray_copy_false():
    x = np.zeros(3, "f4")
    assert np.shares_memory(np.asarray(mx.asarray(x, copy=False)), x)
    for wrong, why in [
        ([1, 2], "for list"),
        (1.5, "for float"),
        (x.astype(">f4"), "swapped bytes"),
        (np.zeros(9, "u1")[1:].view("f4"), "unaligned"),
    ]:
        with pytest.raises(ValueError, match=r"\[asarray\] the memory cannot be shared: .*" + why):
            mx.asarray(wrong, copy=False)
    with pytest.raises(ValueError, match="another dtype"):
        mx.asarray(x, dtype=mx.int32, copy=False)


def test_asarray_of_an_array():
    a = mx.array([1, 2])
    assert np.shares_memory(np.asarray(mx.asarray(a)), np.asarray(a))
    assert mx.asarray(a, dtype=mx.int8).dtype is mx.int8
    assert mx.asarray(a, copy=False).tolist() == [1, 2]
    with pytest.raises(ValueError, match="copy=False"):
        mx.asarray(a, dtype=mx.int8, copy=False)
    shared = np.array([1, 2])
    borrowed = mx.asarray(shared)
    copied = mx.asarray(borrowed, copy=True)
    shared[:] = 9
    assert borrowed.tolist() == [9, 9] and copied.tolist() == [1, 2]


def test_shared_memory_is_never_written():
    x = np.ones(1000, "f4")
    y = mx.asarray(x)
    y += 1
    z = mx.asarray(x)
    z[0] = 7
    mx.eval(y, z, mx.asarray(x) * 3)
    np.testing.assert_array_equal(x, np.ones(1000))


def test_shared_memory_lives_as_long_as_needed():
    class Owner(np.ndarray):
        pass

    x = np.arange(1000.0).view(Owner)
    gone = weakref.ref(x)
    y = mx.asarray(x)
    lazy = y * 2
    del x, y
    gc.collect()
    assert gone() is not None
    assert lazy[3].item() == 6
    mx.eval(lazy)
    gc.collect()
    assert gone() is None


def test_an_array_outlives_its_name():
    x = np.asarray(mx.array([1.0, 2.0]) * 2)
    gc.collect()
    churn = [mx.array([float(i)] * 2) + 1 for i in range(100)]
    mx.eval(churn)
    assert x.tolist() == [2, 4]


def test_numpy_sees_the_same_memory_and_may_not_write():
    a = mx.array([1, 2, 3])
    x = np.asarray(a)
    assert not x.flags.writeable
    assert np.shares_memory(x, np.asarray(a))
    assert np.array(a).flags.writeable
    assert not np.shares_memory(np.array(a), x)
    with pytest.raises(ValueError):
        x[0] = 5
    a += 1  # the name gets another value, numpy keeps the old one
    assert x.tolist() == [1, 2, 3]


@pytest.mark.parametrize("name", NAMES)
def test_round_trip_through_the_buffer(name):
    x = sample(name)
    a = mx.array(x, dtype=getattr(mx, name))
    for view, expected in ((a, x), (a.T, x.T), (a[::2, 1:], x[::2, 1:]), (a[1, 2], x[1, 2])):
        result = np.asarray(view)
        assert result.dtype == x.dtype
        np.testing.assert_array_equal(result, expected)
        exported = memoryview(view)
        assert exported.readonly and exported.shape == expected.shape
        assert exported.itemsize == x.itemsize


def test_plain_bytes_are_for_bytes():
    assert bytes(mx.array([1, 256], dtype=mx.uint16)) == b"\x01\x00\x00\x01"
    assert bytes(mx.array([[1, 2], [3, 4]], dtype=mx.uint8).T) == b"\x01\x03\x02\x04"
    assert memoryview(mx.array([1, 2], dtype=mx.int16)).tolist() == [1, 2]
    assert np.frombuffer(memoryview(mx.array([1, 2])), "i4").tolist() == [1, 2]
    with pytest.raises(BufferError, match="plain bytes were asked for"):
        io.BytesIO().write(mx.array([1.5]))
    assert b"".join([mx.array([65, 66], dtype=mx.uint8)]) == b"AB"
    with pytest.raises((BufferError, TypeError)):
        memoryview(mx.array([1.0], dtype=mx.bfloat16))


def test_array_method():
    a = mx.array([1, 2])
    assert a.__array__().dtype == np.int32
    assert a.__array__(dtype=np.float64).tolist() == [1.0, 2.0]
    assert a.__array__(copy=True).flags.writeable
    assert np.asarray(a, dtype=complex).dtype == complex
    assert np.array(mx.array(3.5)).shape == ()


def test_bfloat16():
    x = np.array([1.5, -2, 3e38], ml_dtypes.bfloat16)
    a = mx.array(x)
    assert a.dtype is mx.bfloat16
    assert a.tolist() == x.astype(float).tolist()
    assert mx.array(x[::2]).tolist() == x[::2].astype(float).tolist()
    assert np.asarray(a).dtype == np.float32
    np.testing.assert_array_equal(np.asarray(a), x.astype("f4"))
    with pytest.raises(ValueError, match="no bfloat16"):
        a.__array__(copy=False)


def test_buffers_of_other_kinds():
    assert mx.array(b"abc").tolist() == [97, 98, 99]
    assert mx.array(bytearray(b"ab")).dtype is mx.uint8
    assert mx.array(python_array.array("d", [1.5])).dtype is mx.float32
    assert mx.array(python_array.array("q", [2**40])).tolist() == [2**40]
    assert mx.array(memoryview(b"abcd").cast("H")).dtype is mx.uint16


class HasInterface:
    def __init__(self, x: np.ndarray) -> None:
        self.x = x

    @property
    def __array_interface__(self):
        return self.x.__array_interface__


class HasArray:
    def __init__(self, result) -> None:
        self.result = result

    def __array__(self, dtype=None, copy=None):
        return self.result


def test_other_protocols():
    x = np.arange(12, dtype="i2").reshape(3, 4)[:, ::2]
    assert mx.array(HasInterface(x)).tolist() == x.tolist()
    assert mx.array(HasInterface(x.astype(">i2"))).tolist() == x.tolist()
    assert mx.array(HasArray(x)).tolist() == x.tolist()
    with pytest.raises(TypeError, match=r"\[array\]"):
        mx.array(HasArray("text"))


@pytest.mark.parametrize(
    "wrong",
    [
        np.array(["a"]),
        np.array([1], dtype=object),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.zeros(2, dtype=[("a", "i4")]),
        np.zeros(2, dtype=np.longdouble),
        np.datetime64("2020-01-01"),
        np.str_("a"),
        np.array([b"a"]),
    ],
    ids=lambda x: str(x.dtype),
)
def test_numpy_dtypes_that_do_not_exist_here(wrong):
    with pytest.raises(TypeError, match=r"^\[array\] "):
        mx.array(wrong)


def test_the_engine_does_not_import_numpy():
    code = (
        "import sys, mlx.core as mx; x = mx.array([1.5, 2]) + 1; x.tolist(); repr(x); bytes(x);"
        "x == None; x == 'a'; mx.array([x, x]); x[0]; memoryview(x);"
        "mx.from_dlpack(x); mx.asarray(memoryview(x)); sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
