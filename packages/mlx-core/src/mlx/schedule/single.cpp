// The short way for a lone small elementwise node.
#include "mlx/schedule/single.h"

#include <cstring>

#include "mlx/ops/elementwise.h"
#include "mlx/schedule/backend.h"
#include "mlx/schedule/view.h"

namespace mlx::core {
namespace {

constexpr std::int64_t max_count = 1024;
constexpr std::int64_t max_bytes = 16 * max_count;

bool repeats_one(const Output& value) {
  for (std::size_t i = 0; i < value.shape.size(); ++i) {
    if (value.strides[i] != 0 && value.shape[i] != 1) return false;
  }
  return true;
}

void fill(std::byte* target, const std::byte* value, std::size_t size, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i, target += size) std::memcpy(target, value, size);
}

}  // namespace

bool compute_alone(Node& node) {
  if (node.op == nullptr || node.op->evaluation != Evaluation::elementwise || node.traced) {
    return false;
  }
  Output& output = node.outputs[0];
  std::int64_t count = 1;
  for (std::int64_t size : output.shape) {
    if (size > max_count) return false;
    count *= size;
    if (count > max_count) return false;
  }
  alignas(64) static thread_local std::byte repeated[2][max_bytes];
  std::size_t used = 0;
  const void* sources[3];
  Dtype dtype = output.dtype;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    array& input = node.inputs[i];
    if (!input.is_available()) {
      Node& source = input.node();
      bool is_ready_view = source.op != nullptr && source.op->evaluation == Evaluation::view &&
                           source.inputs[0].is_available();
      if (!is_ready_view || !view_now(source)) return false;
    }
    const Output& value = input.node().outputs[input.output()];
    const std::byte* data = value.buffer->data() + value.offset;
    if (!is_row_major(value.shape, value.strides)) {
      if (used == 2 || !repeats_one(value)) return false;
      fill(repeated[used], data, static_cast<std::size_t>(size_of(value.dtype)), count);
      data = repeated[used++];
    }
    sources[i] = data;
    dtype = value.dtype;
  }
  ElementLoop loop = backend_of(node.stream.device).element_loop(node.op->elementwise->id, dtype);
  if (loop == nullptr) return false;
  BufferRef buffer = allocate(static_cast<std::size_t>(count * size_of(output.dtype)));
  loop(buffer->data(), sources, count);
  output.buffer = std::move(buffer);
  output.strides = row_major_strides(output.shape);
  finish(node);
  return true;
}

}  // namespace mlx::core
