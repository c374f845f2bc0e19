// Sums and products.
#include "mlx/backends/cpu/lanes/fold_loops.h"
#include "mlx/backends/cpu/lanes/parts.h"

namespace mlx::core::cpu::MLX_ISA {

void install_sums(Lanes& lanes) {
  install_operation<Product>(lanes.folds[static_cast<int>(ReduceKind::prod)]);
  install_operation<Sum>(lanes.folds[static_cast<int>(ReduceKind::sum)]);
}

}  // namespace mlx::core::cpu::MLX_ISA
