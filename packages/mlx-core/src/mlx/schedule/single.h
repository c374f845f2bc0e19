// The short way for a lone small elementwise node: its cost is what an interactive user feels.
#pragma once

#include "mlx/array/array.h"

namespace mlx::core {

// Computes the node if it is elementwise, small, and all that it needs is there; else does nothing
// and returns false.
bool compute_alone(Node& node);

}  // namespace mlx::core
