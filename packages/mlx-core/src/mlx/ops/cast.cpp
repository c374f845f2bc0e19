// AsType: the one op that changes a dtype and keeps the values.
#include "mlx/ops/cast.h"

#include "mlx/ops/elementwise.h"
#include "mlx/ops/primitives.h"

namespace mlx::core {
namespace {

Specs infer(const Op&, Inputs inputs, const AttrsRef& attrs) {
  return {Spec{inputs[0].shape(), attrs_as<AsTypeAttrs>(attrs).dtype}};
}

// Complex to real keeps the real part, so its transpose is the embedding of the reals.
std::vector<std::optional<array>> vjp(const VjpCall& call) {
  return {astype(*call.cotangents[0], call.inputs[0].dtype())};
}

std::vector<std::optional<array>> jvp(const JvpCall& call) {
  return {astype(*call.tangents[0], call.outputs[0].dtype())};
}

Arrays vmap(const VmapCall& call) {
  return {astype(call.inputs[0], attrs_as<AsTypeAttrs>(call.attrs).dtype, call.stream)};
}

}  // namespace

array astype(const array& a, Dtype dtype, const StreamOrDevice& where) {
  if (a.dtype() == dtype) return a;
  return apply(primitives::AsType, {a}, make_attrs(AsTypeAttrs{dtype}), to_stream(where),
               Spec{a.shape(), dtype});
}

namespace primitives {

const Op AsType = {
    .name = "AsType",
    .inputs = {"a"},
    .attrs = describe<AsTypeAttrs>(),
    .evaluation = Evaluation::cast,
    .infer = infer,
    .gradient = {vjp, jvp},
    .batching = vmap,
    .doc = "The same values in another dtype.",
};

}  // namespace primitives

}  // namespace mlx::core
