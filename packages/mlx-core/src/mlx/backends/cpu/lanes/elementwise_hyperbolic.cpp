// Loops of the hyperbolic group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(HyperbolicGroup, Lanes& lanes) { install_group(HyperbolicGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
