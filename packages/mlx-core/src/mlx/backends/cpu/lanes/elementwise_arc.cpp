// Loops of the arc group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(ArcGroup, Lanes& lanes) { install_group(ArcGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
