// Division, powers, shifts and bits of integers, defined for every operand: nothing traps.
//
// Where mathematics has no answer the results are these: x // 0 and x % 0 are 0; the most negative
// integer // -1 wraps to itself; a shift by the width or more, or by a negative count, moves every
// bit out (0, or -1 for a negative number shifted right); x ** -n is 1 / x**n towards zero, with
// 0 ** -n = 0.
#pragma once

#include "mlx/ops/lanes/arithmetic.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// Division of integers does not vectorise, so small ones are divided as floating-point numbers. In
// float (of 16 bits) and double (of 32) the rounded quotient never reaches the next integer, and
// its floor is the floor of the exact quotient.
template <Integer T>
  requires(sizeof(T) < 4)
MLX_LANE T floor_divide(T a, T b) {
  const float divisor = b == T(0) ? 1.0f : float(b);
  const float quotient = floor(float(a) / divisor);
  // By way of int32, which holds the one quotient (2**15) that T may not.
  return b == T(0) ? T(0) : T(std::int32_t(quotient));
}

template <Integer T>
  requires(sizeof(T) == 4)
MLX_LANE T floor_divide(T a, T b) {
  const double divisor = b == T(0) ? 1.0 : double(b);
  const double quotient = floor(double(a) / divisor);
  // The low bits of quotient + 1.5 * 2**52 are the quotient modulo 2**32, for either signedness.
  const T wrapped = T(std::uint32_t(bits_of(quotient + Format<double>::round_magic)));
  return b == T(0) ? T(0) : wrapped;
}

template <Integer T>
  requires(sizeof(T) == 8)
MLX_LANE T floor_divide(T a, T b) {
  if constexpr (std::is_unsigned_v<T>) {
    return b == T(0) ? T(0) : a / (b == T(0) ? T(1) : b);
  } else {
    const bool trapping = (b == T(0)) | (b == T(-1));
    const T divisor = trapping ? T(1) : b;
    const T quotient = a / divisor;
    const bool inexact = quotient * divisor != a;
    const T floored = T(quotient - T(inexact & ((a < T(0)) != (divisor < T(0)))));
    const T otherwise = b == T(0) ? T(0) : negative(a);
    return trapping ? otherwise : floored;
  }
}

// With the sign of the divisor.
template <Integer T>
MLX_LANE T remainder(T a, T b) {
  return b == T(0) ? T(0) : subtract(a, multiply(floor_divide(a, b), b));
}

template <Integer T>
MLX_LANE T power(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < T(0)) {
      if (base == T(-1)) return (exponent & T(1)) != T(0) ? T(-1) : T(1);
      return T(base == T(1));
    }
  }
  T result = T(1);
  T factor = base;
  for (auto rest = std::make_unsigned_t<T>(exponent); rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) result = multiply(result, factor);
    factor = multiply(factor, factor);
  }
  return result;
}

template <Integer T>
MLX_LANE T left_shift(T x, T count) {
  constexpr auto width = std::make_unsigned_t<T>(8 * sizeof(T));
  // A negative count is a huge unsigned one.
  const bool inside = std::make_unsigned_t<T>(count) < width;
  const T shifted = T(Wrapping<T>(x) << (inside ? Wrapping<T>(count) : Wrapping<T>(0)));
  return inside ? shifted : T(0);
}

template <Integer T>
MLX_LANE T right_shift(T x, T count) {
  constexpr auto width = std::make_unsigned_t<T>(8 * sizeof(T));
  const bool inside = std::make_unsigned_t<T>(count) < width;
  const T shifted = T(x >> (inside ? count : T(0)));
  return inside ? shifted : T(x < T(0) ? T(-1) : T(0));
}

template <class T>
  requires std::is_integral_v<T>
MLX_LANE T bitwise_and(T a, T b) {
  return T(a & b);
}
template <class T>
  requires std::is_integral_v<T>
MLX_LANE T bitwise_or(T a, T b) {
  return T(a | b);
}
template <class T>
  requires std::is_integral_v<T>
MLX_LANE T bitwise_xor(T a, T b) {
  return T(a ^ b);
}
template <Integer T>
MLX_LANE T bitwise_invert(T x) {
  return T(~x);
}
MLX_LANE bool bitwise_invert(bool x) { return !x; }

}  // namespace mlx::core::cpu::MLX_ISA::lane
