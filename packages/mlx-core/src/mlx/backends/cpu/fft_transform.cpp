// Walks the lines of an array: in groups of neighbours, or one by one where a line is long.
#include "mlx/backends/cpu/fft_transform.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace mlx::core::cpu::fft {
namespace {

// Dimensions of size one dropped, the closest lines last, neighbours merged into one.
std::vector<Dimension> simplified(std::vector<Dimension> batch) {
  std::erase_if(batch, [](const Dimension& d) { return d.size == 1; });
  const auto distance = [](const Dimension& d) {
    return std::pair{std::min(std::abs(d.in_stride), std::abs(d.out_stride)),
                     std::max(std::abs(d.in_stride), std::abs(d.out_stride))};
  };
  std::stable_sort(batch.begin(), batch.end(), [&](const Dimension& a, const Dimension& b) {
    return distance(a) > distance(b);
  });
  std::vector<Dimension> merged;
  for (const Dimension& d : batch) {
    if (!merged.empty() && merged.back().in_stride == d.in_stride * d.size &&
        merged.back().out_stride == d.out_stride * d.size) {
      merged.back() = {merged.back().size * d.size, d.in_stride, d.out_stride};
    } else {
      merged.push_back(d);
    }
  }
  return merged;
}

// Copies `lines` lines, element by element, so that neighbours share cache lines.
template <int parts, class T>
void gather(const T* from, const std::int64_t* offsets, std::int64_t stride, std::int64_t lines,
            std::int64_t count, std::int64_t pitch, T* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t l = 0; l < lines; ++l) {
      std::memcpy(to + l * pitch + i * parts, from + offsets[l] + i * stride, parts * sizeof(T));
    }
  }
}

template <int parts, class T>
void scatter(const T* from, std::int64_t pitch, std::int64_t lines, std::int64_t count,
             std::int64_t stride, const std::int64_t* offsets, T* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t l = 0; l < lines; ++l) {
      std::memcpy(to + offsets[l] + i * stride, from + l * pitch + i * parts, parts * sizeof(T));
    }
  }
}

}  // namespace

// Where lines begin, in reals.
template <class T>
struct Transform<T>::Offsets {
  std::vector<std::int64_t> in, out;
};

// The memory that groups need, kept over a run of them.
template <class T>
class Transform<T>::Arena {
 public:
  T* group(std::size_t which, std::int64_t reals) {
    if (!groups_[which]) groups_[which].emplace(reals);
    return groups_[which]->data();
  }
  T* spare(std::int64_t reals) { return reals > 0 ? group(3, reals) : nullptr; }

 private:
  std::optional<Scratch<T>> groups_[4];
};

template <class T>
Transform<T>::Transform(const Task& task, const LaneKernels<T>& kernels)
    : kind_(task.kind),
      backward_(task.kind == Kind::complex_to_real ||
                (task.kind == Kind::complex_to_complex && task.backward)),
      axis_(task.axis),
      batch_(simplified(task.batch)),
      scale_(static_cast<T>(task.scale)),
      lines_(1),
      half_(kind_ != Kind::complex_to_complex && axis_.size % 2 == 0),
      in_count_(kind_ == Kind::complex_to_real ? axis_.size / 2 + 1 : axis_.size),
      out_count_(kind_ == Kind::real_to_complex ? axis_.size / 2 + 1 : axis_.size),
      in_parts_(kind_ == Kind::real_to_complex ? 1 : 2),
      out_parts_(kind_ == Kind::complex_to_real ? 1 : 2),
      kernels_(kernels) {
  for (const Dimension& d : batch_) lines_ *= d.size;
  if (lines_ > 0 && axis_.size > 0) {
    plan_ = plan_for(half_ ? axis_.size / 2 : axis_.size, kernels);
  }
}

template <class T>
std::int64_t Transform<T>::lines_per_group() const {
  const bool pairs = kind_ != Kind::complex_to_complex && !half_;
  return pairs ? 2 * kernels_.width : kernels_.width;
}

template <class T>
bool Transform<T>::prefers_single(std::int64_t lines) const {
  return plan_->prefers_single(lines, (axis_.in_stride != 1) + (axis_.out_stride != 1));
}

template <class T>
std::int64_t Transform<T>::lines_at_once() const {
  return lines_per_group();
}

template <class T>
void Transform<T>::find_offsets(std::int64_t begin, std::int64_t count, Offsets& at) const {
  at.in.resize(static_cast<std::size_t>(count));
  at.out.resize(static_cast<std::size_t>(count));
  for (std::int64_t l = 0; l < count; ++l) {
    std::int64_t rest = begin + l, in = 0, out = 0;
    for (auto d = batch_.rbegin(); d != batch_.rend(); ++d) {
      in += rest % d->size * d->in_stride;
      out += rest % d->size * d->out_stride;
      rest /= d->size;
    }
    at.in[static_cast<std::size_t>(l)] = in * in_parts_;
    at.out[static_cast<std::size_t>(l)] = out * out_parts_;
  }
}

template <class T>
void Transform<T>::run(const T* in, T* out, const Parallel& parallel) const {
  if (!plan_) return;
  const std::int64_t per_group = lines_per_group();
  const std::int64_t groups = (lines_ + per_group - 1) / per_group;
  if (groups < parallel.threads && prefers_single(std::min(lines_, per_group))) {
    return run_lines(in, out, 0, lines_, parallel);
  }
  // Below this many elements a thread is not worth waking.
  const std::int64_t grain = std::max<std::int64_t>(1, 32768 / (per_group * axis_.size));
  parallel.ranges(groups, grain, [&](std::int64_t begin, std::int64_t end) {
    run_lines(in, out, begin * per_group, std::min(end * per_group, lines_));
  });
}

template <class T>
void Transform<T>::run_lines(const T* in, T* out, std::int64_t begin, std::int64_t end,
                             const Parallel& parallel) const {
  if (!plan_) return;
  const std::int64_t per_group = lines_per_group();
  Arena arena;
  for (; begin < end; begin += per_group) {
    const std::int64_t last = std::min(begin + per_group, end);
    if (prefers_single(last - begin)) {
      return run_single(in, out, begin, end, parallel);
    }
    run_group(in, out, begin, last, arena);
  }
}

// --- groups --------------------------------------------------------------------------------------

template <class T>
void Transform<T>::run_group(const T* in, T* out, std::int64_t begin, std::int64_t end,
                             Arena& arena) const {
  Offsets at;
  find_offsets(begin, end - begin, at);
  switch (kind_) {
    case Kind::complex_to_complex:
      return group_complex(in, out, at, end - begin, arena);
    case Kind::real_to_complex:
      return half_ ? group_half_forward(in, out, at, end - begin, arena)
                   : group_pair_forward(in, out, at, end - begin, arena);
    case Kind::complex_to_real:
      return half_ ? group_half_backward(in, out, at, end - begin, arena)
                   : group_pair_backward(in, out, at, end - begin, arena);
  }
}

namespace {

template <class T>
Lines<T> lines_of(T* re, T* im, const std::vector<std::int64_t>& offsets, std::int64_t lanes,
                  std::int64_t stride) {
  return {.re = {re, offsets.data(), lanes}, .im = {im, offsets.data(), lanes}, .stride = stride};
}

// Real lines in pairs: the first `width` of them are the real parts.
template <class T>
Lines<T> pairs_of(T* base, const std::vector<std::int64_t>& offsets, std::int64_t count,
                  std::int64_t width, std::int64_t stride) {
  const std::int64_t first = std::min(count, width);
  return {.re = {base, offsets.data(), first},
          .im = {base, offsets.data() + first, count - first},
          .stride = stride};
}

}  // namespace

template <class T>
void Transform<T>::group_complex(const T* in, T* out, const Offsets& at, std::int64_t count,
                                 Arena& arena) const {
  const LanePlan<T>& plan = plan_->lanes();
  T* group = arena.group(0, plan.group_reals());
  const std::int64_t swap = backward_ ? 1 : 0;
  kernels_.load(lines_of(in + swap, in + 1 - swap, at.in, count, 2 * axis_.in_stride), axis_.size,
                plan.positions(), group);
  plan.run(group, arena.spare(plan.spare_reals()));
  kernels_.store(group, 1, axis_.size, scale_,
                 lines_of(out + swap, out + 1 - swap, at.out, count, 2 * axis_.out_stride));
}

template <class T>
void Transform<T>::group_half_forward(const T* in, T* out, const Offsets& at, std::int64_t count,
                                      Arena& arena) const {
  const LanePlan<T>& plan = plan_->lanes();
  const std::int64_t h = plan_->length(), stride = axis_.in_stride;
  T* group = arena.group(0, plan.group_reals());
  kernels_.load(lines_of(in, in + stride, at.in, count, 2 * stride), h, plan.positions(), group);
  plan.run(group, arena.spare(plan.spare_reals()));
  kernels_.split_half(h, plan_->half_roots(), group);
  kernels_.store(group, 1, h + 1, scale_ / 2,
                 lines_of(out, out + 1, at.out, count, 2 * axis_.out_stride));
}

template <class T>
void Transform<T>::group_half_backward(const T* in, T* out, const Offsets& at, std::int64_t count,
                                       Arena& arena) const {
  const LanePlan<T>& plan = plan_->lanes();
  const std::int64_t h = plan_->length(), stride = axis_.out_stride;
  T* group = arena.group(0, plan.group_reals());
  T* spectra = arena.group(1, plan.group_reals());
  kernels_.load(lines_of(in, in + 1, at.in, count, 2 * axis_.in_stride), h + 1, nullptr, spectra);
  kernels_.merge_half(h, plan_->half_roots(), spectra, plan.positions(), group);
  plan.run(group, arena.spare(plan.spare_reals()));
  kernels_.store(group, 1, h, scale_, lines_of(out + stride, out, at.out, count, 2 * stride));
}

template <class T>
void Transform<T>::group_pair_forward(const T* in, T* out, const Offsets& at, std::int64_t count,
                                      Arena& arena) const {
  const LanePlan<T>& plan = plan_->lanes();
  const std::int64_t n = axis_.size, width = kernels_.width;
  T* group = arena.group(0, plan.group_reals());
  kernels_.load(pairs_of(in, at.in, count, width, axis_.in_stride), n, plan.positions(), group);
  plan.run(group, arena.spare(plan.spare_reals()));
  kernels_.split_pair(n, group);
  const std::int64_t first = std::min(count, width), stride = 2 * axis_.out_stride;
  kernels_.store(group, 1, out_count_, scale_ / 2, lines_of(out, out + 1, at.out, first, stride));
  if (count > first) {
    const std::vector<std::int64_t> offsets(at.out.begin() + first, at.out.end());
    kernels_.store(group + n * 2 * width, -1, out_count_, scale_ / 2,
                   lines_of(out, out + 1, offsets, count - first, stride));
  }
}

template <class T>
void Transform<T>::group_pair_backward(const T* in, T* out, const Offsets& at, std::int64_t count,
                                       Arena& arena) const {
  const LanePlan<T>& plan = plan_->lanes();
  const std::int64_t n = axis_.size, width = kernels_.width, stride = 2 * axis_.in_stride;
  T* group = arena.group(0, plan.group_reals());
  T* first_spectra = arena.group(1, plan.group_reals());
  T* second_spectra = arena.group(2, plan.group_reals());
  const std::int64_t first = std::min(count, width);
  const std::vector<std::int64_t> offsets(at.in.begin() + first, at.in.end());
  kernels_.load(lines_of(in, in + 1, at.in, first, stride), in_count_, nullptr, first_spectra);
  kernels_.load(lines_of(in, in + 1, offsets, count - first, stride), in_count_, nullptr,
                second_spectra);
  kernels_.merge_pair(n, first_spectra, second_spectra, plan.positions(), group);
  plan.run(group, arena.spare(plan.spare_reals()));
  Lines<T> lines = pairs_of(out, at.out, count, width, axis_.out_stride);
  std::swap(lines.re, lines.im);  // a backward transform leaves the parts swapped
  kernels_.store(group, 1, n, scale_, lines);
}

// --- one by one ----------------------------------------------------------------------------------

template <class T>
void Transform<T>::run_single(const T* in, T* out, std::int64_t begin, std::int64_t end,
                              const Parallel& parallel) const {
  const std::int64_t in_stride = axis_.in_stride * in_parts_;
  const std::int64_t out_stride = axis_.out_stride * out_parts_;
  const bool gathers = axis_.in_stride != 1, scatters = axis_.out_stride != 1;
  // As many lines at once as share a cache line.
  const std::int64_t at_once =
      gathers || scatters
          ? std::max<std::int64_t>(1, 64 / (2 * static_cast<std::int64_t>(sizeof(T))))
          : 1;
  // A pitch that is no power of two keeps the lines apart in the cache.
  const std::int64_t pitch = (2 * (axis_.size + 2) + 31) / 16 * 16;
  const Scratch<T> lines(gathers || scatters ? at_once * pitch : 0);
  const Scratch<T> spare(2 * pitch);
  Offsets at;
  for (; begin < end; begin += at_once) {
    const std::int64_t count = std::min(at_once, end - begin);
    find_offsets(begin, count, at);
    if (gathers) {
      const auto copy = in_parts_ == 1 ? gather<1, T> : gather<2, T>;
      copy(in, at.in.data(), in_stride, count, in_count_, pitch, lines.data());
    }
    for (std::int64_t l = 0; l < count; ++l) {
      T* line = lines.data() + l * pitch;
      const auto i = static_cast<std::size_t>(l);
      line_transform(gathers ? line : in + at.in[i], scatters ? line : out + at.out[i],
                     spare.data(), parallel);
    }
    if (scatters) {
      const auto copy = out_parts_ == 1 ? scatter<1, T> : scatter<2, T>;
      copy(lines.data(), pitch, count, out_count_, out_stride, at.out.data(), out);
    }
  }
}

// One contiguous line; `in` and `out` may be the same memory, which then has room for n + 2 reals
// or n complex numbers.
template <class T>
void Transform<T>::line_transform(const T* in, T* out, T* spare, const Parallel& parallel) const {
  const LinePlan<T>& plan = plan_->line();
  const std::int64_t n = axis_.size;
  if (kind_ == Kind::complex_to_complex) {
    plan.run(in, {.in = backward_, .out = backward_}, scale_, out, parallel);
  } else if (kind_ == Kind::real_to_complex && half_) {
    plan.run(in, {}, T(1), out, parallel);
    kernels_.line_split_half(n / 2, plan_->half_roots(), scale_, out);
  } else if (half_) {
    kernels_.line_merge_half(n / 2, plan_->half_roots(), in, spare);
    plan.run(spare, {.in = false, .out = true}, scale_, out, parallel);
  } else if (kind_ == Kind::real_to_complex) {
    for (std::int64_t i = 0; i < n; ++i) {
      spare[2 * i] = in[i];
      spare[2 * i + 1] = 0;
    }
    plan.run(spare, {}, scale_, spare, parallel);
    spare[1] = 0;
    std::copy(spare, spare + 2 * out_count_, out);
  } else {
    spare[0] = in[0];
    spare[1] = 0;
    for (std::int64_t i = 1; i < in_count_; ++i) {
      const T re = in[2 * i], im = in[2 * i + 1];
      spare[2 * i] = spare[2 * (n - i)] = re;
      spare[2 * i + 1] = im;
      spare[2 * (n - i) + 1] = -im;
    }
    plan.run(spare, {.in = true, .out = true}, scale_, spare, parallel);
    for (std::int64_t i = 0; i < n; ++i) out[i] = spare[2 * i];
  }
}

template class Transform<float>;
template class Transform<double>;

}  // namespace mlx::core::cpu::fft
