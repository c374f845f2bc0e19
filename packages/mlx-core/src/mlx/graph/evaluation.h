// What the owner of a graph needs of its evaluation; as of array::eval, the work is schedule's.
#pragma once

#include <mutex>

#include "mlx/array/array.h"

namespace mlx::core {

// Waits for the lock; while waiting it lets go what the caller's language holds (Python's lock),
// because the evaluation that has the lock may need that to end.
std::unique_lock<std::mutex> lock_evaluation();
// Marks a node as computed; its inputs are let go unless a transform will read them.
void finish(Node& node);

}  // namespace mlx::core
