// Loops of the power group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(PowerGroup, Lanes& lanes) { install_group(PowerGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
