// Loops of the logarithm group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(LogarithmGroup, Lanes& lanes) { install_group(LogarithmGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
