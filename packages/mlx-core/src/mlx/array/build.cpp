// What this build of the engine is. Every value comes from CMake or from the compiler.
#include "mlx/array/build.h"

namespace mlx::core {

std::vector<std::pair<std::string, std::string>> build_info() {
  return {
      {"version", MLX_VERSION}, {"compiler", MLX_COMPILER}, {"build_type", MLX_BUILD_TYPE},
      {"lanes", MLX_LANES},     {"blas", MLX_BLAS},         {"sanitizer", MLX_SANITIZER},
  };
}

}  // namespace mlx::core
