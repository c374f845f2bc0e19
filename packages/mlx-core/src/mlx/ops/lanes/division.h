// floor_divide and remainder of real numbers, exact; remainder_loop runs the latter over arrays.
//
// floor_divide is the floor of the exact quotient (rounded to nearest where that has more digits
// than T). With infinite operands the standard prefers floor(a / b) to Python's nan and -1, and so
// does this. remainder has the sign of the divisor, as Python's %.
#pragma once

#include "mlx/ops/lanes/basic.h"

namespace mlx::core::cpu::MLX_ISA::lane {

template <class T>
struct FloorQuotient {
  T quotient;        // floor of the rounded quotient: at most one too large
  T rest;            // x - quotient * y
  BitsOf<T> exact;   // mask: the quotient is so small that the rest is exact
  BitsOf<T> excess;  // mask: the rest has the wrong sign, so the quotient is one too large
};

// x - quotient * y, exact where the result is representable.
template <Real T>
MLX_LANE T exact_rest(T x, T quotient, T y) {
#if MLX_LANE_HAS_FMA
  return mad(-quotient, y, x);
#else
  // Scaled down where splitting y would overflow.
  constexpr T large = Format<T>::largest * T(0x1p-32);
  const T scale = magnitude(y) > large ? T(0x1p-32) : T(1);
  const Pair<T> product = two_product(quotient, y * scale);
  return ((x * scale - product.high) - product.low) / scale;
#endif
}

template <Real T>
MLX_LANE FloorQuotient<T> floor_quotient(T x, T y) {
  constexpr T limit = T(std::uint64_t(1) << (Format<T>::mantissa_bits + 1));
  const T quotient = floor(x / y);
  // A zero quotient keeps x, also where y is infinite.
  const T rest = choose(mask_if<T>(quotient == T(0)), x, exact_rest(x, quotient, y));
  const bool excess = (rest != T(0)) & ((rest < T(0)) != (y < T(0)));
  return {quotient, rest, mask_if<T>(magnitude(quotient) < limit), mask_if<T>(excess)};
}

template <Real T>
MLX_LANE T floor_divide(T x, T y) {
  const FloorQuotient<T> parts = floor_quotient(x, y);
  const BitsOf<T> finite = mask_if<T>(magnitude(y) < infinity<T>);
  return parts.quotient - keep_if(parts.excess & parts.exact & finite, T(1));
}

// The remainder, or nan where the quotient is so large that the rest is not exact.
template <Real T>
MLX_LANE T remainder_fast(T x, T y) {
  const FloorQuotient<T> parts = floor_quotient(x, y);
  const T rest = parts.rest + keep_if(parts.excess, y);
  const T result = choose(mask_if<T>(rest == T(0)), with_sign(T(0), y), rest);
  return choose(parts.exact, result, not_a_number<T>);
}

MLX_LANE_SLOW double remainder_slow(double x, double y) {
  const double rest = __builtin_fmod(x, y);
  if (rest == 0) return with_sign(0.0, y);
  return (rest < 0) != (y < 0) ? rest + y : rest;
}

MLX_LANE_SLOW float remainder_slow(float x, float y) {
  const float rest = __builtin_fmodf(x, y);
  if (rest == 0) return with_sign(0.0f, y);
  return (rest < 0) != (y < 0) ? rest + y : rest;
}

// For every pair of operands; the branch keeps loops over this from vectorising.
template <Real T>
MLX_LANE T remainder(T x, T y) {
  const T result = remainder_fast(x, y);
  return result != result ? remainder_slow(x, y) : result;
}

// Over arrays. destination may be either source itself.
template <Real T>
MLX_LANE void remainder_loop(T* destination, const T* x, const T* y, std::size_t count) {
  constexpr std::size_t block = 256;
  T results[block];
  for (std::size_t start = 0; start < count; start += block) {
    const std::size_t size = count - start < block ? count - start : block;
    for (std::size_t i = 0; i < size; ++i) results[i] = remainder_fast(x[start + i], y[start + i]);
    BitsOf<T> unknown = 0;
    for (std::size_t i = 0; i < size; ++i) unknown += results[i] != results[i] ? 1u : 0u;
    if (unknown != 0) {
      for (std::size_t i = 0; i < size; ++i) {
        if (results[i] != results[i]) results[i] = remainder_slow(x[start + i], y[start + i]);
      }
    }
    for (std::size_t i = 0; i < size; ++i) destination[start + i] = results[i];
  }
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
