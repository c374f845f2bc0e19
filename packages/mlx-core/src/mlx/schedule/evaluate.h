// What the bindings and the fork handlers need of evaluation beyond array/array.h.
#pragma once

#include <span>

#include "mlx/array/array.h"
#include "mlx/graph/evaluation_lock.h"

namespace mlx::core {

// Evaluates if that takes microseconds and no other thread is evaluating; false: nothing was done.
// A caller that holds a lock of its own (Python's) need not let it go for this.
MLX_API bool eval_if_quick(std::span<const array> arrays);

// Raises in a forked child whose parent was evaluating at that moment.
void refuse_after_bad_fork();

}  // namespace mlx::core
