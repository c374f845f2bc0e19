// Hyperbolic functions of real numbers and their inverses.
#pragma once

#include "mlx/ops/lanes/basic.h"
#include "mlx/ops/lanes/exp_log.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// exp(x) / 2 for x >= 0, finite wherever sinh and cosh are.
template <Real T>
MLX_LANE T half_exp(T x) {
  // Infinite at the limit; half as large an exponent would still be in range.
  constexpr T limit = -ExpLimits<T>::underflow;
  const ExpReduction<T> reduced = reduce_exp(x > limit ? limit : x);
  const T value = T(1) + (reduced.r + (exp_tail(reduced.r) + reduced.r_low));
  const Scale<T> scale = split_scale(reduced.n_magic);
  return value * scale.first * (scale.second * T(0.5));
}

MLX_LANE float sinh_tail(float z) {
  return z * polynomial(z, 0x1.555556p-3f, 0x1.1110ep-7f, 0x1.a022bcp-13f, 0x1.756c12p-19f);
}
MLX_LANE double sinh_tail(double z) {
  return z * polynomial(z, 0x1.5555555555556p-3, 0x1.111111111101ep-7, 0x1.a01a01a037275p-13,
                        0x1.71de3a3b0570ap-19, 0x1.ae646ff6a82d4p-26, 0x1.6116f3c60d09cp-33,
                        0x1.b5c8eaa08d9ddp-41);
}

template <Real T>
MLX_LANE T sinh(T x) {
  const T size = magnitude(x);
  const T e = half_exp(size);
  const T large = e - T(0.25) / e;
  const T small = mad(size, sinh_tail(size * size), size);
  return with_sign(size < T(1) ? small : large, x);
}

template <Real T>
MLX_LANE T cosh(T x) {
  const T e = half_exp(magnitude(x));
  return e + T(0.25) / e;
}

MLX_LANE float tanh_tail(float z) {
  return z * polynomial(z, -0x1.55553ep-2f, 0x1.1109bep-3f, -0x1.b89ab2p-5f, 0x1.54c34ep-6f,
                        -0x1.82844p-8f);
}
MLX_LANE double tanh_tail(double z) {
  return z * polynomial(z, -0x1.555555555553p-2, 0x1.111111110e1cbp-3, -0x1.ba1ba1b78155fp-5,
                        0x1.664f47f024464p-6, -0x1.226e2292d172bp-7, 0x1.d6d0c5fed73f8p-9,
                        -0x1.7d79d69eedbecp-10, 0x1.33dafb92374aep-11, -0x1.e32c2a7267a31p-13,
                        0x1.4ca75f8668388p-14, -0x1.202e3c68d3c66p-16);
}

template <Real T>
MLX_LANE T tanh(T x) {
  // With t = exp(2|x|) - 1: tanh(|x|) = t / (t + 2). From 20 on the result rounds to 1.
  const T size = magnitude(x);
  const ExpReduction<T> reduced = reduce_exp(T(2) * (size > T(20) ? T(20) : size));
  const BitsOf<T> n = bits_of(reduced.n_magic) << Format<T>::mantissa_bits;
  const T whole = from_bits(BitsOf<T>(bits_of(T(1)) + n));
  const T t = mad(whole, reduced.r + exp_tail(reduced.r), whole - T(1));
  const T small = mad(size, tanh_tail(size * size), size);
  return with_sign(size < T(0.6) ? small : t / (t + T(2)), x);
}

MLX_LANE float arcsinh_tail(float z) {
  return z * polynomial(z, -0x1.555536p-3f, 0x1.3324f2p-4f, -0x1.6b95cp-5f, 0x1.cd625ap-6f,
                        -0x1.b14332p-7f);
}
MLX_LANE double arcsinh_tail(double z) {
  return z * polynomial(z, -0x1.5555555555541p-3, 0x1.3333333330754p-4, -0x1.6db6db6ba6065p-5,
                        0x1.f1c71ba99552cp-6, -0x1.6e8b8ca3d35ep-6, 0x1.1c4d2f7e086a3p-6,
                        -0x1.c972e7c6673bdp-7, 0x1.7941d60ee3568p-7, -0x1.3869d82f505p-7,
                        0x1.e9420331be8afp-8, -0x1.371ec8a2eee8bp-8, 0x1.c25944faeedb9p-10);
}

// From here on x*x + 1 and x*x - 1 round to x*x, which may overflow.
template <class T>
inline constexpr T huge_for_squares = T(0x1p60);

template <Real T>
MLX_LANE T arcsinh(T x) {
  const T size = magnitude(x);
  const T small = mad(size, arcsinh_tail(size * size), size);
  const bool huge = size > huge_for_squares<T>;
  const T square = size * size;
  const T more = square / (T(1) + sqrt(square + T(1)));
  const T large = log1p(size + (huge ? T(0) : more)) + (huge ? T(0x1.62e42fefa39efp-1) : T(0));
  return with_sign(size < T(0.5) ? small : large, x);
}

MLX_LANE float arccosh_tail(float t) {
  return t * polynomial(t, -0x1.555536p-4f, 0x1.3324ecp-6f, -0x1.6b94a4p-8f, 0x1.cd52b8p-10f,
                        -0x1.b0ff74p-12f);
}
MLX_LANE double arccosh_tail(double t) {
  return t * polynomial(t, -0x1.5555555555541p-4, 0x1.3333333330749p-6, -0x1.6db6db6ba524ep-8,
                        0x1.f1c71ba92a1f5p-10, -0x1.6e8b8c96b46fcp-11, 0x1.1c4d2e8c1f9c6p-12,
                        -0x1.c972d1e31596ap-14, 0x1.7941324c04fd4p-15, -0x1.3866c1966d26fp-16,
                        0x1.e92f6f3a6a938p-18, -0x1.36ff20332983fp-19, 0x1.c1fbe90c58143p-22);
}

template <Real T>
MLX_LANE T arccosh(T x) {
  const T t = x - T(1);
  const T root = sqrt(T(2) * t);
  const T small = mad(root, arccosh_tail(t), root);
  const bool huge = x > huge_for_squares<T>;
  const T more = sqrt(t * (x + T(1)));
  const T large = log1p(t + (huge ? T(0) : more)) + (huge ? T(0x1.62e42fefa39efp-1) : T(0));
  return t > T(0.5) ? large : small;
}

MLX_LANE float arctanh_tail(float z) {
  return z * polynomial(z, 0x1.55554p-2f, 0x1.99a676p-3f, 0x1.234d98p-3f, 0x1.e4000ep-4f,
                        0x1.a6bb44p-5f, 0x1.693a72p-3f);
}
MLX_LANE double arctanh_tail(double z) {
  return z * polynomial(z, 0x1.55555555555cbp-2, 0x1.9999999987a29p-3, 0x1.2492492c394ap-3,
                        0x1.c71c6e8065cdap-4, 0x1.745d80e32f3e1p-4, 0x1.3b0b2d34bd161p-4,
                        0x1.11873a222f711p-4, 0x1.d90b4f9e2cab5p-5, 0x1.ea0c7b89ed19dp-5,
                        0x1.ddafd41eddb6p-7, 0x1.28bff9946db74p-3, -0x1.390af519fcb39p-3,
                        0x1.cc4a3c1f05a4p-3);
}

template <Real T>
MLX_LANE T arctanh(T x) {
  const T size = magnitude(x);
  const T small = mad(size, arctanh_tail(size * size), size);
  const T large = T(0.5) * log((T(1) + size) / (T(1) - size));
  return with_sign(size < T(0.5) ? small : large, x);
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
