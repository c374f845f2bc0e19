// Inverse trigonometric functions of real numbers.
#pragma once

#include "mlx/ops/lanes/basic.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// Angles in two parts, so that their sum with a small angle is rounded once.
template <class T>
struct Angle;

template <>
struct Angle<float> {
  static constexpr Pair<float> quarter_pi = {0x1.921fb6p-1f, -0x1.777a5cp-26f};
  static constexpr Pair<float> half_pi = {0x1.921fb6p+0f, -0x1.777a5cp-25f};
  static constexpr Pair<float> three_quarter_pi = {0x1.2d97c8p+1f, -0x1.99bc5cp-28f};
  static constexpr Pair<float> pi = {0x1.921fb6p+1f, -0x1.777a5cp-24f};
};

template <>
struct Angle<double> {
  static constexpr Pair<double> quarter_pi = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
  static constexpr Pair<double> half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  static constexpr Pair<double> three_quarter_pi = {0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54};
  static constexpr Pair<double> pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
};

// arcsin(x) = x + x * arcsin_tail(x*x) for |x| <= 1/2.
MLX_LANE float arcsin_tail(float z) {
  return z * polynomial(z, 0x1.5555c8p-3f, 0x1.330204p-4f, 0x1.747bbep-5f, 0x1.8c3de2p-6f,
                        0x1.595ce8p-5f);
}
MLX_LANE double arcsin_tail(double z) {
  return z * polynomial(z, 0x1.5555555555391p-3, 0x1.333333336e6adp-4, 0x1.6db6db4285a92p-5,
                        0x1.f1c72c35de43fp-6, 0x1.6e89f482cc033p-6, 0x1.1c6bde062b4cfp-6,
                        0x1.c6fe0539e9a0bp-7, 0x1.8ec154440dde2p-7, 0x1.abdd3758cc407p-8,
                        0x1.3feb71554bd94p-6, -0x1.09c503f22ddcp-6, 0x1.0568ab602c021p-5);
}

// Beyond 1/2, arcsin(x) = pi/2 - 2 arcsin(sqrt((1 - x) / 2)).
template <Real T>
MLX_LANE T arcsin(T x) {
  const T size = magnitude(x);
  const bool large = size > T(0.5);
  const T z = large ? T(0.5) * (T(1) - size) : size * size;
  const T root = large ? sqrt(z) : size;
  const T tail = root * arcsin_tail(z);
  const T beyond_half =
      Angle<T>::half_pi.high - (T(2) * root + (T(2) * tail - Angle<T>::half_pi.low));
  return with_sign(large ? beyond_half : root + tail, x);
}

template <Real T>
MLX_LANE T arccos(T x) {
  const T size = magnitude(x);
  const bool large = size > T(0.5);
  const T z = large ? T(0.5) * (T(1) - size) : size * size;
  const T root = large ? sqrt(z) : x;
  const T tail = root * arcsin_tail(z);
  const T near_zero = Angle<T>::half_pi.high - (root - (Angle<T>::half_pi.low - tail));
  const T positive = T(2) * (root + tail);
  const T negative = Angle<T>::pi.high - (T(2) * root + (T(2) * tail - Angle<T>::pi.low));
  const T beyond_half = x < T(0) ? negative : positive;
  return large ? beyond_half : near_zero;
}

// arctan(t) = t + t * arctan_tail(t*t) for |t| <= 1/2.
MLX_LANE float arctan_tail(float z) {
  return z * polynomial(z, -0x1.555512p-2f, 0x1.997b06p-3f, -0x1.2249ap-3f, 0x1.9ff9cp-4f,
                        -0x1.a3cf0cp-5f);
}
MLX_LANE double arctan_tail(double z) {
  return z * polynomial(z, -0x1.5555555555516p-2, 0x1.9999999991118p-3, -0x1.249249215c8a6p-3,
                        0x1.c71c70905c542p-4, -0x1.745cf4bbf3666p-4, 0x1.3b113cc16b44dp-4,
                        -0x1.10f3146b54324p-4, 0x1.dfe8e20610448p-5, -0x1.a395b9ec705d9p-5,
                        0x1.56ee1c9f209edp-5, -0x1.c166c6e62318p-6, 0x1.4b607680dd145p-7);
}

// The angle of a / b (both >= 0) as a multiple of pi/4 and the tangent of the rest.
template <class T>
struct Octant {
  BitsOf<T> beyond_flat;  // masks: near pi/4 or pi/2,
  BitsOf<T> steep;        // near pi/2
  T tangent;
};

template <Real T>
MLX_LANE Octant<T> octant_of(T a, T b) {
  const BitsOf<T> beyond_flat = mask_if<T>(a > T(0.5) * b);
  const BitsOf<T> steep = mask_if<T>(a > T(2) * b);
  // a / b, (a - b) / (b + a), -b / a; 0 / 0 is the angle 0.
  const T numerator = keep_if(~steep, a) - keep_if(beyond_flat, b);
  const T sum = keep_if(~steep, b) + keep_if(beyond_flat, a);
  const T denominator = sum + keep_if(mask_if<T>(sum == T(0)), T(1));
  return {beyond_flat, steep, numerator / denominator};
}

template <Real T>
MLX_LANE T arctan(T x) {
  const Octant<T> octant = octant_of(magnitude(x), T(1));
  const T t = octant.tangent;
  const Pair<T> step = Angle<T>::quarter_pi;
  const T high = keep_if(octant.beyond_flat, step.high) + keep_if(octant.steep, step.high);
  const T low = keep_if(octant.beyond_flat, step.low) + keep_if(octant.steep, step.low);
  return with_sign(high + (t + mad(t, arctan_tail(t * t), low)), x);
}

// One of three parts of angles; the masks exclude each other.
template <class T>
MLX_LANE T one_of(BitsOf<T> first, T x, BitsOf<T> second, T y, BitsOf<T> third, T z) {
  return from_bits(BitsOf<T>((bits_of(x) & first) | (bits_of(y) & second) | (bits_of(z) & third)));
}

// The angle of the point (x, y).
template <Real T>
MLX_LANE T arctan2(T y, T x) {
  // Two infinite coordinates count as equal; huge ones are scaled so that their sum is finite.
  const BitsOf<T> both_infinite = mask_if<T>(isinf(x) & isinf(y));
  const T a = choose(both_infinite, T(1), magnitude(y));
  const T b = choose(both_infinite, T(1), magnitude(x));
  constexpr T large = Format<T>::largest / T(4);
  const T scale = choose(mask_if<T>((a > large) | (b > large)), T(0.25), T(1));
  const Octant<T> octant = octant_of(a * scale, b * scale);
  const BitsOf<T> left = mask_if<T>(signbit(x));
  const T t = from_bits(BitsOf<T>(bits_of(octant.tangent) ^ sign_bit(x)));
  const BitsOf<T> middle = octant.beyond_flat & ~octant.steep;
  const BitsOf<T> flat = ~octant.beyond_flat & left;
  const Pair<T> straight = Angle<T>::pi, right_angle = Angle<T>::half_pi;
  const T middle_high = choose(left, Angle<T>::three_quarter_pi.high, Angle<T>::quarter_pi.high);
  const T middle_low = choose(left, Angle<T>::three_quarter_pi.low, Angle<T>::quarter_pi.low);
  const T high = one_of(flat, straight.high, middle, middle_high, octant.steep, right_angle.high);
  const T low = one_of(flat, straight.low, middle, middle_low, octant.steep, right_angle.low);
  return with_sign(high + (t + mad(t, arctan_tail(t * t), low)), y);
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
