// Loops of the division group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install_division(Lanes& lanes) { install(DivisionGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
