// The reduce family: the Reduce primitive, its table and the statistics composed of it.
#include "mlx/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

constexpr DtypeSet ordered = dtypes::real | dtypes::boolean;
constexpr ReduceRow table[] = {
    {ReduceKind::all, "all", dtypes::boolean, true, "True where every element is true (not 0)."},
    {ReduceKind::any, "any", dtypes::boolean, true, "True where some element is true (not 0)."},
    {ReduceKind::max, "max", ordered, false,
     "Largest element; NaN where there is one. Equal largest elements share the derivative."},
    {ReduceKind::min, "min", ordered, false,
     "Smallest element; NaN where there is one. Equal smallest elements share the derivative."},
    {ReduceKind::prod, "prod", dtypes::numeric, true,
     "Product; integers of fewer than 32 bits are multiplied in 32."},
    {ReduceKind::sum, "sum", dtypes::numeric, true,
     "Sum; integers of fewer than 32 bits are added in 32, float32 with float64 accumulators."},
};

const ReduceRow& row_of(ReduceKind kind) { return table[static_cast<std::size_t>(kind)]; }

Dtype accumulated(ReduceKind kind, Dtype dtype) {
  if (kind == ReduceKind::all || kind == ReduceKind::any) return Dtype::bool_;
  return kind == ReduceKind::sum || kind == ReduceKind::prod ? sum_dtype(dtype) : dtype;
}

Specs infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const auto& [kind, axes] = attrs_as<ReduceAttrs>(attrs);
  const array& a = inputs[0];
  const ReduceRow& row = row_of(kind);
  if (!row.accepts.contains(a.dtype())) {
    raise<TypeError>(row.function, "unusable dtype: got ", name_of(a.dtype()));
  }
  for (std::int64_t axis : axes) {
    if (axis < 0 || axis >= a.ndim()) {
      raise<IndexError>(op.name, "axis out of range: got ", axis, " for ", to_string(a.shape()));
    }
    if (!row.has_identity && a.shape(static_cast<int>(axis)) == 0) {
      raise<ValueError>(row.function, "nothing to choose from: got shape ", to_string(a.shape()),
                        " over axis ", axis, "; expected at least one element");
    }
  }
  return {Spec{reduced_shape(a.shape(), axes), a.dtype()}};
}

// Product of all other elements, without dividing: exclusive products from both sides would need a
// scan, so one zero and several zeros are told apart instead.
array prod_factor(const array& x, const array& y, const MaybeAxes& axes) {
  array zero(0.0, x.dtype());
  array is_zero = equal(x, zero);
  array zeros = sum(astype(is_zero, Dtype::int32), axes, true);
  array nonzero = where(is_zero, array(1.0, x.dtype()), x);
  array product_of_rest = prod(nonzero, axes, true);
  array with_one_zero = where(is_zero, product_of_rest, zero);
  return where(equal(zeros, array(0)), divide(y, nonzero),
               where(equal(zeros, array(1)), with_one_zero, zero));
}

// The weight of each element of x in y.
std::optional<array> factor(const ReduceAttrs& attrs, const array& x, const array& y) {
  MaybeAxes axes = attrs.axes;
  if (attrs.op == ReduceKind::prod) return prod_factor(x, y, axes);
  array hit = astype(equal(x, y), x.dtype());
  return divide(hit, sum(hit, axes, true));
}

Results vjp(const VjpCall& call) {
  const auto& attrs = attrs_as<ReduceAttrs>(call.attrs);
  const array& x = call.inputs[0];
  array dy = broadcast_to(*call.cotangents[0], x.shape());
  if (attrs.op == ReduceKind::sum) return {dy};
  if (x.dtype() == Dtype::bool_) return {std::nullopt};
  array f = *factor(attrs, x, call.outputs[0]);
  return {multiply(dy, is_complex(f.dtype()) ? conjugate(f) : f)};
}

Results jvp(const JvpCall& call) {
  const auto& attrs = attrs_as<ReduceAttrs>(call.attrs);
  const array& dx = *call.tangents[0];
  if (attrs.op == ReduceKind::sum) return {sum(dx, attrs.axes, true)};
  if (dx.dtype() == Dtype::bool_) return {std::nullopt};
  return {sum(multiply(dx, *factor(attrs, call.inputs[0], call.outputs[0])), attrs.axes, true)};
}

Arrays vmap(const VmapCall& call) {
  ReduceAttrs attrs = attrs_as<ReduceAttrs>(call.attrs);
  for (std::int64_t& axis : attrs.axes) ++axis;
  return {apply(call.op, {move_batch_to_front(call, 0)}, make_attrs(attrs), call.stream)};
}

// Half-precision statistics are computed in float32, integers become float32.
Dtype statistics_dtype(Dtype dtype) {
  if (dtype == Dtype::float16 || dtype == Dtype::bfloat16) return Dtype::float32;
  return inexact_of(dtype);
}

double count_over(const array& a, const Axes& axes) {
  double count = 1;
  for (std::int64_t axis : axes) count *= static_cast<double>(a.shape(static_cast<int>(axis)));
  return count;
}

array squeezed(const array& a, const Axes& axes, bool keepdims, Stream stream) {
  return keepdims ? a : squeeze(a, axes, stream);
}

}  // namespace

std::span<const ReduceRow> reduce_rows() { return table; }

Dtype sum_dtype(Dtype dtype) {
  if (dtype == Dtype::bool_) return Dtype::int32;
  if (is_integer(dtype) && size_of(dtype) < 4) {
    return kind_of(dtype) == Kind::signed_integer ? Dtype::int32 : Dtype::uint32;
  }
  return dtype;
}

array reduce(ReduceKind kind, const array& a, const MaybeAxes& axes, bool keepdims,
             const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  const ReduceRow& row = row_of(kind);
  Axes normal = normalize_axes(row.function, axes, a.ndim());
  array x = astype(a, accumulated(kind, a.dtype()), stream);
  if (normal.empty()) {
    infer(primitives::Reduce, {&x, 1}, make_attrs(ReduceAttrs{kind, normal}));
    return x;
  }
  array result = apply(primitives::Reduce, {x}, make_attrs(ReduceAttrs{kind, normal}), stream);
  return squeezed(result, normal, keepdims, stream);
}

#define MLX_DEFINE(name)                                                                           \
  array name(const array& a, const MaybeAxes& axes, bool keepdims, const StreamOrDevice& stream) { \
    return reduce(ReduceKind::name, a, axes, keepdims, stream);                                    \
  }
MLX_DEFINE(all)
MLX_DEFINE(any)
MLX_DEFINE(max)
MLX_DEFINE(min)
MLX_DEFINE(prod)
MLX_DEFINE(sum)
#undef MLX_DEFINE

array mean(const array& a, const MaybeAxes& axes, bool keepdims, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Axes normal = normalize_axes("mean", axes, a.ndim());
  Dtype dtype = statistics_dtype(a.dtype());
  array total = sum(astype(a, dtype, stream), normal, keepdims, stream);
  array result = divide(total, array(count_over(a, normal), dtype), stream);
  return astype(result, inexact_of(a.dtype()), stream);
}

array var(const array& a, const MaybeAxes& axes, bool keepdims, double correction,
          const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Axes normal = normalize_axes("var", axes, a.ndim());
  Dtype dtype = statistics_dtype(a.dtype());
  array x = astype(a, dtype, stream);
  array distance = subtract(x, mean(x, normal, true, stream), stream);
  if (is_complex(dtype)) distance = abs(distance, stream);
  array total = sum(square(distance, stream), normal, keepdims, stream);
  double divisor = std::max(count_over(a, normal) - correction, 0.0);
  array result = divide(total, array(divisor, total.dtype()), stream);
  return astype(result, real_of(inexact_of(a.dtype())), stream);
}

array std(const array& a, const MaybeAxes& axes, bool keepdims, double correction,
          const StreamOrDevice& stream) {
  return sqrt(var(a, axes, keepdims, correction, stream), stream);
}

array logsumexp(const array& a, const MaybeAxes& axes, bool keepdims, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Axes normal = normalize_axes("logsumexp", axes, a.ndim());
  array x = astype(a, inexact_of(a.dtype()), stream);
  array largest = max(x, normal, true, stream);
  // An infinite maximum must not make inf - inf of itself.
  largest = core::where(isfinite(largest, stream), largest, array(0.0, x.dtype()), stream);
  array total = sum(exp(subtract(x, largest, stream), stream), normal, true, stream);
  return squeezed(add(log(total, stream), largest, stream), normal, keepdims, stream);
}

namespace primitives {

const Op Reduce = {
    .name = "Reduce",
    .inputs = {"a"},
    .attrs = describe<ReduceAttrs>(),
    .evaluation = Evaluation::reduce,
    .infer = infer,
    .gradient = {vjp, jvp},
    .batching = vmap,
    .doc = "One of all, any, max, min, prod, sum over some axes, which stay with size 1.",
};

}  // namespace primitives

}  // namespace mlx::core
