"""The Python Array API standard 2025.12 on mlx arrays: this module is the namespace.

>>> import mlx.core as mx
>>> xp = mx.array([1.0, 2.0]).__array_namespace__()
>>> xp.linalg.vector_norm(xp.asarray([3.0, 4.0]))
array(5, dtype=float32)

Default dtypes are float32, complex64 and int64, on every device; indices are int64. Arrays and
buffers with a dtype of their own keep it. What float64 means where a device lacks it is the
float64 policy's business: see `float64_policy`.
"""

from typing import Any

import mlx.core as _mx

from . import fft, linalg
from .choice import choose_dtype
from .constants import *  # noqa: F403
from .creation import *  # noqa: F403
from .data_types import *  # noqa: F403
from .elementwise import *  # noqa: F403
from .indexing import *  # noqa: F403
from .info import Info
from .linear_algebra import *  # noqa: F403
from .manipulation import *  # noqa: F403
from .methods import __array_namespace__ as _array_namespace
from .policy import (
    WIDE,
    Float64Error,
    Float64Warning,
    float64_policy,
    get_float64_policy,
    set_float64_policy,
    wide_dtype,
)
from .searching import *  # noqa: F403
from .sets import *  # noqa: F403
from .sorting import *  # noqa: F403
from .statistical import *  # noqa: F403
from .utility import *  # noqa: F403
from .versions import LATEST, namespace

bool = _mx.bool_
int8, int16, int32, int64 = _mx.int8, _mx.int16, _mx.int32, _mx.int64
uint8, uint16, uint32, uint64 = _mx.uint8, _mx.uint16, _mx.uint32, _mx.uint64
float32, complex64 = _mx.float32, _mx.complex64
float16, bfloat16 = _mx.float16, _mx.bfloat16  # beyond the standard: not in `info.dtypes()`
# float64 and complex128 depend on the device and the policy: __getattr__.

# mlx.core has put a method there that imports this package; from now on the method is ours.
_mx.array.__array_namespace__ = _array_namespace

__array_api_version__ = LATEST
__version__ = "0.1.0"


def __array_namespace_info__() -> Info:
    """What this namespace has.

    >>> __array_namespace_info__().default_device()
    Device(cpu, 0)
    """
    return Info(LATEST)


def __getattr__(name: str) -> Any:
    if name in WIDE:
        return wide_dtype(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    wide = [name for name in WIDE if name in __array_namespace_info__().dtypes()]
    return sorted([*globals(), *wide])
