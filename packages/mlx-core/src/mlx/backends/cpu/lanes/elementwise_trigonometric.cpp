// Loops of the trigonometric group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(TrigonometricGroup, Lanes& lanes) { install_group(TrigonometricGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
