"""What the dtypes can hold: ``finfo`` and ``iinfo``."""

from __future__ import annotations

from typing import NamedTuple

from . import _core

__all__ = ["finfo", "iinfo"]


class _Format(NamedTuple):
    """A binary floating format: bits, bits of the significand after the point, largest exponent."""

    bits: int
    fraction: int
    exponent: int


_FORMATS = {
    _core.float16: _Format(16, 10, 15),
    _core.bfloat16: _Format(16, 7, 127),
    _core.float32: _Format(32, 23, 127),
    _core.float64: _Format(64, 52, 1023),
}
_PARTS = {_core.complex64: _core.float32, _core.complex128: _core.float64}


def _dtype_of(function: str, source: _core.Dtype | _core.array) -> _core.Dtype:
    dtype = source.dtype if isinstance(source, _core.array) else source
    if not isinstance(dtype, _core.Dtype):
        raise TypeError(
            f"[{function}] no dtype: got {type(source).__name__}; expected a Dtype or an array"
        )
    return dtype


class finfo:  # noqa: N801 - the name that users of the API know
    """Limits of a floating dtype, or of the parts of a complex one.

    Args:
        arg: A dtype or an array.

    Attributes:
        bits: Bits of one number.
        min: The lowest finite number.
        max: The largest finite number.
        eps: The distance from 1 to the next larger number.
        smallest_normal: The smallest positive number with full precision.
        dtype: The dtype.

    Raises:
        TypeError: ``arg`` has no floating or complex dtype.

    >>> mx.finfo(mx.float16).max
    65504.0
    """

    bits: int
    min: float
    max: float
    eps: float
    smallest_normal: float
    dtype: _core.Dtype

    def __init__(self, arg: _core.Dtype | _core.array) -> None:
        dtype = _dtype_of("finfo", arg)
        self.dtype = _PARTS.get(dtype, dtype)
        if self.dtype not in _FORMATS:
            raise TypeError(
                f"[finfo] no floating dtype: got {dtype.name}; expected a floating or complex one"
            )
        layout = _FORMATS[self.dtype]
        self.bits = layout.bits
        self.eps = 2.0**-layout.fraction
        self.max = (2.0 - self.eps) * 2.0**layout.exponent
        self.min = -self.max
        self.smallest_normal = 2.0 ** (1 - layout.exponent)

    def __repr__(self) -> str:
        return f"finfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype.name})"


class iinfo:  # noqa: N801 - the name that users of the API know
    """Limits of an integer dtype.

    Args:
        arg: A dtype or an array.

    Attributes:
        bits: Bits of one number.
        min: The lowest number.
        max: The largest number.
        dtype: The dtype.

    Raises:
        TypeError: ``arg`` has no integer dtype.

    >>> mx.iinfo(mx.int8).min, mx.iinfo(mx.uint64).max
    (-128, 18446744073709551615)
    """

    bits: int
    min: int
    max: int
    dtype: _core.Dtype

    def __init__(self, arg: _core.Dtype | _core.array) -> None:
        self.dtype = _dtype_of("iinfo", arg)
        if not _core.issubdtype(self.dtype, _core.integer):
            raise TypeError(f"[iinfo] no integer dtype: got {self.dtype.name}")
        self.bits = 8 * self.dtype.size
        is_signed = _core.issubdtype(self.dtype, _core.signedinteger)
        self.max = 2 ** (self.bits - is_signed) - 1
        self.min = -self.max - 1 if is_signed else 0

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype.name})"
