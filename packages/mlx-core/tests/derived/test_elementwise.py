"""Every elementwise record: values at the stated accuracy, dtypes, layouts, fusion."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from records import (
    COMPLEX,
    DTYPES,
    ELEMENTWISE,
    FLOATING,
    accepted,
    assert_within_ulp,
    draw,
    expected,
    to_mlx,
    to_numpy,
)
from reference import REFERENCE

CASES = [
    pytest.param(op, dtype, id=f"{op['function']}-{dtype}")
    for op in ELEMENTWISE
    for dtype in accepted(op)
]
REFUSED = [
    pytest.param(op, dtype, id=f"{op['function']}-{dtype}")
    for op in ELEMENTWISE
    for dtype in DTYPES
    if dtype not in accepted(op)
]


def call(op: dict, inputs: list[mx.array]) -> mx.array:
    return getattr(mx, op["function"])(*inputs)


def test_registry_is_complete():
    functions = {op["function"] for op in ELEMENTWISE}
    assert functions == set(REFERENCE), (
        "reference.py names every elementwise function, and no other"
    )
    assert all(op["doc"].endswith(".") for op in ELEMENTWISE)


@pytest.mark.parametrize(("op", "dtype"), CASES)
def test_value(op: dict, dtype: str):
    inputs = draw(op, dtype, (3000,))
    actual = to_numpy(call(op, [to_mlx(x) for x in inputs]))
    exact = expected(op, inputs)
    if dtype in FLOATING + COMPLEX and actual.dtype != bool:
        # A half is computed in float32 and rounded once more.
        assert_within_ulp(actual, exact, op["max_ulp"])
    else:
        np.testing.assert_array_equal(actual, exact.astype(actual.dtype))


@pytest.mark.parametrize(("op", "dtype"), CASES)
def test_layouts_agree(op: dict, dtype: str):
    inputs = draw(op, dtype, (6, 5))
    row_major = to_numpy(call(op, [to_mlx(x) for x in inputs]))
    transposed = to_numpy(call(op, [to_mlx(x.T.copy()).T for x in inputs]))
    np.testing.assert_array_equal(transposed, row_major)
    # Every second row of an array with other rows between.
    strided = to_numpy(call(op, [to_mlx(np.repeat(x, 2, axis=0))[::2] for x in inputs]))
    np.testing.assert_array_equal(strided, row_major)
    broadcast = call(op, [mx.broadcast_to(to_mlx(x[:, :1]), (6, 5)) for x in inputs])
    column = to_numpy(call(op, [to_mlx(x[:, :1].copy()) for x in inputs]))
    np.testing.assert_array_equal(to_numpy(broadcast), np.broadcast_to(column, (6, 5)))
    scalar = call(op, [to_mlx(x[0, 0]) for x in inputs])
    assert scalar.shape == ()
    np.testing.assert_array_equal(to_numpy(scalar), row_major[0, 0])
    empty = call(op, [to_mlx(x[:0].copy()) for x in inputs])
    assert empty.shape == (0, 5) and to_numpy(empty).dtype == row_major.dtype


@pytest.mark.parametrize(("op", "dtype"), CASES)
def test_fused_equals_unfused(op: dict, dtype: str):
    """In the middle of a program longer than one tile, bit for bit what it is alone."""
    inputs = [to_mlx(x) for x in draw(op, dtype, (10007,))]
    alone = call(op, inputs)
    mx.eval(alone)
    fused = mx.where(mx.array(True), call(op, inputs), alone)
    view = np.uint8
    np.testing.assert_array_equal(
        to_numpy(fused).view(view).ravel(), to_numpy(alone).view(view).ravel()
    )


@pytest.mark.parametrize(("op", "dtype"), REFUSED)
def test_other_dtypes_are_cast_or_refused(op: dict, dtype: str):
    inputs = [to_mlx(x) for x in draw(op, dtype, (4,))]
    if op["integers"] == "to_bool" or (
        op["integers"] == "to_inexact" and dtype not in FLOATING + COMPLEX
    ):
        widened = mx.bool_ if op["integers"] == "to_bool" else mx.float32
        reference = call(op, [x.astype(widened) for x in inputs])
        np.testing.assert_array_equal(to_numpy(call(op, inputs)), to_numpy(reference))
    else:
        with pytest.raises(TypeError, match=rf"\[{op['function']}\].*{dtype.rstrip('_')}"):
            call(op, inputs)
