// Runs tile programs.
#pragma once

#include <span>

#include "mlx/schedule/program.h"

namespace mlx::core::cpu {

// Loads read `inputs`, stores and reductions write `outputs`, which are row-major.
void run_tiles(const TileProgram& program, std::span<const Tensor> inputs,
               std::span<const Tensor> outputs);

}  // namespace mlx::core::cpu
