// Memory for the length of a kernel, from the engine's allocator: counted, cached and limited as
// arrays are.
#pragma once

#include <cstdint>

#include "mlx/array/buffer.h"

namespace mlx::core::cpu {

template <class T>
class Scratch {
 public:
  explicit Scratch(std::int64_t count)
      : buffer_(allocate(static_cast<std::size_t>(count) * sizeof(T))) {}
  T* get() const { return reinterpret_cast<T*>(buffer_->data()); }

 private:
  BufferRef buffer_;
};

}  // namespace mlx::core::cpu
