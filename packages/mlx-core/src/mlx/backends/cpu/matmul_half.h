// Half-precision matrices times float32 vectors, which each instruction set provides
// (lanes/matmul_half.cpp): as fast as the matrix can be read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mlx::core::cpu {

// A matrix whose lines are contiguous and `stride` elements apart.
struct HalfLines {
  const std::byte* data;
  std::int64_t stride, count, length;
};

struct HalfProducts {
  // y[i] = sum over j of line i at j times x[j].
  void (*dots)(const HalfLines& a, const float* x, float* y);
  // y[j] = sum over i of x[i] times line i at j.
  void (*sums)(const HalfLines& a, const float* x, float* y);
};

struct HalfTable {
  HalfProducts float16, bfloat16;
};

}  // namespace mlx::core::cpu
