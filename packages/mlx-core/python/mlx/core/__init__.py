"""The array engine: lazy arrays, their operations and the transforms of functions over them."""

from ._core import *  # noqa: F403
