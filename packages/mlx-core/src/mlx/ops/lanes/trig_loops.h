// sin, cos and tan over arrays: fast bodies for ordinary data, right for every argument.
#pragma once

#include "mlx/ops/lanes/trig.h"
#include "mlx/ops/lanes/trig_slow.h"

namespace mlx::core::cpu::MLX_ISA::lane {

// Arguments are examined in blocks of this many, so that one huge argument slows its block only.
inline constexpr std::size_t trig_block = 256;

template <class T>
MLX_LANE std::size_t count_beyond(const T* source, std::size_t count, T limit) {
  BitsOf<T> found = 0;
  for (std::size_t i = 0; i < count; ++i) found += beyond(source[i], limit) ? 1u : 0u;
  return found;
}

// destination may be source itself. Each of the bodies is a stateless function object.
template <class T, class Fast, class Wide, class Slow>
MLX_LANE void trig_loop(T* destination, const T* source, std::size_t count, Fast fast, Wide wide,
                        Slow slow) {
  constexpr T wide_limit = sizeof(T) == sizeof(float) ? T(trig_wide_limit) : trig_limit<T>;
  for (std::size_t start = 0; start < count; start += trig_block) {
    const std::size_t size = count - start < trig_block ? count - start : trig_block;
    const T* in = source + start;
    T* out = destination + start;
    if (count_beyond(in, size, trig_limit<T>) == 0) {
      for (std::size_t i = 0; i < size; ++i) out[i] = fast(in[i]);
      continue;
    }
    T block[trig_block];
    for (std::size_t i = 0; i < size; ++i) block[i] = in[i];
    for (std::size_t i = 0; i < size; ++i) out[i] = wide(block[i]);
    if (count_beyond(block, size, wide_limit) == 0) continue;
    for (std::size_t i = 0; i < size; ++i) {
      if (beyond(block[i], wide_limit)) out[i] = slow(block[i]);
    }
  }
}

MLX_LANE void sin_loop(float* destination, const float* source, std::size_t count) {
  trig_loop(
      destination, source, count, [](float x) { return sin_fast(x); },
      [](float x) { return sin_wide(x); }, [](float x) { return sin(x); });
}

MLX_LANE void sin_loop(double* destination, const double* source, std::size_t count) {
  trig_loop(
      destination, source, count, [](double x) { return sin_fast(x); },
      [](double x) { return sin_fast(x); }, [](double x) { return sin(x); });
}

MLX_LANE void cos_loop(float* destination, const float* source, std::size_t count) {
  trig_loop(
      destination, source, count, [](float x) { return cos_fast(x); },
      [](float x) { return cos_wide(x); }, [](float x) { return cos(x); });
}

MLX_LANE void cos_loop(double* destination, const double* source, std::size_t count) {
  trig_loop(
      destination, source, count, [](double x) { return cos_fast(x); },
      [](double x) { return cos_fast(x); }, [](double x) { return cos(x); });
}

MLX_LANE void tan_loop(float* destination, const float* source, std::size_t count) {
  trig_loop(
      destination, source, count, [](float x) { return tan_fast(x); },
      [](float x) { return tan_wide(x); }, [](float x) { return tan(x); });
}

MLX_LANE void tan_loop(double* destination, const double* source, std::size_t count) {
  trig_loop(
      destination, source, count, [](double x) { return tan_fast(x); },
      [](double x) { return tan_fast(x); }, [](double x) { return tan(x); });
}

}  // namespace mlx::core::cpu::MLX_ISA::lane
