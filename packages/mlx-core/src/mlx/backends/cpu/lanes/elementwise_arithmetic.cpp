// Loops of the arithmetic group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install_arithmetic(Lanes& lanes) { install(ArithmeticGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
