// Loops of the comparison group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(ComparisonGroup, Lanes& lanes) { install_group(ComparisonGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
