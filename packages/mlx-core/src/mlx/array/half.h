// float16 and bfloat16: storage types, converted to float for every computation.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

// Always inlined: the body must never become a weak symbol that files compiled for different
// instruction sets share.
#define MLX_HALF_INLINE __attribute__((always_inline)) inline constexpr

namespace mlx::core {

namespace half_detail {

// All conversions are branch-free, so that loops over them vectorise without hardware support.

MLX_HALF_INLINE float float_from_half_bits(std::uint16_t bits) {
  const std::uint32_t magnitude = std::uint32_t(bits & 0x7fffu) << 13;
  const std::uint32_t sign = std::uint32_t(bits & 0x8000u) << 16;
  // Rebias the exponent by a multiplication: it turns subnormals into normal floats as well.
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  // Infinity and nan have the top exponent, which the multiplication does not reach; nan is
  // quieted.
  const std::uint32_t quiet = magnitude > 0x0f800000u ? 0x7fc00000u : 0x7f800000u;
  const std::uint32_t special = magnitude | quiet;
  const std::uint32_t value =
      magnitude >= 0x0f800000u ? special : std::bit_cast<std::uint32_t>(scaled);
  return std::bit_cast<float>(value | sign);
}

MLX_HALF_INLINE std::uint16_t half_bits_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  // Normal result: rebias, round to nearest even on the 13 bits that go; carries reach infinity.
  const std::uint32_t normal = (magnitude - 0x38000000u + 0x0fffu + ((magnitude >> 13) & 1u)) >> 13;
  // Subnormal result: adding 0.5 lets the hardware round at the last bit of a half.
  const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u;
  const std::uint32_t not_a_number = 0x7e00u | ((magnitude >> 13) & 0x03ffu);
  std::uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x47800000u ? 0x7c00u : result;
  result = magnitude > 0x7f800000u ? not_a_number : result;
  return static_cast<std::uint16_t>(result | sign);
}

MLX_HALF_INLINE float float_from_bfloat_bits(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t(bits) << 16);
}

MLX_HALF_INLINE std::uint16_t bfloat_bits_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const std::uint32_t not_a_number = (bits >> 16) | 0x0040u;
  return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? not_a_number : rounded);
}

// Rounds to odd, so that a second rounding to fewer bits gives what one rounding would have given.
MLX_HALF_INLINE float float_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const double error = value - static_cast<double>(nearest);
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  // An exact value (error 0) and an infinite one (error nan) stay as they are.
  const bool inexact = error > 0.0 || error < 0.0;
  const bool away = (error > 0.0) == (nearest > 0.0f);
  // nearest == 0 has no sign to compare; the smallest float stands for "not zero".
  const std::uint32_t step = away || nearest == 0.0f ? 1u : ~0u;
  const std::uint32_t moved = inexact && (bits & 1u) == 0 ? bits + step : bits;
  return std::bit_cast<float>(moved);
}

}  // namespace half_detail

struct float16 {
  std::uint16_t bits;

  float16() = default;
  MLX_HALF_INLINE explicit float16(float value) : bits(half_detail::half_bits_from_float(value)) {}
  MLX_HALF_INLINE explicit float16(std::same_as<double> auto value)
      : float16(half_detail::float_to_odd(value)) {}
  MLX_HALF_INLINE explicit operator float() const {
    return half_detail::float_from_half_bits(bits);
  }

  static constexpr float16 from_bits(std::uint16_t bits) {
    float16 result{};
    result.bits = bits;
    return result;
  }
};

struct bfloat16 {
  std::uint16_t bits;

  bfloat16() = default;
  MLX_HALF_INLINE explicit bfloat16(float value)
      : bits(half_detail::bfloat_bits_from_float(value)) {}
  MLX_HALF_INLINE explicit bfloat16(std::same_as<double> auto value)
      : bfloat16(half_detail::float_to_odd(value)) {}
  MLX_HALF_INLINE explicit operator float() const {
    return half_detail::float_from_bfloat_bits(bits);
  }

  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 result{};
    result.bits = bits;
    return result;
  }
};

static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2);

}  // namespace mlx::core

#undef MLX_HALF_INLINE
