"""Set functions where array-api-strict is no help: NaN, signed zeros, inverted membership."""

from __future__ import annotations

import math

import mlx.core as mx
import mlx.interop as xp


def test_isin_inverted():
    x = xp.asarray([1, 2, 3])
    assert xp.isin(x, xp.asarray([3, 1]), invert=True).tolist() == [False, True, False]
    assert xp.isin(2, x).item() is True
    assert xp.isin(x, 2, invert=True).tolist() == [True, False, True]
    assert xp.isin(x, xp.asarray([], dtype=xp.int64), invert=True).tolist() == [True] * 3


def test_isin_by_equality():
    x = xp.asarray([math.nan, 0.0, -0.0, 1.0])
    assert xp.isin(x, x).tolist() == [False, True, True, True]


def test_every_nan_is_distinct():
    values, indices, inverse, counts = xp.unique_all(xp.asarray([math.nan, 1.0, math.nan, 1.0]))
    assert counts.tolist() == [2, 1, 1]
    assert values[0].item() == 1
    assert all(math.isnan(v) for v in values[1:].tolist())
    assert sorted(indices.tolist()) == [0, 1, 2]
    assert sorted(inverse.tolist()) == [0, 0, 1, 2]
    complex_nan = xp.asarray([complex(math.nan, 1), complex(math.nan, 1), 1j, 1j])
    assert sorted(xp.unique_counts(complex_nan).counts.tolist()) == [1, 1, 2]


def test_zeros_are_one():
    values, counts = xp.unique_counts(xp.asarray([0.0, -0.0, 0.0]))
    assert (values.tolist(), counts.tolist()) == ([0.0], [3])
    values, counts = xp.unique_counts(xp.asarray([complex(0, -0.0), complex(-0.0, 0)]))
    assert counts.tolist() == [2]


def test_sets_of_nothing():
    for part in xp.unique_all(xp.zeros((0, 3))):
        assert part.size == 0
    assert xp.unique_inverse(xp.zeros((0, 3))).inverse_indices.shape == (0, 3)
    assert xp.unique_values(mx.zeros((0,))).dtype == xp.float32
