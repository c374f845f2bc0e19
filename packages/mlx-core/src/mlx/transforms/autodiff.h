// Differentiation of functions from arrays to arrays.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mlx/ops/op.h"

namespace mlx::core {

using Function = std::function<Arrays(const Arrays&)>;

// The function's value at `primals`, and the cotangents of the primals for these of the outputs.
MLX_API std::pair<Arrays, Arrays> vjp(const Function& fun, const Arrays& primals,
                                      const Arrays& cotangents);
// The function's value at `primals`, and the derivative along `tangents`.
MLX_API std::pair<Arrays, Arrays> jvp(const Function& fun, const Arrays& primals,
                                      const Arrays& tangents);
// The value (all outputs; the first is a scalar) and its gradient by the arguments `argnums`.
MLX_API std::pair<Arrays, Arrays> value_and_grad(const Function& fun, const Arrays& primals,
                                                 const std::vector<int>& argnums);

// On a graph that exists: cotangents of `inputs` for those of `outputs` (nullopt: zero).
std::vector<std::optional<array>> pull_back(std::span<const array> outputs,
                                            std::span<const std::optional<array>> cotangents,
                                            std::span<const array> inputs);
std::vector<std::optional<array>> push_forward(std::span<const array> outputs,
                                               std::span<const array> inputs,
                                               std::span<const std::optional<array>> tangents);

}  // namespace mlx::core
