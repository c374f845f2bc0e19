// Loops of the exponential group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(ExponentialGroup, Lanes& lanes) { install_group(ExponentialGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
