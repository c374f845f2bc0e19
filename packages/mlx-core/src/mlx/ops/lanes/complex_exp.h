// Complex exponentials, logarithms, square roots and powers, with the special values of the
// standard (those of C99, Annex G). Computed one at a time, and in double for both precisions.
#pragma once

#include "mlx/ops/lanes/arc.h"
#include "mlx/ops/lanes/complex_basic.h"
#include "mlx/ops/lanes/trig_slow.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// A function of Complex<double> for Complex<float>: double has digits and range to spare.
#define MLX_COMPLEX_NARROW(name) \
  MLX_LANE Complex<float> name(Complex<float> z) { return narrow(name(widen(z))); }

inline constexpr Complex<double> complex_nan = {not_a_number<double>, not_a_number<double>};

// exp(x) * (cos(y) + i sin(y)) * scale for finite x and y, also where exp(x) alone overflows.
MLX_LANE_SLOW Complex<double> exp_finite(double x, double y, double scale) {
  constexpr double most = 709.0;
  const double first = exp(x > most ? x - most : x) * scale;
  const double second = x > most ? exp(most) : 1.0;
  return {first * cos(y) * second, first * sin(y) * second};
}

MLX_LANE_SLOW Complex<double> exp(Complex<double> z) {
  const double x = z.re, y = z.im;
  if (y == 0) return {exp(x), y};
  if (isfinite(y)) {
    if (isfinite(x)) return exp_finite(x, y, 1.0);
    return {exp(x) * cos(y), exp(x) * sin(y)};
  }
  if (x == -infinity<double>) return {0.0, 0.0};
  if (x == infinity<double>) return {x, not_a_number<double>};
  return complex_nan;
}

MLX_LANE_SLOW Complex<double> expm1(Complex<double> z) {
  const double x = z.re, y = z.im;
  if (y == 0) return {expm1(x) + 0.0, y};  // the standard: 0 + 0j, also where x is -0
  // Where the 1 does not cancel, or is lost; exp has the rules for infinity and nan.
  if (!(x > -1.0 && x < 60.0) || !isfinite(y)) {
    const Complex<double> e = exp(z);
    return {e.re - 1.0, e.im};
  }
  // exp(x) cos(y) - 1 = expm1(x) cos(y) + (cos(y) - 1)
  const double half_sine = sin(0.5 * y);
  const double real = sum_of_products(expm1(x), cos(y), -2.0 * half_sine, half_sine);
  return {real, exp(x) * sin(y)};
}

// a * a + b * b + c in two parts, for a * a and c of like size and opposite sign, or small b.
MLX_LANE Pair<double> squares_plus(double a, double b, double c) {
  const Pair<double> p = two_product(a, a);
  const Pair<double> q = two_product(b, b);
  const Pair<double> first = two_sum(p.high, c);
  const Pair<double> second = two_sum(first.high, q.high);
  // All that is left after cancellation may be in the low parts.
  const Pair<double> rest = two_sum(p.low, q.low);
  const Pair<double> sum = two_sum(second.high, rest.high);
  return fast_two_sum(sum.high, sum.low + (rest.low + (first.low + second.low)));
}

// log(abs(z)) as a multiple of scale, which log_of takes care of.
template <class Log>
MLX_LANE double log_of_size(Complex<double> z, Log log_of, double scale) {
  const double x = magnitude(z.re), y = magnitude(z.im);
  const double larger = x > y ? x : y;
  // Near the unit circle abs(z)**2 - 1 is known better than abs(z).
  if (larger > 0.5 && larger < 2.0) {
    const Pair<double> excess = squares_plus(larger, x > y ? y : x, -1.0);
    return 0.5 * scale * (log1p(excess.high) + excess.low / (1.0 + excess.high));
  }
  // Where abs(z) itself would overflow or be subnormal.
  if (larger > 0x1p1020 && larger < infinity<double>) {
    return log_of(hypot(x * 0.25, y * 0.25)) + log_of(4.0);
  }
  if (larger < 0x1p-960 && larger > 0)
    return log_of(hypot(x * 0x1p200, y * 0x1p200)) - log_of(0x1p200);
  return log_of(hypot(x, y));
}

MLX_LANE_SLOW Complex<double> log(Complex<double> z) {
  const auto log_of = [](double size) { return log(size); };
  return {log_of_size(z, log_of, 1.0), arctan2(z.im, z.re)};
}

MLX_LANE_SLOW Complex<double> log2(Complex<double> z) {
  constexpr double scale = 0x1.71547652b82fep+0;
  const auto log_of = [](double size) { return log2(size); };
  return {log_of_size(z, log_of, scale), arctan2(z.im, z.re) * scale};
}

MLX_LANE_SLOW Complex<double> log10(Complex<double> z) {
  constexpr double scale = 0x1.bcb7b1526e50ep-2;
  const auto log_of = [](double size) { return log10(size); };
  return {log_of_size(z, log_of, scale), arctan2(z.im, z.re) * scale};
}

MLX_LANE_SLOW Complex<double> log1p(Complex<double> z) {
  const double x = z.re, y = z.im;
  if (y == 0 && x >= -1.0) return {log1p(x), y};
  // 1 + x is exact on the left, and its rounding does not matter far from zero.
  const double larger = maximum(magnitude(x), magnitude(y));
  if (x <= -0.5 || !(larger < 2.0)) return log(Complex<double>{1.0 + x, y});
  // abs(1+z)**2 - 1 = 2x + x*x + y*y
  const Pair<double> excess = squares_plus(x, y, 2.0 * x);
  const double size = log1p(excess.high) + excess.low / (1.0 + excess.high);
  return {0.5 * size, arctan2(y, 1.0 + x)};
}

MLX_LANE_SLOW Complex<double> sqrt(Complex<double> z) {
  const double x = z.re, y = z.im;
  if (isinf(y)) return {infinity<double>, y};
  if (isnan(x)) return complex_nan;
  if (x == infinity<double>) return {x, isnan(y) ? y : with_sign(0.0, y)};
  if (x == -infinity<double>) {
    return {isnan(y) ? y : 0.0, copysign(infinity<double>, y)};
  }
  if (isnan(y)) return complex_nan;
  if (x == 0 && y == 0) return {0.0, y};
  // Scaled by 4**k so that the sum neither overflows nor meets subnormals.
  const double larger = maximum(magnitude(x), magnitude(y));
  const double scale = larger > 0x1p1020 ? 0x1p-4 : (larger < 0x1p-960 ? 0x1p120 : 1.0);
  const double back = larger > 0x1p1020 ? 0x1p2 : (larger < 0x1p-960 ? 0x1p-60 : 1.0);
  const double a = magnitude(x) * scale, b = y * scale;
  const double root = sqrt(0.5 * (a + hypot(a, b)));
  const double other = b / (2.0 * root);
  if (x >= 0) return {root * back, other * back};
  return {magnitude(other) * back, copysign(root * back, y)};
}

MLX_LANE_SLOW Complex<double> integer_power(Complex<double> base, int exponent) {
  Complex<double> result = {1.0, 0.0};
  Complex<double> factor = base;
  for (int rest = exponent < 0 ? -exponent : exponent; rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) result = multiply(result, factor);
    factor = multiply(factor, factor);
  }
  return exponent < 0 ? reciprocal(result) : result;
}

MLX_LANE_SLOW Complex<double> power(Complex<double> base, Complex<double> exponent) {
  if (exponent.re == 0 && exponent.im == 0) return {1.0, 0.0};
  if (base.re == 0 && base.im == 0) {
    if (exponent.re > 0) return {0.0, 0.0};
    // 1 / 0: the size is infinite, the direction unknown.
    if (exponent.re < 0) return {infinity<double>, not_a_number<double>};
    return complex_nan;
  }
  if (exponent.im == 0) {
    // Whole exponents by products: (1+2j)**2 is exact.
    if (magnitude(exponent.re) <= 64.0 && trunc(exponent.re) == exponent.re) {
      const Complex<double> product = integer_power(base, int(exponent.re));
      if (isfinite(product)) return product;
    }
    if (base.im == 0 && base.re > 0) return {power(base.re, exponent.re), 0.0};
  }
  return exp(multiply(exponent, log(base)));
}

MLX_LANE Complex<float> power(Complex<float> base, Complex<float> exponent) {
  return narrow(power(widen(base), widen(exponent)));
}

MLX_LANE Complex<double> rsqrt(Complex<double> z) { return reciprocal(sqrt(z)); }

MLX_COMPLEX_NARROW(exp)
MLX_COMPLEX_NARROW(expm1)
MLX_COMPLEX_NARROW(log)
MLX_COMPLEX_NARROW(log2)
MLX_COMPLEX_NARROW(log10)
MLX_COMPLEX_NARROW(log1p)
MLX_COMPLEX_NARROW(sqrt)
MLX_COMPLEX_NARROW(rsqrt)

}  // namespace mlx::core::cpu::MLX_ISA::lane
