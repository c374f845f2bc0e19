"""Facts about the devices."""

from __future__ import annotations

import os
from typing import Any

from . import _core

__all__ = ["device_info"]


def _processor_name() -> str:
    import platform  # here: it would be a fifth of the time that importing mlx.core takes

    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                key, _, value = line.partition(":")
                if key.strip() == "model name":
                    return value.strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _memory_size() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0


def device_info(d: _core.Device | _core.DeviceType | None = None) -> dict[str, Any]:
    """What is known of a device.

    Args:
        d: The device; without it the default one.

    Returns:
        A dict with ``device_name``, ``architecture``, ``memory_size`` (bytes; 0 if the system does
        not tell) and ``cores``.

    Raises:
        ValueError: This build has no such device.

    >>> mx.device_info()['cores'] > 0
    True
    """
    device = _core.default_device() if d is None else d
    if not _core.is_available(device):
        raise ValueError(
            f"[device_info] this build has no such device: got {device}; expected Device(cpu, 0)"
        )
    import platform

    return {
        "device_name": _processor_name(),
        "architecture": platform.machine(),
        "memory_size": _memory_size(),
        "cores": os.cpu_count() or 1,
    }
