"""Where C++ projects find the installed engine."""

import os  # not pathlib, which would be a fifth of the time that importing mlx.core takes


def cmake_dir() -> str:
    """The directory of the CMake package: its ``MLXCore_DIR``.

    ``python -m mlx.core --cmake-dir`` prints it.

    >>> import os
    >>> "MLXCoreConfig.cmake" in os.listdir(mx.cmake_dir())
    True
    """
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "share", "cmake", "MLXCore")
