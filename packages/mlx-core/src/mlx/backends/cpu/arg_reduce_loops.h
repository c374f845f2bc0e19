// The loops behind ArgReduce that each instruction set provides (lanes/arg_reduce.cpp).
#pragma once

#include <cstdint>

#include "mlx/array/dtype.h"
#include "mlx/ops/search.h"

namespace mlx::core::cpu {

struct ArgReduceLoops {
  // The index of the extreme of n >= 1 contiguous elements.
  std::int64_t (*line)(const void* in, std::int64_t n);
  // The same for each of `columns` columns of rows that are `row_stride` elements apart.
  void (*columns)(const void* in, std::int64_t row_stride, std::int64_t rows, std::int64_t columns,
                  std::int64_t* indices);
};

struct ArgReduceTable {
  ArgReduceLoops loops[arg_reduce_kind_names.size()][dtype_count];  // line is null: no such dtype
};

}  // namespace mlx::core::cpu
