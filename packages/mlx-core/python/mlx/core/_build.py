"""Where C++ projects find the installed engine."""

import os  # not pathlib, which would be a fifth of the time that importing mlx.core takes

from . import _core


def cmake_dir() -> str:
    """The directory of the CMake package: its ``MLXCore_DIR``.

    ``python -m mlx.core --cmake-dir`` prints it.

    >>> import os
    >>> "MLXCoreConfig.cmake" in os.listdir(mx.cmake_dir())
    True
    """
    # An editable install has the extension and all else that was compiled in another place.
    folder = os.path.dirname(os.path.abspath(_core.__file__))
    return os.path.join(folder, "share", "cmake", "MLXCore")
