// Vectorisation: the graph of one example is built again with each op's batching rule.
#include "mlx/transforms/vmap.h"

#include <algorithm>
#include <unordered_map>

#include "mlx/graph/traverse.h"
#include "mlx/ops/shape.h"
#include "mlx/transforms/trace.h"

namespace mlx::core {
namespace {

struct Batched {
  array value;
  int axis;  // -1: the same for every example
};
using Batches = std::unordered_map<ValueKey, Batched, ValueHash>;

std::int64_t batch_size(const Arrays& inputs, const std::vector<int>& axes) {
  if (axes.size() != inputs.size()) {
    raise<ValueError>("vmap", "in_axes do not fit the arguments: got ", axes.size(), "; expected ",
                      inputs.size());
  }
  std::int64_t size = -1;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (axes[i] < 0) continue;
    if (axes[i] >= inputs[i].ndim()) {
      raise<ValueError>("vmap", "batch axis out of range for argument ", i, ": got axis ", axes[i],
                        " of shape ", to_string(inputs[i].shape()));
    }
    std::int64_t here = inputs[i].shape(axes[i]);
    if (size >= 0 && here != size) {
      raise<ValueError>("vmap", "batch sizes differ: got ", size, " and ", here, " (argument ", i,
                        ")");
    }
    size = here;
  }
  if (size < 0) {
    raise<ValueError>("vmap", "no argument has a batch axis; expected at least one in in_axes");
  }
  return size;
}

void replay(const Ref<Node>& node, std::int64_t size, Batches& batches) {
  const Op& op = *node->op;
  SmallVector<array, 3> inputs;
  std::vector<int> axes;
  for (const array& input : node->inputs) {
    auto found = batches.find(key_of(input));
    inputs.push_back(found == batches.end() ? input : found->second.value);
    axes.push_back(found == batches.end() ? -1 : found->second.axis);
  }
  bool any = std::any_of(axes.begin(), axes.end(), [](int axis) { return axis >= 0; });
  if (!any) {
    Arrays outputs = apply_multi(op, std::move(inputs), node->attrs, node->stream);
    for (std::uint32_t i = 0; i < outputs.size(); ++i) {
      batches.emplace(ValueKey{node.get(), i}, Batched{outputs[i], -1});
    }
    return;
  }
  if (op.batching.rule == nullptr) {
    raise<ValueError>("vmap", op.name, " cannot be vectorised: ", op.batching.reason);
  }
  Arrays outputs = op.batching.rule(VmapCall{op, inputs, axes, node->attrs, size, node->stream});
  for (std::uint32_t i = 0; i < outputs.size(); ++i) {
    batches.emplace(ValueKey{node.get(), i}, Batched{outputs[i], 0});
  }
}

array with_batch_at(const array& a, int axis) {
  Axes order;
  for (int i = 1; i < a.ndim(); ++i) order.push_back(i);
  order.insert(order.begin() + axis, 0);
  return transpose(a, order);
}

array finished(const array& output, int axis, std::int64_t size, const Batches& batches) {
  auto found = batches.find(key_of(output));
  bool is_batched = found != batches.end() && found->second.axis >= 0;
  if (axis < 0) {
    if (is_batched) {
      raise<ValueError>("vmap", "out_axes is None for an output that depends on the batch");
    }
    return found == batches.end() ? output : found->second.value;
  }
  if (axis > output.ndim()) {
    raise<ValueError>("vmap", "out_axes out of range: got ", axis, " for an output of shape ",
                      to_string(output.shape()), " and a batch axis");
  }
  if (!is_batched) {
    array spread = expand_dims(output, Axes{axis});
    Shape shape = spread.shape();
    shape[static_cast<std::size_t>(axis)] = size;
    return broadcast_to(spread, shape);
  }
  const Batched& batched = found->second;
  Axes order;
  for (int i = 0; i < batched.value.ndim(); ++i) {
    if (i != batched.axis) order.push_back(i);
  }
  order.insert(order.begin(), batched.axis);
  return with_batch_at(transpose(batched.value, order), axis);
}

}  // namespace

VmapTrace vmap_trace(const Function& fun, const Arrays& inputs, const std::vector<int>& in_axes) {
  batch_size(inputs, in_axes);
  VmapTrace trace;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Shape shape = inputs[i].shape();
    if (in_axes[i] >= 0) shape.erase(shape.begin() + in_axes[i]);
    trace.arguments.push_back(placeholder(std::move(shape), inputs[i].dtype()));
  }
  trace.outputs = fun(trace.arguments);
  return trace;
}

Arrays vmap_replay(const VmapTrace& trace, const Arrays& inputs, const std::vector<int>& in_axes,
                   const std::vector<int>& out_axes) {
  std::int64_t size = batch_size(inputs, in_axes);
  if (out_axes.size() != trace.outputs.size()) {
    raise<ValueError>("vmap", "out_axes do not fit the outputs: got ", out_axes.size(),
                      "; expected ", trace.outputs.size());
  }
  Batches batches;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    batches.emplace(key_of(trace.arguments[i]), Batched{inputs[i], in_axes[i]});
  }
  for (const Ref<Node>& node : dependent_nodes(trace.outputs, trace.arguments)) {
    replay(node, size, batches);
  }
  Arrays results;
  for (std::size_t i = 0; i < trace.outputs.size(); ++i) {
    results.push_back(finished(trace.outputs[i], out_axes[i], size, batches));
  }
  return results;
}

Function vmap(Function fun, std::vector<int> in_axes, std::vector<int> out_axes) {
  return [fun = std::move(fun), in_axes = std::move(in_axes),
          out_axes = std::move(out_axes)](const Arrays& inputs) {
    return vmap_replay(vmap_trace(fun, inputs, in_axes), inputs, in_axes, out_axes);
  };
}

}  // namespace mlx::core
