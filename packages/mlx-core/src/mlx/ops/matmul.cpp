// The Matmul primitive and the products composed of it.
#include "mlx/ops/matmul.h"

#include <cmath>

#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/matrix.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

Specs infer(const Op& op, Inputs inputs, const AttrsRef&) {
  const array &a = inputs[0], &b = inputs[1];
  bool fits =
      a.dtype() == b.dtype() && a.ndim() == b.ndim() && a.ndim() >= 2 && a.shape(-1) == b.shape(-2);
  for (int axis = 0; fits && axis < a.ndim() - 2; ++axis) fits = a.shape(axis) == b.shape(axis);
  if (!fits) {
    raise<ValueError>(op.name, "the matrices do not fit: got ", name_of(a.dtype()), " ",
                      to_string(a.shape()), " and ", name_of(b.dtype()), " ", to_string(b.shape()),
                      "; expected one dtype, equal batch sizes and equal inner sizes");
  }
  return {Spec{matrix::with_tail(a.shape(), 2, {a.shape(-2), b.shape(-1)}), a.dtype()}};
}

array product(const array& a, const array& b) {
  return apply(primitives::Matmul, {a, b}, nullptr, a.node().stream);
}

Results vjp(const VjpCall& call) {
  Results result(2);
  if (!call.cotangents[0]) return result;
  const array& dy = *call.cotangents[0];
  if (call.wanted[0]) result[0] = product(dy, matrix::adjoint(call.inputs[1]));
  if (call.wanted[1]) result[1] = product(matrix::adjoint(call.inputs[0]), dy);
  return result;
}

Results jvp(const JvpCall& call) {
  std::optional<array> total;
  if (call.tangents[0]) total = product(*call.tangents[0], call.inputs[1]);
  if (call.tangents[1]) {
    array term = product(call.inputs[0], *call.tangents[1]);
    total = total ? add(*total, term) : term;
  }
  return {total};
}

Arrays vmap(const VmapCall& call) {
  return {apply(call.op, {move_batch_to_front(call, 0), move_batch_to_front(call, 1)}, nullptr,
                call.stream)};
}

[[noreturn]] void refuse_shapes(std::string_view op, const array& a, const array& b,
                                std::string_view expected) {
  raise<ValueError>(op, "the shapes do not fit: got ", to_string(a.shape()), " and ",
                    to_string(b.shape()), "; expected ", expected);
}

// Scalars of alpha and beta take the array's dtype; an integer array cannot take 0.5.
array scaled(std::string_view op, const array& a, double factor, Stream stream) {
  if (factor == 1) return a;
  if (!is_inexact(a.dtype()) && factor != std::trunc(factor)) {
    raise<TypeError>(op, "a factor that is not whole: got ", factor, " for arrays of ",
                     name_of(a.dtype()), "; expected a floating dtype");
  }
  return multiply(a, array(factor, a.dtype()), stream);
}

std::int64_t product_of(const Shape& shape, const Axes& axes) {
  std::int64_t size = 1;
  for (std::int64_t axis : axes) size *= shape[static_cast<std::size_t>(axis)];
  return size;
}

// The axes that are not in `axes`, in order.
Axes others(const array& a, const Axes& axes) {
  Axes rest;
  for (std::int64_t axis = 0; axis < a.ndim(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) rest.push_back(axis);
  }
  return rest;
}

Axes joined(const Axes& a, const Axes& b) {
  Axes all = a;
  for (std::int64_t axis : b) all.push_back(axis);
  return all;
}

Axes normal_axes(std::string_view op, const Axes& axes, const array& a) {
  normalize_axes(op, axes, a.ndim());  // refuses axes out of range or given twice
  Axes result;
  for (std::int64_t axis : axes) result.push_back(normalize_axis(op, axis, a.ndim()));
  return result;
}

}  // namespace

array matmul(const array& a, const array& b, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (a.ndim() == 0 || b.ndim() == 0) {
    refuse_shapes("matmul", a, b, "at least one axis each (use multiply for scalars)");
  }
  Dtype dtype = promote(a.dtype(), b.dtype());
  array x = astype(a, dtype, stream), y = astype(b, dtype, stream);
  if (a.ndim() == 1) x = expand_dims(x, Axes{0}, stream);
  if (b.ndim() == 1) y = expand_dims(y, Axes{1}, stream);
  if (x.shape(-1) != y.shape(-2)) {
    refuse_shapes("matmul", a, b,
                  "the last size of the first to be the last but one of the second");
  }
  if (x.ndim() > 2 || y.ndim() > 2) {
    Shape batch = broadcast_shapes("matmul", matrix::with_tail(x.shape(), 2, {}),
                                   matrix::with_tail(y.shape(), 2, {}));
    Shape left = batch, right = batch;
    left.push_back(x.shape(-2));
    left.push_back(x.shape(-1));
    right.push_back(y.shape(-2));
    right.push_back(y.shape(-1));
    x = broadcast_to(x, left, stream);
    y = broadcast_to(y, right, stream);
  }
  array result = apply(primitives::Matmul, {x, y}, nullptr, stream);
  Axes dropped;
  if (a.ndim() == 1) dropped.push_back(result.ndim() - 2);
  if (b.ndim() == 1) dropped.push_back(result.ndim() - 1);
  return dropped.empty() ? result : squeeze(result, dropped, stream);
}

array addmm(const array& c, const array& a, const array& b, double alpha, double beta,
            const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Dtype dtype = promote(c.dtype(), promote(a.dtype(), b.dtype()));
  array ab = matmul(astype(a, dtype, stream), astype(b, dtype, stream), stream);
  if (!(broadcast_shapes("addmm", c.shape(), ab.shape()) == ab.shape())) {
    raise<ValueError>("addmm", "c does not broadcast to the product: got ", to_string(c.shape()),
                      "; expected ", to_string(ab.shape()));
  }
  array scaled_c = scaled("addmm", astype(c, dtype, stream), beta, stream);
  return add(scaled("addmm", ab, alpha, stream), scaled_c, stream);
}

array tensordot(const array& a, const array& b, const Axes& axes_a, const Axes& axes_b,
                const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Axes sum_a = normal_axes("tensordot", axes_a, a), sum_b = normal_axes("tensordot", axes_b, b);
  bool fits = sum_a.size() == sum_b.size();
  for (std::size_t i = 0; fits && i < sum_a.size(); ++i) {
    fits = a.shape(static_cast<int>(sum_a[i])) == b.shape(static_cast<int>(sum_b[i]));
  }
  if (!fits) refuse_shapes("tensordot", a, b, "as many axes of each, of pairwise equal sizes");
  Axes keep_a = others(a, sum_a), keep_b = others(b, sum_b);
  std::int64_t inner_size = product_of(a.shape(), sum_a);
  array left = reshape(transpose(a, joined(keep_a, sum_a), stream),
                       Shape{product_of(a.shape(), keep_a), inner_size}, stream);
  array right = reshape(transpose(b, joined(sum_b, keep_b), stream),
                        Shape{inner_size, product_of(b.shape(), keep_b)}, stream);
  Shape shape;
  for (std::int64_t axis : keep_a) shape.push_back(a.shape(static_cast<int>(axis)));
  for (std::int64_t axis : keep_b) shape.push_back(b.shape(static_cast<int>(axis)));
  return reshape(matmul(left, right, stream), shape, stream);
}

array tensordot(const array& a, const array& b, int axes, const StreamOrDevice& stream) {
  if (axes < 0 || axes > a.ndim() || axes > b.ndim()) {
    raise<ValueError>("tensordot", "too many axes: got ", axes, " for shapes ",
                      to_string(a.shape()), " and ", to_string(b.shape()),
                      "; expected 0 to as many as both have");
  }
  Axes last, first;
  for (int i = 0; i < axes; ++i) {
    last.push_back(a.ndim() - axes + i);
    first.push_back(i);
  }
  return tensordot(a, b, last, first, stream);
}

array inner(const array& a, const array& b, const StreamOrDevice& stream) {
  if (a.ndim() == 0 || b.ndim() == 0) return elementwise_product(a, b, stream);
  if (a.shape(-1) != b.shape(-1)) refuse_shapes("inner", a, b, "equal last sizes");
  return tensordot(a, b, Axes{-1}, Axes{-1}, stream);
}

array outer(const array& a, const array& b, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array column = reshape(a, Shape{a.size(), 1}, stream);
  return elementwise_product(column, reshape(b, Shape{b.size()}, stream), stream);
}

array elementwise_product(const array& a, const array& b, const StreamOrDevice& stream) {
  bool are_bools = a.dtype() == Dtype::bool_ && b.dtype() == Dtype::bool_;
  return are_bools ? logical_and(a, b, stream) : multiply(a, b, stream);
}

array vecdot(const array& a, const array& b, int axis, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  int common = std::min(a.ndim(), b.ndim());
  if (a.ndim() == b.ndim() && axis >= 0) axis -= common;
  if (axis >= 0 || axis < -common) {
    raise<IndexError>("vecdot", "axis out of range: got ", axis, "; expected -", common,
                      " to -1 (it counts from the end, as the arrays broadcast)");
  }
  if (a.shape(axis) != b.shape(axis)) refuse_shapes("vecdot", a, b, "equal sizes on the axis");
  Dtype dtype = promote(a.dtype(), b.dtype());
  // Products of half precision would be rounded before they are added.
  Dtype wide = is_floating(dtype) && size_of(dtype) < 4 ? Dtype::float32 : dtype;
  array x = astype(a, wide, stream), y = astype(b, wide, stream);
  if (is_complex(wide)) x = conjugate(x, stream);
  array terms = elementwise_product(x, y, stream);
  return astype(sum(terms, Axes{axis}, false, stream), dtype, stream);
}

namespace primitives {

const Op Matmul = {
    .name = "Matmul",
    .inputs = {"a", "b"},
    .infer = infer,
    .gradient = {vjp, jvp},
    .batching = vmap,
    .doc = "Matrix product over the last two axes of arrays with equal batch axes.",
};

}  // namespace primitives

}  // namespace mlx::core
