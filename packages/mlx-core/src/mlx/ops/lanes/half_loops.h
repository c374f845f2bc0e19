// float16 and bfloat16 to and from float over arrays, by the machine's own instructions where it
// has them: compilers do not find these for a loop over the conversions of array/half.h.
#pragma once

#include "mlx/array/half.h"
#include "mlx/ops/lanes/support.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace mlx::core::cpu::MLX_ISA::lane {

MLX_LANE void widen_loop(float* destination, const float16* source, std::size_t count) {
  std::size_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + i));
    _mm256_storeu_ps(destination + i, _mm256_cvtph_ps(halves));
  }
#endif
  for (; i < count; ++i) destination[i] = static_cast<float>(source[i]);
}

MLX_LANE void narrow_loop(float16* destination, const float* source, std::size_t count) {
  std::size_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(source + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(destination + i), halves);
  }
#endif
  for (; i < count; ++i) destination[i] = float16(source[i]);
}

MLX_LANE void widen_loop(float* destination, const bfloat16* source, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) destination[i] = static_cast<float>(source[i]);
}

MLX_LANE void narrow_loop(bfloat16* destination, const float* source, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) destination[i] = bfloat16(source[i]);
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
