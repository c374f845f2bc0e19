"""Devices and streams: names, defaults, contexts, and devices that this build lacks."""

from __future__ import annotations

import pickle
import threading

import pytest

import mlx.core as mx


def test_device():
    cpu = mx.Device(mx.cpu)
    assert cpu.type == mx.cpu and cpu.index == 0
    assert cpu == mx.Device(type=mx.cpu, index=0) == mx.cpu and mx.cpu == cpu
    assert cpu != mx.gpu and cpu != mx.Device(mx.cpu, 1) and cpu != "cpu" and cpu is not None
    assert hash(cpu) == hash(mx.Device(mx.cpu))
    assert pickle.loads(pickle.dumps(cpu)) == cpu
    assert mx.cpu != mx.gpu and isinstance(mx.cpu, mx.DeviceType)


def test_what_is_there():
    assert mx.is_available(mx.cpu) and mx.is_available(mx.Device(mx.cpu, 0))
    assert not mx.is_available(mx.Device(mx.cpu, 7))
    assert mx.device_count(mx.cpu) == 1
    assert mx.default_device() == mx.cpu
    info = mx.device_info()
    assert info == mx.device_info(mx.cpu) and info["cores"] >= 1 and info["memory_size"] > 0


@pytest.mark.skipif(mx.is_available(mx.gpu), reason="this build has a GPU")
@pytest.mark.parametrize(
    "call",
    [
        lambda: mx.set_default_device(mx.gpu),
        lambda: mx.default_stream(mx.gpu),
        lambda: mx.new_stream(mx.gpu),
        lambda: mx.stream(mx.gpu).__enter__(),
        lambda: mx.add(1, 2, stream=mx.gpu),
        lambda: mx.array([1]).sum(stream=mx.Device(mx.gpu, 3)),
        lambda: mx.device_info(mx.gpu),
        lambda: mx.synchronize(mx.gpu),
        lambda: mx.set_default_device(mx.Device(mx.cpu, 1)),
    ],
)
def test_a_device_that_this_build_lacks(call):
    with pytest.raises(ValueError, match=r"this build has no such device: got .*; expected Device"):
        call()
    assert mx.default_device() == mx.cpu


def test_stream():
    s = mx.default_stream(mx.cpu)
    assert s == mx.default_stream(mx.cpu) and s.device == mx.cpu and hash(s) == hash(s)
    new = mx.new_stream(mx.cpu)
    assert new != s and new != None and repr(new).startswith("Stream(Device(cpu, 0), ")  # noqa: E711
    assert mx.add(1, 2, stream=new).item() == 3
    assert mx.add(1, 2, stream=mx.cpu).item() == 3
    assert mx.add(1, 2, stream=mx.Device(mx.cpu)).item() == 3
    assert mx.add(1, 2, new).item() == 3  # by position, as the function's signature says
    mx.synchronize(new)
    mx.synchronize()


def test_stream_context():
    before, new = mx.default_stream(mx.cpu), mx.new_stream(mx.cpu)
    context = mx.stream(new)
    assert isinstance(context, mx.StreamContext)
    with context:
        assert mx.default_stream(mx.cpu) == new
        x = mx.array([1, 2]) + 1
        with mx.stream(mx.cpu), context:  # a context may be entered again inside itself
            assert mx.default_stream(mx.cpu) == new
        assert mx.default_stream(mx.cpu) == new
    assert mx.default_stream(mx.cpu) == before
    assert x.tolist() == [2, 3]
    with pytest.raises(KeyError), mx.stream(new):
        raise KeyError
    assert mx.default_stream(mx.cpu) == before
    with mx.stream(None):
        assert mx.default_stream(mx.cpu) == before
    with pytest.raises(TypeError):
        mx.stream("cpu")


def test_set_default_stream():
    before, new = mx.default_stream(mx.cpu), mx.new_stream(mx.cpu)
    mx.set_default_stream(new)
    try:
        assert mx.default_stream(mx.cpu) == new
    finally:
        mx.set_default_stream(before)


def test_device_of_an_array():
    assert mx.array([1]).device == (mx.array([1]) + 1).device == mx.Device(mx.cpu)
    assert mx.zeros(3, stream=mx.array([1]).device).device == mx.cpu


def test_arrays_of_other_threads():
    lazy = []
    thread = threading.Thread(target=lambda: lazy.append(mx.array([1, 2]) * 3))
    thread.start()
    thread.join()
    assert lazy[0].tolist() == [3, 6]
    results = []
    x = mx.array([1, 2]) * 4
    thread = threading.Thread(target=lambda: results.append(x.tolist()))
    thread.start()
    thread.join()
    assert results == [[4, 8]]
