// Builds and follows plans: stages, the two-step transform of long lines, Bluestein's algorithm.
#include "mlx/backends/cpu/fft_plan.h"

#include <algorithm>

#include "mlx/backends/cpu/fft_roots.h"

namespace mlx::core::cpu::fft {
namespace {

// Where each input element goes so that all stages work in place: digit reversal. The last stage
// joins radix transforms of every radix-th element, each of which is laid out likewise.
std::vector<std::int32_t> digit_reversal(std::int64_t n, const std::vector<std::int64_t>& radices) {
  std::vector<std::int32_t> positions(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t rest = i, position = 0, span = n;
    for (auto radix = radices.rbegin(); radix != radices.rend(); ++radix) {
      span /= *radix;
      position += rest % *radix * span;
      rest /= *radix;
    }
    positions[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(position);
  }
  return positions;
}

// exp(-pi*i*k^2/n) for k < n.
template <class T>
std::vector<T> chirp_of(std::int64_t n) {
  const Roots roots(2 * n);
  std::vector<T> chirp(static_cast<std::size_t>(2 * n));
  std::int64_t square = 0;  // k^2 modulo 2n
  for (std::int64_t k = 0; k < n; ++k) {
    roots.write(square, &chirp[static_cast<std::size_t>(2 * k)]);
    square = (square + 2 * k + 1) % (2 * n);
  }
  return chirp;
}

// The conjugate chirp around zero, cyclic of length m: what the input times the chirp is convolved
// with. Scaled by 1/m, as the convolution's inverse transform does not.
template <class T>
std::vector<T> cyclic_chirp(const std::vector<T>& chirp, std::int64_t n, std::int64_t m) {
  std::vector<T> cyclic(static_cast<std::size_t>(2 * m));
  const T scale = T(1) / static_cast<T>(m);
  for (std::int64_t k = 0; k < n; ++k) {
    const T* w = &chirp[static_cast<std::size_t>(2 * k)];
    for (const std::int64_t at : {k, (m - k) % m}) {
      cyclic[static_cast<std::size_t>(2 * at)] = w[0] * scale;
      cyclic[static_cast<std::size_t>(2 * at + 1)] = -w[1] * scale;
    }
  }
  return cyclic;
}

template <class Table>
std::int64_t bytes_of(const Table& table) {
  return static_cast<std::int64_t>(table.size() * sizeof(*table.data()));
}

// Offsets of neighbouring complex lines.
template <class T>
std::vector<std::int64_t> adjacent_offsets(const LaneKernels<T>& kernels) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(kernels.width));
  for (std::size_t l = 0; l < offsets.size(); ++l) offsets[l] = static_cast<std::int64_t>(2 * l);
  return offsets;
}

template <class T>
Lines<T> complex_lines(T* base, bool swap, const std::int64_t* offsets, std::int64_t lanes,
                       std::int64_t stride) {
  return {.re = {base + (swap ? 1 : 0), offsets, lanes},
          .im = {base + (swap ? 0 : 1), offsets, lanes},
          .stride = stride};
}

}  // namespace

void Parallel::ranges(std::int64_t count, std::int64_t grain,
                      const std::function<void(std::int64_t, std::int64_t)>& body) const {
  // More of them than threads: they share better, and an interrupt is seen between two.
  const std::int64_t chunks =
      run ? std::clamp(count / std::max<std::int64_t>(grain, 1), std::int64_t{1}, std::int64_t{64})
          : 1;
  if (chunks == 1) {
    body(0, count);
    return;
  }
  run(chunks,
      [&](std::int64_t chunk) { body(count * chunk / chunks, count * (chunk + 1) / chunks); });
}

// --- groups of lines -----------------------------------------------------------------------------

template <class T>
LanePlan<T>::LanePlan(std::int64_t n, const LaneKernels<T>& kernels) : n_(n), kernels_(kernels) {
  if (radices_of(n).empty()) {
    plan_bluestein();
  } else {
    plan_stages();
  }
}

template <class T>
void LanePlan<T>::plan_stages() {
  std::vector<std::int64_t> radices = radices_of(n_);
  if (n_ == 1) radices.clear();
  positions_ = digit_reversal(n_, radices);
  const Roots roots(n_);
  std::int64_t span = 1;
  for (const std::int64_t radix : radices) {
    const std::int64_t step = n_ / (span * radix);
    std::vector<T> twiddles(static_cast<std::size_t>(2 * span * (radix - 1)));
    T* twiddle = twiddles.data();
    for (std::int64_t j = 0; j < span; ++j) {
      for (std::int64_t q = 1; q < radix; ++q, twiddle += 2) roots.write(j * q * step, twiddle);
    }
    std::vector<T> own(static_cast<std::size_t>(2 * radix));
    for (std::int64_t q = 0; q < radix; ++q) {
      T* root = &own[static_cast<std::size_t>(2 * q)];
      roots.write(q * (n_ / radix), root);
      root[1] = -root[1];  // the butterflies want the sine
    }
    stages_.push_back({radix, span, twiddles.data(), own.data()});
    tables_.push_back(std::move(twiddles));
    tables_.push_back(std::move(own));
    span *= radix;
  }
}

template <class T>
void LanePlan<T>::plan_bluestein() {
  const std::int64_t m = lane_padding(n_, machine_of(kernels_)).length;
  bluestein_ = std::make_unique<LanePlan>(m, kernels_);
  chirp_ = chirp_of<T>(n_);
  chirp_spectrum_ = cyclic_chirp(chirp_, n_, m);
  LinePlan<T>(m, kernels_).run(chirp_spectrum_.data(), {}, T(1), chirp_spectrum_.data(), {});
}

template <class T>
void LanePlan<T>::run(T* group, T* spare) const {
  if (!bluestein_) {
    kernels_.transform(stages_.data(), static_cast<std::int64_t>(stages_.size()), n_, group);
    return;
  }
  const LanePlan& inner = *bluestein_;
  T* first = spare;
  T* second = spare + inner.group_reals();
  std::fill(first, second, T(0));
  kernels_.multiply(group, chirp_.data(), inner.positions(), n_, false, first);
  inner.run(first, nullptr);
  // Swapped twice around, the second transform is an inverse one.
  kernels_.multiply(first, chirp_spectrum_.data(), inner.positions(), inner.n_, true, second);
  inner.run(second, nullptr);
  kernels_.swap_multiply(second, chirp_.data(), n_, group);
}

template <class T>
std::int64_t LanePlan<T>::bytes() const {
  std::int64_t total = bytes_of(positions_) + bytes_of(chirp_) + bytes_of(chirp_spectrum_);
  for (const auto& table : tables_) total += bytes_of(table);
  return total + (bluestein_ ? bluestein_->bytes() : 0);
}

// --- one line ------------------------------------------------------------------------------------

template <class T>
LinePlan<T>::LinePlan(std::int64_t n, const LaneKernels<T>& kernels) : n_(n), kernels_(kernels) {
  const Machine machine = machine_of(kernels);
  const Split split = best_split(n, machine);
  const Padding padding = radices_of(n).empty() ? line_padding(n, machine) : Padding{0, 0};
  rows_ = split.rows;
  columns_ = split.columns;
  fine_ = coarse_ = 0;
  if (padding.length > 0) {
    plan_bluestein(padding.length);
    return;
  }
  row_plan_ = std::make_unique<LanePlan<T>>(columns_, kernels);
  if (rows_ == 1) return;
  column_plan_ = std::make_unique<LanePlan<T>>(rows_, kernels);
  plan_twiddles();
}

template <class T>
void LinePlan<T>::plan_twiddles() {
  fine_ = rows_;
  if (n_ > 1 << 14) {
    fine_ = 1;
    while (fine_ * fine_ < rows_) fine_ *= 2;
  }
  coarse_ = (rows_ + fine_ - 1) / fine_;
  const Roots roots(n_);
  const std::int64_t width = kernels_.width, groups = (columns_ + width - 1) / width;
  twiddles_.assign_zeros(groups * (coarse_ + fine_) * 2 * width);
  T* to = twiddles_.data();
  for (std::int64_t group = 0; group < groups; ++group) {
    for (std::int64_t i = 0; i < coarse_ + fine_; ++i, to += 2 * width) {
      const std::int64_t row = i < coarse_ ? i * fine_ : i - coarse_;
      for (std::int64_t l = 0; l < width && group * width + l < columns_; ++l) {
        T root[2];
        roots.write(row * (group * width + l), root);
        to[l] = root[0];
        to[width + l] = root[1];
      }
    }
  }
}

template <class T>
void LinePlan<T>::plan_bluestein(std::int64_t padded) {
  padded_ = padded;
  bluestein_ = std::make_unique<LinePlan>(padded, kernels_);
  chirp_ = chirp_of<T>(n_);
  chirp_spectrum_ = cyclic_chirp(chirp_, n_, padded);
  bluestein_->run(chirp_spectrum_.data(), {}, T(1), chirp_spectrum_.data(), {});
}

template <class T>
void LinePlan<T>::run(const T* in, Swap swap, T scale, T* out, const Parallel& parallel) const {
  if (bluestein_) return run_bluestein(in, swap, scale, out, parallel);
  if (rows_ == 1) return run_alone(in, swap, scale, out);
  const std::int64_t width = kernels_.width;
  const std::int64_t grain = std::max<std::int64_t>(1, 16384 / (width * rows_));
  const std::int64_t column_groups = (columns_ + width - 1) / width;
  const std::int64_t row_groups = (rows_ + width - 1) / width;
  // The last group of rows may read rows that do not exist.
  const std::int64_t padding = 2 * width * width;
  const Scratch<T> scratch(column_groups * column_reals() + padding);
  T* groups = scratch.data();
  std::fill_n(groups + column_groups * column_reals(), padding, T(0));
  parallel.ranges(column_groups, grain, [&](std::int64_t begin, std::int64_t end) {
    run_columns(in, swap.in, groups, begin, end);
  });
  parallel.ranges(row_groups, grain, [&](std::int64_t begin, std::int64_t end) {
    run_rows(groups, swap.out, scale, out, begin, end);
  });
}

template <class T>
void LinePlan<T>::run_alone(const T* in, Swap swap, T scale, T* out) const {
  const std::int64_t offset = 0;
  const Scratch<T> scratch(row_plan_->group_reals());
  T* group = scratch.data();
  kernels_.load(complex_lines(in, swap.in, &offset, 1, 2), n_, row_plan_->positions(), group);
  row_plan_->run(group, nullptr);
  kernels_.store(group, 1, n_, scale, complex_lines(out, swap.out, &offset, 1, 2));
}

template <class T>
void LinePlan<T>::run_columns(const T* in, bool swap, T* groups, std::int64_t begin,
                              std::int64_t end) const {
  const std::int64_t width = kernels_.width;
  const std::vector<std::int64_t> offsets = adjacent_offsets(kernels_);
  for (std::int64_t g = begin; g < end; ++g) {
    T* group = groups + g * column_reals();
    const T* coarse = twiddles_.data() + g * (coarse_ + fine_) * 2 * width;
    const std::int64_t lanes = std::min(width, columns_ - g * width);
    kernels_.load(complex_lines(in + 2 * g * width, swap, offsets.data(), lanes, 2 * columns_),
                  rows_, column_plan_->positions(), group);
    column_plan_->run(group, nullptr);
    kernels_.twiddle(coarse, coarse + coarse_ * 2 * width, fine_, rows_, group);
  }
}

template <class T>
void LinePlan<T>::run_rows(const T* groups, bool swap, T scale, T* out, std::int64_t begin,
                           std::int64_t end) const {
  const std::int64_t width = kernels_.width;
  const std::vector<std::int64_t> offsets = adjacent_offsets(kernels_);
  const Scratch<T> scratch(row_plan_->group_reals());
  T* group = scratch.data();
  for (std::int64_t g = begin; g < end; ++g) {
    const std::int64_t first = g * width, lanes = std::min(width, rows_ - first);
    kernels_.regroup(groups, rows_, first, columns_, row_plan_->positions(), group);
    row_plan_->run(group, nullptr);
    kernels_.store(group, 1, columns_, scale,
                   complex_lines(out + 2 * first, swap, offsets.data(), lanes, 2 * rows_));
  }
}

template <class T>
void LinePlan<T>::run_bluestein(const T* in, Swap swap, T scale, T* out,
                                const Parallel& parallel) const {
  const Scratch<T> scratch(2 * padded_);
  T* work = scratch.data();
  kernels_.line_multiply(in, chirp_.data(), n_, T(1), {.in = swap.in, .out = false}, work);
  std::fill(work + 2 * n_, work + 2 * padded_, T(0));
  bluestein_->run(work, {}, T(1), work, parallel);
  kernels_.line_multiply(work, chirp_spectrum_.data(), padded_, T(1), {.in = false, .out = true},
                         work);
  bluestein_->run(work, {.in = false, .out = true}, T(1), work, parallel);
  kernels_.line_multiply(work, chirp_.data(), n_, scale, {.in = false, .out = swap.out}, out);
}

template <class T>
std::int64_t LinePlan<T>::bytes() const {
  return bytes_of(twiddles_) + bytes_of(chirp_) + bytes_of(chirp_spectrum_) +
         (row_plan_ ? row_plan_->bytes() : 0) + (column_plan_ ? column_plan_->bytes() : 0) +
         (bluestein_ ? bluestein_->bytes() : 0);
}

template class LanePlan<float>;
template class LanePlan<double>;
template class LinePlan<float>;
template class LinePlan<double>;

}  // namespace mlx::core::cpu::fft
