// Loops of the division group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(DivisionGroup, Lanes& lanes) { install_group(DivisionGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
