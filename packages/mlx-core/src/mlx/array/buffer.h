// Memory that arrays share: a counted block, from the engine's allocator or from someone else.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "mlx/array/api.h"
#include "mlx/array/ref.h"

namespace mlx::core {

class MLX_API Buffer {
 public:
  std::atomic<std::uint32_t> references{0};

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  // Borrowed memory (numpy, DLPack, a mapped file) is never written and never reused.
  bool is_borrowed() const { return owner_ != nullptr; }

  static void destroy(Buffer* buffer);

 private:
  friend class Allocator;
  friend Ref<Buffer> borrow(std::byte*, std::size_t, std::shared_ptr<void>);
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t block_ = 0;        // bytes that the allocator counts for it
  std::shared_ptr<void> owner_;  // keeps borrowed memory alive
};

using BufferRef = Ref<Buffer>;

// At least `bytes` bytes, aligned to 64. Raises MemoryError with the byte count.
MLX_API BufferRef allocate(std::size_t bytes);
// Wraps memory that `owner` keeps alive.
MLX_API BufferRef borrow(std::byte* data, std::size_t bytes, std::shared_ptr<void> owner);

// What the allocator holds, in bytes.
MLX_API std::size_t active_memory();
MLX_API std::size_t peak_memory();
MLX_API std::size_t cache_memory();
MLX_API void reset_peak_memory();
MLX_API std::size_t set_memory_limit(std::size_t bytes);  // returns the previous limit
MLX_API std::size_t memory_limit();
MLX_API std::size_t set_cache_limit(std::size_t bytes);  // returns the previous limit
MLX_API void clear_cache();

}  // namespace mlx::core
