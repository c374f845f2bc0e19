// The public header of the engine: arrays, their operations, and transforms of functions.
#pragma once

// IWYU pragma: begin_exports
#include "mlx/array/array.h"
#include "mlx/array/build.h"
#include "mlx/array/error.h"
#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/indexing.h"
#include "mlx/ops/join.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/shape.h"
#include "mlx/transforms/autodiff.h"
#include "mlx/transforms/compile.h"
#include "mlx/transforms/custom.h"
#include "mlx/transforms/vmap.h"
// IWYU pragma: end_exports
