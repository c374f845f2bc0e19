// Powers of real numbers, hypot, logaddexp and sigmoid.
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
  using L = ExpLimits<T>;
  // a - b and what it lost by rounding; equal operands may both be infinite, with no difference.
  const BitsOf<T> differ = mask_if<T>(a != b);
  const Pair<T> difference = two_sum(a, -b);
  const T exponent = keep_if(differ, -magnitude(difference.high));
  const BitsOf<T> finite = mask_if<T>(exponent > -infinity<T>);
  const T low = keep_if(finite & differ, -difference.low * copysign(T(1), difference.high));

  const BitsOf<T> vanishing = mask_if<T>(exponent < L::underflow);
  const ExpReduction<T> reduced = reduce_exp(choose(vanishing, L::underflow, exponent));
  const T rounded = T(1) + (reduced.r + exp_tail(reduced.r));
  const T value = mad(rounded, low, rounded);
  const Scale<T> scale = split_scale(reduced.n_magic);
  const T e = value * scale.first * keep_if(~vanishing, scale.second);
  // A tiny e is its own log1p; its square would be subnormal, which is slow.
  const BitsOf<T> tiny = mask_if<T>(e < T(0x1p-60));
  const T more = choose(tiny, e, log1p_finite<false>(keep_if(~tiny, e)));
  const T result = (a > b ? a : b) + more;
  return choose(mask_if<T>((a != a) | (b != b)), not_a_number<T>, result);
}

// 1 / (1 + exp(-x)).
template <Real T>
MLX_LANE T sigmoid(T x) {
  const T e = exp(-magnitude(x));
  return (x < T(0) ? e : T(1)) / (T(1) + e);
}

// abs(x)**y for finite positive x and any y. In double, where 35 bits are enough for a float.
MLX_LANE float power_of_magnitude(float x, float y) {
  const Decomposed<double> parts = decompose(double(magnitude(x)));
  const double f = parts.significand - 1.0;
  const double s = f / (2.0 + f);
  const double log2_x =
      mad(s,
          polynomial(s * s, 0x1.71547652beeadp+1, 0x1.ec709d120018fp-1, 0x1.27778074ec392p-1,
                     0x1.a58d4ac8868a4p-2, 0x1.5ceca2aa11718p-2),
          parts.exponent);
  const double t = clamp_magnitude(double(y) * log2_x, 200.0);
  const double n_magic = t + Format<double>::round_magic;
  const double r = t - (n_magic - Format<double>::round_magic);
  const double fraction =
      mad(r,
          polynomial(r, 0x1.62e42fef95accp-1, 0x1.ebfbe045fd862p-3, 0x1.c6b08dc4db4b5p-5,
                     0x1.3b2a1b67204afp-7, 0x1.5d874dd0c31eep-10, 0x1.444007d26a145p-13,
                     0x1.00db7a70d959cp-16),
          1.0);
  return float(fraction * from_bits(bits_of(1.0) + (bits_of(n_magic) << 52)));
}

// log2 of a positive x in two parts, to about 65 bits: log2(1+f) = 2/ln(2) * (s + s**3/3 + ...)
// with s = f / (2+f). The first two coefficients and all that meets them are in two parts.
MLX_LANE Pair<double> log2_in_two_parts(double x) {
  const Decomposed<double> parts = decompose_any(x);
  const double f = parts.significand - 1.0;
  const double divisor = 2.0 + f;
  const double divisor_low = f - (divisor - 2.0);
  const double inverse = 1.0 / divisor;
  const double s = f * inverse;
  const Pair<double> back = two_product(s, divisor);
  const double s_low = (((f - back.high) - back.low) - s * divisor_low) * inverse;

  Pair<double> z = two_product(s, s);
  z.low = mad(2.0 * s, s_low, z.low);
  const double rest =
      z.high * polynomial(z.high, 0x1.2776c50ef9bfcp-1, 0x1.a61762a7aeddfp-2, 0x1.484b13d6accf2p-2,
                          0x1.0c9a853b05805p-2, 0x1.c68ee95504c13p-3, 0x1.8a09b99c18e41p-3,
                          0x1.58fca48b02363p-3, 0x1.61f241e62ca13p-3);
  Pair<double> third = fast_two_sum(0x1.ec709dc3a03fdp-1, rest);
  third.low += 0x1.d27f05548af0cp-55;
  const Pair<double> cubic = two_product(z.high, third.high);
  const double cubic_low = mad(z.low, third.high, mad(z.high, third.low, cubic.low));
  Pair<double> first = fast_two_sum(0x1.71547652b82fep+1, cubic.high);
  first.low += cubic_low + 0x1.777d0ffda0d24p-55;
  const Pair<double> product = two_product(s, first.high);
  const double product_low = mad(s_low, first.high, mad(s, first.low, product.low));
  const Pair<double> sum = fast_two_sum(parts.exponent, product.high);
  return fast_two_sum(sum.high, sum.low + product_low);
}

MLX_LANE double power_of_magnitude(double x, double y) {
  const Pair<double> log2_x = log2_in_two_parts(magnitude(x));
  // No finite result needs a larger y: the logarithm is at least 2**-53.
  const double exponent = clamp_magnitude(y, 0x1p65);
  const Pair<double> t = two_product(exponent, log2_x.high);
  const double t_low = mad(exponent, log2_x.low, t.low);
  const std::uint64_t outside = mask_if<double>(magnitude(t.high) > 1100.0);
  const double t_high = choose(outside, with_sign(1100.0, t.high), t.high);
  const double n_magic = t_high + Format<double>::round_magic;
  const Pair<double> r =
      fast_two_sum(t_high - (n_magic - Format<double>::round_magic), keep_if(~outside, t_low));
  const Pair<double> natural = two_product(r.high, 0x1.62e42fefa39efp-1);
  const double natural_low =
      mad(r.low, 0x1.62e42fefa39efp-1, mad(r.high, 0x1.abc9e3b39803fp-56, natural.low));
  const double value = 1.0 + (natural.high + (exp_tail(natural.high) + natural_low));
  const Scale<double> scale = split_scale(n_magic);
  return value * scale.first * scale.second;
}

template <Real T>
MLX_LANE T power(T x, T y) {
  const T size = magnitude(x);
  // 0 and infinity give 0 or infinity; 1 gives 1, also to an infinite power.
  const bool zero = size == T(0);
  const T extreme = keep_if(mask_if<T>(zero == (y < T(0))), infinity<T>);
  T result = choose(mask_if<T>(zero | (size == infinity<T>)), extreme, power_of_magnitude(x, y));
  result = choose(mask_if<T>(size == T(1)), T(1), result);
  // A negative x: the sign of an odd power; nan for a power that is no integer.
  const bool whole = trunc(y) == y;
  const bool odd = whole & (trunc(y * T(0.5)) * T(2) != y);
  result = from_bits(BitsOf<T>(bits_of(result) | (mask_if<T>(odd) & sign_bit(x))));
  const bool undefined = (x < T(0)) & (size < infinity<T>)&!whole;
  const bool unordered = (x != x) | (y != y);
  result = choose(mask_if<T>(undefined | unordered), not_a_number<T>, result);
  return choose(mask_if<T>((y == T(0)) | (x == T(1))), T(1), result);
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
