"""The suites of other projects that run on our packages: what each needs and how it is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

NAMESPACE = "mlx.interop"


@dataclass(frozen=True)
class Suite:
    """One suite. `prepare(scratch)` gives the folder to run in and pytest's arguments."""

    name: str
    pins: dict[str, str]  # distributions and the versions that the plugins are written for
    prepare: Callable[[Path], tuple[Path, list[str]]]
    environment: dict[str, str] = field(default_factory=dict)
    least: int = 1  # fewer tests than this, and the run counts as empty
