"""What an array gets from this package: `array.__array_namespace__`. mlx.core installs it."""

from __future__ import annotations

from types import ModuleType

from .dtypes import Array
from .versions import namespace


def __array_namespace__(self: Array, /, *, api_version: str | None = None) -> ModuleType:
    """The namespace of the array API standard, of the version asked for (default: the latest).

    >>> import mlx.core as mx
    >>> mx.array(1).__array_namespace__().__name__
    'mlx.interop'
    """
    return namespace(api_version)
