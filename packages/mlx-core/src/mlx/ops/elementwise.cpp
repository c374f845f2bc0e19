// The elementwise family: what every row shares (promotion, broadcasting, shapes, derivatives).
#include "mlx/ops/elementwise.h"

#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise_rules.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

Dtype result_dtype(const ElementwiseRow& row, Dtype input) {
  switch (row.result) {
    case Result::boolean:
      return Dtype::bool_;
    case Result::real_part:
      return real_of(input);
    case Result::same:
      return input;
  }
  __builtin_unreachable();
}

// The condition of select is bool; the dtype rules speak of the other inputs.
std::size_t first_value(const ElementwiseRow& row) { return row.id == Elementwise::select ? 1 : 0; }

[[noreturn]] void refuse_dtype(const ElementwiseRow& row, Dtype dtype) {
  std::ostringstream accepted;
  bool first = true;
  for (int i = 0; i < dtype_count; ++i) {
    auto d = static_cast<Dtype>(i);
    if (!row.accepts.contains(d)) continue;
    accepted << (first ? "" : ", ") << name_of(d);
    first = false;
  }
  raise<TypeError>(row.function, "unusable dtype: got ", name_of(dtype), "; expected one of ",
                   accepted.str());
}

Specs infer(const Op& op, Inputs inputs, const AttrsRef&) {
  const ElementwiseRow& row = *op.elementwise;
  Dtype dtype = inputs[first_value(row)].dtype();
  if (!row.accepts.contains(dtype)) refuse_dtype(row, dtype);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Dtype expected = i < first_value(row) ? Dtype::bool_ : dtype;
    if (inputs[i].dtype() != expected || !(inputs[i].shape() == inputs[0].shape())) {
      raise<ValueError>(op.name, "inputs differ: got ", name_of(inputs[i].dtype()), " ",
                        to_string(inputs[i].shape()), "; expected ", name_of(expected), " ",
                        to_string(inputs[0].shape()));
    }
  }
  return {Spec{inputs[0].shape(), result_dtype(row, dtype)}};
}

// dy times the factor of one input; the constant factors cost no node.
std::optional<array> scaled(const ElementwiseRow& row, std::size_t input, Inputs x, const array& y,
                            const array& dy, bool conjugated) {
  Derivative derivative = row.derivative.factors[input];
  if (derivative == rules::zero) return std::nullopt;
  if (derivative == rules::one) return dy;
  if (derivative == rules::minus_one) return negative(dy);
  array f = derivative(DerivativeArgs{x, y});
  if (conjugated && is_complex(f.dtype())) f = conjugate(f);
  return multiply(dy, f);
}

// A real result of a complex input (abs) has a whole rule; here dtypes of x and y agree.
std::vector<std::optional<array>> family_vjp(const VjpCall& call) {
  const ElementwiseRow& row = *call.op.elementwise;
  std::vector<std::optional<array>> result(call.inputs.size());
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.wanted[i] || !call.cotangents[0]) continue;
    result[i] = scaled(row, i, call.inputs, call.outputs[0], *call.cotangents[0], true);
  }
  return result;
}

std::vector<std::optional<array>> family_jvp(const JvpCall& call) {
  const ElementwiseRow& row = *call.op.elementwise;
  std::optional<array> total;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.tangents[i]) continue;
    auto term = scaled(row, i, call.inputs, call.outputs[0], *call.tangents[i], false);
    if (term) total = total ? add(*total, *term) : term;
  }
  return {total};
}

// Batch axes go to the front; the other inputs are repeated along it (a view).
Arrays family_vmap(const VmapCall& call) {
  SmallVector<array, 3> inputs;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    inputs.push_back(move_batch_to_front(call, i));
  }
  return {apply(call.op, std::move(inputs), nullptr, call.stream)};
}

Gradient gradient_of(const ElementwiseRow& row) {
  const Derivatives& d = row.derivative;
  if (d.count > 0) return {family_vjp, family_jvp};
  if (d.vjp != nullptr) return {d.vjp, d.jvp};
  return Gradient::none(d.reason);
}

std::vector<Op> make_ops() {
  std::vector<Op> ops;
  for (const ElementwiseRow& row : elementwise_rows()) {
    ops.push_back(Op{.name = row.primitive,
                     .inputs = {row.inputs.begin(), row.inputs.begin() + row.arity},
                     .evaluation = Evaluation::elementwise,
                     .elementwise = &row,
                     .infer = infer,
                     .gradient = gradient_of(row),
                     .batching = family_vmap,
                     .doc = row.doc});
  }
  return ops;
}

}  // namespace

const ElementwiseRow& elementwise_row(Elementwise id) {
  return elementwise_rows()[static_cast<std::size_t>(id)];
}

const Op& elementwise_op(Elementwise id) {
  static const std::vector<Op> ops = make_ops();
  return ops[static_cast<std::size_t>(id)];
}

array elementwise(Elementwise id, std::span<const array* const> inputs,
                  const StreamOrDevice& where) {
  const ElementwiseRow& row = elementwise_row(id);
  Stream stream = to_stream(where);
  std::size_t first = first_value(row);
  Dtype dtype = inputs[first]->dtype();
  const Shape* common = &inputs[0]->shape();
  bool same_shape = true;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (i > first) dtype = promote(dtype, inputs[i]->dtype());
    same_shape &= inputs[i]->shape() == *common;
  }
  if (row.integers == Integers::to_inexact) dtype = inexact_of(dtype);
  if (row.integers == Integers::to_bool) dtype = Dtype::bool_;
  if (!row.accepts.contains(dtype)) refuse_dtype(row, inputs[first]->dtype());

  Shape shape = *common;
  for (std::size_t i = 1; !same_shape && i < inputs.size(); ++i) {
    shape = broadcast_shapes(row.function, shape, inputs[i]->shape());
  }
  SmallVector<array, 3> ready;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Dtype wanted = i < first ? Dtype::bool_ : dtype;
    ready.push_back(inputs[i]->dtype() == wanted ? *inputs[i] : astype(*inputs[i], wanted, stream));
    if (!same_shape) ready.back() = broadcast_to(ready.back(), shape, stream);
  }
  return apply(elementwise_op(id), std::move(ready), nullptr, stream,
               Spec{std::move(shape), result_dtype(row, dtype)});
}

array where(const array& condition, const array& x, const array& y, const StreamOrDevice& stream) {
  const array* const inputs[] = {&condition, &x, &y};
  return elementwise(Elementwise::select, inputs, stream);
}

}  // namespace mlx::core
