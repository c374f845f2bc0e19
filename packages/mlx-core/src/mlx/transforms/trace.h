// Tracing: running a function on arrays of its own, so that the graph it builds can be read.
#pragma once

#include <span>
#include <vector>

#include "mlx/ops/op.h"

namespace mlx::core {

// Copies of the arguments that a function is differentiated by. While it lives, evaluation keeps
// the inputs of what depends on them; afterwards the graph under `outputs` is let go again.
class Trace {
 public:
  explicit Trace(std::span<const array> arguments);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  const Arrays& arguments() const { return arguments_; }
  // What the traced graph leads to, derivatives included.
  void add_outputs(const Arrays& outputs) {
    outputs_.insert(outputs_.end(), outputs.begin(), outputs.end());
  }

 private:
  Arrays arguments_;
  Arrays outputs_;
};

// The nodes between inputs and outputs: those that depend on an input, each after its own inputs.
std::vector<Ref<Node>> dependent_nodes(std::span<const array> outputs,
                                       std::span<const array> inputs);

}  // namespace mlx::core
