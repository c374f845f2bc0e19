// Elementwise functions that are written with other ops.
#include "mlx/ops/composite.h"

#include <limits>
#include <numbers>

#include "mlx/array/error.h"
#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/reduce.h"

namespace mlx::core {
namespace {

array constant(double value, const array& like) { return array(value, like.dtype()); }

double largest(Dtype dtype) {
  switch (real_of(dtype)) {
    case Dtype::float16:
      return 65504;
    case Dtype::bfloat16:
      return 0x1.fep127;
    case Dtype::float64:
      return std::numeric_limits<double>::max();
    default:
      return std::numeric_limits<float>::max();
  }
}

array is_infinity(std::string_view name, const array& a, double infinity, Stream stream) {
  if (is_complex(a.dtype())) {
    raise<TypeError>(name, "complex infinities have no sign: got ", name_of(a.dtype()),
                     "; expected a real dtype");
  }
  if (!is_floating(a.dtype())) return isinf(a, stream);  // none of them is
  return equal(a, constant(infinity, a), stream);
}

array replaced(const array& a, const Replacements& numbers, Stream stream) {
  double infinity = std::numeric_limits<double>::infinity(), limit = largest(a.dtype());
  array result = where(isnan(a, stream), constant(numbers.nan, a), a, stream);
  result = where(equal(a, constant(infinity, a), stream),
                 constant(numbers.posinf.value_or(limit), a), result, stream);
  return where(equal(a, constant(-infinity, a), stream),
               constant(numbers.neginf.value_or(-limit), a), result, stream);
}

}  // namespace

array positive(const array& a, const StreamOrDevice&) {
  if (a.dtype() == Dtype::bool_) {
    raise<TypeError>("positive", "unusable dtype: got bool; expected a numeric dtype");
  }
  return a;
}

array clip(const array& a, const std::optional<array>& low, const std::optional<array>& high,
           const StreamOrDevice& stream) {
  array result = a;
  if (low) result = maximum(result, *low, stream);
  if (high) result = minimum(result, *high, stream);
  return result;
}

std::pair<array, array> divmod(const array& a, const array& b, const StreamOrDevice& stream) {
  return {floor_divide(a, b, stream), remainder(a, b, stream)};
}

array isposinf(const array& a, const StreamOrDevice& stream) {
  return is_infinity("isposinf", a, std::numeric_limits<double>::infinity(), to_stream(stream));
}

array isneginf(const array& a, const StreamOrDevice& stream) {
  return is_infinity("isneginf", a, -std::numeric_limits<double>::infinity(), to_stream(stream));
}

array isclose(const array& a, const array& b, const Closeness& closeness,
              const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Dtype dtype = inexact_of(promote(a.dtype(), b.dtype()));
  array x = astype(a, dtype, stream), y = astype(b, dtype, stream);
  array size = abs(y, stream);
  array bound = add(constant(closeness.atol, size),
                    multiply(constant(closeness.rtol, size), size, stream), stream);
  array close = less_equal(abs(subtract(x, y, stream), stream), bound, stream);
  // An infinite bound would make everything close to infinity.
  close = logical_and(close, isfinite(y, stream), stream);
  close = logical_or(close, equal(x, y, stream), stream);
  if (!closeness.equal_nan) return close;
  return logical_or(close, logical_and(isnan(x, stream), isnan(y, stream), stream), stream);
}

array allclose(const array& a, const array& b, const Closeness& closeness,
               const StreamOrDevice& stream) {
  return all(isclose(a, b, closeness, stream), {}, false, stream);
}

array array_equal(const array& a, const array& b, bool equal_nan, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (a.shape() != b.shape()) return array(false, Dtype::bool_);
  array same = equal(a, b, stream);
  if (equal_nan) {
    same = logical_or(same, logical_and(isnan(a, stream), isnan(b, stream), stream), stream);
  }
  return all(same, {}, false, stream);
}

array nan_to_num(const array& a, const Replacements& numbers, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (!is_inexact(a.dtype())) return a;
  if (!is_complex(a.dtype())) return replaced(a, numbers, stream);
  array imaginary = astype(replaced(imag(a, stream), numbers, stream), a.dtype(), stream);
  return add(replaced(real(a, stream), numbers, stream),
             multiply(imaginary, array(complex128{0, 1}, a.dtype()), stream), stream);
}

array degrees(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array x = astype(a, inexact_of(a.dtype()), stream);
  return multiply(x, constant(180 / std::numbers::pi, x), stream);
}

array radians(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array x = astype(a, inexact_of(a.dtype()), stream);
  return multiply(x, constant(std::numbers::pi / 180, x), stream);
}

}  // namespace mlx::core
