# Installs library, headers and CMake package; inside a wheel the prefix is mlx/core.
