// Unsigned integers that are ordered as the elements they stand for.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "mlx/array/dtype.h"

namespace mlx::core::cpu {

template <int Size>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using Type = std::uint8_t;
};
template <>
struct UnsignedOf<2> {
  using Type = std::uint16_t;
};
template <>
struct UnsignedOf<4> {
  using Type = std::uint32_t;
};
template <>
struct UnsignedOf<8> {
  using Type = std::uint64_t;
};

// NaN comes after everything. -0 comes before 0 in a key; `same_zeros` gives both the same key.
template <class T>
struct SortKey {
  using Key = typename UnsignedOf<sizeof(T)>::Type;
  static constexpr bool is_floating = core::is_floating(dtype_of<T>);
  static constexpr Key sign = Key(Key(1) << (8 * sizeof(T) - 1));
  static constexpr Key infinity = [] {
    switch (dtype_of<T>) {
      case Dtype::float16:
        return Key(0x7c00u);
      case Dtype::bfloat16:
        return Key(0x7f80u);
      case Dtype::float32:
        return Key(0x7f800000u);
      default:
        return Key(0x7ff0000000000000ull);
    }
  }();
  static constexpr Key negative_zero = Key(sign - 1), zero = sign;
  static constexpr Key nan = Key(~Key(0));

  // Always inlined: loops of several instruction sets are made of them.
  __attribute__((always_inline)) static Key of(T value) {
    Key bits = std::bit_cast<Key>(value);
    if constexpr (is_floating) {
      Key flipped = bits & sign ? Key(~bits) : Key(bits | sign);
      return Key(bits & Key(~sign)) > infinity ? nan : flipped;
    } else if constexpr (std::is_signed_v<T>) {
      return Key(bits ^ sign);
    } else {
      return bits;
    }
  }
  __attribute__((always_inline)) static T value(Key key) {
    if constexpr (is_floating) {
      if (key == nan) return std::bit_cast<T>(Key(infinity | (infinity >> 1)));
      return std::bit_cast<T>(key & sign ? Key(key ^ sign) : Key(~key));
    } else if constexpr (std::is_signed_v<T>) {
      return std::bit_cast<T>(Key(key ^ sign));
    } else {
      return std::bit_cast<T>(key);
    }
  }
  __attribute__((always_inline)) static Key same_zeros(Key key) {
    return is_floating && key == negative_zero ? zero : key;
  }
};

}  // namespace mlx::core::cpu
