"""Names for what the functions accept, for annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from . import _core

__all__ = ["ArrayLike", "DLPackCompatible", "StreamOrDevice", "list_or_scalar", "scalar"]


@runtime_checkable
class DLPackCompatible(Protocol):
    """An array of any library that speaks DLPack.

    >>> isinstance(mx.array(1), mx.DLPackCompatible)
    True
    """

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any:
        """A capsule with the array."""

    def __dlpack_device__(self, *args: Any, **kwargs: Any) -> tuple[int, int]:
        """The device that the array is on, in DLPack's numbers."""


scalar = bool | int | float | complex
list_or_scalar = scalar | list[Any]
ArrayLike = _core.array | bool | int | float | complex | Sequence[Any] | DLPackCompatible
StreamOrDevice = _core.Stream | _core.Device | _core.DeviceType | None
