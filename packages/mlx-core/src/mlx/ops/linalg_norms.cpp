// Norms and the cross product: composed of reductions and, for spectral norms, singular values.
#include <cmath>

#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/join.h"
#include "mlx/ops/linalg.h"
#include "mlx/ops/matrix.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/shape.h"

namespace mlx::core::linalg {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string text_of(const NormOrder& order) {
  if (auto* name = std::get_if<std::string>(&order)) return "'" + *name + "'";
  if (auto* number = std::get_if<double>(&order)) {
    std::ostringstream text;
    text << *number;
    return text.str();
  }
  return "None";
}

// The square root of the sum of squares, over any number of axes.
array euclidean(const array& a, const Axes& axes, Stream stream) {
  array size = is_complex(a.dtype()) ? abs(a, stream) : a;
  return sqrt(sum(square(size, stream), axes, true, stream), stream);
}

array vector_norm(const array& a, double order, const Axes& axes, Stream stream) {
  if (order == 2) return euclidean(a, axes, stream);
  array size = abs(a, stream);
  if (order == infinity) return max(size, axes, true, stream);
  if (order == -infinity) return min(size, axes, true, stream);
  if (order == 1) return sum(size, axes, true, stream);
  array zero(0, size.dtype());
  if (order == 0) {
    return sum(astype(not_equal(size, zero, stream), size.dtype(), stream), axes, true, stream);
  }
  array powers = power(size, array(order, size.dtype()), stream);
  return power(sum(powers, axes, true, stream), array(1 / order, size.dtype()), stream);
}

// Singular values of the matrices in two axes; the last axis of the result.
array singular_values(const array& a, const Axes& axes, Stream stream) {
  return svdvals(moveaxis(a, axes, Axes{-2, -1}, stream), stream);
}

enum class Fold { max, min, sum };

array folded(Fold fold, const array& a, const Axes& axes, bool keepdims, Stream stream) {
  switch (fold) {
    case Fold::max:
      return max(a, axes, keepdims, stream);
    case Fold::min:
      return min(a, axes, keepdims, stream);
    case Fold::sum:
      return sum(a, axes, keepdims, stream);
  }
  __builtin_unreachable();
}

array spectral_norm(const array& a, Fold fold, const Axes& axes, Stream stream) {
  array result = folded(fold, singular_values(a, axes, stream), Axes{-1}, false, stream);
  Axes kept{std::min(axes[0], axes[1]), std::max(axes[0], axes[1])};
  return expand_dims(result, kept, stream);
}

// The largest or smallest sum of absolute values over one of the axes.
array sums_norm(const array& a, Fold fold, std::int64_t summed, std::int64_t chosen,
                Stream stream) {
  array sums = sum(abs(a, stream), Axes{summed}, true, stream);
  return folded(fold, sums, Axes{chosen}, true, stream);
}

array matrix_norm(const array& a, const NormOrder& order, const Axes& axes, Stream stream) {
  if (std::holds_alternative<std::monostate>(order)) return euclidean(a, axes, stream);
  if (auto* name = std::get_if<std::string>(&order)) {
    if (*name == "fro" || *name == "f") return euclidean(a, axes, stream);
    if (*name == "nuc") return spectral_norm(a, Fold::sum, axes, stream);
  } else {
    double number = std::get<double>(order);
    Fold fold = number > 0 ? Fold::max : Fold::min;
    if (std::abs(number) == 2) return spectral_norm(a, fold, axes, stream);
    if (std::abs(number) == 1) return sums_norm(a, fold, axes[0], axes[1], stream);
    if (std::abs(number) == infinity) return sums_norm(a, fold, axes[1], axes[0], stream);
  }
  raise<ValueError>("linalg.norm", "unknown order of a matrix norm: got ", text_of(order),
                    "; expected 'fro', 'nuc', 1, -1, 2, -2, inf or -inf");
}

// Element `index` of the vectors along the last axis.
array component(const array& a, std::int64_t index, Stream stream) {
  return squeeze(matrix::columns(a, index, index + 1, stream), Axes{-1}, stream);
}

}  // namespace

array norm(const array& a, const NormOrder& order, const std::optional<Axes>& given, bool keepdims,
           const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Dtype dtype = inexact_of(a.dtype());
  // Squares of half precision would overflow, and sums lose digits.
  bool is_half = is_floating(dtype) && size_of(dtype) < 4;
  array x = astype(a, is_half ? Dtype::float32 : dtype, stream);
  bool is_default = std::holds_alternative<std::monostate>(order);
  Axes axes;
  if (!given && is_default) {
    for (int axis = 0; axis < a.ndim(); ++axis) axes.push_back(axis);
  } else if (!given) {
    if (a.ndim() != 1 && a.ndim() != 2) {
      raise<ValueError>("linalg.norm", "an order without axes: got shape ", to_string(a.shape()),
                        "; expected one or two axes, or axis=");
    }
    for (int axis = 0; axis < a.ndim(); ++axis) axes.push_back(axis);
  } else {
    normalize_axes("linalg.norm", given, a.ndim());
    for (std::int64_t axis : *given) axes.push_back(normalize_axis("linalg.norm", axis, a.ndim()));
  }
  array result = x;
  if (is_default) {
    result = euclidean(x, axes, stream);
  } else if (axes.size() == 1) {
    if (!std::holds_alternative<double>(order)) {
      raise<ValueError>("linalg.norm", "unknown order of a vector norm: got ", text_of(order),
                        "; expected a number");
    }
    result = vector_norm(x, std::get<double>(order), axes, stream);
  } else if (axes.size() == 2) {
    result = matrix_norm(x, order, axes, stream);
  } else {
    raise<ValueError>("linalg.norm", "too many axes for an order: got ", axes.size(),
                      "; expected one (vectors) or two (matrices)");
  }
  result = astype(result, real_of(dtype), stream);
  return keepdims ? result : squeeze(result, axes, stream);
}

array cross(const array& a, const array& b, int axis, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  int common = std::min(a.ndim(), b.ndim());
  if (a.ndim() == b.ndim() && axis >= 0) axis -= common;
  if (axis >= 0 || axis < -common) {
    raise<IndexError>("linalg.cross", "axis out of range: got ", axis, "; expected -", common,
                      " to -1 (it counts from the end, as the arrays broadcast)");
  }
  for (const array* v : {&a, &b}) {
    if (v->shape(axis) == 3 || v->shape(axis) == 2) continue;
    raise<ValueError>("linalg.cross", "vectors of the wrong size: got shapes ",
                      to_string(a.shape()), " and ", to_string(b.shape()),
                      "; expected 3 (or 2) elements on axis ", axis);
  }
  Dtype dtype = promote(a.dtype(), b.dtype());
  array x = moveaxis(astype(a, dtype, stream), Axes{axis}, Axes{-1}, stream);
  array y = moveaxis(astype(b, dtype, stream), Axes{axis}, Axes{-1}, stream);
  bool x_has_third = x.shape(-1) == 3, y_has_third = y.shape(-1) == 3;
  // x_i y_j - x_j y_i, without the products of a third element that is not there.
  auto minor = [&](std::int64_t i, std::int64_t j) {
    std::optional<array> plus, minus;
    if ((i < 2 || x_has_third) && (j < 2 || y_has_third)) {
      plus = multiply(component(x, i, stream), component(y, j, stream), stream);
    }
    if ((j < 2 || x_has_third) && (i < 2 || y_has_third)) {
      minus = multiply(component(x, j, stream), component(y, i, stream), stream);
    }
    if (!minus) return *plus;
    return plus ? subtract(*plus, *minus, stream) : negative(*minus, stream);
  };
  if (!x_has_third && !y_has_third) return minor(0, 1);
  return moveaxis(stack({minor(1, 2), minor(2, 0), minor(0, 1)}, -1, stream), Axes{-1}, Axes{axis},
                  stream);
}

}  // namespace mlx::core::linalg
