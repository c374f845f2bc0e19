// Updating elements in place: what ScatterMode means for each dtype.
#pragma once

#include "mlx/array/array.h"
#include "mlx/ops/index.h"

namespace mlx::core::cpu {

// target[at[i]] = target[at[i]] (mode) source[from[i]], one after the other; without `from` the
// sources lie side by side.
using UpdateElements = void (*)(std::byte* target, const std::int64_t* at, const std::byte* source,
                                const std::int64_t* from, std::int64_t count);
UpdateElements update_elements(ScatterMode mode, Dtype dtype);

// target[i * target_step] = target[i * target_step] (mode) source[i * source_step].
using UpdateRun = void (*)(std::byte* target, std::int64_t target_step, const std::byte* source,
                           std::int64_t source_step, std::int64_t count);
UpdateRun update_run(ScatterMode mode, Dtype dtype);

}  // namespace mlx::core::cpu
