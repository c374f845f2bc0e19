// The table of one instruction set.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

Lanes make_table() {
  Lanes lanes{};
  install_arithmetic(lanes);
  install_order(lanes);
  install_comparison(lanes);
  install_bits(lanes);
  install_division(lanes);
  install_exponential(lanes);
  install_root(lanes);
  install_trigonometric(lanes);
  install_select(lanes);
  install_casts(lanes);
  install_moves(lanes);
  install_folds(lanes);
  return lanes;
}

}  // namespace

const Lanes& lanes_table();
const Lanes& lanes_table() {
  static const Lanes table = make_table();
  return table;
}

}  // namespace mlx::core::cpu::MLX_ISA
