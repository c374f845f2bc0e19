// Einstein summation: products of any number of arrays, named by letters for axes.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "mlx/ops/op.h"

namespace mlx::core {

// One step contracts the operands at these positions (one or two); the result goes to the end.
using EinsumPath = std::vector<std::vector<int>>;

// "ij,jk->ik" and the like: repeated letters of one operand take its diagonal, letters that the
// output lacks are summed, "..." stands for axes that broadcast, axes of size 1 broadcast. Without
// "->" the output has the letters that occur once, in alphabetical order, after "...".
MLX_API array einsum(std::string_view subscripts, Inputs operands,
                     const StreamOrDevice& stream = {});
// The order that einsum takes, and a readable account of its cost.
MLX_API std::pair<EinsumPath, std::string> einsum_path(std::string_view subscripts,
                                                       Inputs operands);

}  // namespace mlx::core
