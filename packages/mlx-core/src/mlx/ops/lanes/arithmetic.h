// Arithmetic, comparison and logic on every real type and on bool; integers wrap.
#pragma once

#include "mlx/ops/lanes/basic.h"

namespace mlx::core::cpu::MLX_ISA::lane {

template <class T>
concept Integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;

// The unsigned type in which T is computed: wrapping, and never promoted to a signed int.
template <Integer T>
using Wrapping =
    std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;

template <Real T>
MLX_LANE T add(T a, T b) {
  return a + b;
}
template <Integer T>
MLX_LANE T add(T a, T b) {
  return T(Wrapping<T>(a) + Wrapping<T>(b));
}
MLX_LANE bool add(bool a, bool b) { return a | b; }

template <Real T>
MLX_LANE T subtract(T a, T b) {
  return a - b;
}
template <Integer T>
MLX_LANE T subtract(T a, T b) {
  return T(Wrapping<T>(a) - Wrapping<T>(b));
}

template <Real T>
MLX_LANE T multiply(T a, T b) {
  return a * b;
}
template <Integer T>
MLX_LANE T multiply(T a, T b) {
  return T(Wrapping<T>(a) * Wrapping<T>(b));
}
MLX_LANE bool multiply(bool a, bool b) { return a & b; }

template <Real T>
MLX_LANE T divide(T a, T b) {
  return a / b;
}

template <Integer T>
MLX_LANE T negative(T x) {
  return T(Wrapping<T>(0) - Wrapping<T>(x));
}

template <Integer T>
MLX_LANE T square(T x) {
  return multiply(x, x);
}

template <class T>
  requires std::is_integral_v<T>
MLX_LANE T minimum(T a, T b) {
  return a < b ? a : b;
}
template <class T>
  requires std::is_integral_v<T>
MLX_LANE T maximum(T a, T b) {
  return a > b ? a : b;
}

// The most negative integer is its own absolute value: it has no positive counterpart.
template <Integer T>
MLX_LANE T abs(T x) {
  return x < T(0) ? negative(x) : x;
}

template <Integer T>
MLX_LANE T sign(T x) {
  return T(T(x > T(0)) - T(x < T(0)));
}

template <Integer T>
MLX_LANE bool signbit(T x) {
  return x < T(0);
}

// Integers are whole and finite already.
template <Integer T>
MLX_LANE T floor(T x) {
  return x;
}
template <Integer T>
MLX_LANE T ceil(T x) {
  return x;
}
template <Integer T>
MLX_LANE T trunc(T x) {
  return x;
}
template <Integer T>
MLX_LANE T round(T x) {
  return x;
}
template <class T>
  requires std::is_integral_v<T>
MLX_LANE bool isnan(T) {
  return false;
}
template <class T>
  requires std::is_integral_v<T>
MLX_LANE bool isinf(T) {
  return false;
}
template <class T>
  requires std::is_integral_v<T>
MLX_LANE bool isfinite(T) {
  return true;
}

template <class T>
  requires std::is_arithmetic_v<T>
MLX_LANE bool equal(T a, T b) {
  return a == b;
}
template <class T>
  requires std::is_arithmetic_v<T>
MLX_LANE bool not_equal(T a, T b) {
  return a != b;
}
template <class T>
  requires std::is_arithmetic_v<T>
MLX_LANE bool less(T a, T b) {
  return a < b;
}
template <class T>
  requires std::is_arithmetic_v<T>
MLX_LANE bool less_equal(T a, T b) {
  return a <= b;
}
template <class T>
  requires std::is_arithmetic_v<T>
MLX_LANE bool greater(T a, T b) {
  return a > b;
}
template <class T>
  requires std::is_arithmetic_v<T>
MLX_LANE bool greater_equal(T a, T b) {
  return a >= b;
}

MLX_LANE bool logical_and(bool a, bool b) { return a & b; }
MLX_LANE bool logical_or(bool a, bool b) { return a | b; }
MLX_LANE bool logical_xor(bool a, bool b) { return a != b; }
MLX_LANE bool logical_not(bool a) { return !a; }

// A real number as a complex one with imaginary part zero.
template <class T>
  requires std::is_arithmetic_v<T>
MLX_LANE T real(T x) {
  return x;
}
template <class T>
  requires std::is_arithmetic_v<T>
MLX_LANE T imag(T) {
  return T(0);
}
template <class T>
  requires std::is_arithmetic_v<T>
MLX_LANE T conjugate(T x) {
  return x;
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
