"""What each elementwise function is, told by someone else: numpy in higher precision, or mpmath.

One line per function of the registry; test_registry_is_complete fails where one is missing.
``precise`` evaluates a function on exact inputs to more digits than any dtype under test has.
"""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np

mpmath.mp.prec = 120


def _by_mpmath(function: Callable) -> Callable:
    """A function of long doubles from one of mpmath, element by element."""

    def evaluate(*arrays: np.ndarray) -> np.ndarray:
        arrays = np.broadcast_arrays(*arrays)
        result = np.empty(arrays[0].shape, np.longdouble)
        for index in np.ndindex(result.shape):
            result[index] = _to_longdouble(function(*(_to_mpf(a[index]) for a in arrays)))
        return result

    return evaluate


def _to_mpf(x) -> mpmath.mpf:
    high = np.float64(x)
    if not np.isfinite(high):
        return mpmath.mpf(str(high))
    return mpmath.mpf(float(high)) + mpmath.mpf(float(x - np.longdouble(high)))


def _to_longdouble(x) -> np.longdouble:
    if isinstance(x, mpmath.mpc):
        return np.longdouble("nan")
    if not mpmath.isfinite(x):
        return np.longdouble(str(x).replace("+", ""))
    high = float(x)
    if np.isinf(high):
        return np.longdouble(high)
    return np.longdouble(high) + np.longdouble(float(x - mpmath.mpf(high)))


def _erfinv(x):
    if abs(x) > 1:
        return mpmath.nan
    if abs(x) == 1:
        return mpmath.inf * x
    return mpmath.erfinv(x)


def _sign(x):
    if np.iscomplexobj(x):
        size = np.abs(x)
        return np.where(size == 0, 0, x / np.where(size == 0, 1, size))
    return np.sign(x)


def _shift_left(a, b):
    return np.left_shift(a, b)


# The function of a name; on floating input it gets and gives np.longdouble.
REFERENCE: dict[str, Callable] = {
    "abs": np.abs,
    "add": np.add,
    "arccos": np.arccos,
    "arccosh": np.arccosh,
    "arcsin": np.arcsin,
    "arcsinh": np.arcsinh,
    "arctan": np.arctan,
    "arctan2": np.arctan2,
    "arctanh": np.arctanh,
    "bitwise_and": np.bitwise_and,
    "bitwise_invert": np.invert,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "ceil": np.ceil,
    "conjugate": np.conjugate,
    "copysign": np.copysign,
    "cos": np.cos,
    "cosh": np.cosh,
    "divide": np.divide,
    "equal": np.equal,
    "erf": _by_mpmath(mpmath.erf),
    "erfinv": _by_mpmath(_erfinv),
    "exp": np.exp,
    "expm1": np.expm1,
    "floor": np.floor,
    "floor_divide": np.floor_divide,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "hypot": np.hypot,
    "imag": np.imag,
    "isfinite": np.isfinite,
    "isinf": np.isinf,
    "isnan": np.isnan,
    "left_shift": _shift_left,
    "less": np.less,
    "less_equal": np.less_equal,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "logaddexp": np.logaddexp,
    "logical_and": np.logical_and,
    "logical_not": np.logical_not,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": np.multiply,
    "negative": np.negative,
    "nextafter": np.nextafter,
    "not_equal": np.not_equal,
    "power": np.power,
    "real": np.real,
    "reciprocal": lambda x: 1 / x,
    "remainder": np.remainder,
    "right_shift": np.right_shift,
    "round": np.round,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sign": _sign,
    "signbit": np.signbit,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "square": np.square,
    "subtract": np.subtract,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
    "where": np.where,
}

# Where a function is interesting and its reference exact enough; elsewhere -20 to 20.
DOMAIN: dict[str, tuple[float, float]] = {
    "arccos": (-1, 1),
    "arcsin": (-1, 1),
    "arctanh": (-0.999, 0.999),
    "arccosh": (1, 50),
    "erf": (-4, 4),
    "erfinv": (-0.999, 0.999),
    "log": (1e-6, 50),
    "log10": (1e-6, 50),
    "log1p": (-0.999, 50),
    "log2": (1e-6, 50),
    "power": (0.1, 4),
    "rsqrt": (1e-6, 50),
    "sqrt": (0, 50),
    "tan": (-1.5, 1.5),
}
