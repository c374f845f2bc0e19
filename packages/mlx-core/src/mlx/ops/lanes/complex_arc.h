// Inverse trigonometric and hyperbolic functions of complex numbers, with the special values of the
// standard and the branch cuts of C99: signed zeros tell the two sides of a cut apart.
//
// The formulas are Kahan's ("Branch cuts for complex elementary functions", 1987): products of
// sqrt(1 - z) and sqrt(1 + z), whose terms have equal signs, so that nothing cancels.
#pragma once

#include "mlx/ops/lanes/complex_trig.h"

namespace mlx::core::cpu::MLX_ISA::lane {

inline constexpr double half_pi = 0x1.921fb54442d18p+0;

MLX_LANE_SLOW Complex<double> arcsinh_special(Complex<double> z) {
  const double x = z.re, y = z.im;
  if (isinf(x)) {
    if (isnan(y)) return z;
    return {x, copysign(isinf(y) ? 0.5 * half_pi : 0.0, y)};
  }
  if (isinf(y)) {
    if (isnan(x)) return {infinity<double>, x};
    return {copysign(infinity<double>, x), copysign(half_pi, y)};
  }
  if (isnan(x) && y == 0) return z;
  return complex_nan;
}

MLX_LANE_SLOW Complex<double> arcsin_finite(Complex<double> z) {
  const Complex<double> minus = sqrt(Complex<double>{1.0 - z.re, -z.im});
  const Complex<double> plus = sqrt(Complex<double>{1.0 + z.re, z.im});
  return {arctan2(z.re, minus.re * plus.re - minus.im * plus.im),
          arcsinh(minus.re * plus.im - minus.im * plus.re)};
}

MLX_LANE_SLOW Complex<double> arccos_special(Complex<double> z) {
  const double x = z.re, y = z.im;
  const double downwards = copysign(infinity<double>, -y);
  if (isinf(x)) {
    if (isnan(y)) return {y, infinity<double>};
    const double flat = x < 0 ? 2.0 * half_pi : 0.0;
    const double diagonal = x < 0 ? 1.5 * half_pi : 0.5 * half_pi;
    return {isinf(y) ? diagonal : flat, downwards};
  }
  if (isinf(y)) return {isnan(x) ? x : half_pi, downwards};
  if (x == 0) return {half_pi, y};
  return complex_nan;
}

MLX_LANE_SLOW Complex<double> arccos(Complex<double> z) {
  if (!isfinite(z)) return arccos_special(z);
  const Complex<double> minus = sqrt(Complex<double>{1.0 - z.re, -z.im});
  const Complex<double> plus = sqrt(Complex<double>{1.0 + z.re, z.im});
  return {2.0 * arctan2(minus.re, plus.re), arcsinh(plus.re * minus.im - plus.im * minus.re)};
}

MLX_LANE_SLOW Complex<double> arcsin(Complex<double> z) {
  if (!isfinite(z)) return over_i(arcsinh_special(times_i(z)));
  return arcsin_finite(z);
}

MLX_LANE_SLOW Complex<double> arcsinh(Complex<double> z) {
  if (!isfinite(z)) return arcsinh_special(z);
  return times_i(arcsin_finite(over_i(z)));
}

// arccosh(z) is i arccos(z) or -i arccos(z), whichever is in the right half of the plane.
MLX_LANE_SLOW Complex<double> arccosh(Complex<double> z) {
  const Complex<double> angle = arccos(z);
  return {magnitude(angle.im), copysign(angle.re, z.im)};
}

// For x >= 0; arctanh is odd.
MLX_LANE_SLOW Complex<double> arctanh_right(double x, double y) {
  const double size = magnitude(y);
  const double larger = maximum(x, size);
  if (larger > 0x1p500) {
    // 1 / z, in steps that do not overflow.
    const double ratio = x > size ? size / x : x / size;
    const double real = (x > size ? 1.0 : ratio) / (larger * (1.0 + ratio * ratio));
    return {real, copysign(half_pi, y)};
  }
  if (x == 1.0) {
    if (y == 0) return {infinity<double>, y};
    // Angles near pi/4; the size is log(sqrt(4 + y*y) / |y|) / 2 in a form without underflow.
    return {0.5 * (log(hypot(2.0, size)) - log(size)),
            0.5 * copysign(half_pi + arctan(0.5 * size), y)};
  }
  const double rest = 1.0 - x;
  const double norm = mad(rest, rest, size * size);
  return {0.25 * log1p(4.0 * x / norm),
          0.5 * arctan2(2.0 * y, sum_of_products(rest, 1.0 + x, -y, y))};
}

MLX_LANE_SLOW Complex<double> arctanh(Complex<double> z) {
  const double x = z.re, y = z.im;
  if (isinf(x)) return {with_sign(0.0, x), isnan(y) ? y : copysign(half_pi, y)};
  if (isinf(y)) return {isnan(x) ? 0.0 : with_sign(0.0, x), copysign(half_pi, y)};
  if (isnan(y)) return {x == 0 ? x : y, y};
  if (isnan(x)) return complex_nan;
  const Complex<double> right = arctanh_right(magnitude(x), y);
  return {copysign(right.re, x), right.im};
}

MLX_LANE Complex<double> arctan(Complex<double> z) { return over_i(arctanh(times_i(z))); }

MLX_COMPLEX_NARROW(arcsin)
MLX_COMPLEX_NARROW(arccos)
MLX_COMPLEX_NARROW(arctan)
MLX_COMPLEX_NARROW(arcsinh)
MLX_COMPLEX_NARROW(arccosh)
MLX_COMPLEX_NARROW(arctanh)

#undef MLX_COMPLEX_NARROW

}  // namespace mlx::core::cpu::MLX_ISA::lane
