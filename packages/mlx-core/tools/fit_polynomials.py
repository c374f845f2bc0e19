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
    # Round all coefficients together: the exchange needs it where zero lies inside the interval.
    at_once: bool = False
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
    if job.at_once:
        coefficients, worst = remez(exact, weights, points, list(range(job.degree + 1)), low, high)
        return [round_to(c, job.bits) for c in coefficients], worst
    chosen: list[mp.mpf] = []
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


def odd_part(function: Callable[[mp.mpf], mp.mpf]) -> Callable[[mp.mpf], mp.mpf]:
    """P in f(x) = x + x * z * P(z), z = x * x, of an odd f."""
    return lambda z: (function(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def erfc_inverse(q: mp.mpf) -> mp.mpf:
    """y with erfc(y) = q, for small q."""
    return mp.findroot(lambda y: mp.log(mp.erfc(y)) - mp.log(q), mp.sqrt(-mp.log(q)) * 0.95)


def erfinv_central(w: mp.mpf) -> mp.mpf:
    """erfinv(x) / x with w = -log(1 - x * x)."""
    x = mp.sqrt(-mp.expm1(-w))
    return mp.erfinv(x) / x


def scaled_erfc(x: mp.mpf) -> mp.mpf:
    """exp(x * x) * erfc(x)."""
    return mp.exp(x * x) * mp.erfc(x)


def from_erf_map(u: mp.mpf) -> mp.mpf:
    """x from u = (x - 2) / (x + 2)."""
    return 2 * (1 + u) / (1 - u)


JOBS: dict[str, Fit] = {}


def job(name: str, function, low, high, degree: int, bits: int, weight, at_once=False) -> None:
    """Add one polynomial to the list."""
    JOBS[f"{name}_f{32 if bits == 24 else 64}"] = Fit(
        function, low, high, degree, bits, at_once, weight
    )


def odd_jobs(name: str, function, high, degree_32: int, degree_64: int) -> None:
    """Both precisions of f(x) = x + x * z * P(z) on z in [0, high]."""
    part = odd_part(function)
    for degree, bits in ((degree_32, 24), (degree_64, 53)):
        job(name, part, 0, high, degree, bits, lambda z: z * mp.sqrt(z) / function(mp.sqrt(z)))


def centred_job(name: str, function, low, high, degree: int, bits: int) -> None:
    """A polynomial in the distance to the middle of [low, high], with relative error."""
    middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
    job(name, lambda t: function(t + middle), -half, half, degree, bits,
        lambda t: 1 / function(t + middle), at_once=True)  # fmt: skip


LN2_HALF = 0.3466
PI_QUARTER = 0.7854

# exp(r) = 1 + r + r*r*P(r)
for degree, bits in ((4, 24), (9, 53)):
    job("exp", lambda r: (mp.exp(r) - 1 - r) / r**2, -LN2_HALF, LN2_HALF, degree, bits,
        lambda r: r**2 / mp.exp(r))  # fmt: skip
# log(1+f) = f - f*f/2 + f**3 * P(f), f in [sqrt(1/2)-1, sqrt(2)-1]
job("log", lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, -0.2930, 0.4143, 7, 24,
    lambda f: f**3 / mp.log1p(f))  # fmt: skip
# log(1+f) with s = f/(2+f), z = s*s: log(1+f) = 2*atanh(s) = 2*s + s*z*P(z)
job("log", lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z, 0, 0.02945, 6, 53,
    lambda z: z)  # fmt: skip
# cos(r) = 1 - z/2 + z*z*P(z), z = r*r, |r| <= pi/4; sin is odd. The wide sin goes to pi/2: it
# serves sin and cos alone, with r reduced by multiples of pi instead of pi/2.
odd_jobs("sin_quarter", mp.sin, PI_QUARTER**2, 2, 5)
odd_jobs("sin", mp.sin, 1.571**2, 3, 7)
for degree, bits in ((2, 24), (5, 53)):
    job("cos_quarter", lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, 0, PI_QUARTER**2,
        degree, bits, lambda z: z * z)  # fmt: skip
odd_jobs("sinh", mp.sinh, 1, 3, 6)
odd_jobs("tanh", mp.tanh, 0.3601, 4, 10)
odd_jobs("arcsin", mp.asin, 0.25, 4, 11)
odd_jobs("arctan", mp.atan, 0.2501, 4, 11)
odd_jobs("arcsinh", mp.asinh, 0.25, 4, 11)
odd_jobs("arctanh", mp.atanh, 0.25, 5, 12)
# arccosh(1+t) = sqrt(2t) * (1 + t*P(t)) = sqrt(2t) + sqrt(2t)*t*P(t)
for degree, bits in ((4, 24), (11, 53)):
    job("arccosh", lambda t: (mp.acosh(1 + t) / mp.sqrt(2 * t) - 1) / t, 0, 0.5, degree, bits,
        lambda t: t)  # fmt: skip
# erf(x) = x + x*P(z) up to 1; beyond, erf(x) = 1 - exp(-x*x) * P(u) with u = (x-2)/(x+2), up to 4
# (float) and 6, where erf rounds to 1.
for degree, bits in ((6, 24), (11, 53)):
    job("erf_small", lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 0, 1, degree, bits,
        lambda z: 1)  # fmt: skip
for high, degree, bits in ((mp.mpf(1) / 3, 4, 24), (0.5, 12, 53)):
    job("erf_large", lambda u: scaled_erfc(from_erf_map(u)), -mp.mpf(1) / 3, high, degree, bits,
        lambda u: mp.exp(-(from_erf_map(u) ** 2)))  # fmt: skip
# erfinv(x) = x * P(w), w = -log(1-x*x), near zero; P(s), s = sqrt(-log(1-|x|)), near one.
centred_job("erfinv_central", erfinv_central, 0, 4, 8, 24)
centred_job("erfinv_central", erfinv_central, 0, 3, 16, 53)
centred_job("erfinv_tail", lambda s: erfc_inverse(mp.exp(-s * s)), 2.1, 4.2, 8, 24)
centred_job("erfinv_middle", lambda s: erfc_inverse(mp.exp(-s * s)), 1.9, 3.1, 15, 53)
centred_job("erfinv_tail", lambda s: erfc_inverse(mp.exp(-s * s)), 3.1, 6.1, 18, 53)
# log2(1+f) with s = f/(2+f): s * P(z); 2**r = 1 + r*P(r): for float's power, computed in double.
job("power_log2", lambda z: 2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) / mp.log(2), 0, 0.02945, 4, 53,
    lambda z: 1)  # fmt: skip
job("power_exp2", lambda r: mp.expm1(r * mp.log(2)) / r, -0.5, 0.5, 6, 53,
    lambda r: 1, at_once=True)  # fmt: skip
# The same to 65 bits: the first two coefficients are then given in two parts each (see power.h).
job("power_log2_rest", lambda z: ((2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z - mp.mpf(2) / 3)
    / mp.log(2) / z, 0, 0.02945, 7, 53, lambda z: z * z)  # fmt: skip


def main() -> None:
    """Print the polynomials named on the command line, or all."""
    for name in sys.argv[1:] or JOBS:
        coefficients, worst = fit(JOBS[name])
        bits = JOBS[name].bits
        print(f"{name}: largest weighted error 2**{float(mp.log(worst, 2)):.1f}")
        print("    " + ",\n    ".join(literal(c, bits) for c in coefficients))


if __name__ == "__main__":
    main()
