// sin, cos and tan of real numbers: fast bodies for |x| below a limit. trig_slow.h has the rest,
// trig_loops.h combines the two over an array.
#pragma once

#include "mlx/ops/lanes/support.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// pi/2 in parts, and the largest |x| up to which q * part is exact (with a fused multiply-add, up
// to which x - q * part is).
template <class T>
struct HalfPi;

template <>
struct HalfPi<float> {
#if MLX_LANE_HAS_FMA
  static constexpr float parts[4] = {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f, 0.0f};
  static constexpr float limit = 0x1p17f;
#else
  static constexpr float parts[4] = {0x1.92p+0f, 0x1.fbp-12f, 0x1.51p-22f, 0x1.0b4612p-34f};
  static constexpr float limit = 0x1p13f;
#endif
  static constexpr float inverse_pi = 0x1.45f306p-2f;
  static constexpr float inverse_half_pi = 0x1.45f306p-1f;
};

template <>
struct HalfPi<double> {
#if MLX_LANE_HAS_FMA
  static constexpr double parts[4] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                      -0x1.f1976b7ed8fbcp-110, 0.0};
  static constexpr double limit = 0x1p30;
#else
  static constexpr double parts[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69,
                                      0.0};
  static constexpr double limit = 0x1p20;
#endif
  static constexpr double inverse_pi = 0x1.45f306dc9c883p-2;
  static constexpr double inverse_half_pi = 0x1.45f306dc9c883p-1;
};

// The bodies with the suffix _fast are right below this limit, those with the suffix _wide (float
// only) below trig_wide_limit; the plain names (trig_slow.h) take every argument.
template <class T>
inline constexpr T trig_limit = HalfPi<T>::limit;

// Finite and beyond the limit. Infinity and nan give nan on the fast path too.
template <class T>
MLX_LANE bool beyond(T x, T limit) {
  const T size = magnitude(x);
  return (size >= limit) & (size < infinity<T>);
}

template <class T>
MLX_LANE T subtract_half_pis(T x, T q) {
  constexpr const T* parts = HalfPi<T>::parts;
#if MLX_LANE_HAS_FMA
  return mad(-q, parts[2], mad(-q, parts[1], mad(-q, parts[0], x)));
#else
  // Exact but for the last two parts, which are rounded together.
  T exact = x - q * parts[0];
  if constexpr (parts[3] != T(0)) exact -= q * parts[1];
  constexpr int next = parts[3] != T(0) ? 2 : 1;
  const T product = q * parts[next];
  const T high = exact - product;
  return high + (((exact - high) - product) - q * parts[next + 1]);
#endif
}

// sin(r) from z = r*r and P(z), for |r| a little over pi/2. Near pi/2 the rounding errors of the
// plain formula can carry it past 1, which no sine exceeds: z is made exact, or else the value is
// clamped.
template <class T>
MLX_LANE T sin_from_tail(T r, T z, T p) {
#if MLX_LANE_HAS_FMA
  return mad(mad(r, z, r * mad(r, r, -z)), p, r);
#else
  return clamp_magnitude(mad(r * z, p, r), T(1));
#endif
}

// One polynomial up to pi/2, instead of one each for sin and cos up to pi/4.
MLX_LANE float sin_of_reduced(float r) {
  const float z = r * r;
  return sin_from_tail(
      r, z, polynomial(z, -0x1.55554cp-3f, 0x1.110edap-7f, -0x1.9f70eep-13f, 0x1.5dc8c4p-19f));
}

MLX_LANE double sin_of_reduced(double r) {
  const double z = r * r;
  return sin_from_tail(
      r, z,
      polynomial(z, -0x1.5555555555555p-3, 0x1.11111111110c8p-7, -0x1.a01a01a014d6fp-13,
                 0x1.71de3a52a0af6p-19, -0x1.ae6454d4718cp-26, 0x1.6123cd05d4e0ep-33,
                 -0x1.ae4383d49eb2dp-41, 0x1.88328fd4b1972p-49));
}

// The lowest bit of `count` moved to the sign.
MLX_LANE std::uint32_t odd_sign(std::uint32_t count) { return count << 31; }
MLX_LANE std::uint64_t odd_sign(std::uint64_t count) { return count << 63; }

template <class T>
MLX_LANE T sin_fast(T x) {
  const T n_magic = mad(x, HalfPi<T>::inverse_pi, Format<T>::round_magic);
  const T n = n_magic - Format<T>::round_magic;
  const T result = sin_of_reduced(subtract_half_pis(x, T(2) * n));
  const T flipped = from_bits(BitsOf<T>(bits_of(result) ^ odd_sign(bits_of(n_magic))));
  return x == T(0) ? x : flipped;  // -0 is lost on the way
}

template <class T>
MLX_LANE T cos_fast(T x) {
  // cos(r + (n + 1/2) pi) = -(-1)**n sin(r)
  const T n_magic = mad(x, HalfPi<T>::inverse_pi, T(-0.5)) + Format<T>::round_magic;
  const T n = n_magic - Format<T>::round_magic;
  const T result = sin_of_reduced(subtract_half_pis(x, mad(T(2), n, T(1))));
  return from_bits(BitsOf<T>(bits_of(result) ^ odd_sign(bits_of(n_magic) + 1)));
}

// sin(r + low) for |r| <= pi/4.
MLX_LANE float sin_of_quarter(float r, float low = 0.0f) {
  const float z = r * r;
  const float p = polynomial(z, -0x1.555546p-3f, 0x1.110778p-7f, -0x1.99540ap-13f);
  return r + mad(r * z, p, low);
}

MLX_LANE double sin_of_quarter(double r, double low = 0.0) {
  const double z = r * r;
  const double p = polynomial(z, -0x1.5555555555548p-3, 0x1.111111110f73p-7, -0x1.a01a019be926bp-13,
                              0x1.71de355534701p-19, -0x1.ae5e4b8e08167p-26, 0x1.5d8b59468248ep-33);
  return r + mad(r * z, p, mad(-0.5 * z, low, low));
}

// cos(r + low) for |r| <= pi/4.
MLX_LANE float cos_of_quarter(float r, float low = 0.0f) {
  const float z = r * r;
  const float p = polynomial(z, 0x1.55554ap-5f, -0x1.6c0c1ap-10f, 0x1.99e0e4p-16f);
  const float half = 0.5f * z;
  const float w = 1.0f - half;
  return w + (((1.0f - w) - half) + mad(z * z, p, -r * low));
}

MLX_LANE double cos_of_quarter(double r, double low = 0.0) {
  const double z = r * r;
  const double p = polynomial(z, 0x1.555555555554cp-5, -0x1.6c16c16c1522p-10, 0x1.a01a019cbf871p-16,
                              -0x1.27e4f812d4ebcp-22, 0x1.1ee9f168c231ep-29, -0x1.8fb13ce0859cp-37);
  const double half = 0.5 * z;
  const double w = 1.0 - half;
  return w + (((1.0 - w) - half) + mad(z * z, p, -r * low));
}

// tan from sin and cos of the reduced argument, in an even or odd quarter of the circle.
template <class T>
MLX_LANE T tan_from_quarter(T sine, T cosine, BitsOf<T> quarter) {
  const bool odd = (quarter & 1u) != 0;
  const T quotient = (odd ? cosine : sine) / (odd ? sine : cosine);
  return from_bits(BitsOf<T>(bits_of(quotient) ^ odd_sign(quarter)));
}

template <class T>
MLX_LANE T tan_fast(T x) {
  const T n_magic = mad(x, HalfPi<T>::inverse_half_pi, Format<T>::round_magic);
  const T r = subtract_half_pis(x, n_magic - Format<T>::round_magic);
  const T result = tan_from_quarter(sin_of_quarter(r), cos_of_quarter(r), bits_of(n_magic));
  return x == T(0) ? x : result;
}

// Wide: floats reduced in double, still branch-free. Right below trig_wide_limit.
inline constexpr float trig_wide_limit = static_cast<float>(HalfPi<double>::limit);

MLX_LANE float sin_wide(float x) {
  const double n_magic = mad(double(x), HalfPi<double>::inverse_pi, Format<double>::round_magic);
  const double n = n_magic - Format<double>::round_magic;
  const float r = float(subtract_half_pis(double(x), 2.0 * n));
  const float result = sin_of_reduced(r);
  const float flipped = from_bits(bits_of(result) ^ odd_sign(std::uint32_t(bits_of(n_magic))));
  return x == 0.0f ? x : flipped;
}

MLX_LANE float cos_wide(float x) {
  const double n_magic =
      mad(double(x), HalfPi<double>::inverse_pi, -0.5) + Format<double>::round_magic;
  const double n = n_magic - Format<double>::round_magic;
  const float r = float(subtract_half_pis(double(x), mad(2.0, n, 1.0)));
  const float result = sin_of_reduced(r);
  return from_bits(bits_of(result) ^ odd_sign(std::uint32_t(bits_of(n_magic)) + 1));
}

MLX_LANE float tan_wide(float x) {
  const double n_magic =
      mad(double(x), HalfPi<double>::inverse_half_pi, Format<double>::round_magic);
  const float r = float(subtract_half_pis(double(x), n_magic - Format<double>::round_magic));
  const float result =
      tan_from_quarter(sin_of_quarter(r), cos_of_quarter(r), std::uint32_t(bits_of(n_magic)));
  return x == 0.0f ? x : result;
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
