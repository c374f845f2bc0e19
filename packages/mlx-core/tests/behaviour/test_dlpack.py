"""DLPack both ways: what is shared, what is copied, versions, devices, lifetimes."""

from __future__ import annotations

import gc
import weakref

import array_api_strict
import mlx.core as mx
import numpy as np
import pytest

NAMES = [
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip


def sample(name: str) -> np.ndarray:
    return np.arange(12).reshape(3, 4).astype(name)


@pytest.mark.parametrize("name", NAMES)
def test_import_shares_every_layout(name):
    x = sample(name)
    for view in (x, x.T, x[::2, ::-1], x[1:2, 1], x[:0], x[None]):
        y = mx.from_dlpack(view)
        assert y.dtype is getattr(mx, name)
        assert y.shape == view.shape
        np.testing.assert_array_equal(np.asarray(y), view)
        assert view.size == 0 or np.shares_memory(np.asarray(y), x)


@pytest.mark.parametrize("name", NAMES)
def test_export_shares_every_layout(name):
    a = mx.array(sample(name), dtype=getattr(mx, name))
    for view in (a, a.T, a[::2, ::-1], a[1, 1], a[:0]):
        y = np.from_dlpack(view)
        assert y.dtype == np.dtype(name)
        np.testing.assert_array_equal(y, np.asarray(view))
        assert view.size == 0 or np.shares_memory(y, np.asarray(a))
        assert not y.flags.writeable


def test_import_copy():
    x = np.zeros(3)
    shared, copied = mx.from_dlpack(x), mx.from_dlpack(x, copy=True)
    assert mx.from_dlpack(x, copy=False).dtype is mx.float64
    x[0] = 5
    assert shared.tolist() == [5, 0, 0] and copied.tolist() == [0, 0, 0]


def test_export_copy():
    a = mx.array([1, 2])
    y = np.from_dlpack(a, copy=True)
    assert y.flags.writeable
    y[0] = 9
    assert a.tolist() == [1, 2]
    assert np.from_dlpack(a, copy=False).tolist() == [1, 2]


def test_lazy_arrays_are_evaluated():
    assert np.from_dlpack(mx.array([1, 2]) * 2).tolist() == [2, 4]


def test_own_arrays():
    a = mx.array([1.5], dtype=mx.float64)
    assert mx.from_dlpack(a).dtype is mx.float64
    assert mx.from_dlpack(a, copy=True).tolist() == [1.5]
    b = mx.array([1.5], dtype=mx.bfloat16)
    assert mx.from_dlpack(b, copy=True).dtype is mx.bfloat16


def capsule_name(capsule) -> str:
    return repr(capsule).split('"')[1]


@pytest.mark.parametrize(
    ("max_version", "name"),
    [
        (None, "dltensor"),
        ((0, 8), "dltensor"),
        ((1, 0), "dltensor_versioned"),
        ((1, 1), "dltensor_versioned"),
        ((2, 0), "dltensor_versioned"),
    ],
)
def test_version_is_negotiated(max_version, name):
    assert capsule_name(mx.array([1]).__dlpack__(max_version=max_version)) == name


class Producer:
    """Gives a capsule, and nothing else of an array."""

    def __init__(self, x, *, knows_keywords: bool = True) -> None:
        self.x = x
        self.knows_keywords = knows_keywords
        self.calls: list[dict] = []

    def __dlpack__(self, **keywords):
        self.calls.append(keywords)
        if keywords and not self.knows_keywords:
            raise TypeError("unexpected keyword")
        return self.x.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def test_producers_without_keywords():
    old = Producer(np.array([1, 2]), knows_keywords=False)
    assert mx.from_dlpack(old).tolist() == [1, 2]
    assert old.calls[0]["max_version"] == (1, 1) and old.calls[1] == {}
    assert mx.array(Producer(np.array([1.5]))).dtype is mx.float32
    assert mx.array(Producer(np.array([1.5])), dtype=mx.float64).dtype is mx.float64


def test_other_libraries():
    x = array_api_strict.asarray([[1.0, 2.0]])
    y = mx.from_dlpack(x)
    assert y.dtype is mx.float64 and y.tolist() == [[1, 2]]
    back = array_api_strict.from_dlpack(y)
    assert bool(array_api_strict.all(back == x))


def test_devices():
    a = mx.array([1])
    assert a.__dlpack_device__() == (1, 0)
    assert mx.from_dlpack(np.array([1]), device=mx.cpu).tolist() == [1]
    assert mx.from_dlpack(np.array([1]), device=a.device).tolist() == [1]
    assert capsule_name(a.__dlpack__(dl_device=(1, 0))) == "dltensor"
    with pytest.raises(BufferError, match=r"got \(2, 0\); expected \(1, 0\)"):
        a.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="no streams"):
        a.__dlpack__(stream=1)
    with pytest.raises(ValueError, match="no such device"):
        mx.from_dlpack(np.array([1]), device=mx.gpu)


def test_what_has_no_dlpack():
    for wrong in ([1, 2], 3, "text", np.ndarray):
        with pytest.raises(TypeError, match=r"\[from_dlpack\] no DLPack: got "):
            mx.from_dlpack(wrong)
    with pytest.raises(AttributeError):  # the producer's own
        mx.from_dlpack(Producer([1]))


class Reused(Producer):
    """Gives the same capsule again and again, which a consumer has taken the first time."""

    def __dlpack__(self, **keywords):
        if not self.calls:
            self.capsule = super().__dlpack__(**keywords)
        return self.capsule


def test_a_capsule_is_taken_once():
    producer = Reused(np.array([1, 2]))
    assert mx.from_dlpack(producer).tolist() == [1, 2]
    with pytest.raises(TypeError, match="unusable result of __dlpack__"):
        mx.from_dlpack(producer)


def test_the_producer_lives_as_long_as_the_array():
    class Owner(np.ndarray):
        pass

    x = np.arange(10.0).view(Owner)
    gone = weakref.ref(x)
    y = mx.from_dlpack(x)
    del x
    gc.collect()
    assert gone() is not None and y[3].item() == 3
    del y
    gc.collect()
    assert gone() is None


def test_the_array_lives_as_long_as_the_consumer():
    before = mx.get_active_memory()
    y = np.from_dlpack(mx.ones((1000,)) * 2)
    gc.collect()
    assert mx.get_active_memory() > before
    assert y.sum() == 2000
    del y
    gc.collect()
    assert mx.get_active_memory() == before


def test_unused_capsules_let_go():
    before = mx.get_active_memory()
    for version in (None, (1, 0)):
        for _ in range(10):
            (mx.ones((1000,)) * 2).__dlpack__(max_version=version)
    gc.collect()
    assert mx.get_active_memory() == before
