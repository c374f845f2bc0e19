// Half-precision matrices times vectors with one instruction set: this file is compiled once for
// each.
#include "mlx/backends/cpu/matmul_half.h"

#include <algorithm>

#include "mlx/backends/cpu/lanes/vector.h"
#include "mlx/ops/lanes/half_loops.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr int width = vector_bytes / static_cast<int>(sizeof(float));
constexpr int chains = 4;  // sums that do not wait for each other
constexpr std::int64_t step = chains * width;
// Lines are converted piece by piece, so that a piece stays in the first cache.
constexpr std::int64_t piece = 512;
static_assert(piece % step == 0);

float dot(const float* a, const float* x, std::int64_t n) {
  float sums[step] = {};
  for (; n >= step; n -= step, a += step, x += step) {
    for (int i = 0; i < step; ++i) sums[i] += a[i] * x[i];
  }
  for (int half = step / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  float sum = sums[0];
  for (; n > 0; --n) sum += *a++ * *x++;
  return sum;
}

template <class T>
void dots(const HalfLines& a, const float* x, float* y) {
  const auto* lines = reinterpret_cast<const T*>(a.data);
  float values[piece];
  for (std::int64_t i = 0; i < a.count; ++i) {
    y[i] = 0;
    for (std::int64_t start = 0; start < a.length; start += piece) {
      std::int64_t size = std::min(piece, a.length - start);
      lane::widen_loop(values, lines + i * a.stride + start, static_cast<std::size_t>(size));
      y[i] += dot(values, x + start, size);
    }
  }
}

// Four lines at once: y is read and written a quarter as often.
constexpr int lines_at_once = 4;

void add_lines(const float (&lines)[lines_at_once][piece], const float* x, std::int64_t n,
               float* __restrict y) {
  for (std::int64_t j = 0; j < n; ++j) {
    y[j] += (lines[0][j] * x[0] + lines[1][j] * x[1]) + (lines[2][j] * x[2] + lines[3][j] * x[3]);
  }
}

template <class T>
void sums(const HalfLines& a, const float* x, float* y) {
  const auto* from = reinterpret_cast<const T*>(a.data);
  float lines[lines_at_once][piece];
  for (std::int64_t start = 0; start < a.length; start += piece) {
    std::int64_t size = std::min(piece, a.length - start);
    std::fill_n(y + start, size, 0.0f);
    for (std::int64_t i = 0; i < a.count; i += lines_at_once) {
      float factors[lines_at_once] = {};
      for (std::int64_t k = 0; k < lines_at_once; ++k) {
        if (i + k >= a.count) {
          std::fill_n(lines[k], size, 0.0f);
          continue;
        }
        factors[k] = x[i + k];
        lane::widen_loop(lines[k], from + (i + k) * a.stride + start,
                         static_cast<std::size_t>(size));
      }
      add_lines(lines, factors, size, y + start);
    }
  }
}

constexpr HalfTable table = {.float16 = {dots<float16>, sums<float16>},
                             .bfloat16 = {dots<bfloat16>, sums<bfloat16>}};

}  // namespace

const HalfTable& half_table() { return table; }

}  // namespace mlx::core::cpu::MLX_ISA
