// What every scalar body builds on: bits, fused multiply-add, polynomials, exact products.
//
// The files of this folder hold the scalar bodies of the elementwise ops. They are branch-free
// (selects only) so that a plain loop over them vectorises, and they are written in the common
// subset of C++, CUDA C++ and Metal Shading Language. They are compiled once per instruction set;
// the namespace keeps the copies apart.
//
// Compile with -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off: every fused multiply-add
// is written out (mad), so the compiler need not guess where fusing is harmless.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#ifndef MLX_ISA
#define MLX_ISA v2
#endif

#if defined(__CUDACC__)
#define MLX_LANE __device__ __forceinline__
#define MLX_LANE_SLOW __device__ __noinline__
#else
// A body that is not inlined into its loop is not vectorised.
#define MLX_LANE inline __attribute__((always_inline))
#define MLX_LANE_SLOW inline __attribute__((noinline))
#endif

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__CUDACC__)
#define MLX_LANE_HAS_FMA 1
#else
#define MLX_LANE_HAS_FMA 0
#endif

namespace mlx::core::cpu::MLX_ISA::lane {

// The unsigned and signed integers as wide as a float, and the constants of its format.
template <class T>
struct Format;

template <>
struct Format<float> {
  using Bits = std::uint32_t;
  using Signed = std::int32_t;
  static constexpr int mantissa_bits = 23;
  static constexpr int exponent_bias = 127;
  static constexpr Bits sign_mask = 0x80000000u;
  static constexpr Bits exponent_mask = 0x7f800000u;
  static constexpr Bits mantissa_mask = 0x007fffffu;
  static constexpr float smallest_normal = 0x1p-126f;
  static constexpr float largest = 0x1.fffffep127f;
  // Adding this rounds |x| < 2**22 to an integer, and leaves the integer in the low bits.
  static constexpr float round_magic = 0x1.8p23f;
};

template <>
struct Format<double> {
  using Bits = std::uint64_t;
  using Signed = std::int64_t;
  static constexpr int mantissa_bits = 52;
  static constexpr int exponent_bias = 1023;
  static constexpr Bits sign_mask = 0x8000000000000000u;
  static constexpr Bits exponent_mask = 0x7ff0000000000000u;
  static constexpr Bits mantissa_mask = 0x000fffffffffffffu;
  static constexpr double smallest_normal = 0x1p-1022;
  static constexpr double largest = 0x1.fffffffffffffp1023;
  static constexpr double round_magic = 0x1.8p52;
};

template <class T>
using BitsOf = typename Format<T>::Bits;

template <class T>
inline constexpr T infinity = std::bit_cast<T>(Format<T>::exponent_mask);
template <class T>
inline constexpr T not_a_number =
    std::bit_cast<T>(Format<T>::exponent_mask | (BitsOf<T>(1) << (Format<T>::mantissa_bits - 1)));

MLX_LANE std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
MLX_LANE std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
MLX_LANE float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
MLX_LANE double from_bits(std::uint64_t bits) { return std::bit_cast<double>(bits); }

template <class T>
MLX_LANE BitsOf<T> sign_bit(T x) {
  return bits_of(x) & Format<T>::sign_mask;
}

template <class T>
MLX_LANE T magnitude(T x) {
  return from_bits(BitsOf<T>(bits_of(x) & ~Format<T>::sign_mask));
}

// x with the sign of `sign`; x must not be negative.
template <class T>
MLX_LANE T with_sign(T x, T sign) {
  return from_bits(BitsOf<T>(bits_of(x) | sign_bit(sign)));
}

// Selects by masks, for where selects by ?: meet: of several conditions the compiler makes branches
// that vectorise badly or not at all. A mask is all ones or zero.
template <class T>
MLX_LANE BitsOf<T> mask_if(bool condition) {
  return BitsOf<T>(0) - BitsOf<T>(condition);
}

// x where the mask is set, else 0.
template <class T>
MLX_LANE T keep_if(BitsOf<T> mask, T x) {
  return from_bits(BitsOf<T>(bits_of(x) & mask));
}

template <class T>
MLX_LANE T choose(BitsOf<T> mask, T x, T otherwise) {
  return from_bits(BitsOf<T>((bits_of(x) & mask) | (bits_of(otherwise) & ~mask)));
}

// x, or the limit with the sign of x where |x| is beyond it; nan stays.
template <class T>
MLX_LANE T clamp_magnitude(T x, T limit) {
  const T size = magnitude(x);
  return with_sign(size > limit ? limit : size, x);
}

// a * b + c, in one rounding where the machine has that at no extra cost.
MLX_LANE float mad(float a, float b, float c) {
#if MLX_LANE_HAS_FMA
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}

MLX_LANE double mad(double a, double b, double c) {
#if MLX_LANE_HAS_FMA
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

// A product that stays one where it is added: g++ fuses alternating sums and differences of
// products whatever -ffp-contract says, in whole vectors but not in what is left over.
template <class T>
MLX_LANE T unfused(T product) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
  return __builtin_assoc_barrier(product);
#else
  return product;
#endif
}

// c0 + c1 * x + c2 * x**2 + ...
template <class T>
MLX_LANE T polynomial(T, T c0) {
  return c0;
}

template <class T, class... Rest>
MLX_LANE T polynomial(T x, T c0, T c1, Rest... rest) {
  return mad(polynomial(x, c1, rest...), x, c0);
}

// A value and its rounding error; the sum of the two is exact (or nearly so).
template <class T>
struct Pair {
  T high;
  T low;
};

// a + b with its error, for |a| >= |b| (or a == 0).
template <class T>
MLX_LANE Pair<T> fast_two_sum(T a, T b) {
  const T sum = a + b;
  return {sum, b - (sum - a)};
}

template <class T>
MLX_LANE Pair<T> two_sum(T a, T b) {
  const T sum = a + b;
  const T b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// The upper half of the bits of x, rounded, so that products of halves are exact.
MLX_LANE float upper_half(float x) { return from_bits((bits_of(x) + 0x800u) & 0xfffff000u); }
MLX_LANE double upper_half(double x) {
  return from_bits((bits_of(x) + 0x4000000u) & 0xfffffffff8000000u);
}

// a * b with its error (exact unless it under- or overflows).
template <class T>
MLX_LANE Pair<T> two_product(T a, T b) {
  const T product = a * b;
#if MLX_LANE_HAS_FMA
  return {product, mad(a, b, -product)};
#else
  const T a_high = upper_half(a), a_low = a - a_high;
  const T b_high = upper_half(b), b_low = b - b_high;
  const T error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
  return {product, error};
#endif
}

// 2**n for n in the range of normal numbers. Bits beyond the exponent are ignored by the shift.
MLX_LANE float power_of_two(std::int32_t n) {
  return from_bits(std::uint32_t(n + Format<float>::exponent_bias) << 23);
}
MLX_LANE double power_of_two(std::int64_t n) {
  return from_bits(std::uint64_t(n + Format<double>::exponent_bias) << 52);
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
