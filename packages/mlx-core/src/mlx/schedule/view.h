// View nodes: outputs that are their input's memory seen otherwise.
#pragma once

#include "mlx/array/array.h"
#include "mlx/graph/evaluation.h"  // finish

namespace mlx::core {

// Completes the node if its input is computed and the view needs no copy.
bool view_now(Node& node);
// Completes the node; its input is computed. Copies where strides cannot express the view.
void view_or_copy(Node& node);

// Row-major copy.
BufferRef copy_of(const Tensor& tensor, Device device);

}  // namespace mlx::core
