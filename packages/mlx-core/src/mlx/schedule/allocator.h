// What evaluation needs of the allocator beyond array/buffer.h.
#pragma once

#include <mutex>

namespace mlx::core {

// Held across fork(), so that the child never inherits it locked by a thread it does not have.
std::mutex& allocator_mutex();

}  // namespace mlx::core
