// Loops of the exponential group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install_exponential(Lanes& lanes) { install(ExponentialGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
