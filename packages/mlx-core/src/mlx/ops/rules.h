// What derivative rules of several op files share.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

// Where the node that a rule differentiates runs.
inline Stream stream_of(const VjpCall& call) { return call.outputs[0].node().stream; }
inline Stream stream_of(const JvpCall& call) { return call.outputs[0].node().stream; }

// Forward mode of an op that is linear in its only input: the op itself.
inline std::vector<std::optional<array>> linear_jvp(const JvpCall& call) {
  if (!call.tangents[0]) return {std::nullopt};
  return {apply(call.op, {*call.tangents[0]}, call.attrs, stream_of(call))};
}

}  // namespace mlx::core
