// Functions with derivative and batching rules of their own, and checkpoints made of them.
#pragma once

#include <memory>

#include "mlx/transforms/autodiff.h"

namespace mlx::core {

struct CustomRules {
  Function fun;
  // (primals, cotangents, outputs) -> cotangents of the primals; empty: that of `fun`.
  std::function<Arrays(const Arrays&, const Arrays&, const Arrays&)> vjp;
  // (primals, tangents) -> tangents of the outputs; empty: that of `fun`.
  std::function<Arrays(const Arrays&, const Arrays&)> jvp;
  // (inputs, axes) -> outputs with their batch axes; empty: that of `fun`.
  std::function<std::pair<Arrays, std::vector<int>>(const Arrays&, const std::vector<int>&)> vmap;
};

// Calls rules->fun; transforms of the result use the rules.
MLX_API Arrays call_custom(std::shared_ptr<const CustomRules> rules, const Arrays& primals);
// The function without its intermediate values: its vjp computes them again.
MLX_API Function checkpoint(Function fun);

}  // namespace mlx::core
