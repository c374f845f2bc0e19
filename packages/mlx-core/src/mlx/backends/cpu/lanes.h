// The table of loops that each instruction set provides: the whole interface between the code that
// is compiled once and the code that is compiled per instruction set.
#pragma once

#include <cstdint>

#include "mlx/array/dtype.h"
#include "mlx/ops/elementwise_ids.h"
#include "mlx/ops/reduce_kinds.h"

namespace mlx::core::cpu {

// A rectangle of elements in memory, strides in elements.
struct Rectangle {
  std::int64_t rows, columns;
};
struct Pitch {
  std::int64_t row, column;
};
// Copies a rectangle; a source stride of zero repeats.
using MoveLoop = void (*)(void* target, Pitch target_pitch, const void* source, Pitch source_pitch,
                          Rectangle size);

// target[i] = start + step * (first + i * stride).
struct Ramp {
  double start, step;                // floating dtypes
  std::int64_t int_start, int_step;  // the others
};
using RampLoop = void (*)(void* target, const Ramp& ramp, std::int64_t first, std::int64_t stride,
                          std::int64_t count);

// One reduction of one dtype. Accumulators are opaque; sources are contiguous.
struct Fold {
  int accumulator_size;  // bytes
  // Sets accumulators to the identity.
  void (*start)(void* accumulators, std::int64_t count);
  // accumulators[r] takes row r in.
  void (*columns)(void* accumulators, const void* source, Rectangle size);
  // accumulators[c] takes column c in.
  void (*rows)(void* accumulators, const void* source, Rectangle size);
  void (*merge)(void* accumulators, const void* others, std::int64_t count);
  void (*finish)(void* target, const void* accumulators, std::int64_t count);
};

inline constexpr int reduce_kind_count = static_cast<int>(reduce_kind_names.size());

struct Lanes {
  ElementLoop elementwise[elementwise_count][dtype_count];  // nullptr: the row refuses the dtype
  ElementLoop casts[dtype_count][dtype_count];              // [from][to]
  RampLoop ramps[dtype_count];
  MoveLoop moves[5];                           // by log2 of the element's size
  Fold folds[reduce_kind_count][dtype_count];  // accumulator_size 0: the row refuses the dtype

  ElementLoop of(Elementwise id, Dtype d) const {
    return elementwise[static_cast<int>(id)][static_cast<int>(d)];
  }
  ElementLoop cast(Dtype from, Dtype to) const {
    return casts[static_cast<int>(from)][static_cast<int>(to)];
  }
  MoveLoop move(int size) const { return moves[__builtin_ctz(static_cast<unsigned>(size))]; }
  const Fold& fold(ReduceKind kind, Dtype d) const {
    return folds[static_cast<int>(kind)][static_cast<int>(d)];
  }
};

}  // namespace mlx::core::cpu
