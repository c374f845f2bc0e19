// Loops of the comparison group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install_comparison(Lanes& lanes) { install(ComparisonGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
