"""Random calls of everything with anything: an exception that says something, or a result, but
never a crash."""

from __future__ import annotations

import random
import types

import mlx.core as mx
import numpy as np
import pytest

# What changes the state of the process, or files.
LEFT_OUT = {
    "async_eval", "clear_cache", "disable_compile", "enable_compile", "export_function",
    "export_to_dot", "exporter", "import_function", "load", "save", "save_gguf",
    "save_safetensors", "savez", "savez_compressed", "set_cache_limit", "set_default_device",
    "set_default_stream", "set_memory_limit", "set_printoptions",
}  # fmt: skip
METHODS_LEFT_OUT = {
    "__array_namespace__", "__class__", "__delattr__", "__dir__", "__getattribute__", "__init__",
    "__init_subclass__", "__new__", "__reduce__", "__reduce_ex__", "__setattr__", "__setstate__",
    "__sizeof__", "__subclasshook__",
}  # fmt: skip
EXPECTED = (
    TypeError, ValueError, IndexError, OverflowError, MemoryError, NotImplementedError,
    AttributeError, BufferError, StopIteration,
)  # fmt: skip

DTYPES = [
    mx.bool_, mx.uint8, mx.int8, mx.int32, mx.int64, mx.uint64, mx.float16, mx.bfloat16,
    mx.float32, mx.float64, mx.complex64, mx.complex128,
]  # fmt: skip
SHAPES = [(), (0,), (1,), (3,), (2, 3), (3, 3), (2, 0, 3), (1, 3, 1), (2, 2, 2), (4,)]
NUMBERS = [
    0, 1, -1, 2, 3, -3, 7, 2**31, 2**63, 2**64, -(2**63), -(2**31), 10**30,
    0.0, 1.5, -1.5, float("nan"), float("inf"), -float("inf"), 1e300, 1e-300, 1j,
]  # fmt: skip
OTHERS = [
    None, True, False, ..., "a", "reduced", "xy", "backward", "L", b"a", object(), dict, [], (), {},
    slice(None), slice(0, -1, -1), slice(None, None, 2**62), slice(-(2**62), 2**62), mx.cpu, mx.gpu,
    mx.Device(mx.cpu), mx.default_stream(mx.cpu), mx.float32, mx.int8, mx.floating,
    np.array([1], dtype=object), np.array(["a"]), np.array(["2020-01-01"], "M8[D]"),
    np.array([[1, 0], [0, 1]], dtype=bool), np.float32(3), np.int64(2),
]  # fmt: skip
SIZES = [0, 1, 2, 3, -1, -2, 5, 2**40, 2**62]


def callables() -> list[tuple[str, object]]:
    found = []
    modules = [mx, *(m for m in vars(mx).values() if isinstance(m, types.ModuleType))]
    for module in modules:
        if not module.__name__.startswith("mlx.core") or "._" in module.__name__:
            continue
        for name, value in vars(module).items():
            if callable(value) and not name.startswith("_") and name not in LEFT_OUT:
                found.append((f"{module.__name__}.{name}", value))
    for name in dir(mx.array):
        value = getattr(mx.array, name, None)
        if callable(value) and name not in METHODS_LEFT_OUT:
            found.append((f"array.{name}", value))
    return found


CALLABLES = callables()


class Caller:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def array(self) -> mx.array:
        shape = self.random.choice(SHAPES)
        values = np.array([self.random.randint(-3, 3) for _ in range(int(np.prod(shape)))], "f4")
        x = mx.array(values.reshape(shape)).astype(self.random.choice(DTYPES))
        if self.random.random() < 0.2:
            x = x.T
        if self.random.random() < 0.1 and x.ndim > 0:
            x = x[::-1]
        return x

    def thing(self, depth: int = 0):
        kind = self.random.randint(0, 9)
        if kind < 5:
            return self.array()
        if kind == 5:
            return self.random.choice(NUMBERS)
        if kind == 6:
            return self.random.choice(OTHERS)
        if kind == 7:
            return tuple(self.random.choice(SIZES) for _ in range(self.random.randint(0, 4)))
        if kind == 8 and depth < 2:
            return [self.thing(depth + 1) for _ in range(self.random.randint(0, 3))]
        return self.random.randint(-4, 4)

    def call(self) -> None:
        name, function = self.random.choice(CALLABLES)
        arguments = [self.thing() for _ in range(self.random.randint(0, 4))]
        if name.startswith("array."):
            arguments.insert(0, self.array())
        keywords = {
            key: self.thing()
            for key in ("axis", "dtype", "keepdims", "stream", "axes", "shape", "n", "k", "key")
            if self.random.random() < 0.05
        }
        try:
            result = function(*arguments, **keywords)
            for x in result if isinstance(result, (list, tuple)) else [result]:
                if isinstance(x, mx.array) and x.size < 1000:
                    x.tolist()
        except EXPECTED as error:
            message = str(error)
            assert "std::" not in message and "bad_" not in message, f"{name}: {message}"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore")
def test_random_calls(seed):
    caller = Caller(seed)
    for _ in range(20_000):
        caller.call()
