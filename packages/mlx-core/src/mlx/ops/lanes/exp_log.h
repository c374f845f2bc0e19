// Exponentials and logarithms of real numbers.
#pragma once

#include "mlx/ops/lanes/support.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// A number as significand * 2**exponent_first * 2**exponent_second. The power is in two factors
// because 2**128 is no float although exp(88.7) is, and because subnormals must be rounded once.
template <class T>
struct Scale {
  T first;
  T second;
};

// The two factors of 2**n, from n + round_magic.
MLX_LANE Scale<float> split_scale(float n_magic) {
  const std::int32_t n = std::int32_t(bits_of(n_magic) - bits_of(Format<float>::round_magic));
  const std::int32_t half = n >> 1;
  return {power_of_two(half), power_of_two(n - half)};
}

MLX_LANE Scale<double> split_scale(double n_magic) {
  // Biased to be positive: AVX2 has no arithmetic shift of 64-bit integers.
  const std::uint64_t bias = 4096;
  const std::uint64_t n = bits_of(n_magic) - bits_of(Format<double>::round_magic) + bias;
  const std::uint64_t half = n >> 1;
  const std::uint64_t rest = n - half;
  const std::uint64_t offset = std::uint64_t(Format<double>::exponent_bias) - bias / 2;
  return {from_bits((half + offset) << 52), from_bits((rest + offset) << 52)};
}

// exp(r) - 1 - r for |r| <= ln(2)/2.
MLX_LANE float exp_tail(float r) {
  return r * r *
         polynomial(r, 0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.555858p-5f, 0x1.123de2p-7f,
                    0x1.6ac76ep-10f);
}

MLX_LANE double exp_tail(double r) {
  return r * r *
         polynomial(r, 0x1.000000000000ap-1, 0x1.5555555555504p-3, 0x1.555555555060bp-5,
                    0x1.11111111248acp-7, 0x1.6c16c184b33cp-10, 0x1.a01a013edf8fp-13,
                    0x1.a01998aa68d4ep-16, 0x1.71def3168926dp-19, 0x1.28aea0ea60139p-22,
                    0x1.add21a98895cbp-26);
}

template <class T>
struct ExpLimits;

template <>
struct ExpLimits<float> {
  static constexpr float overflow = 89.0f;     // exp is infinite from 88.73 on
  static constexpr float underflow = -104.0f;  // exp rounds to zero below -103.98
  static constexpr float log2_e = 0x1.715476p+0f;
  static constexpr float ln2_high = 0x1.62e4p-1f;  // 15 bits: its product with n is exact
  static constexpr float ln2_low = 0x1.7f7d1cp-20f;
};

template <>
struct ExpLimits<double> {
  static constexpr double overflow = 710.0;
  static constexpr double underflow = -745.5;
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double ln2_high = 0x1.62e42fefa38p-1;
  static constexpr double ln2_low = 0x1.ef35793c7673p-45;
};

// x = n * ln(2) + r, |r| <= ln(2)/2; n is kept as n + round_magic.
template <class T>
struct ExpReduction {
  T n_magic;
  T r;
  T r_low;  // what r lost by rounding
};

template <class T>
MLX_LANE ExpReduction<T> reduce_exp(T x) {
  using L = ExpLimits<T>;
  const T n_magic = mad(x, L::log2_e, Format<T>::round_magic);
  const T n = n_magic - Format<T>::round_magic;
  const T partial = mad(n, -L::ln2_high, x);
  const T r = mad(n, -L::ln2_low, partial);
  return {n_magic, r, mad(n, -L::ln2_low, partial - r)};
}

// The clamps below are one comparison before the work and one after it: of two next to each other
// the compiler makes branches that vectorise badly.
template <class T>
MLX_LANE T exp(T x) {
  using L = ExpLimits<T>;
  const ExpReduction<T> reduced = reduce_exp(x < L::underflow ? L::underflow : x);
  const T value = T(1) + (reduced.r + exp_tail(reduced.r));
  const Scale<T> scale = split_scale(reduced.n_magic);
  // A zero factor, not a tiny one: masked softmax is full of -inf, and subnormals are slow.
  const T second = x < L::underflow ? T(0) : scale.second;
  return x > L::overflow ? infinity<T> : value * scale.first * second;
}

// exp(x) - 1, without the cancellation near zero.
template <class T>
MLX_LANE T expm1(T x) {
  using L = ExpLimits<T>;
  // From -60 down the result is -1 in either format.
  const ExpReduction<T> reduced = reduce_exp(x < T(-60) ? T(-60) : x);
  const T tail = exp_tail(reduced.r) + reduced.r_low;
  // One factor 2 is kept back, so that the other is finite where the result still is.
  const Scale<T> scale = split_scale(reduced.n_magic);
  const T whole = scale.first * (scale.second * T(0.5));
  // whole - 0.5 is exact while it matters, and so is whole * r.
  const Pair<T> sum = two_sum(whole - T(0.5), whole * reduced.r);
  const T finite = (sum.high + mad(whole, tail, sum.low)) * T(2);
  const T result = x > L::overflow ? infinity<T> : finite;
  // Tiny x are their own result; halving and doubling subnormals would lose bits.
  return magnitude(x) < T(0x1p-60) ? x : result;
}

// 2**x.
template <class T>
MLX_LANE T exp2(T x) {
  using F = Format<T>;
  const T underflow = -T(F::exponent_bias + F::mantissa_bits);
  const T clamped = x < underflow ? underflow : x;
  const T n_magic = clamped + F::round_magic;
  const T fraction = clamped - (n_magic - F::round_magic);
  // fraction * ln(2) with its error, which is as large as the last bit of the result.
  constexpr T ln2 = T(0x1.62e42fefa39efp-1);
  constexpr T ln2_error = sizeof(T) == 4 ? T(-0x1.05c61p-29) : T(0x1.abc9e3b39803fp-56);
  const Pair<T> r = two_product(fraction, ln2);
  const T r_low = mad(fraction, ln2_error, r.low);
  const T value = T(1) + (r.high + (exp_tail(r.high) + r_low));
  const Scale<T> scale = split_scale(n_magic);
  const T second = x < underflow ? T(0) : scale.second;
  return x > T(F::exponent_bias + 1) ? infinity<T> : value * scale.first * second;
}

// x = significand * 2**exponent with significand in [sqrt(1/2), sqrt(2)), for normal x > 0.
template <class T>
struct Decomposed {
  T exponent;
  BitsOf<T> exponent_bits;  // the exponent shifted to its place in a float
  T significand;
};

MLX_LANE Decomposed<float> decompose(float x) {
  constexpr std::uint32_t sqrt_half = 0x3f3504f3u;
  const std::uint32_t shifted = bits_of(x) - sqrt_half;
  const std::int32_t exponent = std::int32_t(shifted) >> 23;
  const float significand = from_bits((shifted & Format<float>::mantissa_mask) + sqrt_half);
  return {float(exponent), shifted & 0xff800000u, significand};
}

MLX_LANE Decomposed<double> decompose(double x) {
  constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdu;
  const std::uint64_t shifted = bits_of(x) - sqrt_half;
  // AVX2 neither shifts nor converts signed 64-bit integers: bias, then plant the bits in 2**52.
  const std::uint64_t biased = (shifted + (std::uint64_t(1024) << 52)) >> 52;
  const double exponent = from_bits(biased | 0x4330000000000000u) - (0x1p52 + 1024.0);
  const double significand = from_bits((shifted & Format<double>::mantissa_mask) + sqrt_half);
  return {exponent, shifted & 0xfff0000000000000u, significand};
}

// As decompose, for subnormal x as well.
template <class T>
MLX_LANE Decomposed<T> decompose_any(T x) {
  constexpr int shift = Format<T>::mantissa_bits + 2;
  const bool tiny = x < Format<T>::smallest_normal;
  const T scaled = tiny ? x * T(std::uint64_t(1) << shift) : x;
  Decomposed<T> parts = decompose(scaled);
  parts.exponent = tiny ? parts.exponent - T(shift) : parts.exponent;
  return parts;
}

// log(1 + f) - f for 1 + f in [sqrt(1/2), sqrt(2)].
MLX_LANE float log_rest(float f) {
  const float p = polynomial(f, 0x1.555554p-2f, -0x1.00022ap-2f, 0x1.99a03ap-3f, -0x1.547188p-3f,
                             0x1.22d4fp-3f, -0x1.0d8774p-3f, 0x1.0582a8p-3f, -0x1.390ddap-4f);
  const float square = f * f;
  return mad(f * square, p, -0.5f * square);
}

MLX_LANE double log_rest(double f) {
  // With s = f / (2 + f): log(1+f) = 2 atanh(s), and 2 s = f - f*f/2 + s * f*f/2.
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double p = z * polynomial(z, 0x1.5555555555593p-1, 0x1.999999997f9ffp-2,
                                  0x1.249249422a0f1p-2, 0x1.c71c51d7b41c2p-3, 0x1.746649c602d67p-3,
                                  0x1.39a0917f28ed4p-3, 0x1.2f11ba82b3b68p-3);
  const double half_square = 0.5 * f * f;
  return mad(s, half_square + p, -half_square);
}

// -inf where `distance` is zero, nan where it is not.
template <class T>
MLX_LANE T pole_or_nan(T distance) {
  const T nan_part = keep_if(mask_if<T>(distance != T(0)), not_a_number<T>);
  return from_bits(BitsOf<T>(bits_of(-infinity<T>) | bits_of(nan_part)));
}

// The value at 0, below it, at infinity and nan, for any logarithm.
template <class T>
MLX_LANE T log_special_values(T x, T result) {
  const T upper = x < infinity<T> ? result : x;
  return x <= T(0) ? pole_or_nan(x) : upper;
}

// exponent * ln(2) + log(1 + f).
template <class T>
MLX_LANE T log_sum(T exponent, T f, T rest) {
  using L = ExpLimits<T>;
  return mad(exponent, L::ln2_high, f + mad(exponent, L::ln2_low, rest));
}

template <class T>
MLX_LANE T log(T x) {
  const Decomposed<T> parts = decompose_any(x);
  const T f = parts.significand - T(1);
  return log_special_values(x, log_sum(parts.exponent, f, log_rest(f)));
}

// log(1 + x) for finite x > -1; below 2**60 if not any_size.
template <bool any_size, class T>
MLX_LANE T log1p_finite(T x) {
  const Decomposed<T> parts = decompose(T(1) + x);
  // 1 + x = 2**e * (1 + f): f in one rounding, from x and not from the rounded 1 + x. For e != 0
  // the exponent of x takes the subtraction; for e == 0 nothing changes, so tiny x are safe.
  const T scaled = from_bits(BitsOf<T>(bits_of(x) - parts.exponent_bits));
  T inverse_power = from_bits(BitsOf<T>(bits_of(T(1)) - parts.exponent_bits));
  // Huge x leave the range of exponents here.
  if constexpr (any_size) inverse_power = parts.exponent > T(64) ? T(0) : inverse_power;
  const T f = scaled + (inverse_power - T(1));
  return log_sum(parts.exponent, f, log_rest(f));
}

template <class T>
MLX_LANE T log1p(T x) {
  const T upper = x < infinity<T> ? log1p_finite<true>(x) : x;
  // The sign of x is the sign of the result, and is lost on the way only at -0.
  return from_bits(BitsOf<T>(bits_of(x <= T(-1) ? pole_or_nan(x + T(1)) : upper) | sign_bit(x)));
}

// exponent * log_b(2) + log(1 + f) * log_b(e), each constant in two parts. The first part of
// log_b(2) is short enough for an exact product.
template <class T>
struct LogBase {
  T two_high, two_low, e_high, e_low;
};

template <class T>
MLX_LANE T log_in_base(T x, LogBase<T> base) {
  const Decomposed<T> parts = decompose_any(x);
  const T f = parts.significand - T(1);
  const Pair<T> natural = fast_two_sum(f, log_rest(f));
  const Pair<T> scaled = two_product(natural.high, base.e_high);
  const T scaled_low = mad(natural.high, base.e_low, mad(natural.low, base.e_high, scaled.low));
  const Pair<T> sum = fast_two_sum(parts.exponent * base.two_high, scaled.high);
  const T low = mad(parts.exponent, base.two_low, sum.low + scaled_low);
  return log_special_values(x, sum.high + low);
}

MLX_LANE float log2(float x) {
  return log_in_base<float>(x, {1.0f, 0.0f, 0x1.715476p+0f, 0x1.4ae0cp-26f});
}
MLX_LANE double log2(double x) {
  return log_in_base<double>(x, {1.0, 0.0, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}
MLX_LANE float log10(float x) {
  return log_in_base<float>(x, {0x1.344p-2f, 0x1.3509f8p-18f, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f});
}
MLX_LANE double log10(double x) {
  return log_in_base<double>(
      x, {0x1.34413509f8p-2, -0x1.80433b83b532ap-44, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
