// Loops of the area group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(AreaGroup, Lanes& lanes) { install_group(AreaGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
