// Loops of the bits group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(BitGroup, Lanes& lanes) { install_group(BitGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
