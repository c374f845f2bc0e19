// What the bindings and the fork handlers need of evaluation beyond array/array.h.
#pragma once

#include <mutex>
#include <span>

#include "mlx/array/array.h"
#include "mlx/graph/evaluation.h"

namespace mlx::core {

// One evaluation at a time: its threads are the pool's, and nodes hold the scheduler's scratch.
std::mutex& eval_mutex();
// How lock_evaluation (graph/evaluation.h) waits: call `wait(argument)` with the other lock let go.
using BlockingHook = void (*)(void (*wait)(void*), void* argument);
MLX_API void set_blocking_hook(BlockingHook hook);

// Evaluates if that takes microseconds and no other thread is evaluating; false: nothing was done.
// A caller that holds a lock of its own (Python's) need not let it go for this.
MLX_API bool eval_if_quick(std::span<const array> arrays);

// Raises in a forked child whose parent was evaluating at that moment.
void refuse_after_bad_fork();

}  // namespace mlx::core
