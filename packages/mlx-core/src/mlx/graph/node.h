// The life of a node after it was computed.
#pragma once

#include "mlx/array/array.h"

namespace mlx::core {

// Marks a node as computed; its inputs are let go unless a transform will read them.
void finish(Node& node);

}  // namespace mlx::core
