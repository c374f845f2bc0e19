// What this build of the engine is: version, compiler, instruction sets, BLAS.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mlx/array/api.h"

namespace mlx::core {

// Facts for a bug report, in the order in which they read best: name and value.
MLX_API std::vector<std::pair<std::string, std::string>> build_info();

}  // namespace mlx::core
