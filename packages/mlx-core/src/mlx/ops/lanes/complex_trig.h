// Complex sin, cos, tan, sinh, cosh and tanh, with the special values of the standard.
#pragma once

#include "mlx/ops/lanes/complex_exp.h"
#include "mlx/ops/lanes/hyperbolic.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// Beyond this sinh and cosh are exp / 2, which may overflow before it meets cos or sin.
inline constexpr double hyperbolic_limit = 700.0;

MLX_LANE_SLOW Complex<double> sinh(Complex<double> z) {
  const double x = z.re, y = z.im;
  if (y == 0) return {sinh(x), y};
  if (!isfinite(y)) {
    if (x == 0) return {x, not_a_number<double>};
    if (isinf(x)) return {x, not_a_number<double>};
    return complex_nan;
  }
  if (isfinite(x) && magnitude(x) > hyperbolic_limit) {
    const Complex<double> e = exp_finite(magnitude(x), y, 0.5);
    return {x < 0 ? -e.re : e.re, e.im};
  }
  return {sinh(x) * cos(y), cosh(x) * sin(y)};
}

MLX_LANE_SLOW Complex<double> cosh(Complex<double> z) {
  const double x = z.re, y = z.im;
  // The sign of a zero imaginary part is that of sinh(x) sin(y).
  if (y == 0) return {cosh(x), isnan(x) ? y : copysign(1.0, x) * y};
  if (!isfinite(y)) {
    if (x == 0) return {not_a_number<double>, x};
    if (isinf(x)) return {infinity<double>, not_a_number<double>};
    return complex_nan;
  }
  if (isfinite(x) && magnitude(x) > hyperbolic_limit) {
    const Complex<double> e = exp_finite(magnitude(x), y, 0.5);
    return {e.re, x < 0 ? -e.im : e.im};
  }
  return {cosh(x) * cos(y), sinh(x) * sin(y)};
}

MLX_LANE_SLOW Complex<double> tanh(Complex<double> z) {
  const double x = z.re, y = z.im;
  if (y == 0) return {tanh(x), y};
  if (isinf(x)) return {copysign(1.0, x), isfinite(y) ? with_sign(0.0, y) : 0.0};
  if (!isfinite(y)) return {x == 0 ? x : not_a_number<double>, not_a_number<double>};
  if (isnan(x)) return complex_nan;
  const double sine = sin(y), cosine = cos(y);
  if (magnitude(x) > 20.0) {
    const double e = exp(-magnitude(x));
    return {copysign(1.0, x), 4.0 * sine * cosine * e * e};
  }
  // (sinh x cosh x + i sin y cos y) / (sinh(x)**2 + cos(y)**2): nothing cancels.
  const double s = sinh(x);
  const double norm = mad(s, s, cosine * cosine);
  return {s * cosh(x) / norm, sine * cosine / norm};
}

// f(z) = -i g(i z) for the pairs (sin, sinh) and (tan, tanh); cos(z) = cosh(i z).
MLX_LANE Complex<double> times_i(Complex<double> z) { return {-z.im, z.re}; }
MLX_LANE Complex<double> over_i(Complex<double> z) { return {z.im, -z.re}; }

MLX_LANE Complex<double> sin(Complex<double> z) { return over_i(sinh(times_i(z))); }
MLX_LANE Complex<double> cos(Complex<double> z) { return cosh(times_i(z)); }
MLX_LANE Complex<double> tan(Complex<double> z) { return over_i(tanh(times_i(z))); }

MLX_COMPLEX_NARROW(sinh)
MLX_COMPLEX_NARROW(cosh)
MLX_COMPLEX_NARROW(tanh)
MLX_COMPLEX_NARROW(sin)
MLX_COMPLEX_NARROW(cos)
MLX_COMPLEX_NARROW(tan)

}  // namespace mlx::core::cpu::MLX_ISA::lane
