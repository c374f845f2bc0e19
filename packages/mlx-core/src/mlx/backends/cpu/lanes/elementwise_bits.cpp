// Loops of the bits group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install_bits(Lanes& lanes) { install(BitGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
