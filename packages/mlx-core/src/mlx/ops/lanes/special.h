// The error function and its inverse.
#pragma once

#include "mlx/ops/lanes/basic.h"
#include "mlx/ops/lanes/exp_log.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// erf(x) / x - 1 for z = x*x <= 1.
MLX_LANE float erf_small(float z) {
  return polynomial(z, 0x1.06eba8p-3f, -0x1.81274p-2f, 0x1.ce2d5p-4f, -0x1.b7fe9p-6f,
                    0x1.542e0ep-8f, -0x1.a50ae8p-11f, 0x1.4c339cp-14f);
}
MLX_LANE double erf_small(double z) {
  return polynomial(z, 0x1.06eba8214db68p-3, -0x1.812746b03799cp-2, 0x1.ce2f21a03f782p-4,
                    -0x1.b82ce311a2a8ap-6, 0x1.565bccedbb3a3p-8, -0x1.c02dae82fdfb7p-11,
                    0x1.f9a2910b21401p-14, -0x1.f4c7cc7689a7dp-17, 0x1.b96720377071p-20,
                    -0x1.5b7037f76a8abp-23, 0x1.d30b1fdef2809p-27, -0x1.9f9e9445d3557p-31);
}

// exp(x*x) * erfc(x) with u = (x - 2) / (x + 2), x from 1 to erf_limit.
MLX_LANE float erf_large(float u) {
  return polynomial(u, 0x1.05869p-2f, -0x1.b57084p-2f, 0x1.ee88b8p-3f, -0x1.4ad912p-4f,
                    -0x1.3e7578p-9f);
}
MLX_LANE double erf_large(double u) {
  return polynomial(u, 0x1.058671b52c776p-2, -0x1.b57034efd3f4cp-2, 0x1.eeea7dc8a7c98p-3,
                    -0x1.437f0b68cb80ap-4, 0x1.e9471581860dfp-9, 0x1.ca95ed5c2e4adp-8,
                    -0x1.bc258c0c921dbp-11, -0x1.016b33cadc47cp-10, 0x1.6d43492b5a0f1p-15,
                    0x1.6d7dcbe883f32p-13, 0x1.cdae4508bdb34p-16, -0x1.c280a12cd4d04p-16,
                    -0x1.ae80c18a7f6aep-17);
}

// From here on erf rounds to 1.
template <class T>
inline constexpr T erf_limit = sizeof(T) == sizeof(float) ? T(4) : T(6);

template <Real T>
MLX_LANE T erf(T x) {
  const T size = magnitude(x);
  const T bounded = size > erf_limit<T> ? erf_limit<T> : size;
  const T square = bounded * bounded;
  const T small = mad(size, erf_small(square), size);
  const T large = T(1) - exp(-square) * erf_large((bounded - T(2)) / (bounded + T(2)));
  return with_sign(size < T(1) ? small : large, x);
}

// erfinv(x) / x with w = -log(1 - x*x), and erfinv(x) with s = sqrt(-log(1 - x)) for x near 1.
MLX_LANE float erfinv_central(float w) {
  return polynomial(w - 2.0f, 0x1.60912ep+0f, 0x1.ff8672p-3f, -0x1.01f94p-9f, -0x1.bbaaccp-10f,
                    0x1.c4f102p-13f, 0x1.07fea6p-17f, -0x1.47da4p-18f, 0x1.d0618cp-23f,
                    0x1.26337ep-24f);
}
MLX_LANE float erfinv_tail(float s) {
  return polynomial(s - 3.15f, 0x1.6f79b6p+1f, 0x1.0a45e8p+0f, -0x1.5fdad2p-8f, 0x1.fe6bbep-13f,
                    0x1.ecc89cp-13f, -0x1.1aef6cp-13f, 0x1.c31922p-15f, -0x1.b7c88cp-16f,
                    0x1.3ac69cp-17f);
}

MLX_LANE double erfinv_central(double w) {
  return polynomial(w - 1.5, 0x1.4087417fcf5eep+0, 0x1.005f034b91d7bp-2, 0x1.cd40055a39662p-11,
                    -0x1.123ee0112e6d4p-9, 0x1.74997cbced634p-13, 0x1.86b5eb801e359p-16,
                    -0x1.688f8e071d4d7p-18, -0x1.177f65f412522p-24, 0x1.f9888f2f6cecdp-24,
                    -0x1.f0fb7f027ea2ap-28, -0x1.159b32514466ap-29, 0x1.4c9bd3fc2fe5fp-32,
                    0x1.92187633d53f8p-36, -0x1.211e782e8cbep-37, 0x1.026b1a5c39e7bp-44,
                    0x1.58a56d59e852p-43, -0x1.472d72eb87547p-47);
}
MLX_LANE double erfinv_middle(double s) {
  return polynomial(s - 2.5, 0x1.18a558429486p+1, 0x1.0c071e76c31dep+0, -0x1.30ac45189f15cp-8,
                    -0x1.7dac0beaa59d6p-10, 0x1.685283f537852p-10, -0x1.795d525d43bf9p-11,
                    0x1.47dcfe3fe245ep-12, -0x1.0059c57af6e72p-13, 0x1.7278764ab894fp-15,
                    -0x1.f22ffd50d832dp-17, 0x1.35b5e2b08262ep-18, -0x1.5c245610fe5c9p-20,
                    0x1.53ea7840ab434p-22, -0x1.d8dc19466e23bp-25, -0x1.b5b86342ded8bp-27,
                    0x1.e1d71e9b888a3p-27);
}
MLX_LANE double erfinv_far(double s) {
  return polynomial(
      s - 4.6, 0x1.179e320c41494p+2, 0x1.06f762e3ffa11p+0, -0x1.c767da0d6426fp-9,
      0x1.ae4590f0638f4p-12, -0x1.24c677d572cb1p-15, -0x1.6f35988d90898p-20, 0x1.e253c93e6f893p-20,
      -0x1.57ae1abd8aaaep-21, 0x1.81ce1b923bee1p-23, -0x1.852e2a890691dp-25, 0x1.709bb34f84113p-27,
      -0x1.4e12706f55e51p-29, 0x1.24e4356bf5aa6p-31, -0x1.f8d101ae17e15p-34, 0x1.a6ef1b3f8e4fbp-36,
      -0x1.37efd5ad04c5fp-38, 0x1.dddd888b3171dp-41, -0x1.2d31b47ff07bfp-42, 0x1.e07ac0b8f8321p-45);
}
MLX_LANE double erfinv_tail(double s) {
  return choose(mask_if<double>(s < 3.1), erfinv_middle(s), erfinv_far(s));
}

// Where the central polynomial ends: both are fitted a little beyond.
template <class T>
inline constexpr T erfinv_switch = sizeof(T) == sizeof(float) ? T(0.99) : T(0.974);

template <Real T>
MLX_LANE T erfinv(T x) {
  const T size = magnitude(x);
  const BitsOf<T> central = mask_if<T>(size < erfinv_switch<T>);
  const T rest = T(1) - size;
  const T w = -log(rest * choose(central, T(1) + size, T(1)));
  const T value = choose(central, size * erfinv_central(w), erfinv_tail(sqrt(w)));
  return with_sign(choose(mask_if<T>(size == T(1)), infinity<T>, value), x);
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
