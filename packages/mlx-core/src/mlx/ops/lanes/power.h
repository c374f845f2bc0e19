// hypot, logaddexp and sigmoid; powers of real numbers.
#pragma once

#include "mlx/ops/lanes/basic.h"
#include "mlx/ops/lanes/exp_log.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// sqrt(a*a + b*b), scaled by a power of two so that no square over- or underflows.
template <Real T>
MLX_LANE T hypot(T a, T b) {
  using F = Format<T>;
  constexpr int shift = F::mantissa_bits;
  const T x = magnitude(a);
  const T y = magnitude(b);
  const T larger = x > y ? x : y;
  const T smaller = x > y ? y : x;
  // The exponent of the larger, kept where both it and its inverse are normal.
  constexpr BitsOf<T> lowest = BitsOf<T>(1) << shift;
  constexpr BitsOf<T> highest = BitsOf<T>(2 * F::exponent_bias - 2) << shift;
  BitsOf<T> exponent = bits_of(larger) & F::exponent_mask;
  exponent = exponent < lowest ? lowest : exponent;
  exponent = exponent > highest ? highest : exponent;
  const T scale = from_bits(BitsOf<T>((BitsOf<T>(2 * F::exponent_bias) << shift) - exponent));
  const T p = larger * scale;
  const T q = smaller * scale;
  const T result = sqrt(mad(p, p, q * q)) * from_bits(exponent);
  // Infinity wins over nan.
  return (x == infinity<T>) | (y == infinity<T>) ? infinity<T> : result;
}

// log(exp(a) + exp(b)).
template <Real T>
MLX_LANE T logaddexp(T a, T b) {
  const T larger = a > b ? a : b;
  // Equal operands may both be infinite, with no difference.
  const T difference = a == b ? T(0) : -magnitude(a - b);
  return larger + log1p(exp(difference));
}

// 1 / (1 + exp(-x)).
template <Real T>
MLX_LANE T sigmoid(T x) {
  const T e = exp(-magnitude(x));
  return (x < T(0) ? e : T(1)) / (T(1) + e);
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
