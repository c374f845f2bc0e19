"""Chapter "sorting functions": the engine's own, which are always stable."""

from __future__ import annotations

import mlx.core as mx

__all__ = ["argsort", "sort"]

argsort = mx.argsort
sort = mx.sort
