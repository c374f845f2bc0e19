// Tracing: running a function on arrays of its own, so that the graph it builds can be read.
#include "mlx/transforms/trace.h"

#include <unordered_set>

#include "mlx/graph/evaluation.h"
#include "mlx/graph/traverse.h"
#include "mlx/ops/identity.h"

namespace mlx::core {

Trace::Trace(std::span<const array> arguments) {
  for (const array& argument : arguments) {
    arguments_.push_back(identity_of(argument));
    arguments_.back().node().traced = true;
    arguments_.back().node().is_root = true;
  }
}

// A node stays traced only where a trace that is still under way reaches it.
Trace::~Trace() {
  auto nodes = topological_order(outputs_, [](const Node& node) { return node.traced; });
  auto lock = lock_evaluation();
  for (const array& argument : arguments_) argument.node().is_root = false;
  for (const Ref<Node>& node : nodes) {
    node->traced = node->is_root || node->abstract;
    for (const array& input : node->inputs) node->traced |= input.node().traced;
    if (!node->traced && node->available.load()) finish(*node);
  }
}

std::vector<Ref<Node>> dependent_nodes(std::span<const array> outputs,
                                       std::span<const array> inputs) {
  std::unordered_set<const Node*> dependent;
  for (const array& input : inputs) dependent.insert(&input.node());
  std::vector<Ref<Node>> result;
  auto order = topological_order(outputs, [](const Node& node) { return node.traced; });
  for (Ref<Node>& node : order) {
    bool depends = dependent.count(node.get()) > 0;
    if (!depends) {
      for (const array& input : node->inputs) depends |= dependent.count(&input.node()) > 0;
      if (!depends) continue;
      dependent.insert(node.get());
      result.push_back(std::move(node));
    }
  }
  return result;
}

}  // namespace mlx::core
