// Vectorisation: a function of single examples becomes one of batches.
#pragma once

#include "mlx/transforms/autodiff.h"

namespace mlx::core {

// in_axes: the batch axis of each argument, -1 for none (the argument is shared). out_axes: where
// each output gets it; -1: the output must not depend on the batch, and has no batch axis.
MLX_API Function vmap(Function fun, std::vector<int> in_axes, std::vector<int> out_axes);

// The two halves, for callers that know the outputs only after tracing.
struct VmapTrace {
  Arrays arguments;  // placeholders of one example
  Arrays outputs;
};
MLX_API VmapTrace vmap_trace(const Function& fun, const Arrays& inputs,
                             const std::vector<int>& in_axes);
MLX_API Arrays vmap_replay(const VmapTrace& trace, const Arrays& inputs,
                           const std::vector<int>& in_axes, const std::vector<int>& out_axes);

}  // namespace mlx::core
