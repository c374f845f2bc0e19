// Putting arrays together and taking them apart.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

struct ConcatenateAttrs {
  std::int64_t axis = 0;
  bool operator==(const ConcatenateAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"axis", &ConcatenateAttrs::axis}}; }
};

// One after the other along an axis, in the dtype that holds all; no axis: flattened first.
MLX_API array concatenate(const Arrays& arrays, std::optional<std::int64_t> axis = 0,
                          const StreamOrDevice& stream = {});
// Along a new axis.
MLX_API array stack(const Arrays& arrays, std::int64_t axis = 0, const StreamOrDevice& stream = {});
// The slices along an axis, without it.
MLX_API Arrays unstack(const array& a, std::int64_t axis = 0, const StreamOrDevice& stream = {});
// Equal parts, or parts that start at the given positions.
MLX_API Arrays split(const array& a, std::int64_t sections, std::int64_t axis = 0,
                     const StreamOrDevice& stream = {});
MLX_API Arrays split(const array& a, const Shape& indices, std::int64_t axis = 0,
                     const StreamOrDevice& stream = {});

// What padding is made of: a constant, the nearest element, the array mirrored without or with its
// outermost element, or the array repeated.
enum class PadMode : std::uint8_t { constant, edge, reflect, symmetric, wrap };
// low[i] elements before and high[i] elements after axis i.
MLX_API array pad(const array& a, const Shape& low, const Shape& high,
                  PadMode mode = PadMode::constant, const std::optional<array>& value = {},
                  const StreamOrDevice& stream = {});

}  // namespace mlx::core
