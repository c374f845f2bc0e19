// What the kernels of Gather, GatherAxis, Scatter and ScatterAxis have in common: which blocks of
// an array the indices name.
#pragma once

#include <algorithm>

#include "mlx/backends/cpu/positions.h"
#include "mlx/schedule/backend.h"

namespace mlx::core::cpu {

struct Indexed {
  Positions starts;  // of the blocks in the array, collapsed
  Shape shape;       // of the starts, not collapsed: the leading axes of the updates
  Shape block;
  Strides block_strides;  // in the array
  std::string_view op;

  // Blocks that the index arrays (from input `first` on) name in `a`.
  static Indexed gather(const KernelCall& call, const Tensor& a, const Axes& axes,
                        const Shape& sizes, std::size_t first);
  static Indexed along_axis(const KernelCall& call, const Tensor& a, std::int64_t axis,
                            std::size_t first);

  std::int64_t block_size() const { return element_count(block); }
};

// Calls body(positions, first, count) for parts of the starts, so short that they stay in the
// nearest cache.
template <class Body>
void for_each_tile(const Indexed& indexed, std::int64_t begin, std::int64_t end, Body&& body) {
  constexpr std::int64_t tile = 1024;
  std::int64_t positions[tile];
  for (std::int64_t first = begin; first < end; first += tile) {
    std::int64_t count = std::min(tile, end - first);
    indexed.starts.fill(indexed.op, first, count, positions);
    body(static_cast<const std::int64_t*>(positions), first, count);
  }
}

}  // namespace mlx::core::cpu
