// Operations on halves that their values as float cannot tell.
#pragma once

#include "mlx/array/half.h"
#include "mlx/ops/lanes/support.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// The neighbour of x in the direction of y, in the 16-bit format itself.
template <class Half>
  requires std::is_same_v<Half, float16> || std::is_same_v<Half, bfloat16>
MLX_LANE Half nextafter(Half x, Half y) {
  const float from = static_cast<float>(x), to = static_cast<float>(y);
  const std::uint16_t step = (from < to) == (from > 0.0f) ? 1 : 0xffff;
  const std::uint16_t moved = static_cast<std::uint16_t>(x.bits + step);
  const std::uint16_t off_zero = static_cast<std::uint16_t>((y.bits & 0x8000u) | 1u);
  std::uint16_t result = from == 0.0f ? off_zero : moved;
  result = from == to ? y.bits : result;
  result = (from != from) | (to != to) ? Half(from + to).bits : result;
  return Half::from_bits(result);
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
