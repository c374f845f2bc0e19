// The array itself, as a node of its own.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

array identity_of(const array& a);

}  // namespace mlx::core
