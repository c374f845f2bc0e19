// StopGradient and Depends.
#include "mlx/ops/barrier.h"

#include "mlx/ops/primitives.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

Specs infer(const Op& op, Inputs inputs, const AttrsRef&) {
  if (inputs.empty()) raise<ValueError>(op.name, "no array: got no inputs; expected at least one");
  return {Spec{inputs[0].shape(), inputs[0].dtype()}};
}

std::optional<Tensor> view(const Tensor& in, const Spec&, const AttrsRef&) { return in; }

Results no_vjp(const VjpCall& call) { return Results(call.inputs.size()); }
Results no_jvp(const JvpCall&) { return {std::nullopt}; }

Arrays stop_gradient_vmap(const VmapCall& call) {
  return {stop_gradient(move_batch_to_front(call, 0), call.stream)};
}

Results depends_vjp(const VjpCall& call) {
  Results result(call.inputs.size());
  result[0] = call.cotangents[0];
  return result;
}
Results depends_jvp(const JvpCall& call) { return {call.tangents[0]}; }

Arrays depends_vmap(const VmapCall& call) {
  SmallVector<array, 3> inputs(call.inputs.begin(), call.inputs.end());
  inputs[0] = move_batch_to_front(call, 0);
  return {apply(call.op, std::move(inputs), nullptr, call.stream)};
}

}  // namespace

array stop_gradient(const array& a, const StreamOrDevice& stream) {
  return apply(primitives::StopGradient, {a}, nullptr, to_stream(stream),
               Spec{a.shape(), a.dtype()});
}

Arrays depends(const Arrays& arrays, const Arrays& dependencies) {
  Arrays result;
  for (const array& a : arrays) {
    SmallVector<array, 3> inputs{a};
    for (const array& dependency : dependencies) inputs.push_back(dependency);
    result.push_back(apply(primitives::Depends, std::move(inputs), nullptr, a.node().stream));
  }
  return result;
}

namespace primitives {

const Op StopGradient = {
    .name = "StopGradient",
    .inputs = {"a"},
    .evaluation = Evaluation::view,
    .infer = infer,
    .view = view,
    .gradient = {no_vjp, no_jvp},
    .batching = stop_gradient_vmap,
    .doc = "The array, through which no derivative flows.",
};

const Op Depends = {
    .name = "Depends",
    .inputs = {"a", "dependencies..."},
    .evaluation = Evaluation::view,
    .infer = infer,
    .view = view,
    .gradient = {depends_vjp, depends_jvp},
    .batching = depends_vmap,
    .doc = "The array, available only once the dependencies are computed too.",
};

}  // namespace primitives

}  // namespace mlx::core
