// Loops of the order group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install_order(Lanes& lanes) { install(OrderGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
