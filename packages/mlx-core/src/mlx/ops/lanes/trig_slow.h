// sin, cos and tan for every argument, one at a time: the reduction of Payne and Hanek.
#pragma once

#include "mlx/ops/lanes/trig.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// The binary digits of 2/pi behind the point, after one word of zeros.
inline constexpr std::uint64_t two_over_pi[21] = {
    0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u,
    0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu,
    0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu,
    0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du,
    0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu,
    0xf0cfbc209af4361du};

struct WideProduct {
  std::uint64_t high;
  std::uint64_t low;
};

MLX_LANE WideProduct multiply_wide(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a_low = a & 0xffffffffu, a_high = a >> 32;
  const std::uint64_t b_low = b & 0xffffffffu, b_high = b >> 32;
  const std::uint64_t low = a_low * b_low;
  const std::uint64_t middle = a_high * b_low + (low >> 32);
  const std::uint64_t carry = a_low * b_high + (middle & 0xffffffffu);
  return {a_high * b_high + (middle >> 32) + (carry >> 32), (carry << 32) | (low & 0xffffffffu)};
}

// x = (quarter + 4 k) * pi/2 + r.high + r.low, |r| <= pi/4.
struct ReducedAngle {
  std::uint64_t quarter;
  Pair<double> r;
};

// Word `index` of the 192 digits of 2/pi that start at digit `start` (in bits, of the table).
MLX_LANE std::uint64_t digits_of_two_over_pi(int start, int index) {
  const int word = start / 64 + index;
  const int shift = start % 64;
  const std::uint64_t low = shift == 0 ? 0 : two_over_pi[word + 1] >> (64 - shift);
  return (two_over_pi[word] << shift) | low;
}

// For finite |x| >= 2**10.
MLX_LANE_SLOW ReducedAngle reduce_large_angle(double x) {
  const std::uint64_t bits = bits_of(x) & ~Format<double>::sign_mask;
  const int exponent = int(bits >> 52) - Format<double>::exponent_bias - 52;
  const std::uint64_t whole = (bits & Format<double>::mantissa_mask) | (std::uint64_t(1) << 52);
  // |x| * 2/pi = whole * 2**exponent * 2/pi. Digits of 2/pi that contribute multiples of 4 are
  // skipped; with 192 digits from there, whole * digits modulo 2**192 is the rest times 2**190.
  const int start = 64 + exponent - 2;
  const WideProduct last = multiply_wide(whole, digits_of_two_over_pi(start, 2));
  const WideProduct middle = multiply_wide(whole, digits_of_two_over_pi(start, 1));
  std::uint64_t w2 = last.low;
  std::uint64_t w1 = last.high + middle.low;
  std::uint64_t w0 = middle.high + (w1 < last.high) + whole * digits_of_two_over_pi(start, 0);

  std::uint64_t quarter = w0 >> 62;
  w0 = (w0 << 2) | (w1 >> 62);
  w1 = (w1 << 2) | (w2 >> 62);
  w2 <<= 2;
  // The fraction to the nearest integer, as sign and size.
  const bool negative = (w0 >> 63) != 0;
  if (negative) {
    quarter += 1;
    w0 = ~w0;
    w1 = ~w1;
    w2 = ~w2;
  }
  // Doubles come no closer than about 2**-62 to a multiple of pi/2, so the top word has a bit set.
  int zeros = 0;
  while (zeros < 63 && (w0 >> 63) == 0) {
    w0 = (w0 << 1) | (w1 >> 63);
    w1 = (w1 << 1) | (w2 >> 63);
    w2 <<= 1;
    ++zeros;
  }
  const double scale = power_of_two(std::int64_t(-53 - zeros));
  const double high = double(w0 >> 11) * scale;
  const double low = double(((w0 & 0x7ffu) << 42) | (w1 >> 22)) * (scale * 0x1p-53);
  const Pair<double> product = two_product(high, 0x1.921fb54442d18p+0);
  const double rest = product.low + mad(high, 0x1.1a62633145c07p-54, low * 0x1.921fb54442d18p+0);
  Pair<double> r = fast_two_sum(product.high, rest);
  if (negative != (sign_bit(x) != 0)) r = {-r.high, -r.low};
  return {sign_bit(x) != 0 ? 0 - quarter : quarter, r};
}

// sin(x + turn * pi/2).
MLX_LANE_SLOW double sin_of_large(double x, std::uint64_t turn) {
  const ReducedAngle angle = reduce_large_angle(x);
  const std::uint64_t quarter = angle.quarter + turn;
  const double value = (quarter & 1) != 0 ? cos_of_quarter(angle.r.high, angle.r.low)
                                          : sin_of_quarter(angle.r.high, angle.r.low);
  return (quarter & 2) != 0 ? -value : value;
}

MLX_LANE_SLOW double tan_of_large(double x) {
  const ReducedAngle angle = reduce_large_angle(x);
  return tan_from_quarter(sin_of_quarter(angle.r.high, angle.r.low),
                          cos_of_quarter(angle.r.high, angle.r.low), angle.quarter);
}

// For every argument; the branch keeps loops over these from vectorising.
MLX_LANE double sin(double x) {
  return beyond(x, trig_limit<double>) ? sin_of_large(x, 0) : sin_fast(x);
}

MLX_LANE double cos(double x) {
  return beyond(x, trig_limit<double>) ? sin_of_large(x, 1) : cos_fast(x);
}

MLX_LANE double tan(double x) {
  return beyond(x, trig_limit<double>) ? tan_of_large(x) : tan_fast(x);
}

MLX_LANE float sin(float x) { return float(sin(double(x))); }
MLX_LANE float cos(float x) { return float(cos(double(x))); }
MLX_LANE float tan(float x) { return float(tan(double(x))); }

}  // namespace mlx::core::cpu::MLX_ISA::lane
