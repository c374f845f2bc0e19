"""Chapter "elementwise functions": the engine's own functions, under the standard's names.

The engine computes the standard's special cases itself, so only `clip` needs Python here.
"""

from __future__ import annotations

import mlx.core as mx

from .dtypes import Array

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]

abs = mx.abs
acos = mx.arccos
acosh = mx.arccosh
add = mx.add
asin = mx.arcsin
asinh = mx.arcsinh
atan = mx.arctan
atan2 = mx.arctan2
atanh = mx.arctanh
bitwise_and = mx.bitwise_and
bitwise_invert = mx.bitwise_invert
bitwise_left_shift = mx.left_shift
bitwise_or = mx.bitwise_or
bitwise_right_shift = mx.right_shift
bitwise_xor = mx.bitwise_xor
ceil = mx.ceil
conj = mx.conj
copysign = mx.copysign
cos = mx.cos
cosh = mx.cosh
divide = mx.divide
equal = mx.equal
exp = mx.exp
expm1 = mx.expm1
floor = mx.floor
floor_divide = mx.floor_divide
greater = mx.greater
greater_equal = mx.greater_equal
hypot = mx.hypot
imag = mx.imag
isfinite = mx.isfinite
isinf = mx.isinf
isnan = mx.isnan
less = mx.less
less_equal = mx.less_equal
log = mx.log
log10 = mx.log10
log1p = mx.log1p
log2 = mx.log2
logaddexp = mx.logaddexp
logical_and = mx.logical_and
logical_not = mx.logical_not
logical_or = mx.logical_or
logical_xor = mx.logical_xor
maximum = mx.maximum
minimum = mx.minimum
multiply = mx.multiply
negative = mx.negative
nextafter = mx.nextafter
not_equal = mx.not_equal
positive = mx.positive
pow = mx.power
real = mx.real
reciprocal = mx.reciprocal
remainder = mx.remainder
round = mx.round
sign = mx.sign
signbit = mx.signbit
sin = mx.sin
sinh = mx.sinh
sqrt = mx.sqrt
square = mx.square
subtract = mx.subtract
tan = mx.tan
tanh = mx.tanh
trunc = mx.trunc


def clip(
    x: Array,
    /,
    min: int | float | Array | None = None,
    max: int | float | Array | None = None,
) -> Array:
    """Each element of x, moved into [min, max].

    >>> clip(mx.array([1, 5, 9]), 2, 6)
    array([2, 5, 6], dtype=int32)
    """
    return mx.clip(x, min, max)
