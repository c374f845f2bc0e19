// Walking the graph that arrays hang from, without recursion.
#pragma once

#include <functional>
#include <span>
#include <unordered_set>
#include <vector>

#include "mlx/array/array.h"

namespace mlx::core {

// Every node that the outputs need, each after its inputs; nodes for which `enter` is false are
// left out, and so is what only they need.
template <class Enter>
std::vector<Ref<Node>> topological_order(std::span<const array> outputs, Enter&& enter) {
  struct Frame {
    const Ref<Node>* node;
    std::size_t next;
  };
  std::vector<Ref<Node>> order;
  std::vector<Frame> stack;
  std::unordered_set<const Node*> seen;
  auto visit = [&](const array& a) {
    if (enter(a.node()) && seen.insert(&a.node()).second) stack.push_back({&a.node_ref(), 0});
  };
  for (const array& output : outputs) {
    visit(output);
    while (!stack.empty()) {
      Frame& top = stack.back();
      const Node& node = **top.node;
      if (top.next < node.inputs.size()) {
        visit(node.inputs[top.next++]);
      } else {
        order.push_back(*top.node);
        stack.pop_back();
      }
    }
  }
  return order;
}

// One output of a node, as a key of maps.
struct ValueKey {
  const Node* node;
  std::uint32_t output;
  bool operator==(const ValueKey&) const = default;
};
inline ValueKey key_of(const array& a) { return {&a.node(), a.output()}; }

struct ValueHash {
  std::size_t operator()(const ValueKey& key) const {
    return std::hash<const Node*>{}(key.node) * 31 + key.output;
  }
};

}  // namespace mlx::core
