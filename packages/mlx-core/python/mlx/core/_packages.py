"""What mlx-interop and mlx-export add to mlx.core, and the check for another project's `mlx`."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import Any

# Names of mlx.core that come from mlx.<package>, in the distribution mlx-<package>.
PROVIDED_BY = {"export": ("export_function", "import_function", "exporter", "export_to_dot")}
_PACKAGE_OF = {name: package for package, names in PROVIDED_BY.items() for name in names}


def is_installed(package: str) -> bool:
    """Is mlx.<package> there? It is not imported."""
    return importlib.util.find_spec(f"mlx.{package}") is not None


def lookup(name: str) -> Any:
    """The attribute ``name`` of mlx.core, from the package that provides it."""
    package = _PACKAGE_OF.get(name)
    if package is None:
        raise AttributeError(f"module 'mlx.core' has no attribute {name!r}")
    if not is_installed(package):
        raise AttributeError(
            f"module 'mlx.core' has no attribute {name!r}: it comes with the package "
            f"mlx-{package}, which is not installed; pip install mlx-{package}"
        )
    return getattr(importlib.import_module(f"mlx.{package}"), name)


def provided_names() -> list[str]:
    """The names that the installed packages add."""
    return [name for name, package in _PACKAGE_OF.items() if is_installed(package)]


class MissingMethod:
    """Stands on a class for a method that a package adds: as good as absent, but says what to do.

    A ``__getattr__`` on the class could say the same, but would slow every attribute of it down.
    """

    def __init__(self, package: str) -> None:
        self.package = package

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> Any:
        raise AttributeError(
            f"{owner.__name__!r} has no attribute {self.name!r}: it comes with the package "
            f"mlx-{self.package}, which is not installed; pip install mlx-{self.package}"
        )


def _array_namespace(self: Any, /, *, api_version: str | None = None) -> Any:
    """The Array API standard's namespace for this array; see :mod:`mlx.interop`.

    >>> mx.array([1.0, 2.0]).__array_namespace__().__name__
    'mlx.interop'
    """
    # Importing mlx.interop waits until somebody asks; from then on the class has its own method.
    method = importlib.import_module("mlx.interop.methods").__array_namespace__
    type(self).__array_namespace__ = method
    return method(self, api_version=api_version)


def add_array_namespace(array: type) -> None:
    """Gives arrays ``__array_namespace__`` if mlx-interop is installed."""
    name = "__array_namespace__"
    if is_installed("interop"):
        _array_namespace.__name__ = name
        _array_namespace.__qualname__ = f"array.{name}"
        setattr(array, name, _array_namespace)
    else:
        missing = MissingMethod("interop")
        missing.__set_name__(array, name)
        setattr(array, name, missing)


def refuse_other_project() -> None:
    """Raises ImportError if the distribution `mlx` shares site-packages with this one.

    Both provide ``mlx.core``: which one Python imports, and whose files are overwritten, would
    depend on the order of installation. Its directory of metadata tells, at the cost of a listing.
    """
    for folder in sys.path:
        try:
            entries = os.listdir(folder or os.curdir)
        except OSError:
            continue
        for entry in entries:
            if entry.startswith("mlx-") and entry.endswith(".dist-info"):
                version = entry.removeprefix("mlx-").removesuffix(".dist-info")
                raise ImportError(
                    f"mlx.core cannot be imported: the distribution 'mlx' {version}, another "
                    f"project with a module mlx.core, is installed in {folder} beside 'mlx-core'. "
                    "Keep one of them: pip uninstall mlx && pip install --force-reinstall "
                    "--no-deps mlx-core, or pip uninstall mlx-core"
                )
