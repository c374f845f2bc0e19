// Complex arithmetic, comparison, parts and absolute value.
#pragma once

#include "mlx/array/complex.h"
#include "mlx/ops/lanes/arithmetic.h"
#include "mlx/ops/lanes/power.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// The standard leaves infinite factors to the implementation; products follow the textbook, as
// numpy's do. Quotients follow C99 (a number / infinity is 0), and by a real or imaginary divisor
// the rules of real division hold for each part.

template <Real T>
MLX_LANE Complex<T> add(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}

template <Real T>
MLX_LANE Complex<T> subtract(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}

template <Real T>
MLX_LANE Complex<T> multiply(Complex<T> a, Complex<T> b) {
  return {unfused(a.re * b.re) - unfused(a.im * b.im), unfused(a.re * b.im) + unfused(a.im * b.re)};
}

template <Real T>
MLX_LANE Complex<T> square(Complex<T> x) {
  return multiply(x, x);
}

template <Real T>
MLX_LANE Complex<T> negative(Complex<T> x) {
  return {-x.re, -x.im};
}

template <Real T>
MLX_LANE Complex<T> conjugate(Complex<T> x) {
  return {x.re, -x.im};
}

template <Real T>
MLX_LANE T real(Complex<T> x) {
  return x.re;
}

template <Real T>
MLX_LANE T imag(Complex<T> x) {
  return x.im;
}

template <Real T>
MLX_LANE bool equal(Complex<T> a, Complex<T> b) {
  return (a.re == b.re) & (a.im == b.im);
}

template <Real T>
MLX_LANE bool not_equal(Complex<T> a, Complex<T> b) {
  return (a.re != b.re) | (a.im != b.im);
}

template <Real T>
MLX_LANE bool isnan(Complex<T> x) {
  return isnan(x.re) | isnan(x.im);
}

template <Real T>
MLX_LANE bool isinf(Complex<T> x) {
  return isinf(x.re) | isinf(x.im);
}

template <Real T>
MLX_LANE bool isfinite(Complex<T> x) {
  return isfinite(x.re) & isfinite(x.im);
}

template <Real T>
MLX_LANE Complex<T> round(Complex<T> x) {
  return {round(x.re), round(x.im)};
}

MLX_LANE Complex<double> widen(Complex<float> x) { return {double(x.re), double(x.im)}; }
MLX_LANE Complex<float> narrow(Complex<double> x) { return {float(x.re), float(x.im)}; }

// Squares of floats neither over- nor underflow in double.
MLX_LANE float abs(Complex<float> x) {
  const double re = double(x.re), im = double(x.im);
  const float result = float(sqrt(re * re + im * im));
  return isinf(x) ? infinity<float> : result;
}

MLX_LANE double abs(Complex<double> x) { return hypot(x.re, x.im); }

// a * b + c * d, accurate even where the two products cancel.
MLX_LANE double sum_of_products(double a, double b, double c, double d) {
  const Pair<double> p = two_product(a, b);
  const Pair<double> q = two_product(c, d);
  const Pair<double> sum = two_sum(p.high, q.high);
  return sum.high + (sum.low + (p.low + q.low));
}

// The exponent of the larger part, in [-1000, 1000].
MLX_LANE std::int64_t exponent_of(Complex<double> x) {
  const std::uint64_t re = bits_of(magnitude(x.re)) >> 52;
  const std::uint64_t im = bits_of(magnitude(x.im)) >> 52;
  const std::int64_t exponent = std::int64_t(re > im ? re : im) - 1023;
  const std::int64_t bounded = exponent > 1000 ? 1000 : exponent;
  return bounded < -1000 ? -1000 : bounded;
}

// What the formula cannot say of infinite operands, as in Annex G of C99.
MLX_LANE_SLOW Complex<double> divide_special(Complex<double> a, Complex<double> b,
                                             Complex<double> result) {
  const auto unit = [](double x) { return copysign(isinf(x) ? 1.0 : 0.0, x); };
  if (isinf(a) && isfinite(b)) {
    const double re = unit(a.re), im = unit(a.im);
    return {infinity<double> * (re * b.re + im * b.im), infinity<double> * (im * b.re - re * b.im)};
  }
  if (isinf(b) && isfinite(a)) {
    const double re = unit(b.re), im = unit(b.im);
    return {0.0 * (a.re * re + a.im * im), 0.0 * (a.im * re - a.re * im)};
  }
  return result;
}

// By a real or imaginary number each part is a division of reals.
template <Real T>
MLX_LANE Complex<T> divide_by_part(Complex<T> a, Complex<T> b) {
  return b.im == T(0) ? Complex<T>{a.re / b.re, a.im / b.re}
                      : Complex<T>{a.im / b.im, -a.re / b.im};
}

MLX_LANE_SLOW Complex<double> divide(Complex<double> a, Complex<double> b) {
  if (b.im == 0 || b.re == 0) return divide_by_part(a, b);
  // The divisor is brought near 1, and the dividend where its products neither overflow nor lose
  // digits; the powers of two return in two steps, so that nothing overflows on the way.
  const std::int64_t a_size = exponent_of(a), b_exponent = exponent_of(b);
  const std::int64_t a_exponent = a_size > 900 ? 100 : (a_size < -800 ? -200 : 0);
  const double a_scale = power_of_two(-a_exponent), b_scale = power_of_two(-b_exponent);
  const double p = a.re * a_scale, q = a.im * a_scale;
  const double r = b.re * b_scale, s = b.im * b_scale;
  const double norm = r * r + s * s;
  const std::int64_t back = a_exponent - b_exponent;
  const double first = power_of_two(back / 2), second = power_of_two(back - back / 2);
  const Complex<double> result = {sum_of_products(p, r, q, s) / norm * first * second,
                                  sum_of_products(q, r, -p, s) / norm * first * second};
  return isnan(result.re) && isnan(result.im) ? divide_special(a, b, result) : result;
}

// In double the textbook formula neither overflows nor cancels: products of floats are exact.
MLX_LANE_SLOW Complex<float> divide(Complex<float> a, Complex<float> b) {
  if (b.im == 0 || b.re == 0) return divide_by_part(a, b);
  const Complex<double> p = widen(a), q = widen(b);
  const double norm = q.re * q.re + q.im * q.im;
  const Complex<double> result = {(p.re * q.re + p.im * q.im) / norm,
                                  (p.im * q.re - p.re * q.im) / norm};
  return narrow(isnan(result.re) && isnan(result.im) ? divide_special(p, q, result) : result);
}

template <Real T>
MLX_LANE Complex<T> reciprocal(Complex<T> x) {
  return divide(Complex<T>{T(1), T(0)}, x);
}

// x / abs(x), and 0 for 0.
template <Real T>
MLX_LANE Complex<T> sign(Complex<T> x) {
  if (x.re == T(0) && x.im == T(0)) return {T(0), T(0)};
  if (isnan(x)) return {not_a_number<T>, not_a_number<T>};
  const Complex<double> wide = {double(x.re), double(x.im)};
  const double scale = power_of_two(-exponent_of(wide));
  const Complex<double> scaled = {wide.re * scale, wide.im * scale};
  const double size = abs(scaled);
  return {T(scaled.re / size), T(scaled.im / size)};
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
