"""DLPack, the buffer protocol and `__array__` both ways with numpy, torch and jax."""

from __future__ import annotations

import gc
import importlib
from typing import Any

import mlx.core as mx
import mlx.interop as xp
import numpy as np
import pytest

NAMES = list(xp.__array_namespace_info__().dtypes())
CPU = (1, 0)


class Library:
    """What the tests need of a library."""

    def __init__(self, name: str) -> None:
        self.module = pytest.importorskip(name)
        self.name = name
        if name == "jax":
            self.module.config.update("jax_enable_x64", True)
            self.module = importlib.import_module("jax.numpy")

    def has(self, dtype: str) -> bool:
        if self.name == "torch":
            return hasattr(self.module, dtype)
        return True

    def make(self, values: np.ndarray) -> Any:
        if self.name == "torch":
            return self.module.from_numpy(values.copy())
        return self.module.asarray(values)

    def take(self, x: Any, **kwargs: Any) -> Any:
        return self.module.from_dlpack(x, **kwargs)

    def pointer(self, x: Any) -> int:
        if self.name == "numpy":
            return x.__array_interface__["data"][0]
        return x.data_ptr() if self.name == "torch" else x.unsafe_buffer_pointer()


@pytest.fixture(params=["numpy", "torch", "jax"])
def library(request) -> Library:
    return Library(request.param)


def values_of(dtype: str, shape: tuple[int, ...] = (2, 3)) -> np.ndarray:
    count = int(np.prod(shape))
    return np.arange(count).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", NAMES)
def test_round_trip(library, dtype):
    if not library.has(dtype):
        pytest.skip(f"{library.name} has no {dtype}")
    wanted = values_of(dtype)
    ours = xp.from_dlpack(library.make(wanted))
    assert ours.dtype == getattr(xp, dtype)
    assert np.array_equal(np.asarray(ours), wanted)
    theirs = library.take(ours)
    assert np.array_equal(np.asarray(theirs), wanted)


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (1,), (2, 3, 4)])
def test_shapes(library, shape):
    wanted = values_of("float32", shape)
    ours = xp.from_dlpack(library.make(wanted))
    assert ours.shape == shape
    assert np.array_equal(np.asarray(library.take(ours)), wanted)


def test_layouts(library):
    base = xp.reshape(xp.arange(24, dtype=xp.float32), (4, 6))
    for view in (base.T, base[1:, ::2], base[::-1], xp.broadcast_to(base[0], (3, 6)), base * 1):
        assert np.array_equal(np.asarray(library.take(view)), np.asarray(view))


@pytest.mark.parametrize("name", ["numpy", "torch"])
def test_exported_memory_is_shared(name):
    library = Library(name)
    ours = xp.asarray(values_of("float32", (64,)))
    mx.eval(ours)
    assert library.pointer(library.take(ours)) == np.asarray(ours).__array_interface__["data"][0]


@pytest.mark.parametrize("name", ["numpy", "torch"])
def test_imported_memory_is_shared(name):
    library = Library(name)
    theirs = library.make(values_of("float32", (64,)))
    ours = xp.from_dlpack(theirs, copy=False)
    assert np.asarray(ours).__array_interface__["data"][0] == library.pointer(theirs)
    copied = xp.from_dlpack(theirs, copy=True)
    assert np.asarray(copied).__array_interface__["data"][0] != library.pointer(theirs)


def test_strides_are_kept_or_copied():
    wanted = values_of("float32", (4, 6))
    for view in (wanted.T, wanted[::2, ::3], wanted[::-1], wanted[:, 1:3]):
        assert np.array_equal(np.asarray(xp.from_dlpack(view)), view)
        assert np.array_equal(np.asarray(xp.asarray(view)), view)


def test_lifetimes():
    source = values_of("float64", (1000,))
    wanted = source.copy()
    ours = xp.from_dlpack(source)
    del source
    gc.collect()
    assert np.array_equal(np.asarray(ours), wanted)
    theirs = np.from_dlpack(ours)
    del ours
    gc.collect()
    assert np.array_equal(theirs, wanted)


def test_writing_never_reaches_the_other_side():
    source = values_of("float32", (4,))
    ours = xp.asarray(source, copy=True)
    ours[0] = 99
    assert source[0] == 0
    view = np.asarray(ours)
    before = view.copy()
    ours[1] = 77
    assert np.array_equal(view, before)


@pytest.mark.parametrize("copy", [None, True, False])
def test_capsules(copy):
    x = xp.asarray([1.0, 2.0])
    assert tuple(int(n) for n in x.__dlpack_device__()) == CPU
    kwargs = {} if copy is None else {"copy": copy}
    assert "dltensor" in repr(x.__dlpack__(**kwargs))
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0), **kwargs))
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(2, 0), **kwargs))
    assert "dltensor_versioned" not in repr(x.__dlpack__(max_version=(0, 8), **kwargs))
    assert "dltensor" in repr(x.__dlpack__(dl_device=CPU, **kwargs))


def test_capsule_of_another_device():
    with pytest.raises(BufferError):
        xp.asarray([1.0]).__dlpack__(dl_device=(2, 0))


def test_stream_on_the_cpu_is_none():
    x = xp.asarray([1.0])
    x.__dlpack__(stream=None)
    with pytest.raises((BufferError, ValueError)):
        x.__dlpack__(stream=1)


def test_read_only_numpy():
    source = values_of("float32")
    source.flags.writeable = False
    assert np.array_equal(np.asarray(xp.asarray(source)), source)
    assert np.array_equal(np.asarray(xp.from_dlpack(source)), source)


def test_what_has_no_dlpack():
    for thing in ([1, 2], 1.0, "a", None):
        with pytest.raises((AttributeError, TypeError)):
            xp.from_dlpack(thing)


def test_dtypes_that_we_lack():
    for array in (np.array(["a"]), np.array([object()]), np.array([1], dtype="M8[s]")):
        with pytest.raises((TypeError, ValueError, BufferError)):
            xp.asarray(array)


def test_asarray_copy_false():
    x = xp.asarray([1.0])
    assert xp.asarray(x, copy=False) is x
    with pytest.raises(ValueError, match="copy"):
        xp.asarray(x, dtype=xp.int32, copy=False)
    with pytest.raises(ValueError, match="copy"):
        xp.asarray([1.0], copy=False)
    source = values_of("float32", (8,))
    assert np.shares_memory(np.asarray(xp.asarray(source, copy=False)), source)
    with pytest.raises(ValueError):
        xp.asarray(source[::-1].astype(">f4"), copy=False)


def test_numpy_keeps_its_dtype():
    for dtype in NAMES:
        assert xp.asarray(values_of(dtype)).dtype == getattr(xp, dtype)
    assert xp.asarray(np.float64(1)).dtype == xp.float64
    assert xp.asarray([np.float64(1), np.float64(2)]).dtype == xp.float64
    assert xp.asarray(np.float32(1)).dtype == xp.float32
    assert xp.asarray([1.0, 2.0]).dtype == xp.float32


def test_buffers():
    assert xp.asarray(bytearray(b"\x01\x02")).tolist() == [1, 2]
    assert xp.asarray(memoryview(values_of("int16"))).dtype == xp.int16


def test_numpy_protocol():
    x = xp.asarray([1.5, 2.5])
    assert x.__array__().dtype == np.float32
    assert x.__array__(np.float64).dtype == np.float64
    assert np.asarray(x, copy=True).flags.writeable
    with pytest.raises(ValueError):
        x.__array__(np.float64, copy=False)


def test_torch_asarray():
    """torch looks at the buffer protocol first; dtype and shape must survive it."""
    torch = pytest.importorskip("torch")
    wanted = values_of("int64")
    assert torch.asarray(xp.asarray(wanted)).tolist() == wanted.tolist()


def test_bfloat16():
    x = mx.array([1.0, 2.0]).astype(mx.bfloat16)
    torch = pytest.importorskip("torch")
    assert torch.from_dlpack(x).dtype == torch.bfloat16
    assert mx.from_dlpack(torch.ones(2, dtype=torch.bfloat16)).dtype == mx.bfloat16
    assert np.asarray(x).dtype == np.float32
