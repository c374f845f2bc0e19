"""The array engine: lazy arrays, their operations and the transforms of functions over them."""

import typing as _typing

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

if _typing.TYPE_CHECKING:
    # What _packages.PROVIDED_BY says, in words that type checkers understand.
    from mlx.export import export_function as export_function
    from mlx.export import export_to_dot as export_to_dot
    from mlx.export import exporter as exporter
    from mlx.export import import_function as import_function

    bool: _core.Dtype  # not in the extension's stub, where it would hide Python's
else:

    def __getattr__(name):
        value = _packages.lookup(name)
        globals()[name] = value
        return value

    def __dir__():
        return [*globals(), *_packages.provided_names()]
