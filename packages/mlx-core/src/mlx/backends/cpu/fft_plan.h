// Plans: all that is computed once per length and precision, and the transforms that follow them.
// Plans never change after they are made, so any number of threads may use one.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "mlx/array/buffer.h"
#include "mlx/backends/cpu/fft_cost.h"
#include "mlx/backends/cpu/fft_kernels.h"

namespace mlx::core::cpu::fft {

// Runs body(chunk) for every chunk, perhaps on several threads; returns when all are done.
struct Parallel {
  std::int64_t threads = 1;
  std::function<void(std::int64_t chunks, const std::function<void(std::int64_t)>& body)> run;

  // body(begin, end) on ranges of [0, count), each of at least `grain`.
  void ranges(std::int64_t count, std::int64_t grain,
              const std::function<void(std::int64_t, std::int64_t)>& body) const;
};

// Scratch memory from the engine's allocator.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::int64_t reals)
      : buffer_(allocate(static_cast<std::size_t>(reals > 0 ? reals : 1) * sizeof(T))) {}
  T* data() const { return reinterpret_cast<T*>(buffer_->data()); }

 private:
  BufferRef buffer_;
};

// A table that loops may read with aligned vectors.
template <class T>
class AlignedTable {
 public:
  void assign_zeros(std::int64_t reals) {
    lines_.assign((static_cast<std::size_t>(reals) + kReals - 1) / kReals, {});
  }
  T* data() { return lines_.data()->values; }
  const T* data() const { return lines_.data()->values; }
  std::size_t size() const { return lines_.size() * kReals; }

 private:
  static constexpr std::size_t kReals = 64 / sizeof(T);
  struct alignas(64) CacheLine {
    T values[kReals] = {};
  };
  std::vector<CacheLine> lines_;
};

template <class T>
Machine machine_of(const LaneKernels<T>& kernels) {
  return {kernels.width, static_cast<std::int64_t>(sizeof(T))};
}

// Transforms a group of lines at once.
template <class T>
class LanePlan {
 public:
  LanePlan(std::int64_t n, const LaneKernels<T>& kernels);

  // The order in which the group is filled; null: as it is.
  const std::int32_t* positions() const { return bluestein_ ? nullptr : positions_.data(); }
  // Reals in a group; real transforms use one element more than n.
  std::int64_t group_reals() const { return (n_ + 1) * 2 * kernels_.width; }
  // Reals that `spare` must have in run().
  std::int64_t spare_reals() const { return bluestein_ ? 2 * bluestein_->group_reals() : 0; }
  void run(T* group, T* spare) const;
  std::int64_t bytes() const;

 private:
  void plan_stages();
  void plan_bluestein();

  std::int64_t n_;
  const LaneKernels<T>& kernels_;
  std::vector<Stage<T>> stages_;
  std::vector<std::vector<T>> tables_;  // that the stages point to
  std::vector<std::int32_t> positions_;
  // Bluestein: the transform as a convolution with a chirp, itself done by transforms.
  std::unique_ptr<LanePlan> bluestein_;
  std::vector<T> chirp_, chirp_spectrum_;
};

// Transforms one contiguous complex line.
template <class T>
class LinePlan {
 public:
  LinePlan(std::int64_t n, const LaneKernels<T>& kernels);

  // `in` and `out` are (re, im) pairs and may be the same memory.
  void run(const T* in, Swap swap, T scale, T* out, const Parallel& parallel) const;
  std::int64_t bytes() const;

 private:
  void plan_twiddles();
  void plan_bluestein(std::int64_t padded);
  void run_alone(const T* in, Swap swap, T scale, T* out) const;
  void run_columns(const T* in, bool swap, T* groups, std::int64_t begin, std::int64_t end) const;
  void run_rows(const T* groups, bool swap, T scale, T* out, std::int64_t begin,
                std::int64_t end) const;
  void run_bluestein(const T* in, Swap swap, T scale, T* out, const Parallel& parallel) const;
  // Reals in one group of columns between the two steps.
  std::int64_t column_reals() const { return rows_ * 2 * kernels_.width; }

  std::int64_t n_;
  const LaneKernels<T>& kernels_;
  // n = rows * columns: transforms of the columns, twiddles, transforms of the rows. With one row
  // the line is a group of one lane.
  std::int64_t rows_, columns_;
  std::unique_ptr<LanePlan<T>> row_plan_, column_plan_;
  // w^(row * column) as the product of a coarse and a fine step in row, in groups of columns: the
  // whole table would be as large as the line.
  std::int64_t fine_, coarse_;
  AlignedTable<T> twiddles_;
  std::unique_ptr<LinePlan> bluestein_;
  std::vector<T> chirp_, chirp_spectrum_;
  std::int64_t padded_ = 0;
};

// The plans of one length; each part is made when it is first needed.
template <class T>
class Plan {
 public:
  Plan(std::int64_t n, const LaneKernels<T>& kernels);
  ~Plan();

  std::int64_t length() const { return n_; }
  const LaneKernels<T>& kernels() const { return kernels_; }
  const LanePlan<T>& lanes() const;
  const LinePlan<T>& line() const;
  // w^k of order 2n for k <= n/2: what real transforms of length 2n need besides this plan.
  const T* half_roots() const;
  // Whether `lines` lines (at most a group) are better done one by one, where `copies` of the input
  // and the output must be copied for that as their lines are not contiguous.
  bool prefers_single(std::int64_t lines, int copies) const;
  std::int64_t bytes() const;

 private:
  struct Parts;
  std::int64_t n_;
  const LaneKernels<T>& kernels_;
  double lane_cost_, line_cost_;
  std::unique_ptr<Parts> parts_;
};

// From a cache that keeps the last used ones.
template <class T>
std::shared_ptr<const Plan<T>> plan_for(std::int64_t n, const LaneKernels<T>& kernels);

}  // namespace mlx::core::cpu::fft
