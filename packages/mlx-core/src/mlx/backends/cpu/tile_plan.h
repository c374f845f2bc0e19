// How one run of a tile program is cut up: the order of the dims, the box of elements that is one
// tile, and which loads and stores need no copy. Decided once per run, read by all threads.
#pragma once

#include <span>
#include <vector>

#include "mlx/backends/cpu/lanes.h"
#include "mlx/schedule/program.h"

namespace mlx::core::cpu {

using Extents = SmallVector<std::int64_t, 4>;

// Memory that the program reads or writes, as strides over the plan's dims.
struct Access {
  std::byte* data = nullptr;
  Strides strides;  // elements
  Register reg = 0;
  std::uint16_t size = 0;  // bytes of an element
  // A tile's elements lie in memory as they do in a register.
  bool is_contiguous = false;
  // The memory itself serves as the register: no copy.
  bool is_direct = false;
  // Stores: the result is so large that it had better not pass through the caches.
  bool is_streamed = false;

  std::int64_t offset(const Extents& origin) const {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < strides.size(); ++d) sum += origin[d] * strides[d];
    return sum * size;
  }
};

struct Step {
  ElementLoop loop = nullptr;  // nullptr: a ramp
  RampLoop ramp_loop = nullptr;
  Register target = 0;
  std::array<Register, 3> source{};
  std::uint16_t size = 0;  // of the target's elements
  std::uint32_t ramp = 0;  // index into TilePlan::ramps
};

struct PlannedRamp {
  Ramp values;
  Strides strides;
};

struct PlannedFold {
  const Fold* fold = nullptr;
  Access result;                 // strides 0 along reduced dims
  std::size_t accumulators = 0;  // byte offset of its accumulators among a tile's
};

struct TilePlan {
  Extents dims;  // two or more: rows and columns are the last
  SmallVector<std::uint8_t, 4> reduced;
  Extents tile;                    // elements of a tile along each dim
  Extents counts;                  // tiles along each dim
  std::int64_t tiles = 0;          // all together
  std::int64_t kept_tiles = 1;     // along the dims that are not reduced
  std::int64_t reduced_tiles = 1;  // along those that are
  bool has_streams = false;        // some store is streamed

  std::vector<Access> loads;
  std::vector<Access> stores;
  std::vector<Step> steps;
  std::vector<PlannedRamp> ramps;
  std::vector<PlannedFold> folds;

  std::vector<std::size_t> registers;  // byte offsets in a workspace
  std::size_t accumulators = 0;        // byte offset of a tile's accumulators in a workspace
  std::size_t accumulator_bytes = 0;   // of one tile, all reductions
  std::size_t scratch = 0;             // byte offset of room for the results of a tile
  std::size_t workspace_bytes = 0;

  // Work is handed out in chunks. Their sizes depend on the program alone, so that reductions give
  // the same result on any number of threads.
  std::int64_t chunks = 0;
  std::int64_t tiles_per_chunk = 1;  // without reductions: tiles; with: kept tiles
  std::int64_t splits = 1;           // parts of the reduced tiles that are folded apart

  // Overwrites this plan; its vectors keep their memory.
  void make(const TileProgram& program, std::span<const Tensor> inputs,
            std::span<const Tensor> outputs);

 private:
  void set_dims(const TileProgram& program);
  void set_accesses(const TileProgram& program, std::span<const Tensor> inputs,
                    std::span<const Tensor> outputs);
  void set_steps(const TileProgram& program);
  void order_dims();
  void choose_tile(const TileProgram& program);
  void mark_streamed();
  void mark_direct(const TileProgram& program);
  void lay_out(const TileProgram& program);
  void choose_chunks(const TileProgram& program);
};

}  // namespace mlx::core::cpu
