// Functions composed of the views: moving, reversing, repeating and regrouping axes.
#include "mlx/ops/rearrange.h"

#include <algorithm>

#include "mlx/ops/index.h"
#include "mlx/ops/join.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"

namespace mlx::core {
namespace {

std::size_t index_of(std::int64_t axis) { return static_cast<std::size_t>(axis); }

// As normalize_axes, in the order they came.
Axes ordered_axes(std::string_view op, const Axes& axes, int ndim) {
  normalize_axes(op, axes, ndim);  // raises where one is out of range or repeated
  Axes result;
  for (std::int64_t axis : axes) result.push_back(normalize_axis(op, axis, ndim));
  return result;
}

// Elements first to last of one axis.
array range_of(const array& a, int axis, std::int64_t first, std::int64_t last, Stream stream) {
  Shape start(a.shape().size(), 0), stop = a.shape(), step(a.shape().size(), 1);
  start[index_of(axis)] = first;
  stop[index_of(axis)] = last;
  return slice(a, start, stop, step, stream);
}

array rolled(const array& a, std::int64_t shift, int axis, Stream stream) {
  std::int64_t size = a.shape(axis);
  if (size == 0) return a;
  std::int64_t first = (shift % size + size) % size;  // where element 0 goes
  if (first == 0) return a;
  return concatenate(
      {range_of(a, axis, size - first, size, stream), range_of(a, axis, 0, size - first, stream)},
      axis, stream);
}

// Sizes multiply; a product past 2**63 cannot be a shape.
std::int64_t checked_product(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) {
    raise<OverflowError>(op, "too many elements: got ", a, " times ", b);
  }
  return product;
}

}  // namespace

array moveaxis(const array& a, const Axes& source, const Axes& destination,
               const StreamOrDevice& stream) {
  if (source.size() != destination.size()) {
    raise<ValueError>("moveaxis", "as many sources as destinations are needed: got ", source.size(),
                      " and ", destination.size());
  }
  Axes from = ordered_axes("moveaxis", source, a.ndim());
  Axes to = ordered_axes("moveaxis", destination, a.ndim());
  Axes order(a.shape().size(), -1);
  for (std::size_t i = 0; i < from.size(); ++i) order[index_of(to[i])] = from[i];
  std::int64_t next = 0;
  for (std::int64_t& axis : order) {
    if (axis >= 0) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    axis = next++;
  }
  return transpose(a, order, stream);
}

array swapaxes(const array& a, std::int64_t axis1, std::int64_t axis2,
               const StreamOrDevice& stream) {
  Axes order;
  for (int axis = 0; axis < a.ndim(); ++axis) order.push_back(axis);
  int first = normalize_axis("swapaxes", axis1, a.ndim());
  int second = normalize_axis("swapaxes", axis2, a.ndim());
  std::swap(order[index_of(first)], order[index_of(second)]);
  return transpose(a, order, stream);
}

array matrix_transpose(const array& a, const StreamOrDevice& stream) {
  if (a.ndim() < 2) {
    raise<ValueError>("matrix_transpose", "too few dimensions: got shape ", to_string(a.shape()),
                      "; expected at least 2");
  }
  return swapaxes(a, -1, -2, stream);
}

array flip(const array& a, const std::optional<Axes>& axes, const StreamOrDevice& stream) {
  Shape start(a.shape().size(), 0), stop = a.shape(), step(a.shape().size(), 1);
  for (std::int64_t axis : normalize_axes("flip", axes, a.ndim())) {
    std::size_t i = index_of(axis);
    if (a.shape()[i] < 2) continue;
    start[i] = a.shape()[i] - 1;
    stop[i] = step[i] = -1;
  }
  return slice(a, start, stop, step, stream);
}

array roll(const array& a, const Shape& shift, const std::optional<Axes>& axes,
           const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (!axes) {
    std::int64_t total = 0;
    for (std::int64_t s : shift) total += a.size() == 0 ? 0 : s % a.size();
    return reshape(rolled(reshape(a, Shape{a.size()}, stream), total, 0, stream), a.shape(),
                   stream);
  }
  if (shift.size() != axes->size() && shift.size() != 1) {
    raise<ValueError>("roll", "as many shifts as axes are needed: got ", shift.size(), " and ",
                      axes->size());
  }
  array result = a;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    int axis = normalize_axis("roll", (*axes)[i], a.ndim());
    result = rolled(result, shift[shift.size() == 1 ? 0 : i], axis, stream);
  }
  return result;
}

array tile(const array& a, const Shape& repeats, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  std::size_t ndim = std::max(repeats.size(), a.shape().size());
  std::size_t new_axes = ndim - a.shape().size(), once = ndim - repeats.size();
  // (2, 3) three and four times is (3, 2, 4, 3) read as (6, 12).
  Shape split, repeated, joined;
  for (std::size_t i = 0; i < ndim; ++i) {
    std::int64_t size = i < new_axes ? 1 : a.shape()[i - new_axes];
    std::int64_t count = i < once ? 1 : repeats[i - once];
    if (count < 0) {
      raise<ValueError>("tile", "negative count: got ", to_string(repeats),
                        "; expected at least 0");
    }
    if (count != 1) split.push_back(1);
    if (count != 1) repeated.push_back(count);
    split.push_back(size);
    repeated.push_back(size);
    joined.push_back(checked_product("tile", size, count));
  }
  return reshape(broadcast_to(reshape(a, split, stream), repeated, stream), joined, stream);
}

array repeat(const array& a, std::int64_t repeats, std::optional<std::int64_t> axis,
             const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (repeats < 0) {
    raise<ValueError>("repeat", "negative count: got ", repeats, "; expected at least 0");
  }
  if (!axis) return repeat(reshape(a, Shape{a.size()}, stream), repeats, 0, stream);
  int along = normalize_axis("repeat", *axis, a.ndim());
  if (repeats == 1) return a;
  Shape repeated = a.shape(), joined = a.shape();
  repeated.insert(repeated.begin() + along + 1, repeats);
  joined[index_of(along)] = checked_product("repeat", joined[index_of(along)], repeats);
  array spread = broadcast_to(expand_dims(a, Axes{along + 1}, stream), repeated, stream);
  return reshape(spread, joined, stream);
}

array repeat(const array& a, const array& repeats, std::optional<std::int64_t> axis,
             const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (!axis) return repeat(reshape(a, Shape{a.size()}, stream), repeats, 0, stream);
  int along = normalize_axis("repeat", *axis, a.ndim());
  if (repeats.ndim() > 1) {
    raise<ValueError>("repeat", "the counts have too many dimensions: got shape ",
                      to_string(repeats.shape()), "; expected 0 or 1 dimensions");
  }
  std::vector<std::int64_t> counts = host_integers("repeat", repeats);
  std::int64_t size = a.shape(along);
  if (counts.size() == 1) return repeat(a, counts[0], along, stream);
  if (static_cast<std::int64_t>(counts.size()) != size) {
    raise<ValueError>("repeat", "one count per element is needed: got ", counts.size(),
                      " counts for axis ", along, " of shape ", to_string(a.shape()));
  }
  std::vector<std::int64_t> sources;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0) {
      raise<ValueError>("repeat", "negative count: got ", counts[i], "; expected at least 0");
    }
    sources.insert(sources.end(), static_cast<std::size_t>(counts[i]),
                   static_cast<std::int64_t>(i));
  }
  return take(a, from_host(sources), along, stream);
}

array flatten(const array& a, std::int64_t start_axis, std::int64_t end_axis,
              const StreamOrDevice& stream) {
  if (a.ndim() == 0) return reshape(a, Shape{1}, stream);
  int first = normalize_axis("flatten", start_axis, a.ndim());
  int last = normalize_axis("flatten", end_axis, a.ndim());
  if (first > last) {
    raise<ValueError>("flatten", "the first axis comes after the last: got ", start_axis, " and ",
                      end_axis);
  }
  Shape shape(a.shape().begin(), a.shape().begin() + first);
  shape.push_back(element_count(Shape(a.shape().begin() + first, a.shape().begin() + last + 1)));
  for (int axis = last + 1; axis < a.ndim(); ++axis) shape.push_back(a.shape(axis));
  return reshape(a, shape, stream);
}

array unflatten(const array& a, std::int64_t axis, const Shape& shape,
                const StreamOrDevice& stream) {
  int along = normalize_axis("unflatten", axis, a.ndim());
  if (shape.empty()) {
    raise<ValueError>("unflatten", "no sizes: got (); expected at least one");
  }
  // Completed against the one axis, so that -1 is found even where another axis has size 0.
  Shape sizes = resolve_reshape("unflatten", Shape{a.shape(along)}, shape);
  Shape result(a.shape().begin(), a.shape().begin() + along);
  for (std::int64_t size : sizes) result.push_back(size);
  for (int i = along + 1; i < a.ndim(); ++i) result.push_back(a.shape(i));
  return reshape(a, result, stream);
}

array atleast_1d(const array& a, const StreamOrDevice& stream) {
  return a.ndim() == 0 ? reshape(a, Shape{1}, stream) : a;
}

array atleast_2d(const array& a, const StreamOrDevice& stream) {
  if (a.ndim() == 0) return reshape(a, Shape{1, 1}, stream);
  return a.ndim() == 1 ? expand_dims(a, Axes{0}, stream) : a;
}

array atleast_3d(const array& a, const StreamOrDevice& stream) {
  if (a.ndim() == 0) return reshape(a, Shape{1, 1, 1}, stream);
  if (a.ndim() == 1) return expand_dims(a, Axes{0, 2}, stream);
  return a.ndim() == 2 ? expand_dims(a, Axes{2}, stream) : a;
}

Shape broadcast_shapes(std::string_view op, const std::vector<Shape>& shapes) {
  Shape result;
  for (const Shape& shape : shapes) result = broadcast_shapes(op, result, shape);
  return result;
}

Arrays broadcast_arrays(const Arrays& arrays, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  std::vector<Shape> shapes;
  for (const array& a : arrays) shapes.push_back(a.shape());
  Shape shape = broadcast_shapes("broadcast_arrays", shapes);
  Arrays result;
  for (const array& a : arrays) result.push_back(broadcast_to(a, shape, stream));
  return result;
}

}  // namespace mlx::core
