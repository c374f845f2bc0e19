// Loops of the special group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(SpecialGroup, Lanes& lanes) { install_group(SpecialGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
