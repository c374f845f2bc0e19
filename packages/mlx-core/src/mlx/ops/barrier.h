// Identities that stop something: the derivative, or evaluation before other arrays.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

// The array, through which no derivative flows.
MLX_API array stop_gradient(const array& a, const StreamOrDevice& stream = {});
// The arrays, which are available only once the dependencies are computed too.
MLX_API Arrays depends(const Arrays& arrays, const Arrays& dependencies);

}  // namespace mlx::core
