"""The standard's data types: names, kinds, and the namespace's defaults."""

from __future__ import annotations

import mlx.core as mx

Dtype = mx.Dtype
Device = mx.Device
Array = mx.array

# Canonical names of the standard, by the kinds that `isdtype` and `info.dtypes` speak of.
KINDS: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
KINDS["integral"] = KINDS["signed integer"] + KINDS["unsigned integer"]
KINDS["numeric"] = KINDS["integral"] + KINDS["real floating"] + KINDS["complex floating"]

NAMES: tuple[str, ...] = KINDS["bool"] + KINDS["numeric"]
BY_NAME: dict[str, Dtype] = {name: getattr(mx, name) for name in NAMES if name != "bool"}
BY_NAME["bool"] = mx.bool_

# One choice for every device, since the standard wants the floating defaults to be the same on all
# platforms and a GPU may lack float64.
DEFAULT_REAL: Dtype = mx.float32
DEFAULT_COMPLEX: Dtype = mx.complex64
# What the standard recommends where Python is a 64-bit program.
DEFAULT_INTEGER: Dtype = mx.int64
DEFAULT_INDEX: Dtype = mx.int64

# What sum, prod and the like return for a dtype that holds less than the default integer dtype.
WIDENED: dict[Dtype, Dtype] = {
    mx.bool_: mx.int64,
    mx.int8: mx.int64,
    mx.int16: mx.int64,
    mx.int32: mx.int64,
    mx.uint8: mx.uint64,
    mx.uint16: mx.uint64,
    mx.uint32: mx.uint64,
}

_PYTHON_TYPES = ((bool, mx.bool_), (int, DEFAULT_INTEGER), (float, DEFAULT_REAL))


def default_dtype_of(python_type: type) -> Dtype:
    """The default dtype of values of a Python scalar type.

    >>> default_dtype_of(int)
    mlx.core.int64
    """
    for base, dtype in _PYTHON_TYPES:
        if issubclass(python_type, base):
            return dtype
    return DEFAULT_COMPLEX
