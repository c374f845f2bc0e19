"""Arrays as Python numbers and containers, and Python's own protocols."""

from __future__ import annotations

import copy
import math
import operator
import pickle

import mlx.core as mx
import numpy as np
import pytest

DTYPES = [
    mx.bool_, mx.uint8, mx.uint16, mx.uint32, mx.uint64, mx.int8, mx.int16, mx.int32, mx.int64,
    mx.float16, mx.bfloat16, mx.float32, mx.float64, mx.complex64, mx.complex128,
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
def test_item_and_tolist(dtype):
    x = mx.array([[0, 1], [1, 0]], dtype=dtype)
    kind = type(x[0, 1].item())
    assert kind is {"b": bool, "i": int, "u": int, "f": float, "c": complex}[dtype.kind]
    assert x.tolist() == [[0, 1], [1, 0]]
    assert all(type(v) is kind for row in x.tolist() for v in row)
    assert mx.array([[[3]]], dtype=dtype).item() == (3 if dtype is not mx.bool_ else True)


def test_tolist_of_views():
    x = mx.array(np.arange(24).reshape(2, 3, 4))
    for view in (x, x.T, x[:, ::-1, ::2], x[1, 2], x[:0], x[1, 2, 3]):
        assert view.tolist() == np.asarray(view).tolist()
    assert mx.zeros((2, 0)).tolist() == [[], []]


@pytest.mark.parametrize("shape", [(2,), (0,), (1, 2)])
def test_not_one_element(shape):
    x = mx.ones(shape)
    for function in (mx.array.item, bool, int, float, complex):
        with pytest.raises(ValueError, match=r"got.* shape \("):
            function(x)


def test_conversion():
    assert bool(mx.array([[2]])) is True and bool(mx.array(0.0)) is False
    assert bool(mx.array(mx.nan)) is True
    assert int(mx.array(-2.7)) == -2
    assert int(mx.array(2**64 - 1)) == 2**64 - 1
    assert float(mx.array(3)) == 3.0 and type(float(mx.array(True))) is float
    assert complex(mx.array(1 + 2j)) == 1 + 2j and complex(mx.array(2)) == 2
    assert math.sqrt(mx.array(4.0)) == 2
    for function in (int, float):
        with pytest.raises(TypeError):
            function(mx.array(1j))
    with pytest.raises(ValueError):
        int(mx.array(mx.nan))
    with pytest.raises(OverflowError):
        int(mx.array(mx.inf))


def test_index():
    assert operator.index(mx.array(3)) == 3
    assert [10, 20, 30][mx.array(1, dtype=mx.uint8)] == 20
    assert list(range(mx.array(2))) == [0, 1]
    assert "ab" * mx.array(2).item() == "abab"
    for wrong in (mx.array(1.0), mx.array([1]), mx.array(True)):
        with pytest.raises(TypeError, match=r"\[index\] no index"):
            operator.index(wrong)


def test_round():
    assert round(mx.array([1.5, 2.5])).tolist() == [2, 2]
    assert round(mx.array(1.26), 1).item() == pytest.approx(1.3)
    assert mx.round(mx.array([125, 135]), decimals=-1).tolist() == [120, 140]
    assert mx.round(mx.array([125, 135]), decimals=2).tolist() == [125, 135]
    assert mx.array([1.25]).round(1).tolist() == pytest.approx([1.2])
    assert round(mx.array([1.5]), None).dtype is mx.float32


def test_other_builtins():
    x = mx.array([-1.5, 2.0])
    assert abs(x).tolist() == [1.5, 2]
    assert divmod(mx.array([7, -7]), 2)[0].tolist() == [3, -4]
    assert divmod(7, mx.array([2.0]))[1].tolist() == [1]
    assert pow(mx.array([2, 3]), 2).tolist() == [4, 9]
    with pytest.raises(TypeError, match=r"\[power\] no third argument"):
        pow(mx.array([2]), 2, 5)
    assert sum(mx.array([1, 2, 3])).item() == 6
    assert max(mx.array([1, 3, 2])).item() == 3
    assert sorted(mx.array([3, 1, 2]), key=float)[0].item() == 1


def test_length_and_iteration():
    x = mx.array([[1, 2], [3, 4], [5, 6]])
    assert len(x) == 3
    assert [row.tolist() for row in x] == x.tolist()
    a, b, c = x
    assert b.tolist() == [3, 4]
    iterator = iter(x)
    assert iter(iterator) is iterator
    assert next(iterator).tolist() == [1, 2]
    assert list(mx.zeros((0, 2))) == []
    for function in (len, iter, list):
        with pytest.raises(TypeError, match="without axes"):
            function(mx.array(1))
    assert (3 in mx.array([1, 2, 3])) is True
    assert (7 in mx.array([1, 2, 3])) is False
    assert [v.item() for v in reversed(mx.array([1, 2]))] == [2, 1]


def test_hash_is_identity():
    a, b = mx.array([1]), mx.array([1])
    assert hash(a) == hash(a) != hash(b)
    assert {a: 1, b: 2}[a] == 1
    before = hash(a)
    a += 1
    assert hash(a) == before


@pytest.mark.parametrize("value", [True, -3, 2.5, 1 + 2j])
def test_a_0d_array_hashes_as_its_number(value):
    assert hash(mx.array(value)) == hash(value)
    assert mx.array(value) in {value}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_pickle(dtype, protocol):
    x = mx.array([[0, 1, 1], [1, 0, 1]], dtype=dtype).T
    y = pickle.loads(pickle.dumps(x, protocol))
    assert y.dtype is dtype and y.shape == (3, 2)
    assert y.tolist() == x.tolist()
    assert pickle.loads(pickle.dumps(mx.zeros((0, 3), dtype), protocol)).shape == (0, 3)
    assert pickle.loads(pickle.dumps(mx.array(1, dtype=dtype) + 0, protocol)).item() == 1


def test_damaged_pickle():
    x = mx.array([1, 2])
    dtype, shape, data = x.__getstate__()
    for state in ((dtype, (3,), data), (dtype, "ab", data), (dtype, (2**62, 4), data)):
        with pytest.raises((ValueError, OverflowError)):
            mx.array.__new__(mx.array).__setstate__(state)


def test_copy():
    for make in (copy.copy, copy.deepcopy):
        a = mx.array([1, 2])
        b = make(a)
        b += 1
        b[0] = 9
        assert a.tolist() == [1, 2] and b.tolist() == [9, 3]
    assert copy.deepcopy({"w": [mx.array(1)]})["w"][0].item() == 1


def test_properties():
    x = mx.zeros((2, 3, 4), mx.float16)
    assert (x.shape, x.ndim, x.size, x.itemsize, x.nbytes) == ((2, 3, 4), 3, 24, 2, 48)
    assert x.dtype is mx.float16
    assert x.T.shape == (4, 3, 2) and x.mT.shape == (2, 4, 3)
    assert mx.array([1 + 2j]).real.tolist() == [1] and mx.array([1 + 2j]).imag.tolist() == [2]
    for name in ("shape", "dtype", "size", "T"):
        with pytest.raises(AttributeError):
            setattr(x, name, None)


def test_subclass():
    class Named(mx.array):
        pass

    x = Named([1, 2])
    assert isinstance(x, mx.array) and x.tolist() == [1, 2]
    assert type(x + 1) is mx.array
    assert mx.sum(x).item() == 3 and mx.array(x).tolist() == [1, 2]
    assert np.asarray(x).tolist() == [1, 2]


@pytest.mark.filterwarnings("ignore:nanobind. attempted to access")
def test_an_array_without_a_value():
    empty = mx.array.__new__(mx.array)
    for function in (repr, len, lambda x: x + 1, lambda x: x.shape, mx.eval, lambda x: 1 + x):
        with pytest.raises((TypeError, RuntimeError)):
            function(empty)
