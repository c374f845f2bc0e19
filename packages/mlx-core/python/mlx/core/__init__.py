"""The array engine: lazy arrays, their operations and the transforms of functions over them."""

from typing import Any as _Any

from . import _packages

_packages.refuse_other_project()

from . import _core  # noqa: E402
from ._build import cmake_dir as cmake_dir  # noqa: E402
from ._core import *  # noqa: E402, F403
from .constants import *  # noqa: E402, F403
from .devices import *  # noqa: E402, F403
from .limits import *  # noqa: E402, F403
from .transforms import *  # noqa: E402, F403
from .types import *  # noqa: E402, F403

__version__: str = _core.build_info()["version"]
_packages.add_array_namespace(_core.array)


def __getattr__(name: str) -> _Any:
    value = _packages.lookup(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_packages.provided_names()]
