// Loops of the arithmetic group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(ArithmeticGroup, Lanes& lanes) { install_group(ArithmeticGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
