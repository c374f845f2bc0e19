// Loops of the trigonometric group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install_trigonometric(Lanes& lanes) { install(TrigonometricGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
