"""Exports functions over mlx.core arrays."""

from ._export import *  # noqa: F403
