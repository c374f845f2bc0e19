"""Laziness as users meet it: chains, threads, forks, errors, memory, Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import mlx.core as mx
import numpy as np
import pytest


def test_a_million_adds():
    x = mx.array([0, 1], dtype=mx.int64)
    one = mx.array(1, dtype=mx.int64)
    for _ in range(1_000_000):
        x = x + one
    assert x.tolist() == [1_000_000, 1_000_001]


def test_a_million_adds_die_unevaluated():
    x = mx.array([0.0])
    for _ in range(1_000_000):
        x = x + 1.0
    del x


def test_memory_stays_flat():
    a, b = mx.ones(10), mx.ones(10)

    def work(count):
        for _ in range(count):
            mx.eval(a + b)

    work(10_000)
    before = mx.get_active_memory()
    resident = _resident()
    work(200_000)
    assert mx.get_active_memory() == before
    assert _resident() - resident < 2_000_000


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_fused_chain_needs_no_memory_between():
    x, y = mx.ones(1_000_000), mx.ones(1_000_000)
    mx.eval(x, y)
    mx.reset_peak_memory()
    before = mx.get_active_memory()
    z = mx.sin(x) * 2 + mx.exp(-x * x) * y
    mx.eval(z)
    assert mx.get_peak_memory() - before <= z.nbytes + 1_000_000


def test_input_memory_is_reused():
    x = mx.ones(1_000_000) * 2
    mx.eval(x)
    mx.reset_peak_memory()
    before = mx.get_active_memory()
    x = x + 1.0
    mx.eval(x)
    assert mx.get_peak_memory() - before < x.nbytes // 2


def test_held_values_survive_reuse():
    x = mx.ones(100_000) * 2
    mx.eval(x)
    view = x[:10]
    y = x + 1.0
    mx.eval(y, view)
    assert x[5].item() == 2 and view.tolist() == [2.0] * 10 and y[5].item() == 3


def test_lazy_arrays_cross_threads():
    x = mx.arange(1000) * 2
    results = []
    threads = [threading.Thread(target=lambda: results.append(mx.sum(x).item())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [999_000] * 4
    made = []
    thread = threading.Thread(target=lambda: made.append(mx.ones(5) + 1))
    thread.start()
    thread.join()
    assert made[0].tolist() == [2.0] * 5


def test_threads_share_a_graph():
    base = mx.random.normal((200, 200), key=mx.random.key(0))
    nodes = [base]
    for _ in range(50):
        nodes.append(mx.sin(nodes[-1]) + nodes[-1])
    wanted = None
    results = [None] * 8

    def read(slot):
        results[slot] = np.array(nodes[50 - slot])

    threads = [threading.Thread(target=read, args=(slot,)) for slot in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = np.array(base).astype("float64")
    for _ in range(50):
        wanted = np.sin(wanted) + wanted
    np.testing.assert_allclose(results[0], wanted, rtol=1e-3, atol=1e-3)


def test_evaluation_after_fork():
    x = mx.arange(100_000) + 1
    mx.eval(x)
    total = mx.sum(x)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=lambda: queue.put(total.item()))
    process.start()
    assert queue.get(timeout=30) == total.item()
    process.join(10)
    assert process.exitcode == 0


def test_async_eval():
    x = mx.ones((300, 300))
    y = x @ x
    mx.async_eval(y)
    assert y[0, 0].item() == 300
    mx.synchronize()


@pytest.mark.parametrize("start", [mx.eval, mx.async_eval])
def test_an_error_appears_at_the_read_and_harms_nothing_else(start):
    good = mx.arange(10) + 1
    bad = mx.take(mx.arange(3), mx.array([0, 7]))
    try:
        start(bad, good)
    except IndexError:
        pass
    with pytest.raises(IndexError, match=r"7"):
        bad.tolist()
    assert good.tolist() == list(range(1, 11))
    assert (mx.ones(3) + 1).tolist() == [2.0] * 3


def test_an_allocation_that_cannot_be_had():
    with pytest.raises(MemoryError, match=r"\d{12,}"):
        mx.eval(mx.ones((1 << 20, 1 << 20)) + mx.ones((1 << 20, 1 << 20)))
    previous = mx.set_memory_limit(mx.get_active_memory() + 1_000_000)
    try:
        with pytest.raises(MemoryError, match="400000"):
            mx.eval(mx.arange(1_000_000) * 2)
    finally:
        mx.set_memory_limit(previous)
    assert mx.sum(mx.arange(1_000_000) * 2).item() is not None


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_control_c_stops_a_long_evaluation():
    script = textwrap.dedent("""
        import time
        import mlx.core as mx
        x = mx.ones(2_000_000)
        for _ in range(20_000):
            x = mx.sin(x) + 1
        print("started", flush=True)
        try:
            mx.eval(x)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            assert (mx.ones(3) + 1).tolist() == [2.0] * 3
            print("usable", flush=True)
    """)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "started\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    assert process.stdout.readline() == "interrupted\n"
    assert time.monotonic() - sent < 1
    assert process.stdout.readline() == "usable\n"
    assert process.wait(20) == 0
