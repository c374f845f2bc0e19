// Loops of the part group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(PartGroup, Lanes& lanes) { install_group(PartGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
