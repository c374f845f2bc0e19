// Rounding, signs, comparison and other exact (or nearly exact) operations on real numbers.
#pragma once

#include "mlx/ops/lanes/support.h"

namespace mlx::core::cpu::MLX_ISA::lane {

MLX_LANE float floor(float x) { return __builtin_floorf(x); }
MLX_LANE double floor(double x) { return __builtin_floor(x); }
MLX_LANE float ceil(float x) { return __builtin_ceilf(x); }
MLX_LANE double ceil(double x) { return __builtin_ceil(x); }
MLX_LANE float trunc(float x) { return __builtin_truncf(x); }
MLX_LANE double trunc(double x) { return __builtin_trunc(x); }
// To the nearest integer, ties to even.
MLX_LANE float round(float x) { return __builtin_rintf(x); }
MLX_LANE double round(double x) { return __builtin_rint(x); }
MLX_LANE float sqrt(float x) { return __builtin_sqrtf(x); }
MLX_LANE double sqrt(double x) { return __builtin_sqrt(x); }

template <class T>
concept Real = std::is_same_v<T, float> || std::is_same_v<T, double>;

template <Real T>
MLX_LANE bool isnan(T x) {
  return x != x;
}

template <Real T>
MLX_LANE bool isinf(T x) {
  return magnitude(x) == infinity<T>;
}

template <Real T>
MLX_LANE bool isfinite(T x) {
  return magnitude(x) < infinity<T>;
}

template <Real T>
MLX_LANE bool signbit(T x) {
  return sign_bit(x) != 0;
}

template <Real T>
MLX_LANE T copysign(T size, T sign) {
  return with_sign(magnitude(size), sign);
}

template <Real T>
MLX_LANE T abs(T x) {
  return magnitude(x);
}

template <Real T>
MLX_LANE T negative(T x) {
  return -x;
}

template <Real T>
MLX_LANE T sign(T x) {
  const T size = x == T(0) ? T(0) : T(1);
  const T result = x < T(0) ? T(-1) : size;
  return x != x ? x : result;
}

template <Real T>
MLX_LANE T square(T x) {
  return x * x;
}

template <Real T>
MLX_LANE T reciprocal(T x) {
  return T(1) / x;
}

template <Real T>
MLX_LANE T rsqrt(T x) {
  return T(1) / sqrt(x);
}

// The smaller operand, or nan where either is nan.
template <Real T>
MLX_LANE T minimum(T a, T b) {
  const T smaller = a < b ? a : b;
  return a != a ? a : smaller;
}

template <Real T>
MLX_LANE T maximum(T a, T b) {
  const T larger = a > b ? a : b;
  return a != a ? a : larger;
}

// The neighbour of x in the direction of y.
template <Real T>
MLX_LANE T nextafter(T x, T y) {
  const BitsOf<T> bits = bits_of(x);
  const BitsOf<T> step = (x < y) == (x > T(0)) ? BitsOf<T>(1) : ~BitsOf<T>(0);
  const BitsOf<T> moved = x == T(0) ? (sign_bit(y) | BitsOf<T>(1)) : BitsOf<T>(bits + step);
  const T result = x == y ? y : from_bits(moved);
  return (x != x) | (y != y) ? x + y : result;
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
