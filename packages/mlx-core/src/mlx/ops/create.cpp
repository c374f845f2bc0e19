// Arange, and the arrays that are composed from it and from constants.
#include "mlx/ops/create.h"

#include <algorithm>
#include <cmath>

#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

Specs infer(const Op& op, Inputs, const AttrsRef& attrs) {
  const auto& [start, step, int_start, int_step, size, dtype] = attrs_as<ArangeAttrs>(attrs);
  if (size < 0) raise<ValueError>(op.name, "negative size: got ", size, "; expected at least 0");
  if (is_complex(dtype) || dtype == Dtype::bool_) {
    raise<TypeError>(op.name, "unusable dtype: got ", name_of(dtype),
                     "; expected an integer or floating dtype");
  }
  return {Spec{Shape{size}, dtype}};
}

// It has no inputs: it never depends on the batch.
Arrays vmap(const VmapCall& call) { return {apply(call.op, {}, call.attrs, call.stream)}; }

array make_arange(ArangeAttrs attrs, Stream stream) {
  return apply(primitives::Arange, {}, make_attrs(std::move(attrs)), stream);
}

// How many of start, start + step, ... come before stop. Differences are taken modulo 2**64, where
// they never overflow.
std::int64_t count_steps(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step > 0 ? stop <= start : stop >= start) return 0;
  auto distance = static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start);
  auto stride = static_cast<std::uint64_t>(step);
  if (step < 0) {
    distance = std::uint64_t(0) - distance;
    stride = std::uint64_t(0) - stride;
  }
  std::uint64_t count = (distance - 1) / stride + 1;
  if (!std::in_range<std::int64_t>(count)) {
    raise<OverflowError>("arange", "too many elements: got ", count);
  }
  return static_cast<std::int64_t>(count);
}

bool fits_int32(std::int64_t value) { return std::in_range<std::int32_t>(value); }

// i * delta / count + start, which loses less than i * (delta / count) does.
array spaced(double start, double stop, std::int64_t num, std::int64_t count, Stream stream) {
  array i = make_arange({.size = num, .dtype = Dtype::float64}, stream);
  auto number = [](double value) { return array(value, Dtype::float64); };
  auto divisor = number(static_cast<double>(count));
  double delta = stop - start;
  if (std::isfinite(delta) || !std::isfinite(start) || !std::isfinite(stop)) {
    array offset = divide(multiply(i, number(delta), stream), divisor, stream);
    return add(offset, number(start), stream);
  }
  // The difference overflows: a weighted mean does not.
  array weight = divide(i, divisor, stream);
  return add(multiply(number(start), subtract(number(1), weight, stream), stream),
             multiply(number(stop), weight, stream), stream);
}

// In float64, with exact ends.
array exact_linspace(double start, double stop, std::int64_t num, bool endpoint, Stream stream) {
  if (num < 0) {
    raise<ValueError>("linspace", "negative number of values: got ", num, "; expected at least 0");
  }
  std::int64_t count = endpoint ? num - 1 : num;
  if (num <= 1 || count == 0) {
    return broadcast_to(array(start, Dtype::float64), Shape{num}, stream);
  }
  array inner = spaced(start, stop, num, count, stream);
  if (!endpoint) return inner;
  array i = make_arange({.size = num, .dtype = Dtype::int64}, stream);
  return where(equal(i, array(num - 1), stream), array(stop, Dtype::float64), inner, stream);
}

}  // namespace

array full(const Shape& shape, const array& value, std::optional<Dtype> dtype,
           const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  return broadcast_to(astype(value, dtype.value_or(value.dtype()), stream), shape, stream);
}

array zeros(const Shape& shape, Dtype dtype, const StreamOrDevice& stream) {
  return broadcast_to(array(0, dtype), shape, stream);
}

array ones(const Shape& shape, Dtype dtype, const StreamOrDevice& stream) {
  return broadcast_to(array(1, dtype), shape, stream);
}

array full_like(const array& a, const array& value, std::optional<Dtype> dtype,
                const StreamOrDevice& stream) {
  return full(a.shape(), value, dtype.value_or(a.dtype()), stream);
}

array zeros_like(const array& a, std::optional<Dtype> dtype, const StreamOrDevice& stream) {
  return zeros(a.shape(), dtype.value_or(a.dtype()), stream);
}

array ones_like(const array& a, std::optional<Dtype> dtype, const StreamOrDevice& stream) {
  return ones(a.shape(), dtype.value_or(a.dtype()), stream);
}

array arange(std::int64_t start, std::int64_t stop, std::int64_t step, std::optional<Dtype> dtype,
             const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (step == 0) raise<ValueError>("arange", "the step is zero: got 0; expected any other number");
  std::int64_t size = count_steps(start, stop, step);
  // The last value lies between start and stop, however large the product is.
  auto span = static_cast<std::uint64_t>(size - 1) * static_cast<std::uint64_t>(step);
  auto last = static_cast<std::int64_t>(static_cast<std::uint64_t>(start) + span);
  bool is_wide = size > 0 && !(fits_int32(start) && fits_int32(last));
  Dtype result = dtype.value_or(is_wide ? Dtype::int64 : Dtype::int32);
  if (dtype == Dtype::bool_) {
    return astype(arange(start, stop, step, {}, stream), Dtype::bool_, stream);
  }
  if (is_complex(result)) {
    return astype(arange(start, stop, step, real_of(result), stream), result, stream);
  }
  return make_arange({.start = static_cast<double>(start),
                      .step = static_cast<double>(step),
                      .int_start = start,
                      .int_step = step,
                      .size = size,
                      .dtype = result},
                     stream);
}

array arange(double start, double stop, double step, std::optional<Dtype> dtype,
             const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  double count = std::ceil((stop - start) / step);
  if (std::isnan(count) || step == 0) {
    raise<ValueError>("arange", "no such range: got start ", start, ", stop ", stop, ", step ",
                      step, "; expected finite numbers and a step that is not zero");
  }
  if (count >= 9.2e18) raise<OverflowError>("arange", "too many elements: got ", count);
  Dtype result = dtype.value_or(Dtype::float32);
  bool is_direct = is_floating(result);
  array values = make_arange({.start = start,
                              .step = step,
                              .size = static_cast<std::int64_t>(std::max(count, 0.0)),
                              .dtype = is_direct ? result : Dtype::float64},
                             stream);
  return astype(values, result, stream);
}

array arange_uint64(std::uint64_t start, std::int64_t step, std::int64_t size,
                    const StreamOrDevice& where) {
  return make_arange({.start = static_cast<double>(start),
                      .step = static_cast<double>(step),
                      .int_start = static_cast<std::int64_t>(start),
                      .int_step = step,
                      .size = size,
                      .dtype = Dtype::uint64},
                     to_stream(where));
}

array linspace(double start, double stop, std::int64_t num, bool endpoint, Dtype dtype,
               const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array values = exact_linspace(start, stop, num, endpoint, stream);
  if (is_integer(dtype)) values = floor(values, stream);
  return astype(values, dtype, stream);
}

array linspace(complex128 start, complex128 stop, std::int64_t num, bool endpoint, Dtype dtype,
               const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (!is_complex(dtype)) {
    raise<TypeError>("linspace", "complex ends in a real array: got ", name_of(dtype),
                     "; expected complex64 or complex128");
  }
  auto part = [&](double from, double to) {
    return astype(exact_linspace(from, to, num, endpoint, stream), Dtype::complex128, stream);
  };
  array turned =
      multiply(part(start.im, stop.im), array(complex128{0, 1}, Dtype::complex128), stream);
  return astype(add(part(start.re, stop.re), turned, stream), dtype, stream);
}

namespace primitives {

const Op Arange = {
    .name = "Arange",
    .inputs = {},
    .attrs = describe<ArangeAttrs>(),
    .evaluation = Evaluation::iota,
    .infer = infer,
    .gradient = Gradient::none("it has no inputs"),
    .batching = vmap,
    .doc = "Evenly spaced numbers from start on: start + i * step.",
};

}  // namespace primitives

}  // namespace mlx::core
