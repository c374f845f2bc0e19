// Loops of the predicate group.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {

void install(PredicateGroup, Lanes& lanes) { install_group(PredicateGroup{}, lanes); }

}  // namespace mlx::core::cpu::MLX_ISA
