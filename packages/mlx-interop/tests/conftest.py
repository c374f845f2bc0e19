"""Fixtures: a CPU that claims fewer dtypes, and a clean policy for each test."""

from __future__ import annotations

from collections.abc import Iterator

import mlx.core as mx
import pytest
from mlx.interop import policy

pytest_plugins = ["pytester"]


@pytest.fixture
def without_float64() -> Iterator[mx.Device]:
    """The default device, which claims to have neither float64 nor complex128."""
    device = mx.default_device()
    every = mx.supported_dtypes(device)
    mx._core._narrow_supported_dtypes(device, [d for d in every if d not in policy.NARROWED])
    yield device
    mx._core._narrow_supported_dtypes(device, list(every))


@pytest.fixture(autouse=True)
def native_policy() -> Iterator[None]:
    """Tests that choose a policy for the whole program leave none behind."""
    policy.reset_told_for_tests()
    yield
    policy.set_float64_policy("native")
