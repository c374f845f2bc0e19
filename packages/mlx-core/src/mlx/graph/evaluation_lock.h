// The one lock of evaluation: who holds it may read and change the inputs of nodes.
#pragma once

#include <mutex>

#include "mlx/array/api.h"

namespace mlx::core {

// One evaluation at a time: its threads are the pool's, and nodes hold the scheduler's scratch.
std::mutex& eval_mutex();
// Waits for the lock; while waiting it lets go what the caller's language holds (Python's lock),
// because the evaluation that has the lock may need that to end.
std::unique_lock<std::mutex> lock_evaluation();
// How to wait: call `wait(argument)` with the other lock let go.
using BlockingHook = void (*)(void (*wait)(void*), void* argument);
MLX_API void set_blocking_hook(BlockingHook hook);

}  // namespace mlx::core
