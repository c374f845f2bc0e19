// The life of a node.
#include "mlx/graph/node.h"

#include <vector>

#include "mlx/graph/attributes.h"

namespace mlx::core {

Node::Node() = default;
Node::~Node() = default;

// Dropping the last handle of a chain would recurse once per node: the nodes that die meanwhile
// wait in a list instead.
void Node::destroy(Node* node) {
  thread_local std::vector<Node*>* waiting = nullptr;
  if (waiting != nullptr) {
    waiting->push_back(node);
    return;
  }
  std::vector<Node*> list;
  waiting = &list;
  delete node;
  while (!list.empty()) {
    Node* next = list.back();
    list.pop_back();
    delete next;
  }
  waiting = nullptr;
}

void finish(Node& node) {
  node.available.store(true, std::memory_order_release);
  if (node.traced) return;
  node.attrs = nullptr;
  // Moved out first: the inputs' end must not see a half-finished node.
  SmallVector<array, 3> inputs = std::move(node.inputs);
  node.op = nullptr;
}

}  // namespace mlx::core
