"""The standard's own tables of special cases, line by line, for every floating-point dtype."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path

import mlx.interop as xp
import numpy as np
import pytest

from .language import Values, complex_result, condition, equals, real_result

CASES: list[tuple[str, str, str, str]] = [
    tuple(case)
    for case in json.loads((Path(__file__).parents[1] / "special_cases.json").read_text())
]
# Prose about several cases at once; the lines around each of them say the same one by one.
PROSE = (
    "have the same mathematical sign, the result",
    "have different mathematical signs, the result",
    "the real component of",
    "a, b, c",
    "two integers are equally close",
)
REALS = [math.nan, math.inf, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 7.0, 1e10]
GRID = [math.copysign(x, sign) for x in REALS for sign in (1, -1)]
PARTS = [
    math.copysign(x, sign) for x in (math.nan, math.inf, 0.0, 0.5, 1.0, 2.0) for sign in (1, -1)
]
BINARY = ("x1_i", "x2_i")
THREE = ("x_i", "min_i", "max_i")


def stated(kind: str) -> list[tuple[str, str, str, str]]:
    """The lines of a kind that are about values one by one."""
    whole = "x_i is already integer-valued"  # of complex numbers, the lines on parts say it
    return [
        c
        for c in CASES
        if c[1] == kind
        and not any(text in c[2] for text in PROSE)
        and not (kind == "complex" and c[2] == whole)
    ]


def lines_of(name: str, kind: str) -> list[tuple[Callable, Callable]]:
    """Predicate and check of every line about a function."""
    result = complex_result if kind == "complex" else real_result
    return [(condition(c[2]), result(c[3])) for c in stated(kind) if c[0] == name]


def is_right(lines: list[tuple[Callable, Callable]], values: Values, found: complex) -> bool:
    """Does one of the lines that speak of these values hold? (Some speak of the same ones, and
    contradict each other: sqrt of NaN + infinity j. And of each complex line there is the one that
    f(conj(x)) = conj(f(x)) makes of it.)"""
    if any(check(values, found) for holds, check in lines if holds(values)):
        return True
    if not isinstance(found, complex):
        return False
    mirrored = {**values, "b": -values["b"]}
    return any(check(mirrored, found.conjugate()) for holds, check in lines if holds(mirrored))


def inputs_of(name: str, kind: str, text: str) -> list[Values]:
    if kind == "complex":
        names, grid = ("a", "b"), PARTS
    elif name == "clip":
        names, grid = THREE, [math.nan, 0.5, 2.0]
    else:
        names, grid = (BINARY if "x1_i" in text or "x2_i" in text else ("x_i",)), GRID
    holds = condition(text)
    every = (
        dict(zip(names, values, strict=True))
        for values in itertools.product(grid, repeat=len(names))
    )
    return [values for values in every if holds(values)]


def named(case: tuple[str, str, str, str]) -> str:
    return f"{case[0]}: {case[2]}"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", stated("real"), ids=named)
def test_real(case, dtype):
    name, kind, text, result = case
    inputs = inputs_of(name, kind, text)
    assert inputs, "no value of the grid is meant"
    columns = (
        xp.asarray([values[n] for values in inputs], dtype=getattr(xp, dtype)) for n in inputs[0]
    )
    found = np.asarray(getattr(xp, name)(*columns)).tolist()
    check = real_result(result)
    assert any(check(v, float(y)) for v, y in zip(inputs, found, strict=True))
    lines = lines_of(name, kind)
    wrong = [(v, y) for v, y in zip(inputs, found, strict=True) if not is_right(lines, v, float(y))]
    assert not wrong, f"expected {result}"


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("case", stated("complex"), ids=named)
def test_complex(case, dtype):
    name, kind, text, result = case
    inputs = inputs_of(name, kind, text)
    assert inputs, "no value of the grid is meant"
    x = np.array([complex(v["a"], v["b"]) for v in inputs], dtype)
    found = np.asarray(getattr(xp, name)(xp.asarray(x))).tolist()
    check = complex_result(result)
    assert any(check(v, complex(y)) for v, y in zip(inputs, found, strict=True))
    lines = lines_of(name, kind)
    wrong = [(v, y) for v, y in zip(inputs, found, strict=True) if not is_right(lines, v, y)]
    assert not wrong, f"expected {result}"


CONJUGATE = "acos acosh asin asinh atan atanh cosh exp expm1 log log1p log2 log10 sinh sqrt tanh"


@pytest.mark.parametrize("name", CONJUGATE.split())
def test_symmetry(name):
    """f(conj(x)) must equal conj(f(x)); where a sign is unspecified, only up to it."""
    x = np.array([complex(a, b) for a in PARTS for b in PARTS], "complex128")
    function = getattr(xp, name)
    left = np.asarray(function(xp.asarray(np.conj(x)))).tolist()
    right = np.conj(np.asarray(function(xp.asarray(x)))).tolist()
    for at, found, wanted in zip(x.tolist(), left, right, strict=True):
        free = not (math.isfinite(at.real) and math.isfinite(at.imag))
        assert equals(found.real, wanted.real, signed=not free), at
        assert equals(found.imag, wanted.imag, signed=not free), at


def test_cases_are_read():
    assert len(stated("real")) > 280
    assert len(stated("complex")) > 140
    for name, kind, text, _ in stated("real") + stated("complex"):
        assert lines_of(name, kind)
        assert inputs_of(name, kind, text), (name, text)
