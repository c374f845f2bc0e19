// Decides how a tile program is cut into tiles and chunks.
#include "mlx/backends/cpu/tile_plan.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "mlx/array/error.h"
#include "mlx/backends/cpu/isa.h"

namespace mlx::core::cpu {
namespace {

// What a tile's registers may take together: most of a first-level cache.
constexpr std::int64_t tile_bytes = 28 << 10;
constexpr std::int64_t smallest_tile = 256, largest_tile = 4096;
constexpr std::int64_t cache_line = 64;
// What a tile may take that is turned from columns to rows and nothing else.
constexpr std::int64_t transposed_bytes = 16 << 10;
// Programs that read and write this much leave none of their results in the caches anyway.
constexpr std::int64_t streamed_bytes = 32 << 20;
// Registers of equal alignment would make the processor take loads of one for stores of another.
constexpr std::size_t register_gap = 192;

std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
std::int64_t absolute(std::int64_t x) { return x < 0 ? -x : x; }
std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t product(const Extents& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t(1), std::multiplies<>());
}

std::int64_t smallest_size_of(const std::vector<Access>& accesses) {
  std::int64_t smallest = 16;
  for (const Access& access : accesses) {
    smallest = std::min<std::int64_t>(smallest, access.size);
  }
  return smallest;
}

// Do the elements of a tile lie in order and without gaps? Dims of `skipped` do not count.
template <class Skip>
bool is_contiguous(const Strides& strides, const Extents& tile, Skip skip) {
  std::int64_t expected = 1;
  for (std::size_t d = tile.size(); d-- > 0;) {
    if (tile[d] == 1 || skip(d)) continue;
    if (strides[d] != expected) return false;
    expected *= tile[d];
  }
  return true;
}

void permute(SmallVector<std::int64_t, 4>& values, const SmallVector<std::size_t, 4>& order) {
  SmallVector<std::int64_t, 4> old = values;
  for (std::size_t i = 0; i < order.size(); ++i) values[i] = old[order[i]];
}

// Strides with zeros in front for the dims that pad to two.
void assign_padded(Strides& target, const Strides& source, std::size_t count) {
  target.clear();
  for (std::size_t i = source.size(); i < count; ++i) target.push_back(0);
  for (std::int64_t stride : source) target.push_back(stride);
}

}  // namespace

void TilePlan::make(const TileProgram& program, std::span<const Tensor> inputs,
                    std::span<const Tensor> outputs) {
  set_dims(program);
  set_accesses(program, inputs, outputs);
  set_steps(program);
  if (program.dims.size() > 1) order_dims();
  choose_tile(program);
  mark_streamed();
  mark_direct(program);
  lay_out(program);
  choose_chunks(program);
}

void TilePlan::set_dims(const TileProgram& program) {
  dims.clear();
  reduced.clear();
  for (std::size_t i = program.dims.size(); i < 2; ++i) {
    dims.push_back(1);
    reduced.push_back(0);
  }
  for (std::size_t d = 0; d < program.dims.size(); ++d) {
    dims.push_back(program.dims[d]);
    reduced.push_back(program.reduced[d] ? 1 : 0);
  }
}

void TilePlan::set_accesses(const TileProgram& program, std::span<const Tensor> inputs,
                            std::span<const Tensor> outputs) {
  loads.resize(program.loads.size());
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Load& load = program.loads[i];
    loads[i].data = inputs[load.input].data;
    loads[i].reg = load.target;
    loads[i].size = static_cast<std::uint16_t>(size_of(program.registers[load.target]));
    assign_padded(loads[i].strides, load.strides, dims.size());
  }
  stores.resize(program.stores.size());
  for (std::size_t i = 0; i < stores.size(); ++i) {
    const Store& store = program.stores[i];
    stores[i].data = outputs[store.output].data;
    stores[i].reg = store.source;
    stores[i].size = static_cast<std::uint16_t>(size_of(program.registers[store.source]));
    stores[i].strides = row_major_strides(dims);
  }
  folds.resize(program.reductions.size());
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const Reduction& reduction = program.reductions[i];
    folds[i].fold = &lanes().fold(reduction.kind, reduction.from);
    if (folds[i].fold->accumulator_size == 0 || reduction.to != reduction.from) {
      raise<TypeError>(reduce_kind_names[static_cast<std::size_t>(reduction.kind)],
                       "unusable dtype: got ", name_of(reduction.from));
    }
    Access& result = folds[i].result;
    result.data = outputs[reduction.output].data;
    result.reg = reduction.source;
    result.size = static_cast<std::uint16_t>(size_of(reduction.to));
    result.strides.resize(dims.size());
    std::int64_t stride = 1;
    for (std::size_t d = dims.size(); d-- > 0;) {
      result.strides[d] = reduced[d] ? 0 : stride;
      if (!reduced[d]) stride *= dims[d];
    }
  }
}

void TilePlan::set_steps(const TileProgram& program) {
  const Lanes& table = lanes();
  steps.resize(program.code.size());
  ramps.clear();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Instruction& instruction = program.code[i];
    Step& step = steps[i];
    step = Step{.target = instruction.target,
                .source = instruction.source,
                .size = static_cast<std::uint16_t>(size_of(instruction.to))};
    switch (instruction.code) {
      case Instruction::Code::elementwise:
        step.loop = table.of(instruction.id, instruction.from);
        if (step.loop == nullptr) {
          raise<TypeError>(elementwise_row(instruction.id).function, "unusable dtype: got ",
                           name_of(instruction.from));
        }
        break;
      case Instruction::Code::cast:
        step.loop = table.cast(instruction.from, instruction.to);
        break;
      case Instruction::Code::iota: {
        const Iota& iota = program.iotas[instruction.constant];
        step.ramp_loop = table.ramps[static_cast<int>(instruction.to)];
        step.ramp = static_cast<std::uint32_t>(ramps.size());
        ramps.push_back({{iota.start, iota.step, iota.int_start, iota.int_step}, {}});
        assign_padded(ramps.back().strides, iota.strides, dims.size());
        break;
      }
    }
  }
}

// The last dim becomes the one along which most operands lie in order, the last but one the one
// along which the others do: tiles of these two read whole cache lines of both.
void TilePlan::order_dims() {
  std::size_t inner = dims.size() - 1;
  std::int64_t lowest = -1;
  for (std::size_t d = dims.size(); d-- > 0;) {
    std::int64_t cost = 0;
    for (const Access& load : loads) cost += absolute(load.strides[d]) > 1 ? load.size : 0;
    for (const Access& store : stores) cost += absolute(store.strides[d]) > 1 ? store.size : 0;
    if (lowest < 0 || cost < lowest) {
      lowest = cost;
      inner = d;
    }
    if (lowest == 0) break;
  }
  if (lowest == 0 && inner == dims.size() - 1) return;
  std::size_t row = dims.size();
  std::int64_t nearest = cache_line;
  auto look = [&](const Access& access) {
    if (absolute(access.strides[inner]) <= 1) return;
    for (std::size_t d = dims.size(); d-- > 0;) {
      std::int64_t distance = absolute(access.strides[d]) * access.size;
      if (d == inner || distance == 0 || distance >= nearest || dims[d] < 4) continue;
      nearest = distance;
      row = d;
    }
  };
  for (const Access& load : loads) look(load);
  for (const Access& store : stores) look(store);
  SmallVector<std::size_t, 4> order;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (d != inner && d != row) order.push_back(d);
  }
  if (row < dims.size()) order.push_back(row);
  order.push_back(inner);
  auto old_reduced = reduced;
  for (std::size_t i = 0; i < order.size(); ++i) reduced[i] = old_reduced[order[i]];
  permute(dims, order);
  for (Access& load : loads) permute(load.strides, order);
  for (Access& store : stores) permute(store.strides, order);
  for (PlannedFold& fold : folds) permute(fold.result.strides, order);
  for (PlannedRamp& ramp : ramps) permute(ramp.strides, order);
}

void TilePlan::choose_tile(const TileProgram& program) {
  std::int64_t bytes = 0;
  for (Dtype dtype : program.registers) bytes += size_of(dtype);
  auto room = static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(tile_bytes / std::max<std::int64_t>(bytes, 1))));
  room = std::clamp(room, smallest_tile, largest_tile);

  const std::size_t row = dims.size() - 2, inner = dims.size() - 1;
  auto lies_across = [&](const Access& access) {
    return absolute(access.strides[inner]) * access.size >= cache_line &&
           access.strides[row] != 0 && absolute(access.strides[row]) * access.size < cache_line;
  };
  bool is_transposed = dims[inner] >= 16 && dims[row] >= 4 &&
                       (std::any_of(loads.begin(), loads.end(), lies_across) ||
                        std::any_of(stores.begin(), stores.end(), lies_across));
  tile.clear();
  tile.resize(dims.size(), 1);
  if (is_transposed) {
    // Two cache lines of what lies across, and all else that fits.
    const std::int64_t size = smallest_size_of(loads);
    if (program.code.empty()) room = transposed_bytes / size;
    tile[row] = std::min({dims[row], 2 * cache_line / size, room / 16});
    tile[inner] = std::min(dims[inner], room / tile[row]);
    tile[row] = std::min(dims[row], room / tile[inner]);
  } else {
    for (std::size_t d = inner + 1; d-- > 0;) {
      if (dims[d] <= room) {
        tile[d] = std::max<std::int64_t>(dims[d], 1);
        room /= tile[d];
        continue;
      }
      // Equal parts rather than a small rest; of the last dim whole vectors.
      std::int64_t parts = divide_up(dims[d], room);
      tile[d] = divide_up(dims[d], parts);
      if (d == inner) tile[d] = std::min(room, divide_up(tile[d], 64) * 64);
      break;
    }
  }
  counts.clear();
  tiles = kept_tiles = reduced_tiles = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    counts.push_back(divide_up(dims[d], tile[d]));
    tiles *= counts[d];
    (reduced[d] ? reduced_tiles : kept_tiles) *= counts[d];
  }
}

void TilePlan::mark_streamed() {
  std::int64_t bytes = 0;
  for (const Access& load : loads) {
    std::int64_t read = load.size;
    for (std::size_t d = 0; d < dims.size(); ++d) read *= load.strides[d] == 0 ? 1 : dims[d];
    bytes += read;
  }
  for (const Access& store : stores) bytes += product(dims) * store.size;
  has_streams = false;
  for (Access& store : stores) {
    // An output in the memory of an input is in the cache already.
    bool is_donated = std::any_of(loads.begin(), loads.end(),
                                  [&](const Access& load) { return load.data == store.data; });
    store.is_streamed = bytes >= streamed_bytes && !is_donated && store.strides.back() == 1;
    has_streams = has_streams || store.is_streamed;
  }
}

void TilePlan::mark_direct(const TileProgram& program) {
  auto none = [](std::size_t) { return false; };
  for (Access& load : loads) {
    load.is_contiguous = load.is_direct = is_contiguous(load.strides, tile, none);
  }
  for (std::size_t i = 0; i < stores.size(); ++i) {
    Access& store = stores[i];
    store.is_contiguous = is_contiguous(store.strides, tile, none);
    auto same = [&](const Access& other) { return other.reg == store.reg; };
    // A load may be copied straight to the output, but only if nothing else is read after it: the
    // output may be the memory of another input.
    auto load = std::find_if(loads.begin(), loads.end(), same);
    bool is_ready = load == loads.end() || (program.code.empty() && !load->is_direct);
    bool is_first =
        std::none_of(stores.begin(), stores.begin() + static_cast<std::ptrdiff_t>(i), same);
    store.is_direct = store.is_contiguous && is_ready && is_first && !store.is_streamed;
  }
  for (PlannedFold& fold : folds) {
    fold.result.is_contiguous =
        is_contiguous(fold.result.strides, tile, [&](std::size_t d) { return reduced[d] != 0; });
  }
}

void TilePlan::lay_out(const TileProgram& program) {
  const auto elements = static_cast<std::size_t>(product(tile));
  std::size_t bytes = 0;
  registers.resize(program.registers.size());
  for (std::size_t i = 0; i < registers.size(); ++i) {
    registers[i] = bytes;
    auto size = static_cast<std::size_t>(size_of(program.registers[i]));
    bytes += aligned(elements * size) + register_gap;
  }
  accumulators = bytes;
  accumulator_bytes = 0;
  std::size_t scratch_bytes = 0;
  std::size_t kept = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (!reduced[d]) kept *= static_cast<std::size_t>(tile[d]);
  }
  for (PlannedFold& fold : folds) {
    fold.accumulators = accumulator_bytes;
    accumulator_bytes += aligned(kept * static_cast<std::size_t>(fold.fold->accumulator_size));
    scratch_bytes = std::max(scratch_bytes, aligned(kept * fold.result.size));
  }
  scratch = accumulators + accumulator_bytes;
  workspace_bytes = scratch + scratch_bytes;
}

void TilePlan::choose_chunks(const TileProgram& program) {
  tiles_per_chunk = 1;
  splits = 1;
  if (tiles <= 1) {
    chunks = folds.empty() ? tiles : kept_tiles;
    return;
  }
  // In units of a cheap loop's time for one element, roughly a tenth of a nanosecond.
  constexpr std::int64_t chunk_work = 1 << 17;
  auto cost = static_cast<std::int64_t>(loads.size() + stores.size() + folds.size());
  for (const Instruction& instruction : program.code) {
    bool is_approximation = instruction.code == Instruction::Code::elementwise &&
                            elementwise_row(instruction.id).max_ulp > 1;
    cost += is_approximation ? 6 : 1;
  }
  std::int64_t tile_cost = std::max<std::int64_t>(1, cost * product(tile));
  if (folds.empty()) {
    tiles_per_chunk = std::max<std::int64_t>(1, chunk_work / tile_cost);
    chunks = divide_up(tiles, tiles_per_chunk);
    return;
  }
  constexpr std::int64_t enough_chunks = 64, largest_chunk = 256 * chunk_work;
  std::int64_t column_cost = std::max<std::int64_t>(1, tile_cost * reduced_tiles);
  if (column_cost <= chunk_work) {
    tiles_per_chunk = chunk_work / column_cost;
  } else {
    // Enough parts for all threads, and none so long that an interrupt would have to wait for it.
    splits = std::max(divide_up(enough_chunks, std::max<std::int64_t>(1, kept_tiles)),
                      column_cost / largest_chunk);
    splits = std::min({splits, reduced_tiles, column_cost / chunk_work});
  }
  chunks = divide_up(kept_tiles, tiles_per_chunk) * splits;
}

}  // namespace mlx::core::cpu
