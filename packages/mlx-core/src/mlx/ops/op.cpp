// Making nodes, and placeholders for traced functions.
#include "mlx/ops/op.h"

#include "mlx/ops/primitives.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

Ref<Node> make_node(const Op& op, SmallVector<array, 3> inputs, AttrsRef attrs, Stream stream) {
  Ref<Node> node(new Node);
  node->op = &op;
  node->attrs = std::move(attrs);
  node->stream = stream;
  for (const array& input : inputs) {
    node->traced |= input.node().traced;
    node->abstract |= input.node().abstract;
  }
  node->inputs = std::move(inputs);
  return node;
}

}  // namespace

array apply(const Op& op, SmallVector<array, 3> inputs, AttrsRef attrs, Stream stream,
            Spec output) {
  Ref<Node> node = make_node(op, std::move(inputs), std::move(attrs), stream);
  node->outputs.push_back(Output{std::move(output.shape), output.dtype, nullptr, 0, {}});
  return array(std::move(node), 0);
}

array apply(const Op& op, SmallVector<array, 3> inputs, AttrsRef attrs, Stream stream) {
  return apply_multi(op, std::move(inputs), std::move(attrs), stream).front();
}

Arrays apply_multi(const Op& op, SmallVector<array, 3> inputs, AttrsRef attrs, Stream stream) {
  Specs specs = op.infer(op, inputs, attrs);
  Ref<Node> node = make_node(op, std::move(inputs), std::move(attrs), stream);
  for (Spec& spec : specs) {
    node->outputs.push_back(Output{std::move(spec.shape), spec.dtype, nullptr, 0, {}});
  }
  Arrays outputs;
  for (std::uint32_t i = 0; i < specs.size(); ++i) outputs.emplace_back(node, i);
  return outputs;
}

array move_batch_to_front(const VmapCall& call, std::size_t i) {
  const array& x = call.inputs[i];
  if (call.axes[i] < 0) {
    Shape shape = x.shape();
    shape.insert(shape.begin(), call.size);
    return broadcast_to(expand_dims(x, Axes{0}, call.stream), shape, call.stream);
  }
  if (call.axes[i] == 0) return x;
  Axes order{call.axes[i]};
  for (int axis = 0; axis < x.ndim(); ++axis) {
    if (axis != call.axes[i]) order.push_back(axis);
  }
  return transpose(x, order, call.stream);
}

void require_concrete(std::string_view op, const array& a) {
  if (a.node().abstract) {
    raise<ValueError>(op,
                      "the result's shape or value depends on the elements, which are not known "
                      "while a function is traced (compile, vmap, export): got a traced array; "
                      "expected an array with a value");
  }
}

array placeholder(Shape shape, Dtype dtype) {
  array result =
      apply(primitives::Placeholder, {}, nullptr, Stream{}, Spec{std::move(shape), dtype});
  result.node().traced = true;
  result.node().abstract = true;
  return result;
}

namespace primitives {

const Op Placeholder = {
    .name = "Placeholder",
    .inputs = {},
    .evaluation = Evaluation::placeholder,
    .infer = [](const Op& op, Inputs, const AttrsRef&) -> Specs {
      raise<ValueError>(op.name, "it stands for an argument: it is made by traces only");
    },
    .gradient = Gradient::none("it is the variable itself"),
    .batching = Batching::none("it is the variable itself"),
    .doc = "An argument of a traced function.",
};

}  // namespace primitives

}  // namespace mlx::core
