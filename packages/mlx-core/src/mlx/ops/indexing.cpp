// What x[...] means: from the parts of an index to slices, gathers and scatters.
#include "mlx/ops/indexing.h"

#include <algorithm>
#include <limits>

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/gather_shapes.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

constexpr std::string_view name = "index";
using Kind = IndexItem::Kind;

// What a part of the index gives the result: an axis of the array, a new one, or one of those of
// the index arrays. An ellipsis that stands for no axis still keeps index arrays apart.
enum class Part : std::uint8_t { kept, new_axis, advanced, nothing };

// An index in terms of ops: a slice (integers select one element), after which some axes go; masks
// merge the axes they cover into one; then index arrays choose along the axes that are left.
struct IndexPlan {
  SliceAttrs slice;
  Axes integers;            // axes that go, of the array
  std::vector<Part> parts;  // in the order they were written
  struct Choice {
    int axis;       // of the sliced array without the integers' axes; -1: a mask without axes
    int covers;     // axes that a mask covers; 1 for indices
    array indices;  // integers, or the mask
  };
  std::vector<Choice> choices;
};

int axes_of(const IndexItem& item) {
  switch (item.kind) {
    case Kind::integer:
    case Kind::slice:
      return 1;
    case Kind::array:
      return item.indices->dtype() == Dtype::bool_ ? item.indices->ndim() : 1;
    case Kind::new_axis:
    case Kind::ellipsis:
      return 0;
  }
  __builtin_unreachable();
}

// How many axes the ellipsis stands for (or the end, where there is none).
int open_axes(const array& a, std::span<const IndexItem> items) {
  int used = 0, ellipses = 0;
  for (const IndexItem& item : items) {
    used += axes_of(item);
    ellipses += item.kind == Kind::ellipsis;
  }
  if (ellipses > 1) {
    raise<IndexError>(name, "an index can have only one ellipsis: got ", ellipses);
  }
  if (used > a.ndim()) {
    raise<IndexError>(name, "too many indices: got ", used, "; expected at most ", a.ndim(),
                      " for an array of shape ", to_string(a.shape()));
  }
  return a.ndim() - used;
}

class Planner {
 public:
  Planner(const array& a, std::span<const IndexItem> items) : a_(a), items_(items) {}

  IndexPlan run() {
    int open = open_axes(a_, items_);
    bool has_ellipsis = false;
    for (const IndexItem& item : items_) has_arrays_ |= item.kind == Kind::array;
    for (const IndexItem& item : items_) {
      if (item.kind == Kind::ellipsis) {
        has_ellipsis = true;
        // It separates index arrays even where it stands for no axis.
        if (open == 0) plan_.parts.push_back(Part::nothing);
        for (int i = 0; i < open; ++i) add_whole();
      } else {
        add(item);
      }
    }
    for (int i = 0; !has_ellipsis && i < open; ++i) add_whole();
    return std::move(plan_);
  }

 private:
  std::int64_t size() const { return a_.shape()[plan_.slice.start.size()]; }
  int axis() const { return static_cast<int>(plan_.slice.start.size()); }
  int kept_axis() const { return axis() - static_cast<int>(plan_.integers.size()); }

  void add_range(std::int64_t start, std::int64_t stop, std::int64_t step) {
    plan_.slice.start.push_back(start);
    plan_.slice.stop.push_back(stop);
    plan_.slice.step.push_back(step);
  }
  void add_whole() {
    plan_.parts.push_back(Part::kept);
    add_range(0, size(), 1);
  }

  void add(const IndexItem& item) {
    switch (item.kind) {
      case Kind::integer:
        add_integer(item.integer);
        break;
      case Kind::slice:
        add_slice(item);
        break;
      case Kind::new_axis:
        plan_.parts.push_back(Part::new_axis);
        break;
      case Kind::array:
        add_array(*item.indices);
        break;
      case Kind::ellipsis:
        break;
    }
  }

  void add_integer(std::int64_t i) {
    if (i < -size() || i >= size()) {
      raise<IndexError>(name, "index out of range: got ", i, " for axis ", axis(), " of shape ",
                        to_string(a_.shape()), "; expected ", -size(), " to ", size() - 1);
    }
    if (i < 0) i += size();
    // Beside index arrays an integer counts as one of them.
    if (has_arrays_) plan_.parts.push_back(Part::advanced);
    plan_.integers.push_back(axis());
    add_range(i, i + 1, 1);
  }

  void add_slice(const IndexItem& item) {
    std::int64_t step = item.step.value_or(1);
    constexpr std::int64_t furthest = std::numeric_limits<std::int64_t>::max();
    std::int64_t start = item.start.value_or(step > 0 ? 0 : furthest);
    std::int64_t stop = item.stop.value_or(step > 0 ? furthest : -furthest);
    SliceAttrs one = resolve_slice(name, Shape{size()}, {start}, {stop}, {step});
    plan_.parts.push_back(Part::kept);
    add_range(one.start[0], one.stop[0], one.step[0]);
  }

  void add_array(const array& indices) {
    bool is_mask = indices.dtype() == Dtype::bool_;
    if (!is_mask) check_index_dtype(name, indices);
    int covers = is_mask ? indices.ndim() : 1;
    plan_.parts.push_back(Part::advanced);
    plan_.choices.push_back({covers == 0 ? -1 : kept_axis(), covers, indices});
    for (int i = 0; i < covers; ++i) {
      if (is_mask && indices.shape(i) != size()) {
        raise<IndexError>(name, "the mask does not fit: got shape ", to_string(indices.shape()),
                          " for axis ", axis(), " of shape ", to_string(a_.shape()));
      }
      add_range(0, size(), 1);
    }
  }

  const array& a_;
  std::span<const IndexItem> items_;
  bool has_arrays_ = false;
  IndexPlan plan_;
};

// Where the axes of the index arrays stand among those of the result.
struct Layout {
  int first = 0;  // kept axes before them
  Axes new_axes;  // of the finished result
  int kept = 0;

  Layout(const std::vector<Part>& parts, int index_ndim) {
    auto is_advanced = [](Part part) { return part == Part::advanced; };
    auto begin = std::find_if(parts.begin(), parts.end(), is_advanced);
    auto end = std::find_if_not(begin, parts.end(), is_advanced);
    // Index arrays that something separates put their axes in front.
    bool in_place = std::none_of(end, parts.end(), is_advanced);
    int position = in_place ? 0 : index_ndim;
    for (auto part = parts.begin(); part != parts.end(); ++part) {
      if (in_place && part == begin) {
        first = kept;
        position += index_ndim;
      }
      if (*part == Part::new_axis) new_axes.push_back(position);
      kept += *part == Part::kept;
      position += *part == Part::kept || *part == Part::new_axis;
    }
  }
};

// The common shape of index arrays.
Shape joined_shape(const Shape& a, const Shape& b) {
  try {
    return broadcast_shapes(name, a, b);
  } catch (const ValueError& error) {
    throw IndexError(error.what());  // as numpy: the index is wrong, not a value
  }
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  std::size_t offset = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1 && from[i] != to[offset + i]) return false;
  }
  return true;
}

// The value with the shape of what it replaces. Leading axes of size 1 may be too many.
array fitted(const array& value, const Shape& shape, Stream stream) {
  std::size_t extra = 0;
  while (value.shape().size() - extra > shape.size() && value.shape()[extra] == 1) ++extra;
  Shape own(value.shape().begin() + extra, value.shape().end());
  if (!broadcasts_to(own, shape)) {
    raise<ValueError>(name, "the value does not fit: got shape ", to_string(value.shape()),
                      "; expected one that broadcasts to ", to_string(shape));
  }
  return broadcast_to(reshape(value, own, stream), shape, stream);
}

// Index arrays ready for gather and scatter, and the part of the array they choose from.
class Selection {
 public:
  Selection(const array& a, const IndexPlan& plan, Stream stream)
      : stream_(stream),
        base_(squeeze(slice(a, plan.slice, stream), plan.integers, stream)),
        merged_(base_),
        layout_(plan.parts, 0) {
    Shape shape;
    int gone = 0;  // axes that masks before this one have merged
    for (const IndexPlan::Choice& choice : plan.choices) {
      array indices = choice.indices;
      if (indices.dtype() == Dtype::bool_) indices = positions_of(indices);
      shape_ = joined_shape(shape_, indices.shape());
      if (choice.axis < 0) continue;
      int axis = choice.axis - gone;
      if (choice.covers > 1) {
        merged_ = flatten(merged_, axis, axis + choice.covers - 1, stream);
        gone += choice.covers - 1;
      }
      axes_.push_back(axis);
      indices_.push_back(indices);
    }
    layout_ = Layout(plan.parts, index_ndim());
    for (array& indices : indices_) indices = broadcast_to(indices, shape_, stream);
  }

  array read() const {
    array result = chosen();
    return expand_dims(moved(result, gathered_at(), layout_.first), layout_.new_axes, stream_);
  }

  // The base with the update written; `value` is as wide as what read() returns, or broadcasts.
  array written(array value, ScatterMode mode) const {
    value = fitted(value, result_shape(), stream_);
    value = moved(squeeze(value, layout_.new_axes, stream_), layout_.first, gathered_at());
    return reshape(scattered(value, mode), base_.shape(), stream_);
  }

 private:
  int index_ndim() const { return static_cast<int>(shape_.size()); }
  // Where gathering leaves the axes of the indices.
  int gathered_at() const { return axes_.size() == 1 ? static_cast<int>(axes_[0]) : 0; }

  array positions_of(const array& mask) const {
    require_concrete(name, mask);
    array flat = reshape(mask, Shape{mask.size()}, stream_);
    return nonzero(flat, std::nullopt)[0];
  }

  array moved(const array& a, int from, int to) const {
    if (from == to) return a;
    Axes source, destination;
    for (int i = 0; i < index_ndim(); ++i) {
      source.push_back(from + i);
      destination.push_back(to + i);
    }
    return moveaxis(a, source, destination, stream_);
  }

  Shape blocks() const {
    Shape sizes = merged_.shape();
    for (std::int64_t axis : axes_) sizes[static_cast<std::size_t>(axis)] = 1;
    return sizes;
  }
  // The axes that the indices choose along, in a gather's result.
  Axes chosen_axes() const {
    Axes axes;
    for (std::int64_t axis : axes_) axes.push_back(axis + index_ndim());
    return axes;
  }

  array chosen() const {
    if (axes_.size() == 1) return take(merged_, indices_[0], axes_[0], stream_);
    if (!axes_.empty()) {
      return squeeze(gather(merged_, indices_, axes_, blocks(), stream_), chosen_axes(), stream_);
    }
    Shape shape = shape_;  // only masks without axes: all of the array, or nothing
    for (std::int64_t size : merged_.shape()) shape.push_back(size);
    return broadcast_to(merged_, shape, stream_);
  }

  array scattered(const array& updates, ScatterMode mode) const {
    if (axes_.size() == 1) return put(merged_, indices_[0], updates, gathered_at(), mode, stream_);
    if (!axes_.empty()) {
      return scatter(merged_, indices_, expand_dims(updates, chosen_axes(), stream_), axes_, mode,
                     stream_);
    }
    if (element_count(shape_) == 0) return merged_;
    return combine(mode, merged_, reshape(updates, merged_.shape(), stream_), stream_);
  }

  Shape result_shape() const {
    Shape shape;
    int axis = 0;
    for (std::int64_t size : merged_.shape()) {
      if (std::find(axes_.begin(), axes_.end(), axis++) == axes_.end()) shape.push_back(size);
    }
    for (std::size_t i = 0; i < shape_.size(); ++i) {
      shape.insert(shape.begin() + layout_.first + static_cast<std::ptrdiff_t>(i), shape_[i]);
    }
    for (std::int64_t position : layout_.new_axes) shape.insert(shape.begin() + position, 1);
    return shape;
  }

  Stream stream_;
  array base_, merged_;
  Layout layout_;
  Shape shape_;  // of the indices
  Axes axes_;    // of the merged array
  Arrays indices_;
};

// The sliced array without the integers' axes, as the result of an index without arrays has it.
Shape basic_shape(const Shape& sliced, const IndexPlan& plan, const Axes& new_axes) {
  Shape shape;
  for (std::size_t i = 0; i < sliced.size(); ++i) {
    auto axis = static_cast<std::int64_t>(i);
    bool goes = std::find(plan.integers.begin(), plan.integers.end(), axis) != plan.integers.end();
    if (!goes) shape.push_back(sliced[i]);
  }
  for (std::int64_t position : new_axes) shape.insert(shape.begin() + position, 1);
  return shape;
}

array basic_update(const array& a, const IndexPlan& plan, const array& value, ScatterMode mode,
                   Stream stream) {
  Axes new_axes = Layout(plan.parts, 0).new_axes;
  Shape sliced = sliced_shape(name, a.shape(), plan.slice);
  array update = fitted(value, basic_shape(sliced, plan, new_axes), stream);
  update = expand_dims(squeeze(update, new_axes, stream), plan.integers, stream);
  if (mode != ScatterMode::none) {
    update = combine(mode, slice(a, plan.slice, stream), update, stream);
  }
  return slice_update(a, update, plan.slice, stream);
}

// One mask, and a value that has no element for each one that it selects: no need to know which.
// Returns nothing where that is not so.
std::optional<array> masked_update(const array& a, const IndexPlan& plan, const array& value,
                                   ScatterMode mode, Stream stream) {
  if (plan.choices.size() != 1 || plan.choices[0].indices.dtype() != Dtype::bool_ ||
      plan.choices[0].covers == 0) {
    return std::nullopt;
  }
  auto [axis, covers, mask] = plan.choices[0];
  Layout layout(plan.parts, 1);
  array base = squeeze(slice(a, plan.slice, stream), plan.integers, stream);
  Shape shape = base.shape();  // of the result, had the mask one element
  for (int i = 0; i < covers; ++i) shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + layout.first, 1);
  for (std::int64_t position : layout.new_axes) shape.insert(shape.begin() + position, 1);
  int counted = layout.first;
  for (std::int64_t position : layout.new_axes) counted += position <= counted;
  int from_end = static_cast<int>(shape.size()) - counted;
  if (value.ndim() >= from_end && value.shape(-from_end) != 1) return std::nullopt;
  array update = squeeze(fitted(value, shape, stream), layout.new_axes, stream);
  update = moveaxis(update, Axes{layout.first}, Axes{axis}, stream);
  Axes spread;
  for (int i = 1; i < covers; ++i) spread.push_back(axis + i);
  update = expand_dims(update, spread, stream);
  Axes trailing;
  for (int i = axis + covers; i < base.ndim(); ++i) trailing.push_back(i - axis);
  array where_true = expand_dims(mask, trailing, stream);
  array result = where(where_true, combine(mode, base, update, stream), base, stream);
  return slice_update(a, expand_dims(result, plan.integers, stream), plan.slice, stream);
}

}  // namespace

array index(const array& a, std::span<const IndexItem> items, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  IndexPlan plan = Planner(a, items).run();
  if (!plan.choices.empty()) return Selection(a, plan, stream).read();
  array part = squeeze(slice(a, plan.slice, stream), plan.integers, stream);
  return expand_dims(part, Layout(plan.parts, 0).new_axes, stream);
}

array index_update(const array& a, std::span<const IndexItem> items, const array& value,
                   ScatterMode mode, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  IndexPlan plan = Planner(a, items).run();
  array update = astype(value, a.dtype(), stream);
  if (plan.choices.empty()) return basic_update(a, plan, update, mode, stream);
  if (auto masked = masked_update(a, plan, update, mode, stream)) return *masked;
  array written = Selection(a, plan, stream).written(update, mode);
  return slice_update(a, expand_dims(written, plan.integers, stream), plan.slice, stream);
}

array index_divide(const array& a, std::span<const IndexItem> items, const array& value,
                   const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (!is_inexact(a.dtype())) {
    raise<TypeError>("divide", "the quotient would not fit the array: got ", name_of(a.dtype()),
                     "; expected a floating or complex dtype");
  }
  array divisors = index_update(ones_like(a, {}, stream), items, value, ScatterMode::prod, stream);
  return divide(a, divisors, stream);
}

}  // namespace mlx::core
