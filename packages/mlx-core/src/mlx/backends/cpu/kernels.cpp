// Finds kernels by the names of their ops.
#include "mlx/backends/cpu/kernels.h"

#include <unordered_map>

namespace mlx::core::cpu {

Kernel kernel_named(std::string_view name) {
  static const std::unordered_map<std::string_view, Kernel> table = {
#define MLX_ENTRY(name, function) {#name, function},
      MLX_CPU_KERNELS(MLX_ENTRY)
#undef MLX_ENTRY
  };
  auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace mlx::core::cpu
