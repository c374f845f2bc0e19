// Smallest and largest elements; of bools, all is the smallest and any the largest.
#include "mlx/backends/cpu/lanes/fold_loops.h"
#include "mlx/backends/cpu/lanes/parts.h"

namespace mlx::core::cpu::MLX_ISA {

void install_extremes(Lanes& lanes) {
  constexpr int bools = static_cast<int>(Dtype::bool_);
  install_operation<Largest>(lanes.folds[static_cast<int>(ReduceKind::max)]);
  install_operation<Smallest>(lanes.folds[static_cast<int>(ReduceKind::min)]);
  lanes.folds[static_cast<int>(ReduceKind::all)][bools] = fold_of<Smallest, bool>();
  lanes.folds[static_cast<int>(ReduceKind::any)][bools] = fold_of<Largest, bool>();
}

}  // namespace mlx::core::cpu::MLX_ISA
