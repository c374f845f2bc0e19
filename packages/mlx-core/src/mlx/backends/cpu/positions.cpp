// Where the elements lie that arrays of indices name.
#include "mlx/backends/cpu/positions.h"

#include <algorithm>

#include "mlx/array/error.h"

namespace mlx::core::cpu {
namespace {

struct Run {
  std::int64_t count, step;  // of the indices, from one to the next
  std::int64_t stride, size, last;
};

// Adds index * stride to each position; false where an index is out of range (its position then is
// not used).
template <class T>
bool add_run(const T* index, const Run& run, std::int64_t* positions) {
  std::uint64_t bad = 0;
  const auto end = static_cast<std::uint64_t>(run.last + 1);
  const auto stride = static_cast<std::uint64_t>(run.stride);
  auto add_all = [&](std::int64_t step) {
    for (std::int64_t i = 0; i < run.count; ++i) {
      auto value = static_cast<std::int64_t>(index[i * step]);
      // A huge unsigned index must not look like a negative one.
      if constexpr (std::is_same_v<T, std::uint64_t>) bad |= index[i * step] >> 63;
      if constexpr (std::is_signed_v<T>) value += value < 0 ? run.size : 0;
      bad |= static_cast<std::uint64_t>(static_cast<std::uint64_t>(value) >= end);
      // Unsigned, because a bad index may be so large that this overflows.
      positions[i] += static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * stride);
    }
  };
  run.step == 1 ? add_all(1) : add_all(run.step);
  return bad == 0;
}

template <class F>
void with_index_type(Dtype dtype, F&& f) {
  dispatch(dtype, [&]<class T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) f.template operator()<T>();
  });
}

template <class T>
[[noreturn]] void refuse(std::string_view op, const T* index, const Run& run, int axis) {
  T found{};
  for (std::int64_t i = 0; i < run.count; ++i) {
    found = index[i * run.step];
    bool is_negative = std::is_signed_v<T> && found < T(0);
    bool is_bad = is_negative ? static_cast<std::int64_t>(found) + run.size < 0 ||
                                    static_cast<std::int64_t>(found) + run.size > run.last
                              : run.last < 0 || static_cast<std::uint64_t>(found) >
                                                    static_cast<std::uint64_t>(run.last);
    if (is_bad) break;
  }
  raise<IndexError>(op, "index out of range: got ", +found, " for axis ", axis, " with ", run.size,
                    " elements; expected ", -run.size, " to ", run.last);
}

}  // namespace

Positions::Positions(Shape shape, Strides strides)
    : shape_(std::move(shape)), strides_(std::move(strides)) {}

void Positions::add_index(const Tensor& index, std::int64_t stride, std::int64_t size,
                          std::int64_t last, int axis) {
  indices_.push_back({index.data, index.dtype, index.strides, stride, size, last, axis});
}

std::pair<Shape, Strides> Positions::take_block() {
  std::size_t first = shape_.size();
  auto is_walked = [&](std::size_t axis) {
    return std::any_of(indices_.begin(), indices_.end(),
                       [&](const Index& index) { return index.strides[axis] != 0; });
  };
  while (first > 0 && (shape_[first - 1] == 1 || !is_walked(first - 1))) --first;
  Shape shape(shape_.begin() + first, shape_.end());
  Strides strides(strides_.begin() + first, strides_.end());
  shape_.resize(first);
  strides_.resize(first);
  for (Index& index : indices_) index.strides.resize(first);
  return {std::move(shape), std::move(strides)};
}

void Positions::collapse() {
  Shape shape;
  SmallVector<std::size_t, 4> kept;
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    if (shape_[axis] == 1) continue;
    auto joins = [&](const Strides& strides) {
      return strides[kept.back()] == strides[axis] * shape_[axis];
    };
    bool is_joined = !kept.empty() && joins(strides_) &&
                     std::all_of(indices_.begin(), indices_.end(),
                                 [&](const Index& index) { return joins(index.strides); });
    if (is_joined) {
      shape.back() *= shape_[axis];
      kept.back() = axis;
    } else {
      shape.push_back(shape_[axis]);
      kept.push_back(axis);
    }
  }
  auto keep = [&](Strides& strides) {
    Strides result;
    for (std::size_t axis : kept) result.push_back(strides[axis]);
    strides = std::move(result);
  };
  keep(strides_);
  for (Index& index : indices_) keep(index.strides);
  shape_ = std::move(shape);
}

bool Positions::is_identity() const { return indices_.empty() && is_row_major(shape_, strides_); }

void Positions::fill(std::string_view op, std::int64_t first, std::int64_t count,
                     std::int64_t* positions) const {
  Shape start(shape_.size());
  std::int64_t rest = first;
  for (std::size_t axis = shape_.size(); axis-- > 0; rest /= shape_[axis]) {
    start[axis] = rest % shape_[axis];
  }
  while (count > 0) {
    std::int64_t run = shape_.empty() ? 1 : std::min(count, shape_.back() - start.back());
    fill_run(op, start, run, positions);
    positions += run;
    count -= run;
    if (count == 0) return;
    start.back() += run;
    for (std::size_t axis = shape_.size(); axis-- > 1 && start[axis] == shape_[axis];) {
      start[axis] = 0;
      ++start[axis - 1];
    }
  }
}

void Positions::fill_run(std::string_view op, const Shape& start, std::int64_t count,
                         std::int64_t* positions) const {
  auto offset_at = [&](const Strides& strides) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < start.size(); ++axis) offset += start[axis] * strides[axis];
    return offset;
  };
  std::int64_t base = offset_at(strides_), step = strides_.empty() ? 0 : strides_.back();
  for (std::int64_t i = 0; i < count; ++i) positions[i] = base + i * step;
  for (const Index& index : indices_) {
    Run run{count, index.strides.empty() ? 0 : index.strides.back(), index.stride, index.size,
            index.last};
    with_index_type(index.dtype, [&]<class T>() {
      const T* values = reinterpret_cast<const T*>(index.data) + offset_at(index.strides);
      if (!add_run(values, run, positions)) refuse(op, values, run, index.axis);
    });
  }
}

}  // namespace mlx::core::cpu
