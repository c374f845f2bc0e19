// Copies past the caches, for results that are larger than they are.
#pragma once

#include <cstdint>

namespace mlx::core::cpu {

// Whole cache lines go to memory without being read first. The memory may be read by other threads
// after stream_fence() on this one.
void stream_bytes(void* target, const void* source, std::int64_t bytes);
void stream_fence();

}  // namespace mlx::core::cpu
