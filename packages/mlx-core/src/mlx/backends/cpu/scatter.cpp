// Scatter and ScatterAxis. Writes to one element happen in the order of the updates, whatever the
// number of threads: each thread writes a part of the memory of its own.
#include <algorithm>

#include "mlx/backends/cpu/combine.h"
#include "mlx/backends/cpu/copy.h"
#include "mlx/backends/cpu/indexed.h"
#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/thread_pool.h"
#include "mlx/ops/index.h"

namespace mlx::core::cpu {
namespace {

// Enough work for a thread to be worth waking.
constexpr std::int64_t bytes_per_thread = 1 << 16;

// Combines one block; replaces it where the mode is none.
class BlockUpdate {
 public:
  BlockUpdate(ScatterMode mode, Dtype dtype, const Shape& shape, const Strides& source,
              const Strides& target)
      : mode_(mode),
        size_(size_of(dtype)),
        copy_(shape, source, target, size_),
        update_(update_run(mode, dtype)),
        outer_(shape),
        source_(source),
        target_(target) {
    if (outer_.empty()) {
      outer_.push_back(1);
      source_.push_back(0);
      target_.push_back(0);
    }
    inner_ = outer_.back();
    outer_.pop_back();
    runs_ = element_count(outer_);
  }

  void run(const std::byte* source, std::byte* target) const {
    if (mode_ == ScatterMode::none) {
      copy_.run(source, target);
      return;
    }
    for (std::int64_t i = 0; i < runs_; ++i) {
      std::int64_t from = 0, to = 0, rest = i;
      for (std::size_t axis = outer_.size(); axis-- > 0; rest /= outer_[axis]) {
        from += rest % outer_[axis] * source_[axis];
        to += rest % outer_[axis] * target_[axis];
      }
      update_(target + to * size_, target_.back(), source + from * size_, source_.back(), inner_);
    }
  }

 private:
  ScatterMode mode_;
  int size_;
  BlockCopy copy_;
  UpdateRun update_;
  Shape outer_;  // all axes but the last
  Strides source_, target_;
  std::int64_t inner_ = 1, runs_ = 1;
};

struct Updates {
  const std::byte* data;
  Positions starts;  // of the blocks
  Strides block_strides;
};

Updates updates_of(const Tensor& updates, const Indexed& indexed) {
  auto leading = static_cast<std::ptrdiff_t>(indexed.shape.size());
  Strides strides(updates.strides.begin(), updates.strides.begin() + leading);
  Positions starts(indexed.shape, std::move(strides));
  starts.collapse();
  return {updates.data, std::move(starts),
          Strides(updates.strides.begin() + leading, updates.strides.end())};
}

class Writer {
 public:
  Writer(const Tensor& target, Indexed indexed, const Tensor& updates, ScatterMode mode)
      : target_(target),
        indexed_(std::move(indexed)),
        updates_(updates_of(updates, indexed_)),
        mode_(mode),
        size_(size_of(target.dtype)),
        starts_(indexed_.starts.count()) {}

  void run() {
    std::int64_t bytes = starts_ * indexed_.block_size() * size_;
    std::int64_t threads =
        std::min<std::int64_t>(thread_count(), std::max<std::int64_t>(bytes / bytes_per_thread, 1));
    if (starts_ == 0) return;
    if (threads > 1 && is_independent()) {
      std::int64_t rows = indexed_.starts.shape()[0], row = starts_ / rows;
      parallel_for(rows, (rows + threads - 1) / threads, [&](std::int64_t begin, std::int64_t end) {
        write(begin * row, end * row, indexed_.block, 0, 0);
      });
    } else if (threads > 1 && split_axis() >= 0) {
      split_blocks(threads);
    } else {
      write(0, starts_, indexed_.block, 0, 0);
    }
  }

 private:
  // Do different places on the first axis of the starts lie in different places of the target?
  bool is_independent() const {
    const Positions& starts = indexed_.starts;
    return !starts.shape().empty() && starts.shape()[0] > 1 && starts.strides()[0] != 0;
  }

  // An axis along which every block can be cut for the threads.
  int split_axis() const {
    constexpr std::int64_t long_enough = 32;
    const Shape& block = indexed_.block;
    auto longest = std::max_element(block.begin(), block.end());
    if (longest == block.end() || *longest < long_enough) return -1;
    return static_cast<int>(longest - block.begin());
  }

  void split_blocks(std::int64_t threads) {
    auto axis = static_cast<std::size_t>(split_axis());
    std::int64_t size = indexed_.block[axis];
    parallel_for(size, (size + threads - 1) / threads, [&](std::int64_t begin, std::int64_t end) {
      Shape part = indexed_.block;
      part[axis] = end - begin;
      write(0, starts_, part, begin * indexed_.block_strides[axis],
            begin * updates_.block_strides[axis]);
    });
  }

  // Blocks begin to end, of which the part of shape `block` at these offsets.
  void write(std::int64_t begin, std::int64_t end, const Shape& block, std::int64_t target_offset,
             std::int64_t update_offset) const {
    std::byte* to = target_.data + target_offset * size_;
    const std::byte* from = updates_.data + update_offset * size_;
    std::int64_t block_size = element_count(block);
    BlockUpdate update(mode_, target_.dtype, block, updates_.block_strides, indexed_.block_strides);
    UpdateElements update_all = update_elements(mode_, target_.dtype);
    bool is_side_by_side = updates_.starts.is_identity();
    std::vector<std::int64_t> sources(1024);
    for_each_tile(indexed_, begin, end, [&](const auto* at, auto first, auto count) {
      if (block_size == 0) return;  // only the indices are checked
      if (block_size == 1 && is_side_by_side) {
        update_all(to, at, from + first * size_, nullptr, count);
        return;
      }
      updates_.starts.fill(indexed_.op, first, count, sources.data());
      if (block_size == 1) {
        update_all(to, at, from, sources.data(), count);
        return;
      }
      for (std::int64_t i = 0; i < count; ++i) {
        update.run(from + sources[static_cast<std::size_t>(i)] * size_, to + at[i] * size_);
      }
    });
  }

  const Tensor& target_;
  Indexed indexed_;
  Updates updates_;
  ScatterMode mode_;
  int size_;
  std::int64_t starts_;
};

// The result begins as the array; it may be its memory.
const Tensor& begun(const KernelCall& call) {
  const Tensor& result = call.outputs[0];
  if (result.data != call.inputs[0].data) copy_elements(call.inputs[0], result);
  return result;
}

}  // namespace

void scatter(const KernelCall& call) {
  const auto& [axes, mode] = attrs_as<ScatterAttrs>(call.attrs);
  const Tensor& updates = call.inputs[1];
  const Tensor& result = begun(call);
  Shape block(updates.shape.end() - result.ndim(), updates.shape.end());
  Writer(result, Indexed::gather(call, result, axes, block, 2), updates, mode).run();
}

void scatter_axis(const KernelCall& call) {
  const auto& [axis, mode] = attrs_as<ScatterAxisAttrs>(call.attrs);
  const Tensor& result = begun(call);
  Writer(result, Indexed::along_axis(call, result, axis, 2), call.inputs[1], mode).run();
}

}  // namespace mlx::core::cpu
