"""Derivatives against differences: what the gradient tests of matrix functions share."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
from layouts import to_mx


def random_array(rng, shape, dtype="float64") -> np.ndarray:
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def _real_product(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.sum(np.conj(a) * b).real)


def _as_list(outputs) -> list[mx.array]:
    return [outputs] if isinstance(outputs, mx.array) else list(outputs)


def check_derivatives(function, inputs, along=lambda x: x, tolerance=1e-6, step=1e-5) -> None:
    """vjp, jvp and a vjp of the vjp of ``function`` agree with central differences.

    ``along`` maps a direction to one in which the inputs may change (Hermitian, triangular, ...).
    """
    rng = np.random.default_rng(1)
    directions = [along(random_array(rng, x.shape, x.dtype)) for x in inputs]

    def call(*arrays):
        return _as_list(function(*arrays))

    def moved(h):
        shifted = [to_mx(x + h * d) for x, d in zip(inputs, directions, strict=True)]
        return [np.array(y) for y in call(*shifted)]

    difference = [(a - b) / (2 * step) for a, b in zip(moved(step), moved(-step), strict=True)]
    primals = [to_mx(x) for x in inputs]
    outputs, tangents = mx.jvp(call, primals, [to_mx(d) for d in directions])
    for tangent, wanted in zip(tangents, difference, strict=True):
        np.testing.assert_allclose(np.array(tangent), wanted, rtol=tolerance, atol=tolerance)
    cotangents = [random_array(rng, y.shape, np.array(y).dtype) for y in outputs]
    _, gradients = mx.vjp(call, primals, [to_mx(c) for c in cotangents])
    pulled = sum(_real_product(np.array(g), d) for g, d in zip(gradients, directions, strict=True))
    pushed = sum(_real_product(c, d) for c, d in zip(cotangents, difference, strict=True))
    np.testing.assert_allclose(pulled, pushed, rtol=tolerance, atol=tolerance * 10)
