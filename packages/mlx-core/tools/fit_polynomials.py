"""Fit the polynomials of the scalar bodies in src/mlx/ops/lanes (needs mpmath; run by hand).

Every coefficient there was printed by this script: `python fit_polynomials.py sin_f32`.

Method: Remez exchange on the weighted error, then the coefficients are rounded to the working
precision from the lowest power up, and the rest is fitted again after each rounding, so that the
higher coefficients absorb the rounding of the lower ones.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import mpmath as mp

mp.mp.dps = 50


@dataclass(frozen=True)
class Fit:
    """f(x) ~ sum of c[k] * x**powers[k] on [low, high], with error weighted by `weight`."""

    function: Callable[[mp.mpf], mp.mpf]
    low: float
    high: float
    degree: int
    bits: int
    fixed: tuple[float, ...] = ()  # the lowest coefficients, where theory gives them
    weight: Callable[[mp.mpf], mp.mpf] = field(default=lambda x: mp.mpf(1))


def round_to(value: mp.mpf, bits: int) -> mp.mpf:
    """The nearest binary floating-point number of `bits` bits."""
    with mp.workprec(bits):
        return +mp.mpf(value)


def remez(targets, weights, points, powers, low, high):
    """Best weighted approximation by the given powers; returns coefficients and error."""
    count = len(powers)
    # Start from Chebyshev nodes.
    nodes = []
    for k in range(count + 1):
        wanted = (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * k / count)
        nodes.append(min(range(len(points)), key=lambda i: abs(points[i] - wanted)))
    best = None
    for _ in range(12):
        matrix = mp.matrix(count + 1, count + 1)
        right = mp.matrix(count + 1, 1)
        for row, i in enumerate(nodes):
            for column, power in enumerate(powers):
                matrix[row, column] = points[i] ** power
            matrix[row, count] = (-1) ** row / weights[i]
            right[row] = targets[i]
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[k] for k in range(count)]
        errors = []
        for i, x in enumerate(points):
            value = mp.mpf(0)
            for c, p in zip(reversed(coefficients), reversed(powers), strict=True):
                value += c * x**p
            errors.append((value - targets[i]) * weights[i])
        worst = max(abs(e) for e in errors)
        if best is None or worst < best[1]:
            best = (coefficients, worst)
        # One extremum per run of equal sign.
        extrema = []
        for i, e in enumerate(errors):
            if extrema and (errors[extrema[-1]] > 0) == (e > 0):
                if abs(e) > abs(errors[extrema[-1]]):
                    extrema[-1] = i
            else:
                extrema.append(i)
        while len(extrema) > count + 1:
            if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]):
                extrema.pop(0)
            else:
                extrema.pop()
        if len(extrema) < count + 1:
            break
        if worst < abs(solution[count]) * mp.mpf("1.01"):
            break
        nodes = extrema
    return best


def fit(job: Fit) -> tuple[list[mp.mpf], mp.mpf]:
    """Rounded coefficients from the lowest power up, and the largest weighted error."""
    low, high = mp.mpf(job.low), mp.mpf(job.high)
    grid = max(200, 16 * job.degree)
    # Nudged off the ends, where formulas such as (f(x) - 1) / x are 0 / 0.
    points = [
        (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (k + mp.mpf("0.37")) / grid)
        for k in range(grid)
    ]
    exact = [job.function(x) for x in points]
    weights = [job.weight(x) for x in points]
    chosen = [mp.mpf(c) for c in job.fixed]
    worst = mp.mpf(0)
    while len(chosen) <= job.degree:
        rest = [
            t - sum(c * x**k for k, c in enumerate(chosen))
            for t, x in zip(exact, points, strict=True)
        ]
        powers = list(range(len(chosen), job.degree + 1))
        coefficients, worst = remez(rest, weights, points, powers, low, high)
        chosen.append(round_to(coefficients[0], job.bits))
    return chosen, worst


def literal(value: mp.mpf, bits: int) -> str:
    """A C hexadecimal literal."""
    text = float(value).hex()
    mantissa, exponent = text.split("p")
    mantissa = mantissa.rstrip("0")
    if bits == 24:
        assert struct.unpack("f", struct.pack("f", float(value)))[0] == float(value)
    return f"{mantissa}p{exponent}{'f' if bits == 24 else ''}"


JOBS: dict[str, Fit] = {}


def job(name: str, **arguments) -> None:
    JOBS[name] = Fit(**arguments)


LN2_HALF = 0.3466
PI_QUARTER = 0.7854

# exp(r) = 1 + r + r*r*P(r)
job(
    "exp_f32",
    function=lambda r: (mp.exp(r) - 1 - r) / r**2,
    low=-LN2_HALF,
    high=LN2_HALF,
    degree=4,
    bits=24,
    weight=lambda r: r**2 / mp.exp(r),
)
job(
    "exp_f64",
    function=lambda r: (mp.exp(r) - 1 - r) / r**2,
    low=-LN2_HALF,
    high=LN2_HALF,
    degree=9,
    bits=53,
    weight=lambda r: r**2 / mp.exp(r),
)
# log(1+f) = f - f*f/2 + f**3 * P(f), f in [sqrt(1/2)-1, sqrt(2)-1]
job(
    "log_f32",
    function=lambda f: (mp.log1p(f) - f + f * f / 2) / f**3,
    low=-0.2930,
    high=0.4143,
    degree=7,
    bits=24,
    weight=lambda f: f**3 / mp.log1p(f),
)
# log(1+f) with s = f/(2+f), z = s*s: log(1+f) = 2*atanh(s) = 2*s + s*z*P(z)
job(
    "log_f64",
    function=lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z,
    low=0,
    high=0.02945,
    degree=6,
    bits=53,
    weight=lambda z: z,
)
# sin(r) = r + r*z*P(z), cos(r) = 1 - z/2 + z*z*P(z), z = r*r, |r| <= pi/4
job(
    "sin_f32",
    function=lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
    low=0,
    high=PI_QUARTER**2,
    degree=2,
    bits=24,
    weight=lambda z: z,
)
job(
    "cos_f32",
    function=lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2,
    low=0,
    high=PI_QUARTER**2,
    degree=2,
    bits=24,
    weight=lambda z: z * z,
)
job(
    "sin_f64",
    function=lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
    low=0,
    high=PI_QUARTER**2,
    degree=5,
    bits=53,
    weight=lambda z: z,
)
job(
    "cos_f64",
    function=lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2,
    low=0,
    high=PI_QUARTER**2,
    degree=5,
    bits=53,
    weight=lambda z: z * z,
)
# The same for |r| <= pi/2, for sin and cos alone: r is reduced by multiples of pi, not pi/2.
job(
    "sin_wide_f32",
    function=lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
    low=0,
    high=1.58**2,
    degree=3,
    bits=24,
    weight=lambda z: z * mp.sqrt(z) / mp.sin(mp.sqrt(z)),
)
job(
    "sin_wide_f64",
    function=lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
    low=0,
    high=1.571**2,
    degree=7,
    bits=53,
    weight=lambda z: z * mp.sqrt(z) / mp.sin(mp.sqrt(z)),
)


def main() -> None:
    for name in sys.argv[1:] or JOBS:
        coefficients, worst = fit(JOBS[name])
        bits = JOBS[name].bits
        print(f"{name}: largest weighted error 2**{float(mp.log(worst, 2)):.1f}")
        print("    " + ",\n    ".join(literal(c, bits) for c in coefficients))


if __name__ == "__main__":
    main()
