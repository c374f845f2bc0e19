// How loops read and write elements: bools as bytes, halves through buffers of floats.
#pragma once

#include <type_traits>

#include "mlx/array/dtype.h"
#include "mlx/ops/lanes/support.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

// The target may be a source, element by element; no loop carries anything from one to the next.
#if defined(__clang__)
#define MLX_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define MLX_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace mlx::core::cpu::MLX_ISA {

template <class T>
inline constexpr bool is_half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

// Loops over bools do not vectorise, loops over bytes do.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class T>
MLX_LANE T load(Stored<T> x) {
  if constexpr (std::is_same_v<T, bool>) {
    return x != 0;
  } else {
    return x;
  }
}

// Halves are computed on in blocks of this many.
inline constexpr std::int64_t half_block = 256;

template <class T>
void widen_halves(float* target, const T* source, std::int64_t count) {
  std::int64_t i = 0;
#if defined(__F16C__)
  if constexpr (std::is_same_v<T, float16>) {
    for (; i + 8 <= count; i += 8) {
      const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + i));
      _mm256_storeu_ps(target + i, _mm256_cvtph_ps(halves));
    }
  }
#endif
  for (; i < count; ++i) target[i] = static_cast<float>(source[i]);
}

template <class T>
void narrow_to_halves(T* target, const float* source, std::int64_t count) {
  std::int64_t i = 0;
#if defined(__F16C__)
  if constexpr (std::is_same_v<T, float16>) {
    for (; i + 8 <= count; i += 8) {
      const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(source + i), 0);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(target + i), halves);
    }
  }
#endif
  for (; i < count; ++i) target[i] = T(source[i]);
}

}  // namespace mlx::core::cpu::MLX_ISA
