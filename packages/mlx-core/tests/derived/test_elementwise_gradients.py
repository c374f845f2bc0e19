"""Every differentiable elementwise record against central differences, and vmap against a loop."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from records import ELEMENTWISE, accepted, draw, to_mlx, to_numpy

DIFFERENTIABLE = [
    pytest.param(op, dtype, id=f"{op['function']}-{dtype}")
    for op in ELEMENTWISE
    for dtype in ("float64", "complex128")
    if op["vjp"] and dtype in accepted(op)
]


def direction(shape: tuple[int, ...], dtype, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    real = rng.standard_normal(shape)
    if dtype.kind == "c":
        return real + 1j * rng.standard_normal(shape)
    return real


def inner(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.real(np.sum(np.conj(a) * b)))


@pytest.mark.parametrize(("op", "dtype"), DIFFERENTIABLE)
def test_jvp_and_vjp(op: dict, dtype: str):
    """jvp against central differences; vjp by <c, J t> = <J* c, t>."""
    fun = getattr(mx, op["function"])
    inputs = draw(op, dtype, (7,), seed=3)
    tangents = [
        direction(x.shape, x.dtype, 10 + i) if x.dtype != bool else np.zeros(x.shape)
        for i, x in enumerate(inputs)
    ]
    arrays = [to_mlx(x) for x in inputs]
    outputs, pushed = mx.jvp(
        lambda *xs: fun(*xs),
        arrays,
        [to_mlx(t.astype(x.dtype)) for t, x in zip(tangents, inputs, strict=True)],
    )
    pushed = to_numpy(pushed[0])

    step = 1e-6

    def shifted(sign: float) -> np.ndarray:
        moved = [
            x if x.dtype == bool else x + sign * step * t
            for x, t in zip(inputs, tangents, strict=True)
        ]
        return to_numpy(
            fun(*(to_mlx(m.astype(x.dtype)) for m, x in zip(moved, inputs, strict=True)))
        )

    numeric = (shifted(1) - shifted(-1)) / (2 * step)
    np.testing.assert_allclose(pushed, numeric, rtol=2e-5, atol=1e-6)

    cotangent = direction(pushed.shape, pushed.dtype, 20)
    _, pulled = mx.vjp(lambda *xs: fun(*xs), arrays, [to_mlx(cotangent)])
    back = sum(
        inner(to_numpy(p), t)
        for p, t, x in zip(pulled, tangents, inputs, strict=True)
        if x.dtype != bool
    )
    np.testing.assert_allclose(back, inner(cotangent, pushed), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("op", [pytest.param(op, id=op["function"]) for op in ELEMENTWISE])
def test_vmap_is_a_loop(op: dict):
    fun = getattr(mx, op["function"])
    dtype = "float64" if "float64" in accepted(op) else accepted(op)[-1]
    inputs = [to_mlx(x) for x in draw(op, dtype, (4, 3))]
    looped = np.stack([to_numpy(fun(*(x[i] for x in inputs))) for i in range(4)])
    mapped = mx.vmap(lambda *xs: fun(*xs))(*inputs)
    np.testing.assert_array_equal(to_numpy(mapped), looped)
    # Only the first argument has a batch axis.
    axes = (0,) + (None,) * (len(inputs) - 1)
    shared = [inputs[0]] + [x[0] for x in inputs[1:]]
    looped = np.stack([to_numpy(fun(shared[0][i], *shared[1:])) for i in range(4)])
    np.testing.assert_array_equal(to_numpy(mx.vmap(lambda *xs: fun(*xs), axes)(*shared)), looped)
