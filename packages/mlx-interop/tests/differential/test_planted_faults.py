"""The differential tests are worth something: each of these faults must be found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import mlx.interop as xp
import pytest
from hypothesis import HealthCheck, given, settings

from .compare import Difference, agree, found
from .linear_cases import CASES

FAULTS: dict[str, Callable[..., Any]] = {
    "floor": lambda f, x: xp.trunc(x),
    "copysign": lambda f, a, b: f(a, b if isinstance(b, float) else xp.abs(b)),
    "sum": lambda f, x, **kw: f(x, **kw).astype(x.dtype),
    "argmax": lambda f, x, axis=None, **kw: f(x, axis=-1 if axis is None else axis, **kw),
    "sort": lambda f, x, descending=False, **kw: f(x, **kw),
    "roll": lambda f, x, shift, axis=None: f(x, shift, axis=None),
    "unique_counts": lambda f, x: f(x)._replace(counts=xp.ones_like(f(x).counts)),
    "clip": lambda f, x, min=None, max=None: f(x, min, None),
    "fft.ifft": lambda f, x, norm="backward", **kw: f(x, **kw),
    "linalg.trace": lambda f, x, offset=0, **kw: f(x, offset=abs(offset), **kw),
    "where": lambda f, condition, a, b: f(condition, a, a + b if isinstance(b, mx.array) else b),
    "floor_divide": lambda f, a, b: xp.trunc(xp.divide(a, b)),
}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_fault_is_found(name):
    real, fault, case = found(name, xp), FAULTS[name], CASES[name]

    def faulty(*args: Any, **kwargs: Any) -> Any:
        return fault(real, *args, **kwargs)

    @settings(
        max_examples=60,
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(case.inputs)
    def run(inputs):
        agree(name, *inputs, loose=case.loose, implementation=faulty)

    with pytest.raises(Difference):
        run()
