// Elementwise functions that are written with other ops: no primitives of their own.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

// The array itself; raises TypeError for bools, which have no sign.
MLX_API array positive(const array& a, const StreamOrDevice& stream = {});
// Each element, moved into [low, high]; NaN where one of the three is NaN.
MLX_API array clip(const array& a, const std::optional<array>& low,
                   const std::optional<array>& high, const StreamOrDevice& stream = {});
// Quotient rounded down, and what remains.
MLX_API std::pair<array, array> divmod(const array& a, const array& b,
                                       const StreamOrDevice& stream = {});
MLX_API array isposinf(const array& a, const StreamOrDevice& stream = {});
MLX_API array isneginf(const array& a, const StreamOrDevice& stream = {});

struct Closeness {
  double rtol = 1e-5, atol = 1e-8;
  bool equal_nan = false;
};
// |a - b| <= atol + rtol |b|; equal infinities are close.
MLX_API array isclose(const array& a, const array& b, const Closeness& closeness = {},
                      const StreamOrDevice& stream = {});
MLX_API array allclose(const array& a, const array& b, const Closeness& closeness = {},
                       const StreamOrDevice& stream = {});
// Are the shapes and all elements equal? One bool.
MLX_API array array_equal(const array& a, const array& b, bool equal_nan = false,
                          const StreamOrDevice& stream = {});
// What stands in for NaN and the infinities; without a number the dtype's largest and smallest.
struct Replacements {
  double nan = 0;
  std::optional<double> posinf = {}, neginf = {};
};
MLX_API array nan_to_num(const array& a, const Replacements& numbers = {},
                         const StreamOrDevice& stream = {});
MLX_API array degrees(const array& a, const StreamOrDevice& stream = {});
MLX_API array radians(const array& a, const StreamOrDevice& stream = {});

}  // namespace mlx::core
