// float16 and bfloat16 as storage: arithmetic on them is done in float32.
#pragma once

#include <bit>
#include <cstdint>

namespace mlx::core {

struct float16 {
  std::uint16_t bits;
  float16() = default;
  explicit float16(float value)
      : bits(std::bit_cast<std::uint16_t>(static_cast<_Float16>(value))) {}
  explicit operator float() const { return static_cast<float>(std::bit_cast<_Float16>(bits)); }
};

struct bfloat16 {
  std::uint16_t bits;
  bfloat16() = default;
  explicit bfloat16(float value) {
    auto u = std::bit_cast<std::uint32_t>(value);
    bool nan = (u & 0x7fffffffu) > 0x7f800000u;
    std::uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    bits = static_cast<std::uint16_t>(nan ? ((u >> 16) | 0x40u) : rounded);
  }
  explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
};

}  // namespace mlx::core
