"""The allocator's counters and limits; eval and async_eval of trees."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import mlx.core as mx

MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def restore_limits():
    memory, cache = mx.get_memory_limit(), mx.set_cache_limit(64 * MEGABYTE)
    yield
    mx.set_memory_limit(memory)
    mx.set_cache_limit(cache)


def make(megabytes: int) -> mx.array:
    x = mx.zeros(megabytes * MEGABYTE // 4) + 1
    mx.eval(x)
    return x


def test_active_memory():
    gc.collect()
    before = mx.get_active_memory()
    x = make(16)
    assert 16 * MEGABYTE <= mx.get_active_memory() - before <= 18 * MEGABYTE  # whole huge pages
    y = x[:10]
    mx.eval(y)
    del x
    assert mx.get_active_memory() - before >= 16 * MEGABYTE  # y is a view of it
    del y
    assert mx.get_active_memory() == before


def test_peak_memory():
    gc.collect()
    mx.reset_peak_memory()
    before = mx.get_active_memory()
    assert mx.get_peak_memory() == before
    x = make(3)
    del x
    assert mx.get_peak_memory() - before >= 3 * MEGABYTE
    mx.reset_peak_memory()
    assert mx.get_peak_memory() == mx.get_active_memory() == before


def test_cache():
    mx.clear_cache()
    assert mx.get_cache_memory() == 0
    x = make(2)
    del x
    assert mx.get_cache_memory() >= 2 * MEGABYTE
    held = mx.get_cache_memory()
    y = make(2)  # from the cache
    assert mx.get_cache_memory() < held
    del y
    mx.clear_cache()
    assert mx.get_cache_memory() == 0


def test_cache_limit():
    mx.clear_cache()
    assert mx.set_cache_limit(0) == 64 * MEGABYTE
    x = make(2)
    del x
    assert mx.get_cache_memory() == 0
    assert mx.set_cache_limit(64 * MEGABYTE) == 0


def test_memory_limit():
    before = mx.get_memory_limit()
    assert mx.set_memory_limit(mx.get_active_memory() + 8 * MEGABYTE) == before
    x = make(2)
    with pytest.raises(MemoryError, match=r"\d+"):
        make(16)
    assert x[0].item() == 1
    mx.set_memory_limit(before)
    assert make(16)[5].item() == 1


@pytest.mark.parametrize("limit", [-1, 1.5, "1", None])
def test_bad_limits(limit):
    for function in (mx.set_memory_limit, mx.set_cache_limit):
        with pytest.raises(TypeError):
            function(limit)


def test_borrowed_memory_is_not_counted():
    gc.collect()
    x = np.zeros(4 * MEGABYTE, "u1")
    before = mx.get_active_memory()
    y = mx.asarray(x)
    assert mx.get_active_memory() == before
    z = mx.array(x)
    assert mx.get_active_memory() - before >= 4 * MEGABYTE
    del y, z


def test_eval_of_trees():
    arrays = [mx.array([i]) + 1 for i in range(6)]
    tree = [arrays[0], (arrays[1], {"a": arrays[2], "b": [arrays[3], None, "x", 5]})]
    assert mx.eval(tree, arrays[4], {"c": arrays[5]}) is None
    assert [a.item() for a in arrays] == [1, 2, 3, 4, 5, 6]
    mx.eval()
    mx.eval(None, 3, "text", object())
    endless: list = [mx.array([1]) + 1]
    endless.append(endless)
    mx.eval(endless)
    mx.async_eval(endless, [mx.array([2]) * 2])
    mx.synchronize()


def test_eval_takes_no_keywords():
    with pytest.raises(TypeError):
        mx.eval(x=mx.array(1))


def test_async_eval():
    x = mx.ones((100, 100))
    for _ in range(20):
        x = x * 1.5 - 0.5
    mx.async_eval(x, {"y": x + 1})
    assert x[0, 0].item() == 1


def test_objects_are_reused_and_released():
    gc.collect()
    before = mx.get_active_memory()
    kept = [mx.array([float(i)]) for i in range(1000)]
    for _ in range(3):
        kept = [x + 1 for x in kept]
        mx.eval(kept)
    assert [x.item() for x in kept[:3]] == [3, 4, 5]
    del kept
    gc.collect()
    assert mx.get_active_memory() == before
