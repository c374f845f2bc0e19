// Runs tile programs: for every tile, the loads, one vectorised loop per instruction, the stores
// and the folds.
#include "mlx/backends/cpu/tile_interpreter.h"

#include <algorithm>

#include "mlx/array/buffer.h"
#include "mlx/backends/cpu/isa.h"
#include "mlx/backends/cpu/stream.h"
#include "mlx/backends/cpu/thread_pool.h"
#include "mlx/backends/cpu/tile_plan.h"
#include "mlx/backends/cpu/workspace.h"

namespace mlx::core::cpu {
namespace {

// What a thread needs to run tiles.
struct Workspace {
  AlignedBytes bytes;
  std::vector<std::byte*> registers;
  std::vector<const std::byte*> loaded;  // what each load's register holds a copy of
};

// Calls visit(position, i) for every position of the dims before the last two, i counting them.
template <class Visit>
void for_each_plane(const Extents& extent, Visit visit) {
  const std::size_t lead = extent.size() - 2;
  std::int64_t planes = 1;
  for (std::size_t d = 0; d < lead; ++d) planes *= extent[d];
  Extents position(lead, 0);
  for (std::int64_t i = 0; i < planes; ++i) {
    visit(position, i);
    for (std::size_t d = lead; d-- > 0;) {
      if (++position[d] < extent[d]) break;
      position[d] = 0;
    }
  }
}

// Runs the tiles of one chunk.
class TileRunner {
 public:
  TileRunner(const TilePlan& plan, Workspace& workspace)
      : plan_(plan), workspace_(workspace), origin_(plan.dims.size(), 0), extent_(plan.tile) {
    base_ = workspace.bytes.reserve(plan.workspace_bytes);
    workspace.registers.resize(plan.registers.size());
    for (std::size_t i = 0; i < plan.registers.size(); ++i) {
      workspace.registers[i] = base_ + plan.registers[i];
    }
    workspace.loaded.assign(plan.loads.size(), nullptr);
  }

  void run_range(std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      move_to(i, [](std::size_t) { return true; });
      run_tile();
    }
    if (plan_.has_streams) stream_fence();
  }

  // Folds part `split` of the reduced tiles for a range of kept tiles, and finishes them if that
  // is all of the parts; otherwise the accumulators stay in `partials`.
  void reduce_range(std::int64_t begin, std::int64_t end, std::int64_t split, std::byte* partials) {
    std::int64_t first = plan_.reduced_tiles * split / plan_.splits;
    std::int64_t last = plan_.reduced_tiles * (split + 1) / plan_.splits;
    for (std::int64_t kept = begin; kept < end; ++kept) {
      move_to_kept(kept);
      accumulators_ =
          partials == nullptr ? base_ + plan_.accumulators : partials + part_offset(kept, split);
      for (const PlannedFold& fold : plan_.folds) {
        fold.fold->start(accumulators_ + fold.accumulators, kept_elements_);
      }
      for (std::int64_t i = first; i < last; ++i) {
        move_to(i, [&](std::size_t d) { return plan_.reduced[d] != 0; });
        run_tile();
        fold_tile();
      }
      if (partials == nullptr) finish();
    }
    if (plan_.has_streams) stream_fence();
  }

  // Joins the parts of one kept tile, always in the same order.
  void finish_parts(std::int64_t kept, std::byte* partials) {
    move_to_kept(kept);
    accumulators_ = partials + part_offset(kept, 0);
    for (std::int64_t split = 1; split < plan_.splits; ++split) {
      const std::byte* others = partials + part_offset(kept, split);
      for (const PlannedFold& fold : plan_.folds) {
        fold.fold->merge(accumulators_ + fold.accumulators, others + fold.accumulators,
                         kept_elements_);
      }
    }
    finish();
  }

 private:
  std::size_t part_offset(std::int64_t kept, std::int64_t split) const {
    return static_cast<std::size_t>(kept * plan_.splits + split) * plan_.accumulator_bytes;
  }

  // Goes to tile `index`, counted along the dims that are chosen.
  template <class Chosen>
  void move_to(std::int64_t index, Chosen chosen) {
    elements_ = 1;
    for (std::size_t d = plan_.dims.size(); d-- > 0;) {
      if (chosen(d)) {
        std::int64_t count = plan_.counts[d];
        std::int64_t at = 0;
        if (count > 1) {
          std::int64_t rest = index / count;
          at = index - rest * count;
          index = rest;
        }
        origin_[d] = at * plan_.tile[d];
        extent_[d] = std::min(plan_.tile[d], plan_.dims[d] - origin_[d]);
      }
      elements_ *= extent_[d];
    }
  }

  void move_to_kept(std::int64_t index) {
    move_to(index, [&](std::size_t d) { return plan_.reduced[d] == 0; });
    kept_elements_ = 1;
    for (std::size_t d = 0; d < plan_.dims.size(); ++d) {
      if (!plan_.reduced[d]) kept_elements_ *= extent_[d];
    }
  }

  void run_tile() {
    for (const Access& store : plan_.stores) {
      if (store.is_direct) workspace_.registers[store.reg] = store.data + store.offset(origin_);
    }
    for (std::size_t i = 0; i < plan_.loads.size(); ++i) load(i);
    for (const Step& step : plan_.steps) run_step(step);
    for (const Access& store : plan_.stores) {
      if (!store.is_direct) copy_out(store, workspace_.registers[store.reg]);
    }
  }

  void load(std::size_t index) {
    const Access& access = plan_.loads[index];
    std::byte* source = access.data + access.offset(origin_);
    if (access.is_direct) {
      workspace_.registers[access.reg] = source;
      return;
    }
    std::byte* target = workspace_.registers[access.reg];
    bool is_register = target == base_ + plan_.registers[access.reg];
    // Broadcast operands come back unchanged; only whole tiles are alike.
    const std::byte* known = is_register && is_whole() ? source : nullptr;
    if (known != nullptr && known == workspace_.loaded[index]) return;
    workspace_.loaded[index] = known;
    copy_in(access, target, source);
  }

  bool is_whole() const { return extent_ == plan_.tile; }

  void copy_in(const Access& access, std::byte* target, const std::byte* source) {
    MoveLoop move = lanes().move(access.size);
    for_each_plane(extent_, [&](const Extents& position, std::int64_t plane) {
      move(target + plane * plane_elements() * access.size, {columns(), 1},
           source + plane_offset(access, position), pitch_of(access), {rows(), columns()});
    });
  }

  void stream_out(const Access& access, const std::byte* source) {
    std::byte* target = access.data + access.offset(origin_);
    if (access.is_contiguous) {
      stream_bytes(target, source, elements_ * access.size);
      return;
    }
    const std::int64_t row_bytes = columns() * access.size;
    for_each_plane(extent_, [&](const Extents& position, std::int64_t) {
      std::byte* row = target + plane_offset(access, position);
      for (std::int64_t r = 0; r < rows(); ++r) {
        stream_bytes(row, source, row_bytes);
        row += pitch_of(access).row * access.size;
        source += row_bytes;
      }
    });
  }

  void copy_out(const Access& access, const std::byte* source) {
    if (access.is_streamed) return stream_out(access, source);
    MoveLoop move = lanes().move(access.size);
    std::byte* target = access.data + access.offset(origin_);
    if (access.is_contiguous) {
      move(target, {0, 1}, source, {0, 1}, {1, elements_});
      return;
    }
    for_each_plane(extent_, [&](const Extents& position, std::int64_t plane) {
      move(target + plane_offset(access, position), pitch_of(access),
           source + plane * plane_elements() * access.size, {columns(), 1}, {rows(), columns()});
    });
  }

  void run_step(const Step& step) {
    std::byte* target = workspace_.registers[step.target];
    if (step.loop == nullptr) {
      run_ramp(step, target);
      return;
    }
    const void* sources[3] = {workspace_.registers[step.source[0]],
                              workspace_.registers[step.source[1]],
                              workspace_.registers[step.source[2]]};
    step.loop(target, sources, elements_);
  }

  void run_ramp(const Step& step, std::byte* target) {
    const PlannedRamp& ramp = plan_.ramps[step.ramp];
    std::int64_t first = 0;
    for (std::size_t d = 0; d < origin_.size(); ++d) first += origin_[d] * ramp.strides[d];
    const std::size_t lead = extent_.size() - 2;
    for_each_plane(extent_, [&](const Extents& position, std::int64_t) {
      std::int64_t index = first;
      for (std::size_t d = 0; d < lead; ++d) index += position[d] * ramp.strides[d];
      for (std::int64_t r = 0; r < rows(); ++r) {
        step.ramp_loop(target, ramp.values, index + r * ramp.strides[lead], ramp.strides[lead + 1],
                       columns());
        target += columns() * step.size;
      }
    });
  }

  void fold_tile() {
    const std::size_t lead = extent_.size() - 2;
    bool keeps_rows = !plan_.reduced[lead], keeps_columns = !plan_.reduced[lead + 1];
    Rectangle size{rows(), columns()};
    if (keeps_rows == keeps_columns) size = {1, rows() * columns()};
    for (const PlannedFold& planned : plan_.folds) {
      const Fold& fold = *planned.fold;
      const std::byte* source = workspace_.registers[planned.result.reg];
      for_each_plane(extent_, [&](const Extents& position, std::int64_t plane) {
        std::byte* target =
            accumulators_ + planned.accumulators + kept_index(position) * fold.accumulator_size;
        const std::byte* from = source + plane * plane_elements() * planned.result.size;
        (keeps_columns ? fold.rows : fold.columns)(target, from, size);
      });
    }
  }

  // Where a plane's accumulators begin among the tile's.
  std::int64_t kept_index(const Extents& position) const {
    const std::size_t lead = extent_.size() - 2;
    std::int64_t index = 0;
    for (std::size_t d = 0; d < extent_.size(); ++d) {
      if (plan_.reduced[d]) continue;
      index = index * extent_[d] + (d < lead ? position[d] : 0);
    }
    return index;
  }

  void finish() {
    for (std::size_t d = 0; d < extent_.size(); ++d) {
      if (plan_.reduced[d]) origin_[d] = 0;
    }
    for (const PlannedFold& planned : plan_.folds) {
      const Access& result = planned.result;
      const std::byte* folded = accumulators_ + planned.accumulators;
      std::byte* target = result.data + result.offset(origin_);
      if (result.is_contiguous) {
        planned.fold->finish(target, folded, kept_elements_);
        continue;
      }
      std::byte* scratch = base_ + plan_.scratch;
      planned.fold->finish(scratch, folded, kept_elements_);
      Extents whole = extent_;
      for (std::size_t d = 0; d < extent_.size(); ++d) {
        if (plan_.reduced[d]) extent_[d] = 1;
      }
      copy_out(result, scratch);
      extent_ = whole;
    }
  }

  std::int64_t rows() const { return extent_[extent_.size() - 2]; }
  std::int64_t columns() const { return extent_[extent_.size() - 1]; }
  std::int64_t plane_elements() const { return rows() * columns(); }
  static Pitch pitch_of(const Access& access) {
    return {access.strides[access.strides.size() - 2], access.strides[access.strides.size() - 1]};
  }
  static std::int64_t plane_offset(const Access& access, const Extents& position) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < position.size(); ++d) sum += position[d] * access.strides[d];
    return sum * access.size;
  }

  const TilePlan& plan_;
  Workspace& workspace_;
  std::byte* base_ = nullptr;
  std::byte* accumulators_ = nullptr;
  Extents origin_, extent_;  // of the tile
  std::int64_t elements_ = 1;
  std::int64_t kept_elements_ = 1;
};

// A range of tiles per chunk.
void run_elementwise(const TilePlan& plan) {
  parallel_for(plan.chunks, [&](std::int64_t chunk) {
    Lent<Workspace> workspace;
    std::int64_t begin = chunk * plan.tiles_per_chunk;
    TileRunner(plan, *workspace)
        .run_range(begin, std::min(begin + plan.tiles_per_chunk, plan.tiles));
  });
}

// A range of kept tiles per chunk, or a part of the reduced ones.
void run_reducing(const TilePlan& plan) {
  BufferRef partials;
  if (plan.splits > 1) {
    partials =
        allocate(static_cast<std::size_t>(plan.kept_tiles * plan.splits) * plan.accumulator_bytes);
  }
  std::byte* parts = partials ? partials->data() : nullptr;
  parallel_for(plan.chunks, [&](std::int64_t chunk) {
    Lent<Workspace> workspace;
    std::int64_t begin = chunk / plan.splits * plan.tiles_per_chunk;
    std::int64_t end = std::min(begin + plan.tiles_per_chunk, plan.kept_tiles);
    TileRunner(plan, *workspace).reduce_range(begin, end, chunk % plan.splits, parts);
  });
  if (parts == nullptr) return;
  parallel_for(plan.kept_tiles, [&](std::int64_t kept) {
    Lent<Workspace> workspace;
    TileRunner(plan, *workspace).finish_parts(kept, parts);
  });
}

}  // namespace

void run_tiles(const TileProgram& program, std::span<const Tensor> inputs,
               std::span<const Tensor> outputs) {
  Lent<TilePlan> plan;
  plan->make(program, inputs, outputs);
  if (plan->folds.empty()) {
    run_elementwise(*plan);
  } else {
    run_reducing(*plan);
  }
}

}  // namespace mlx::core::cpu
