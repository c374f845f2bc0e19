// The scan family: the Scan primitive, its table and its derivatives.
#include "mlx/ops/scan.h"

#include <limits>

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/index.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

constexpr DtypeSet ordered = dtypes::real | dtypes::boolean;
constexpr ScanRow table[] = {
    {ScanKind::sum, "cumsum", dtypes::numeric,
     "Sum of the elements up to each one; float32 with float64 accumulators."},
    {ScanKind::prod, "cumprod", dtypes::numeric, "Product of the elements up to each one."},
    {ScanKind::max, "cummax", ordered,
     "Largest element up to each one; NaN from the first NaN on. The latest of equal largest "
     "elements has the derivative."},
    {ScanKind::min, "cummin", ordered,
     "Smallest element up to each one; NaN from the first NaN on. The latest of equal smallest "
     "elements has the derivative."},
    {ScanKind::logsumexp, "logcumsumexp", dtypes::floating,
     "Logarithm of the sum of exponentials of the elements up to each one, without overflow."},
};

const ScanRow& row_of(ScanKind kind) { return table[static_cast<std::size_t>(kind)]; }

Specs infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const auto& scan = attrs_as<ScanAttrs>(attrs);
  const array& a = inputs[0];
  if (!row_of(scan.op).accepts.contains(a.dtype())) {
    raise<TypeError>(row_of(scan.op).function, "unusable dtype: got ", name_of(a.dtype()));
  }
  if (scan.axis < 0 || scan.axis >= a.ndim()) {
    raise<IndexError>(op.name, "axis out of range: got ", scan.axis, " for ", to_string(a.shape()));
  }
  return {Spec{a.shape(), a.dtype()}};
}

array scanned(const array& a, ScanKind kind, const ScanAttrs& like, bool other_way) {
  ScanAttrs attrs = like;
  attrs.op = kind;
  attrs.reverse = like.reverse != other_way;
  return apply(primitives::Scan, {a}, make_attrs(attrs), a.node().stream);
}

array zero_like(const array& a) { return array(0, a.dtype()); }
array one_like(const array& a) { return array(1, a.dtype()); }

// The derivative of a product by one factor is the product over that factor. Past the first zero
// every product is 0, and only the first zero's own derivative is not: it sees the products without
// it.
struct ProductParts {
  array before;      // derivative where no zero has come yet: product / element
  array first_zero;  // bool
  array without;     // products without the first zero
};
ProductParts product_parts(const array& x, const ScanAttrs& attrs) {
  array is_zero = equal(x, zero_like(x));
  ScanAttrs inclusive = attrs;
  inclusive.inclusive = true;
  array zeros = scanned(astype(is_zero, Dtype::int64), ScanKind::sum, inclusive, false);
  array first = logical_and(is_zero, equal(zeros, array(1, Dtype::int64)));
  array others = scanned(where(first, one_like(x), x), ScanKind::prod, attrs, false);
  array divisor = where(is_zero, one_like(x), x);
  return {where(equal(zeros, array(0, Dtype::int64)), reciprocal(divisor), zero_like(x)), first,
          others};
}

array conjugated(const array& a) { return is_complex(a.dtype()) ? conjugate(a) : a; }

array product_vjp(const array& x, const array& y, const array& dy, const ScanAttrs& attrs) {
  ProductParts parts = product_parts(x, attrs);
  array plain = scanned(multiply(dy, conjugated(y)), ScanKind::sum, attrs, true);
  array at_zero = scanned(multiply(dy, conjugated(parts.without)), ScanKind::sum, attrs, true);
  return where(parts.first_zero, at_zero, multiply(plain, conjugated(parts.before)));
}

array product_jvp(const array& x, const array& y, const array& dx, const ScanAttrs& attrs) {
  ProductParts parts = product_parts(x, attrs);
  array plain = multiply(y, scanned(multiply(dx, parts.before), ScanKind::sum, attrs, false));
  array zeros_dx = where(parts.first_zero, dx, zero_like(dx));
  return add(plain, multiply(parts.without, scanned(zeros_dx, ScanKind::sum, attrs, false)));
}

// Where the extreme of each element came from; -1 where nothing has come yet.
array origin(const array& x, const array& y, const ScanAttrs& attrs) {
  std::int64_t n = x.shape(static_cast<int>(attrs.axis));
  Shape shape(x.shape().size(), 1);
  shape[static_cast<std::size_t>(attrs.axis)] = n;
  array index = reshape(arange(std::int64_t{0}, n, 1, Dtype::int64), shape);
  // Counted against the direction, so that the latest is the largest.
  if (attrs.reverse) index = subtract(array(n - 1, Dtype::int64), index);
  ScanAttrs inclusive = attrs;
  inclusive.inclusive = true;
  array so_far = attrs.inclusive ? y : scanned(x, attrs.op, inclusive, false);
  array hit = where(equal(x, so_far), index, array(-1, Dtype::int64));
  array latest = scanned(hit, ScanKind::max, attrs, false);
  latest = maximum(latest, array(-1, Dtype::int64));
  if (!attrs.reverse) return latest;
  return where(less(latest, zero_like(latest)), latest,
               subtract(array(n - 1, Dtype::int64), latest));
}

array extreme_vjp(const array& x, const array& y, const array& dy, const ScanAttrs& attrs) {
  array from = origin(x, y, attrs);
  array none = less(from, zero_like(from));
  array kept = where(none, zero_like(dy), dy);
  return put_along_axis(zeros_like(x), maximum(from, zero_like(from)), kept, attrs.axis,
                        ScatterMode::sum);
}

array extreme_jvp(const array& x, const array& y, const array& dx, const ScanAttrs& attrs) {
  array from = origin(x, y, attrs);
  array taken = take_along_axis(dx, maximum(from, zero_like(from)), attrs.axis);
  return where(less(from, zero_like(from)), zero_like(dx), taken);
}

// exp(offset) times the scan of d exp(weight), in logarithms for each sign of d.
array weighted(const array& d, const array& weight, const array& offset, const ScanAttrs& attrs,
               bool other_way) {
  auto of_sign = [&](const array& part) {
    array is_positive = greater(part, zero_like(part));
    // Twice `where`: log(0) would make NaN of the derivative of what is not taken.
    array logs = where(is_positive, log(where(is_positive, part, one_like(part))),
                       array(-std::numeric_limits<double>::infinity(), part.dtype()));
    return exp(add(scanned(add(logs, weight), ScanKind::logsumexp, attrs, other_way), offset));
  };
  return subtract(of_sign(maximum(d, zero_like(d))), of_sign(maximum(negative(d), zero_like(d))));
}

// Where nothing has come yet y is -inf, and nothing flows.
array finite_or(const array& y, double value) {
  return where(isfinite(y), y, array(value, y.dtype()));
}

Results vjp(const VjpCall& call) {
  const auto& attrs = attrs_as<ScanAttrs>(call.attrs);
  const array &x = call.inputs[0], &y = call.outputs[0], &dy = *call.cotangents[0];
  switch (attrs.op) {
    case ScanKind::sum:
      return {scanned(dy, ScanKind::sum, attrs, true)};
    case ScanKind::prod:
      return {product_vjp(x, y, dy, attrs)};
    case ScanKind::max:
    case ScanKind::min:
      return {extreme_vjp(x, y, dy, attrs)};
    case ScanKind::logsumexp:
      return {weighted(where(isfinite(y), dy, zero_like(dy)), negative(finite_or(y, 0)), x, attrs,
                       true)};
  }
  __builtin_unreachable();
}

Results jvp(const JvpCall& call) {
  const auto& attrs = attrs_as<ScanAttrs>(call.attrs);
  const array &x = call.inputs[0], &y = call.outputs[0], &dx = *call.tangents[0];
  switch (attrs.op) {
    case ScanKind::sum:
      return {scanned(dx, ScanKind::sum, attrs, false)};
    case ScanKind::prod:
      return {product_jvp(x, y, dx, attrs)};
    case ScanKind::max:
    case ScanKind::min:
      return {extreme_jvp(x, y, dx, attrs)};
    case ScanKind::logsumexp:
      return {weighted(dx, x, negative(finite_or(y, 0)), attrs, false)};
  }
  __builtin_unreachable();
}

Arrays vmap(const VmapCall& call) {
  ScanAttrs attrs = attrs_as<ScanAttrs>(call.attrs);
  ++attrs.axis;
  return {apply(call.op, {move_batch_to_front(call, 0)}, make_attrs(attrs), call.stream)};
}

Dtype accumulated(ScanKind kind, Dtype dtype) {
  if (kind == ScanKind::sum || kind == ScanKind::prod) return sum_dtype(dtype);
  return kind == ScanKind::logsumexp ? inexact_of(dtype) : dtype;
}

}  // namespace

std::span<const ScanRow> scan_rows() { return table; }

array scan(ScanKind kind, const array& a, const ScanOptions& options, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array x = options.axis ? a : reshape(a, Shape{-1}, stream);
  int axis = options.axis ? normalize_axis(row_of(kind).function, *options.axis, a.ndim()) : 0;
  x = astype(x, options.dtype.value_or(accumulated(kind, a.dtype())), stream);
  return apply(primitives::Scan, {x},
               make_attrs(ScanAttrs{kind, axis, options.reverse, options.inclusive}), stream);
}

array diff(const array& a, int n, int axis, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (n < 0) raise<ValueError>("diff", "a negative number of differences: got ", n);
  auto at = static_cast<std::size_t>(normalize_axis("diff", axis, a.ndim()));
  array x = a;
  for (int i = 0; i < n && x.shape()[at] > 0; ++i) {
    Shape start(x.shape().size(), 0), stop = x.shape(), step(x.shape().size(), 1);
    Shape later_start = start, earlier_stop = stop;
    later_start[at] = 1;
    earlier_stop[at] -= 1;
    array later = slice(x, later_start, stop, step, stream);
    array earlier = slice(x, start, earlier_stop, step, stream);
    x = x.dtype() == Dtype::bool_ ? not_equal(later, earlier, stream)
                                  : subtract(later, earlier, stream);
  }
  return x;
}

namespace primitives {

const Op Scan = {
    .name = "Scan",
    .inputs = {"a"},
    .attrs = describe<ScanAttrs>(),
    .infer = infer,
    .donates = 0,
    .gradient = {vjp, jvp},
    .batching = vmap,
    .doc = "One of sum, prod, max, min, logsumexp of the elements up to each one along an axis.",
};

}  // namespace primitives

}  // namespace mlx::core
