"""Where C++ projects find the installed package."""

import os

from . import _export


def cmake_dir() -> str:
    """The directory of the CMake package: its ``MLXExport_DIR``.

    >>> import os, mlx.export
    >>> "MLXExportConfig.cmake" in os.listdir(mlx.export.cmake_dir())
    True
    """
    # An editable install has the extension and all else that was compiled in another place.
    folder = os.path.dirname(os.path.abspath(_export.__file__))
    return os.path.join(folder, "share", "cmake", "MLXExport")
