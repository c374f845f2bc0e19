// View nodes: outputs that are their input's memory seen otherwise.
#include "mlx/schedule/view.h"

#include "mlx/ops/op.h"
#include "mlx/schedule/backend.h"
#include "mlx/schedule/lower.h"

namespace mlx::core {
namespace {

// The output's place, told by its first element; `input` must be where `buffer` holds it.
void place(Node& node, const Tensor& view, BufferRef buffer) {
  Output& output = node.outputs[0];
  output.offset = view.data - buffer->data();
  output.strides = view.strides;
  output.buffer = std::move(buffer);
}

std::optional<Tensor> try_view(const Node& node, const Tensor& input) {
  const Output& output = node.outputs[0];
  return node.op->view(input, Spec{output.shape, output.dtype}, node.attrs);
}

Tensor computed(const array& a) {
  const Output& output = a.node().outputs[a.output()];
  return {output.buffer->data() + output.offset, output.shape, output.strides, output.dtype};
}

}  // namespace

bool alias_now(Node& node) {
  std::size_t first = node.inputs.size() - node.outputs.size();
  for (const array& input : node.inputs) {
    if (!input.is_available()) return false;
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const array& input = node.inputs[first + i];
    node.outputs[i] = input.node().outputs[input.output()];
  }
  finish(node);
  return true;
}

bool view_now(Node& node) {
  if (node.op->evaluation == Evaluation::alias) return alias_now(node);
  const array& input = node.inputs[0];
  if (!input.is_available()) return false;
  auto view = try_view(node, computed(input));
  if (!view) return false;
  place(node, *view, input.node().outputs[input.output()].buffer);
  finish(node);
  return true;
}

void view_or_copy(Node& node) {
  if (view_now(node)) return;
  Tensor input = computed(node.inputs[0]);
  BufferRef copy = copy_of(input, node.stream.device);
  Tensor packed{copy->data(), input.shape, row_major_strides(input.shape), input.dtype};
  auto view = try_view(node, packed);
  if (!view) raise<RuntimeError>(node.op->name, "no view of a row-major copy");
  place(node, *view, std::move(copy));
  finish(node);
}

BufferRef copy_of(const Tensor& tensor, Device device) {
  std::int64_t count = tensor.size();
  BufferRef buffer = allocate(static_cast<std::size_t>(count * size_of(tensor.dtype)));
  if (count == 0) return buffer;
  TileProgram program = copy_program(tensor);
  Tensor target{buffer->data(), tensor.shape, row_major_strides(tensor.shape), tensor.dtype};
  backend_of(device).run(program, {&tensor, 1}, {&target, 1});
  return buffer;
}

}  // namespace mlx::core
