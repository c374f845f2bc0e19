// Loops of the root group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install_root(Lanes& lanes) { install(RootGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
