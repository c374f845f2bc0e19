"""Chapter "inspection": what the namespace has, on which device."""

from __future__ import annotations

import mlx.core as mx

from .dtypes import (
    BY_NAME,
    DEFAULT_COMPLEX,
    DEFAULT_INDEX,
    DEFAULT_INTEGER,
    DEFAULT_REAL,
    KINDS,
    NAMES,
    Device,
    Dtype,
)
from .policy import Policy, bound, has

__all__ = ["Info"]


class Info:
    """What `xp.__array_namespace_info__()` returns.

    >>> Info("2025.12").default_dtypes()["integral"]
    mlx.core.int64
    """

    def __init__(self, api_version: str, policy: Policy | None = None) -> None:
        self._api_version = api_version
        self._has = bound(has, policy) if policy else has

    def capabilities(self) -> dict[str, bool | int | None]:
        """What the library can do.

        >>> Info("2025.12").capabilities()["boolean indexing"]
        True
        """
        found: dict[str, bool | int | None] = {
            "boolean indexing": True,
            "data-dependent shapes": True,
        }
        if self._api_version >= "2024.12":
            found["max dimensions"] = None
        return found

    def default_device(self) -> Device:
        """Where arrays are made if nothing else is said.

        >>> Info("2025.12").default_device()
        Device(cpu, 0)
        """
        return mx.default_device()

    def default_dtypes(self, *, device: Device | None = None) -> dict[str, Dtype]:
        """The dtypes of arrays whose dtype is not said: the same on every device.

        >>> Info("2025.12").default_dtypes()["real floating"]
        mlx.core.float32
        """
        return {
            "real floating": DEFAULT_REAL,
            "complex floating": DEFAULT_COMPLEX,
            "integral": DEFAULT_INTEGER,
            "indexing": DEFAULT_INDEX,
        }

    def devices(self) -> tuple[Device, ...] | list[Device]:
        """The devices there are: a tuple, in the versions before 2025.12 a list.

        >>> Info("2025.12").devices()
        (Device(cpu, 0),)
        """
        found = tuple(
            mx.Device(kind, index)
            for kind in (mx.cpu, mx.gpu)
            for index in range(mx.device_count(kind))
        )
        return found if self._api_version >= "2025.12" else list(found)

    def dtypes(
        self, *, device: Device | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, Dtype]:
        """The dtypes of the standard that a device has, by name.

        >>> Info("2025.12").dtypes(kind="real floating")
        {'float32': mlx.core.float32, 'float64': mlx.core.float64}
        """
        wanted = NAMES if kind is None else _names_of_kind(kind)
        return {name: BY_NAME[name] for name in wanted if self._has(BY_NAME[name], device)}


def _names_of_kind(kind: str | tuple[str, ...]) -> list[str]:
    kinds = (kind,) if isinstance(kind, str) else kind
    for one in kinds:
        if one not in KINDS:
            raise ValueError(
                f"[dtypes] no such kind: got {one!r}; expected one of {', '.join(KINDS)}"
            )
    return [name for name in NAMES if any(name in KINDS[one] for one in kinds)]
