"""The elementwise records of the registry, and inputs and comparisons made from them."""

from __future__ import annotations

import ml_dtypes
import mlx.core as mx
import numpy as np
from reference import DOMAIN, REFERENCE

ELEMENTWISE = [op for op in mx.ops() if op["evaluation"] == "elementwise"]
DTYPES = {
    name: getattr(mx, name)
    for name in (
        "bool_ uint8 uint16 uint32 uint64 int8 int16 int32 int64 "
        "float16 bfloat16 float32 float64 complex64 complex128"
    ).split()
}
NUMPY = {name: np.dtype(name.rstrip("_")) for name in DTYPES if name != "bfloat16"}
NUMPY["bfloat16"] = np.dtype(ml_dtypes.bfloat16)
FLOATING = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
SHIFTS = ("left_shift", "right_shift")


def accepted(op: dict) -> list[str]:
    return [name for name, dtype in DTYPES.items() if dtype in op["accepts"]]


def draw(op: dict, dtype: str, shape: tuple[int, ...], seed: int = 0) -> list[np.ndarray]:
    """Inputs for an op, representable in the dtype; float16 and bfloat16 as float32 values."""
    rng = np.random.default_rng(seed)
    return [
        _draw_one(rng, op, dtype if kind != "condition" else "bool_", shape, position)
        for position, kind in enumerate(op["inputs"])
    ]


def _draw_one(rng, op: dict, dtype: str, shape: tuple[int, ...], position: int) -> np.ndarray:
    low, high = DOMAIN.get(op["function"], (-20, 20))
    if dtype == "bool_":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype in COMPLEX:
        parts = rng.uniform(-3, 3, (2, *shape))
        return (parts[0] + 1j * parts[1]).astype(dtype)
    if dtype in FLOATING:
        return rng.uniform(low, high, shape).astype(NUMPY[dtype])
    if op["function"] in SHIFTS and position == 1:
        return rng.integers(0, np.iinfo(dtype).bits, shape).astype(dtype)
    if op["function"] == "power":
        return rng.integers(0, 4, shape).astype(dtype)
    if op["function"] in ("floor_divide", "remainder") and position == 1:
        return rng.integers(1, 100, shape).astype(dtype)
    least = 0 if dtype.startswith("u") else -100
    return rng.integers(least, 100, shape).astype(dtype)


def to_mlx(x: np.ndarray) -> mx.array:
    if x.dtype == ml_dtypes.bfloat16:
        return mx.array(x.astype(np.float32)).astype(mx.bfloat16)
    return mx.array(x, dtype=DTYPES[x.dtype.name if x.dtype.name != "bool" else "bool_"])


def to_numpy(x: mx.array) -> np.ndarray:
    if x.dtype == mx.bfloat16:
        return np.array(x.astype(mx.float32)).astype(ml_dtypes.bfloat16)
    return np.array(x)


def expected(op: dict, inputs: list[np.ndarray]) -> np.ndarray:
    """The reference on the inputs, floating ones in long double."""

    def exact(x: np.ndarray) -> np.ndarray:
        if x.dtype.kind == "c":
            return x.astype(np.clongdouble)
        is_floating = x.dtype == ml_dtypes.bfloat16 or x.dtype.kind == "f"
        return x.astype(np.longdouble) if is_floating else x

    if op["function"] == "nextafter":
        return np.nextafter(*inputs)
    with np.errstate(all="ignore"):
        return np.asarray(REFERENCE[op["function"]](*(exact(x) for x in inputs)))


def assert_within_ulp(actual: np.ndarray, exact: np.ndarray, ulp: float) -> None:
    """Each real part is within so many units in the last place of the exact value."""
    if actual.dtype.kind == "c":
        assert_complex_close(actual, exact, ulp)
        return
    half = actual.dtype == ml_dtypes.bfloat16
    info = ml_dtypes.finfo(actual.dtype) if half else np.finfo(actual.dtype)
    rounded = exact.astype(actual.dtype)
    size = np.maximum(np.abs(exact), np.longdouble(float(info.smallest_normal)))
    unit = np.exp2(np.floor(np.log2(size))) * np.longdouble(float(info.eps))
    wide = actual.astype(np.longdouble)
    same = (wide == rounded.astype(np.longdouble)) | (np.isnan(wide) & np.isnan(exact))
    with np.errstate(invalid="ignore"):
        error = np.where(same, 0, np.abs(wide - exact) / unit)
    # The exact result rounds by half a unit at the least.
    limit = max(ulp, 0.5) + 0.01
    assert (error <= limit).all(), f"{error.max()} ULP, at most {limit}"


def assert_complex_close(actual: np.ndarray, exact: np.ndarray, ulp: float) -> None:
    eps = np.finfo(actual.real.dtype).eps
    error = np.abs(actual.astype(np.clongdouble) - exact) / np.maximum(np.abs(exact), 1e-30)
    assert (error <= 4 * max(ulp, 1) * eps).all(), f"{(error / eps).max()} eps"
