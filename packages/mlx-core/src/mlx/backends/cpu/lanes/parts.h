// What fills the parts of the table that are not ops with bodies.
#pragma once

#include "mlx/backends/cpu/lanes.h"

namespace mlx::core::cpu::MLX_ISA {

void install_select(Lanes& lanes);
void install_casts(Lanes& lanes);
void install_moves(Lanes& lanes);
void install_sums(Lanes& lanes);
void install_extremes(Lanes& lanes);

}  // namespace mlx::core::cpu::MLX_ISA
