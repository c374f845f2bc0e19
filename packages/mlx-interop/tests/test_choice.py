"""`choose_dtype` on several array libraries."""

from __future__ import annotations

import importlib

import mlx.core as mx
import mlx.interop as xp
import numpy as np
import pytest
from mlx.interop import choose_dtype


def test_mlx(without_float64):
    assert choose_dtype(xp, "float64", "float32") is mx.float32
    assert choose_dtype(xp, "complex128", "complex64") is mx.complex64
    assert choose_dtype(xp, "int64", "int32") is mx.int64
    assert choose_dtype(xp, "bool") is mx.bool_
    with xp.float64_policy("cpu"):
        assert choose_dtype(xp, "float64", "float32") is mx.float64
    with xp.float64_policy("downcast"):  # an alias is not the dtype
        assert choose_dtype(xp, "float64", "float32") is mx.float32


def test_on_a_device():
    assert choose_dtype(xp, "float64", device=mx.default_device()) is mx.float64


def test_numpy():
    assert choose_dtype(np, "float64", "float32") == np.float64
    assert choose_dtype(np, "bfloat16", "float32") == np.float32


def test_strict():
    strict = pytest.importorskip("array_api_strict")
    assert choose_dtype(strict, "float16", "float32") == strict.float32
    device = strict.Device("no_float64") if "no_float64" in map(str, _devices(strict)) else None
    if device is not None:
        assert choose_dtype(strict, "float64", "float32", device=device) == strict.float32


def _devices(strict) -> list[str]:
    return [getattr(d, "_device", d) for d in strict.__array_namespace_info__().devices()]


@pytest.mark.parametrize("name", ["torch", "jax.numpy"])
def test_other_libraries(name):
    library = pytest.importorskip(name)
    assert choose_dtype(library, "float128", "bfloat16") == library.bfloat16


def test_nothing_fits(without_float64):
    with pytest.raises(TypeError, match=r"mlx.interop lacks every dtype.*float64, complex128"):
        choose_dtype(xp, "float64", "complex128")


def test_unknown_name():
    with pytest.raises(TypeError, match="zeros"):  # a function is not a dtype
        choose_dtype(xp, "zeros")
    assert importlib.import_module("mlx.interop") is xp
