// Evaluation: plans the lazy graph and runs its groups, under one lock.
#include "mlx/schedule/evaluate.h"

#include <algorithm>
#include <mutex>

#include "mlx/ops/op.h"
#include "mlx/schedule/backend.h"
#include "mlx/schedule/lower.h"
#include "mlx/schedule/single.h"
#include "mlx/schedule/view.h"

namespace mlx::core {
namespace {

// Small enough that letting other Python threads run meanwhile would cost more than it gives.
constexpr std::int64_t quick_work = 1 << 16;

Tensor tensor_of(const Output& output) {
  return {output.buffer->data() + output.offset, output.shape, output.strides, output.dtype};
}

class Evaluator {
 public:
  void plan(std::span<const array> outputs) {
    plan_.clear();
    plan_.collect(outputs);
    plan_.group();
  }

  bool is_quick() const { return plan_.work <= quick_work && !plan_.has_kernels; }

  void run() {
    for (std::uint32_t id : plan_.order) {
      check_interrupt();
      switch (plan_.groups[id].kind) {
        case Group::Kind::tiles:
          run_tiles(id);
          break;
        case Group::Kind::kernel:
          run_kernel(*plan_.tape[plan_.groups[id].members[0]]);
          break;
        case Group::Kind::view:
          view_or_copy(*plan_.tape[plan_.groups[id].members[0]]);
          break;
      }
      for (std::uint32_t position : plan_.groups[id].members) plan_.tape[position] = nullptr;
    }
  }

  void clear() {
    plan_.clear();
    lowered_.clear();
  }

 private:
  // Is the value's memory free to be written once these edges are gone? (A node computed by this
  // evaluation has left the tape by now.)
  bool dies_with(const Node& node, std::uint32_t output, std::uint32_t edges) const {
    const Output& value = node.outputs[output];
    return !node.traced && node.references.load(std::memory_order_acquire) == edges &&
           value.buffer->references.load(std::memory_order_acquire) == 1 &&
           !value.buffer->is_borrowed() && value.offset == 0 &&
           is_row_major(value.shape, value.strides);
  }

  void run_tiles(std::uint32_t id) {
    lowered_.clear();
    lower(plan_, id, lowered_);
    std::vector<Node*> donors(lowered_.inputs.size(), nullptr);
    std::vector<BufferRef> buffers;
    std::vector<Tensor> targets;
    for (const auto& result : lowered_.results) {
      const Output& output = result.node->outputs[0];
      BufferRef buffer = donation_for(result, donors);
      if (!buffer) {
        buffer =
            allocate(static_cast<std::size_t>(element_count(output.shape) * size_of(output.dtype)));
      }
      targets.push_back(
          {buffer->data(), output.shape, row_major_strides(output.shape), output.dtype});
      buffers.push_back(std::move(buffer));
    }
    run_program(targets, donors);
    for (std::size_t i = 0; i < lowered_.results.size(); ++i) {
      Output& output = lowered_.results[i].node->outputs[0];
      output.buffer = std::move(buffers[i]);
      output.offset = 0;
      output.strides = std::move(targets[i].strides);
    }
    for (const auto& result : lowered_.results) finish(*result.node);
  }

  // The memory of an input that this program is the last to read, and has read when it writes.
  BufferRef donation_for(const LoweredGroup::Result& result, std::vector<Node*>& donors) {
    if (lowered_.traced || result.is_reduction) return nullptr;
    const Output& target = result.node->outputs[0];
    for (std::size_t i = 0; i < lowered_.inputs.size(); ++i) {
      const auto& input = lowered_.inputs[i];
      const Output& value = input.node->outputs[input.output];
      if (donors[i] != nullptr || input.reduced || input.last_read > result.defined_by ||
          size_of(value.dtype) != size_of(target.dtype) ||
          !dies_with(*input.node, input.output, input.edges)) {
        continue;
      }
      donors[i] = input.node;
      return value.buffer;
    }
    return nullptr;
  }

  void run_program(std::span<const Tensor> targets, std::span<Node* const> donors) {
    const Shape& dims = lowered_.program.dims;
    bool is_empty = std::find(dims.begin(), dims.end(), 0) != dims.end();
    if (is_empty && lowered_.program.reductions.empty()) return;
    try {
      backend_of(lowered_.results[0].node->stream.device)
          .run(lowered_.program, lowered_.tensors, targets);
    } catch (...) {
      for (Node* donor : donors) {
        if (donor != nullptr) lose(*donor);
      }
      throw;
    }
  }

  // Its memory is half overwritten: nobody may read it as what it was.
  static void lose(Node& node) {
    node.available.store(false, std::memory_order_release);
    node.op = nullptr;
  }

  void run_kernel(Node& node) {
    const Op& op = *node.op;
    Backend& backend = backend_of(node.stream.device);
    Kernel kernel = backend.find_kernel(op);
    if (kernel == nullptr) {
      raise<NotImplementedError>(op.name, "no kernel for ", to_string(node.stream.device));
    }
    std::vector<Tensor> inputs, outputs;
    std::vector<BufferRef> buffers;
    for (const array& input : node.inputs) {
      inputs.push_back(tensor_of(input.node().outputs[input.output()]));
    }
    for (const Output& output : node.outputs) {
      auto bytes = static_cast<std::size_t>(element_count(output.shape) * size_of(output.dtype));
      BufferRef buffer = buffers.empty() ? kernel_donation(node, output, bytes) : nullptr;
      if (!buffer) buffer = allocate(bytes);
      outputs.push_back(
          {buffer->data(), output.shape, row_major_strides(output.shape), output.dtype});
      buffers.push_back(std::move(buffer));
    }
    bool donated = op.donates >= 0 && outputs[0].data == inputs[op.donates].data;
    try {
      kernel(KernelCall{op, node.attrs, inputs, outputs});
    } catch (...) {
      if (donated) lose(node.inputs[static_cast<std::size_t>(op.donates)].node());
      throw;
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      node.outputs[i].buffer = std::move(buffers[i]);
      node.outputs[i].strides = std::move(outputs[i].strides);
    }
    finish(node);
  }

  BufferRef kernel_donation(const Node& node, const Output& output, std::size_t bytes) {
    if (node.op->donates < 0 || node.traced || bytes == 0) return nullptr;
    const array& input = node.inputs[static_cast<std::size_t>(node.op->donates)];
    if (input.dtype() != output.dtype || input.nbytes() != static_cast<std::int64_t>(bytes) ||
        !dies_with(input.node(), input.output(), 1)) {
      return nullptr;
    }
    return input.node().outputs[input.output()].buffer;
  }

  Plan plan_;
  LoweredGroup lowered_;
};

Evaluator& evaluator() {
  static auto* instance = new Evaluator;  // never destroyed: the worker may outlive statics
  return *instance;
}

bool all_available(std::span<const array> arrays) {
  for (const array& a : arrays) {
    if (!a.is_available()) return false;
  }
  return true;
}

// Whatever happens, the plan does not keep nodes alive.
struct ClearAfter {
  ~ClearAfter() { evaluator().clear(); }
};

}  // namespace

void eval(std::span<const array> arrays) {
  if (all_available(arrays)) return;
  auto lock = lock_evaluation();
  refuse_after_bad_fork();
  if (arrays.size() == 1 && compute_alone(arrays[0].node())) return;
  ClearAfter clear;
  evaluator().plan(arrays);
  evaluator().run();
}

bool eval_if_quick(std::span<const array> arrays) {
  if (all_available(arrays)) return true;
  std::unique_lock lock(eval_mutex(), std::try_to_lock);
  if (!lock) return false;
  refuse_after_bad_fork();
  if (arrays.size() == 1 && compute_alone(arrays[0].node())) return true;
  ClearAfter clear;
  evaluator().plan(arrays);
  if (!evaluator().is_quick()) return false;
  evaluator().run();
  return true;
}

}  // namespace mlx::core
