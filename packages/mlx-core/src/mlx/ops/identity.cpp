// Identity: the array that a transform differentiates with respect to, apart from the user's.
#include "mlx/ops/identity.h"

#include "mlx/ops/primitives.h"

namespace mlx::core {
namespace {

Specs infer(const Op&, Inputs inputs, const AttrsRef&) {
  return {Spec{inputs[0].shape(), inputs[0].dtype()}};
}

std::vector<std::optional<array>> vjp(const VjpCall& call) { return {call.cotangents[0]}; }
std::vector<std::optional<array>> jvp(const JvpCall& call) { return {call.tangents[0]}; }

Arrays vmap(const VmapCall& call) { return {move_batch_to_front(call, 0)}; }

}  // namespace

array identity_of(const array& a) {
  return apply(primitives::Identity, {a}, nullptr, a.node().stream, Spec{a.shape(), a.dtype()});
}

namespace primitives {

const Op Identity = {
    .name = "Identity",
    .inputs = {"a"},
    .evaluation = Evaluation::alias,
    .infer = infer,
    .gradient = {vjp, jvp},
    .batching = vmap,
    .doc = "The array itself, as a node of its own.",
};

}  // namespace primitives

}  // namespace mlx::core
