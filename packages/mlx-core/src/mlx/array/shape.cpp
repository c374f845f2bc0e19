// Shapes, strides, axes and broadcasting.
#include "mlx/array/shape.h"

#include <algorithm>
#include <sstream>

#include "mlx/array/error.h"

namespace mlx::core {

std::string to_string(const Shape& shape) {
  std::ostringstream text;
  text << '(';
  for (std::size_t i = 0; i < shape.size(); ++i) text << (i ? ", " : "") << shape[i];
  text << (shape.size() == 1 ? ",)" : ")");
  return text.str();
}

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  bool overflows = false;
  for (std::int64_t size : shape) {
    if (size < 0) raise<ValueError>("shape", "negative size: got ", to_string(shape));
    if (size == 0) return 0;
    overflows |= __builtin_mul_overflow(count, size, &count);
  }
  if (overflows) {
    raise<OverflowError>("shape", "too many elements: got ", to_string(shape),
                         "; expected fewer than 2**63");
  }
  return count;
}

Strides row_major_strides(const Shape& shape) {
  Strides strides(shape.size());
  std::int64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= std::max<std::int64_t>(shape[i], 1);
  }
  return strides;
}

bool is_row_major(const Shape& shape, const Strides& strides) {
  std::int64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 0) return true;
    if (shape[i] == 1) continue;
    if (strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

Shape broadcast_shapes(std::string_view op, const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t x = longer[offset + i], y = shorter[i];
    if (x != y && x != 1 && y != 1) {
      raise<ValueError>(op, "shapes do not broadcast: got ", to_string(a), " and ", to_string(b),
                        "; expected sizes that are equal or 1, counted from the last axis");
    }
    if (x == 1) result[offset + i] = y;
  }
  return result;
}

Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& target) {
  Strides result(target.size(), 0);
  std::size_t offset = target.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) result[offset + i] = strides[i];
  }
  return result;
}

int normalize_axis(std::string_view op, std::int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim) {
    raise<IndexError>(op, "axis out of range: got ", axis, "; expected -", ndim, " <= axis < ",
                      ndim, " for an array with ", ndim, " dimensions");
  }
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

Axes normalize_axes(std::string_view op, const std::optional<Axes>& axes, int ndim) {
  Axes result;
  if (!axes) {
    for (int i = 0; i < ndim; ++i) result.push_back(i);
    return result;
  }
  for (std::int64_t axis : *axes) result.push_back(normalize_axis(op, axis, ndim));
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end()) {
    raise<ValueError>(op, "repeated axis: got ", to_string(*axes), "; expected each axis once");
  }
  return result;
}

Shape reduced_shape(const Shape& shape, const Axes& axes) {
  Shape result = shape;
  for (std::int64_t axis : axes) result[static_cast<std::size_t>(axis)] = 1;
  return result;
}

}  // namespace mlx::core
