"""Chapter "data type functions" of the standard."""

from __future__ import annotations

import mlx.core as mx

from .dtypes import Array, Device, Dtype
from .policy import admit

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

isdtype = mx.isdtype
result_type = mx.result_type


def astype(x: Array, dtype: Dtype, /, *, copy: bool = True, device: Device | None = None) -> Array:
    """The array in another dtype.

    >>> astype(mx.array([1.5, 2.5]), mx.int32)
    array([1, 2], dtype=int32)
    """
    dtype, device = admit(dtype, device, "astype")
    if dtype != x.dtype:
        if mx.isdtype(x.dtype, "complex floating") and mx.isdtype(
            dtype, ("integral", "real floating")
        ):
            raise TypeError(
                f"[astype] a complex array has no one real value: got {x.dtype} to {dtype}; "
                "expected real(x) or imag(x) first"
            )
        x = x.astype(dtype)
    elif copy:
        x = mx.array(x)
    return x if device is None or device == x.device else x.to_device(device)


def can_cast(from_: Dtype | Array, to: Dtype, /) -> bool:
    """May the one dtype become the other by promotion?

    >>> can_cast(mx.int8, mx.int16)
    True
    """
    source = from_.dtype if isinstance(from_, mx.array) else from_
    return mx.result_type(source, to) == to


def finfo(type: Dtype | Array, /) -> mx.finfo:
    """Limits of a floating-point dtype, or of the parts of a complex one.

    >>> finfo(mx.float32).bits
    32
    """
    return mx.finfo(type.dtype if isinstance(type, mx.array) else type)


def iinfo(type: Dtype | Array, /) -> mx.iinfo:
    """Limits of an integer dtype.

    >>> iinfo(mx.int8).max
    127
    """
    return mx.iinfo(type.dtype if isinstance(type, mx.array) else type)
