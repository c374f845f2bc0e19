// From the lazy graph to groups that run one after the other.
#include "mlx/schedule/plan.h"

#include <algorithm>

#include "mlx/ops/op.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/reduce.h"
#include "mlx/schedule/view.h"

namespace mlx::core {
namespace {

// Longer programs gain nothing: their tiles no longer fit the cache.
constexpr std::size_t max_members = 64;

bool fuses(const Op& op) {
  return op.evaluation == Evaluation::elementwise || op.evaluation == Evaluation::cast ||
         op.evaluation == Evaluation::iota;
}

[[noreturn]] void refuse_placeholder() {
  raise<ValueError>("eval",
                    "an array inside a traced function (compile, vmap, export) has no value: move "
                    "what needs the value (item, tolist, printing, if) out of the function");
}

[[noreturn]] void refuse_lost() {
  raise<RuntimeError>("eval",
                      "the value is gone: an evaluation that was reusing its memory was "
                      "interrupted; compute the array again");
}

bool is_view(const Op& op) {
  return op.evaluation == Evaluation::view || op.evaluation == Evaluation::alias;
}

constexpr std::uint32_t none = ~0u;

bool is_reduce(const Node& node) { return node.op->evaluation == Evaluation::reduce; }

const Shape& iteration_space(const Node& node) {
  return is_reduce(node) ? node.inputs[0].shape() : node.outputs[0].shape;
}

void note_reduction(const Node& node, Group& group) {
  if (!is_reduce(node)) return;
  group.reduces = true;
  group.axes = attrs_as<ReduceAttrs>(node.attrs).axes;
}

bool can_merge(const Group& a, const Group& b) {
  return a.members.size() + b.members.size() < max_members &&
         (!a.reduces || !b.reduces || a.axes == b.axes);
}

std::uint64_t next_epoch() {
  static std::uint64_t epoch = 0;  // under the eval lock
  return ++epoch;
}

}  // namespace

void Plan::clear() {
  tape.clear();
  groups.clear();
  order.clear();
  stored_.clear();
  work = 0;
  has_kernels = false;
}

void Plan::collect(std::span<const array> outputs) {
  struct Frame {
    Node* node;
    std::size_t next;
  };
  static std::vector<Frame> stack;  // under the eval lock
  stack.clear();
  epoch_ = next_epoch();
  auto enter = [&](Node& node) {
    if (node.epoch == epoch_) {
      ++node.uses;
      return;
    }
    if (node.available.load(std::memory_order_acquire)) return;
    if (node.op == nullptr) refuse_lost();
    if (node.op->evaluation == Evaluation::placeholder) refuse_placeholder();
    node.epoch = epoch_;
    node.uses = 1;
    stack.push_back({&node, 0});
  };
  for (const array& output : outputs) {
    enter(output.node());
    if (output.node().epoch == epoch_) --output.node().uses;  // a handle, not an edge
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next < top.node->inputs.size()) {
        enter(top.node->inputs[top.next++].node());
        continue;
      }
      Node& node = *top.node;
      stack.pop_back();
      if (is_view(*node.op) && view_now(node)) continue;
      node.position = static_cast<std::uint32_t>(tape.size());
      tape.emplace_back(&node);
      work += element_count(node.outputs[0].shape);
      has_kernels |= node.op->evaluation == Evaluation::kernel;
    }
  }
}

void Plan::group() {
  groups.reserve(tape.size());
  for (const Ref<Node>& node : tape) assign(*node);
  mark_stored();
  sort_groups();
}

std::uint32_t Plan::find(std::uint32_t group) {
  while (groups[group].parent != group) {
    groups[group].parent = groups[groups[group].parent].parent;
    group = groups[group].parent;
  }
  return group;
}

std::uint32_t Plan::add_group(Node& node, Group::Kind kind, std::uint32_t level) {
  auto id = static_cast<std::uint32_t>(groups.size());
  Group& group = groups.emplace_back();
  group.kind = kind;
  group.parent = id;
  group.level = level;
  group.members.push_back(node.position);
  node.group = id;
  return id;
}

void Plan::merge(std::uint32_t into, std::uint32_t from) {
  groups[from].parent = into;
  for (std::uint32_t position : groups[from].members) groups[into].members.push_back(position);
  groups[from].members.clear();
  if (groups[from].reduces) {
    groups[into].reduces = true;
    groups[into].axes = groups[from].axes;
  }
}

void Plan::assign(Node& node) {
  const Op& op = *node.op;
  if (fuses(op) || is_reduce(node)) {
    assign_tiles(node);
    return;
  }
  std::uint32_t level = 0;
  for (const array& input : node.inputs) {
    if (input.node().epoch != epoch_ || input.is_available()) continue;
    level = std::max(level, groups[find(input.node().group)].level + 1);
  }
  add_group(node, is_view(op) ? Group::Kind::view : Group::Kind::kernel, level);
}

bool Plan::can_join(const Node& node, std::uint32_t id) {
  const Group& group = groups[id];
  if (group.kind != Group::Kind::tiles || group.members.size() >= max_members) return false;
  if (!(group.dims == iteration_space(node))) return false;
  return !is_reduce(node) || !group.reduces || group.axes == attrs_as<ReduceAttrs>(node.attrs).axes;
}

// A node joins the highest group it reads from, if the iteration space is the same and all else
// that it reads is computed in lower groups; several such groups of one level become one.
void Plan::assign_tiles(Node& node) {
  std::uint32_t needed = 0;
  SmallVector<std::uint32_t, 3> joinable;
  for (const array& input : node.inputs) {
    const Node& source = input.node();
    if (source.epoch != epoch_ || input.is_available()) continue;
    std::uint32_t id = find(source.group);
    if (fuses(*source.op) && can_join(node, id)) {
      joinable.push_back(id);
    } else {
      needed = std::max(needed, groups[id].level + 1);
    }
  }
  std::uint32_t highest = 0;
  for (std::uint32_t id : joinable) highest = std::max(highest, groups[id].level);
  if (joinable.empty() || needed > highest) {
    start_tiles(node, joinable.empty() ? needed : std::max(needed, highest + 1));
    return;
  }
  std::uint32_t home = none;
  for (std::uint32_t id : joinable) {
    id = find(id);
    if (groups[id].level != highest || id == home) continue;
    if (home == none) {
      home = id;
    } else if (can_merge(groups[home], groups[id])) {
      merge(home, id);
    } else {
      start_tiles(node, highest + 1);  // reads both from memory
      return;
    }
  }
  groups[home].members.push_back(node.position);
  node.group = home;
  note_reduction(node, groups[home]);
}

void Plan::start_tiles(Node& node, std::uint32_t level) {
  Group& group = groups[add_group(node, Group::Kind::tiles, level)];
  group.dims = iteration_space(node);
  note_reduction(node, group);
}

// Stored: everything but what only its own group reads. The tape itself holds one reference.
void Plan::mark_stored() {
  stored_.assign(tape.size(), 0);
  for (const Ref<Node>& node : tape) {
    std::uint32_t group = find(node->group);
    bool held = node->references.load(std::memory_order_relaxed) > node->uses + 1;
    if (held || !fuses(*node->op)) stored_[node->position] = 1;
    for (const array& input : node->inputs) {
      const Node& source = input.node();
      if (source.epoch == epoch_ && !input.is_available() && find(source.group) != group) {
        stored_[source.position] = 1;
      }
    }
  }
}

// Depth first from the first group on: what is computed early is used early, which keeps memory
// low.
void Plan::sort_groups() {
  struct Frame {
    std::uint32_t group;
    std::uint32_t member;
    std::uint32_t input;
  };
  static std::vector<Frame> stack;  // under the eval lock
  static std::vector<std::uint8_t> entered;
  stack.clear();
  entered.assign(groups.size(), 0);
  auto enter = [&](std::uint32_t id) {
    if (entered[id]) return;
    entered[id] = 1;
    stack.push_back({id, 0, 0});
  };
  for (std::uint32_t root = 0; root < groups.size(); ++root) {
    if (groups[root].parent != root) continue;
    enter(root);
    while (!stack.empty()) {
      Frame& top = stack.back();
      const Group& group = groups[top.group];
      if (top.member == group.members.size()) {
        order.push_back(top.group);
        stack.pop_back();
        continue;
      }
      const Node& node = *tape[group.members[top.member]];
      if (top.input == node.inputs.size()) {
        ++top.member;
        top.input = 0;
        continue;
      }
      const array& input = node.inputs[top.input++];
      if (input.node().epoch == epoch_ && !input.is_available()) enter(find(input.node().group));
    }
  }
}

}  // namespace mlx::core
