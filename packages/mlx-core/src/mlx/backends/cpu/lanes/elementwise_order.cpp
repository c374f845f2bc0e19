// Loops of the order group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(OrderGroup, Lanes& lanes) { install_group(OrderGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
