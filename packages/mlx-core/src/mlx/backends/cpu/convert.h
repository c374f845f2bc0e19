// Kernels' operands in the dtype and layout they want, through the tile interpreter.
#pragma once

#include "mlx/array/array.h"

namespace mlx::core::cpu {

// source's elements in row-major order and target's dtype; the shapes are equal.
void convert_into(const Tensor& source, const Tensor& target);

// A tensor that may own its memory.
struct Held {
  Tensor tensor;
  BufferRef buffer;
};
Held allocate_tensor(Shape shape, Dtype dtype);
// The source itself where it is row-major and of this dtype; else a converted copy.
Held row_major(const Tensor& source, Dtype dtype);

}  // namespace mlx::core::cpu
