// The loops behind Scan that each instruction set provides (lanes/scan.cpp).
#pragma once

#include <cstdint>

#include "mlx/array/dtype.h"
#include "mlx/ops/scan.h"

namespace mlx::core::cpu {

// Scans of one kind and dtype. Accumulators are opaque and at most 16 bytes each. All loops may
// work in place.
struct ScanLoops {
  static constexpr int accumulator_size = 16;
  // Sets accumulators to the identity.
  void (*start)(void* accumulators, std::int64_t count);
  // Scans n elements, `step` (1 or -1) apart; the accumulator holds what came before and then all.
  void (*line)(void* accumulator, const void* in, void* out, std::int64_t step, std::int64_t n,
               bool inclusive);
  // The accumulator takes n elements in.
  void (*total)(void* accumulator, const void* in, std::int64_t step, std::int64_t n);
  // accumulator = accumulator and then `next`.
  void (*combine)(void* accumulator, const void* next);
  // Scans side by side: `rows` rows, `row_stride` elements apart, of `columns` contiguous elements.
  void (*columns)(void* accumulators, const void* in, void* out, std::int64_t row_stride,
                  std::int64_t rows, std::int64_t columns, bool inclusive);
};

struct ScanTable {
  ScanLoops loops[scan_kind_names.size()][dtype_count];  // start is null: the row refuses the dtype
};

}  // namespace mlx::core::cpu
