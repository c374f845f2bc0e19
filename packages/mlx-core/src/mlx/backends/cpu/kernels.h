// The kernels of the ops that are no tile programs: one line each, the op's name and the function
// that computes it.
#pragma once

#include <string_view>

#include "mlx/schedule/backend.h"

#define MLX_CPU_KERNELS(M)                                              \
  M(Concatenate, concatenate)                                           \
  M(SliceUpdate, slice_update)                         /* join.cpp */   \
      M(Gather, gather) M(GatherAxis, gather_axis)     /* gather.cpp */ \
      M(Scatter, scatter) M(ScatterAxis, scatter_axis) /* scatter.cpp */

namespace mlx::core::cpu {

#define MLX_DECLARE(name, function) void function(const KernelCall& call);
MLX_CPU_KERNELS(MLX_DECLARE)
#undef MLX_DECLARE

// nullptr where there is none.
Kernel kernel_named(std::string_view name);

}  // namespace mlx::core::cpu
