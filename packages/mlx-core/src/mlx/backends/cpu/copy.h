// Copies between any two layouts of memory.
#pragma once

#include "mlx/array/array.h"

namespace mlx::core::cpu {

// Shape and dtype are equal; the memories do not overlap. Long copies are shared by the threads.
void copy_elements(const Tensor& source, const Tensor& target);

// The same on the calling thread, with the layout worked out once for many places.
class BlockCopy {
 public:
  BlockCopy(const Shape& shape, const Strides& source, const Strides& target, int element_size);
  void run(const std::byte* source, std::byte* target) const;
  // Bytes, where source and target are one piece each; else 0.
  std::int64_t contiguous_bytes() const { return contiguous_bytes_; }

 private:
  friend void copy_elements(const Tensor& source, const Tensor& target);
  void run(const std::byte* source, std::byte* target, std::int64_t first,
           std::int64_t count) const;
  std::int64_t rectangles() const;

  // Row and column are the last two dims; there are always two or more.
  Shape dims_;
  Strides source_, target_;
  int element_size_;
  std::int64_t contiguous_bytes_ = 0;
};

}  // namespace mlx::core::cpu
