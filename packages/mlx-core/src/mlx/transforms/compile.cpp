// Compilation: tracing to a tape, merging equal steps, replaying.
#include "mlx/transforms/compile.h"

#include <atomic>
#include <unordered_map>

#include "mlx/graph/traverse.h"
#include "mlx/transforms/trace.h"

namespace mlx::core {

class TapeBuilder {
 public:
  explicit TapeBuilder(Tape& tape) : tape_(tape) {}

  void build(const Arrays& arguments, const Arrays& outputs) {
    for (const array& argument : arguments) slots_.emplace(key_of(argument), next_++);
    std::vector<Ref<Node>> nodes = dependent_nodes(outputs, arguments);
    for (const Ref<Node>& node : nodes) inner_.emplace(node.get());
    for (const Ref<Node>& node : nodes) {
      for (const array& input : node->inputs) add_constant(input);
    }
    for (const array& output : outputs) add_constant(output);
    for (const Ref<Node>& node : nodes) add_step(*node);
    for (const array& output : outputs) tape_.outputs_.push_back(slots_.at(key_of(output)));
    tape_.slots_ = next_;
  }

 private:
  void add_constant(const array& a) {
    if (inner_.count(&a.node()) || slots_.count(key_of(a))) return;
    slots_.emplace(key_of(a), next_++);
    tape_.constants_.push_back(a);
  }

  void add_step(const Node& node) {
    Tape::Step step{node.op, node.attrs, node.stream, {}, {}, next_};
    std::size_t hash = std::hash<const Op*>{}(node.op) ^ (node.attrs ? node.attrs->hash() : 0);
    for (const array& input : node.inputs) {
      step.inputs.push_back(slots_.at(key_of(input)));
      hash = hash * 1000003 + step.inputs.back();
    }
    std::uint32_t first = next_;
    auto [begin, end] = known_.equal_range(hash);
    for (auto it = begin; it != end; ++it) {
      if (same(tape_.steps_[it->second], step)) first = tape_.steps_[it->second].first_slot;
    }
    for (std::uint32_t i = 0; i < node.outputs.size(); ++i) {
      slots_.emplace(ValueKey{&node, i}, first + i);
    }
    if (first != next_) return;  // computed already
    for (const Output& output : node.outputs) step.outputs.push_back({output.shape, output.dtype});
    next_ += static_cast<std::uint32_t>(node.outputs.size());
    known_.emplace(hash, tape_.steps_.size());
    tape_.steps_.push_back(std::move(step));
  }

  static bool same(const Tape::Step& a, const Tape::Step& b) {
    if (a.op != b.op || !(a.inputs == b.inputs) || !(a.stream == b.stream)) return false;
    return a.attrs == b.attrs || (a.attrs && b.attrs && a.attrs->equals(*b.attrs));
  }

  Tape& tape_;
  std::uint32_t next_ = 0;
  std::unordered_map<ValueKey, std::uint32_t, ValueHash> slots_;
  std::unordered_set<const Node*> inner_;
  std::unordered_multimap<std::size_t, std::size_t> known_;
};

Tape::Tape(const Arrays& arguments, const Arrays& outputs) {
  TapeBuilder(*this).build(arguments, outputs);
  // What does not depend on the arguments is computed once; arguments of an outer trace have no
  // value yet.
  Arrays concrete;
  for (const array& constant : constants_) {
    if (!constant.node().abstract) concrete.push_back(constant);
  }
  eval(concrete);
}

Arrays Tape::replay(const Arrays& arguments) const {
  Arrays values;
  values.reserve(slots_);
  values.insert(values.end(), arguments.begin(), arguments.end());
  values.insert(values.end(), constants_.begin(), constants_.end());
  for (const Step& step : steps_) {
    SmallVector<array, 3> inputs;
    inputs.reserve(step.inputs.size());
    for (std::uint32_t slot : step.inputs) inputs.push_back(values[slot]);
    if (step.outputs.size() == 1) {
      values.push_back(
          apply(*step.op, std::move(inputs), step.attrs, step.stream, step.outputs[0]));
    } else {
      for (array& output : apply_multi(*step.op, std::move(inputs), step.attrs, step.stream)) {
        values.push_back(std::move(output));
      }
    }
  }
  Arrays outputs;
  for (std::uint32_t slot : outputs_) outputs.push_back(values[slot]);
  return outputs;
}

Signature::Signature(const Arrays& arguments) {
  for (const array& argument : arguments) {
    shapes.push_back(argument.shape());
    dtypes.push_back(argument.dtype());
  }
}

std::shared_ptr<const Tape> CompileCache::find_or_trace(const Arrays& arguments, std::size_t key,
                                                        const Function& trace) {
  Signature signature(arguments);
  {
    std::lock_guard lock(mutex_);
    for (auto it = entries_.begin(); it != entries_.end(); ++it) {
      if (it->key != key || !(it->signature == signature)) continue;
      entries_.splice(entries_.begin(), entries_, it);
      return entries_.front().tape;
    }
  }
  Arrays placeholders;
  for (const array& argument : arguments) {
    placeholders.push_back(placeholder(argument.shape(), argument.dtype()));
  }
  auto tape = std::make_shared<const Tape>(placeholders, trace(placeholders));
  std::lock_guard lock(mutex_);
  entries_.push_front({std::move(signature), key, tape});
  if (entries_.size() > bound) entries_.pop_back();
  return tape;
}

std::size_t CompileCache::size() {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

namespace {

std::atomic<bool> enabled{true};

}  // namespace

void enable_compile(bool on) { enabled.store(on); }
bool compile_is_enabled() { return enabled.load(); }

Function compile(Function fun) {
  auto cache = std::make_shared<CompileCache>();
  return [fun = std::move(fun), cache](const Arrays& arguments) {
    if (!compile_is_enabled()) return fun(arguments);
    return cache->find_or_trace(arguments, 0, fun)->replay(arguments);
  };
}

}  // namespace mlx::core
