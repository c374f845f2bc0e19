"""Files: round trips, keywords, containers, damage."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys

import mlx.core as mx
import numpy as np
import pytest


@pytest.fixture
def path(tmp_path):
    return tmp_path / "f.mlxfn"


def test_round_trip(path):
    weight = mx.random.normal((4, 3), key=mx.random.key(0))

    def fun(x):
        return mx.sin(x @ weight) + mx.sum(x)

    x = mx.random.normal((2, 4), key=mx.random.key(1))
    mx.export_function(path, fun, x)
    np.testing.assert_array_equal(np.array(mx.import_function(path)(x)), np.array(fun(x)))


def test_keywords_go_by_name(path):
    x, y = mx.array(5.0), mx.array(3.0)
    mx.export_function(path, lambda x, y: x - y, x=x, y=y)
    imported = mx.import_function(path)
    assert imported(y=y, x=x).item() == imported(x=x, y=y).item() == 2.0
    with pytest.raises(ValueError, match=r"expected .*x=float32 \(\), y=float32 \(\)"):
        imported(x=x)
    with pytest.raises(ValueError, match="z=float32"):
        imported(x=x, y=y, z=y)
    with pytest.raises(ValueError, match="int32"):
        imported(x=mx.array(1), y=y)


def test_containers_come_back(path):
    mx.export_function(path, lambda x: {"a": (x, [x + 1]), "b": x * 2}, mx.array(1.0))
    result = mx.import_function(path)(mx.array(3.0))
    assert list(result) == ["a", "b"] and isinstance(result["a"], tuple)
    assert result["a"][0].item() == 3 and result["a"][1][0].item() == 4 and result["b"].item() == 6


def test_the_right_trace_is_chosen(path):
    with mx.exporter(path, lambda x: x.sum() + x.ndim) as add:
        add(mx.zeros(3))
        add(mx.zeros((2, 2)))
        add(mx.zeros(3, dtype=mx.int32))
    imported = mx.import_function(path)
    assert imported(mx.ones(3)).item() == 4 and imported(mx.ones((2, 2))).item() == 6
    assert imported(mx.ones(3, dtype=mx.int32)).item() == 4
    with pytest.raises(ValueError, match=r"\(4,\).*expected"):
        imported(mx.ones(4))


DTYPES = (
    "bool_ uint8 uint16 uint32 uint64 int8 int16 int32 int64 "
    "float16 bfloat16 float32 float64 complex64 complex128"
).split()


@pytest.mark.parametrize("dtype", DTYPES)
def test_constants_of_every_dtype(path, dtype):
    constant = mx.array([0, 1, 3]).astype(getattr(mx, dtype))
    mx.eval(constant)
    mx.export_function(path, lambda x: (x, constant), mx.array(0))
    _, back = mx.import_function(path)(mx.array(0))
    assert back.dtype == constant.dtype
    assert back.astype(mx.float32).tolist() == constant.astype(mx.float32).tolist()


def test_other_readers_open_it(path):
    safetensors = pytest.importorskip("safetensors.numpy")
    weight = mx.array([[1.0, 2.0], [3.0, 4.0]])
    mx.export_function(path, lambda x: x @ weight, mx.zeros((1, 2)), metadata={"who": "me"})
    (tensor,) = safetensors.load_file(path).values()
    np.testing.assert_array_equal(tensor, np.array(weight))
    _, metadata = mx.import_function(path, return_metadata=True)
    assert metadata == {"who": "me"}


def test_a_function_that_raises_leaves_no_file(path):
    def raises(x):
        raise KeyError("no")

    with pytest.raises(KeyError):
        mx.export_function(path, raises, mx.zeros(1))
    with pytest.raises(KeyError), mx.exporter(path, mx.exp) as add:
        add(mx.zeros(1))
        raise KeyError
    assert os.listdir(path.parent) == []


def small_file(path) -> bytes:
    constant = mx.array([1.0, 2.0])
    mx.eval(constant)
    mx.export_function(path, lambda x: mx.sum(x * constant, axis=0), mx.zeros(2))
    return path.read_bytes()


def load(path, data):
    path.write_bytes(data)
    try:
        mx.import_function(path)
    except (ValueError, IndexError, TypeError, OverflowError, RuntimeError) as error:
        assert str(error)
        return False
    return True


def test_truncation_at_every_byte(path):
    data = small_file(path)
    assert load(path, data)
    for length in range(len(data)):
        assert not load(path, data[:length])


def test_every_flipped_bit_is_an_error_or_harmless(path):
    data = bytearray(small_file(path))
    for position in range(len(data)):
        for bit in range(8):
            data[position] ^= 1 << bit
            load(path, data)
            data[position] ^= 1 << bit


def with_graph(data: bytes, edit) -> bytes:
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    graph = json.loads(header["__metadata__"]["mlx.functions"])
    edit(graph["functions"][0], header)
    header["__metadata__"]["mlx.functions"] = json.dumps(graph)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data[8 + size :]


HOSTILE = {
    "unknown primitive": lambda f, h: f["primitives"][0].__setitem__(0, "System"),
    "forward reference": lambda f, h: f["primitives"].reverse(),
    "wrong arity": lambda f, h: f["primitives"][0][1].append("A"),
    "unknown argument": lambda f, h: f["primitives"][-1][3].update(evil=1),
    "wrong type": lambda f, h: f.__setitem__("inputs", "A"),
    "negative size": lambda f, h: f["inputs"][0].__setitem__(1, [-2]),
    "huge size": lambda f, h: f["inputs"][0].__setitem__(1, [2**62, 2**62]),
    "a name twice": lambda f, h: f["inputs"].append(f["inputs"][0]),
    "deep nesting": lambda f, h: f["primitives"][0][3].update(a=json.loads("[" * 90 + "]" * 90)),
    "huge offsets": lambda f, h: next(v for k, v in h.items() if k[0] != "_").update(
        data_offsets=[0, 2**60]
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(path, name):
    data = small_file(path)
    assert load(path, with_graph(data, lambda f, h: None))
    assert not load(path, with_graph(data, HOSTILE[name]))


def test_random_damage(path):
    data = small_file(path)
    rng = np.random.default_rng(0)
    for _ in range(2000):
        damaged = bytearray(data)
        for _ in range(rng.integers(1, 5)):
            damaged[rng.integers(len(damaged))] = rng.integers(256)
        load(path, damaged)


def test_show_and_verify(path):
    small_file(path)

    def run(*arguments):
        command = [sys.executable, "-m", "mlx.export", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    shown = run("show", str(path))
    assert "Reduce" in shown.stdout and "1 constants, 8 bytes" in shown.stdout, shown.stderr
    assert json.loads(run("show", "--json", str(path)).stdout)["functions"]
    assert run("show", "--dot", str(path)).stdout.startswith("digraph")
    assert run("verify", str(path)).returncode == 0
    path.write_bytes(b"nonsense")
    broken = run("verify", str(path))
    assert broken.returncode == 1 and "damaged" in broken.stderr
