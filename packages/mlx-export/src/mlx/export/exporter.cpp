// The walk: placeholders in, the function's graph out, one event after the other.
#include "mlx/export/exporter.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "mlx/graph/traverse.h"

namespace mlx::core {
namespace {

// What tells one trace from another.
std::string signature_of(const Arrays& positional, const Keywords& keywords) {
  std::ostringstream text;
  auto add = [&](const array& a) { text << name_of(a.dtype()) << to_string(a.shape()) << ';'; };
  for (const array& a : positional) add(a);
  for (const auto& [keyword, a] : keywords) {
    text << keyword << '=';
    add(a);
  }
  return text.str();
}

array placeholder_like(const array& a) { return placeholder(a.shape(), a.dtype()); }

}  // namespace

std::string array_name(std::size_t index) {
  std::string name;
  for (++index; index > 0; index = (index - 1) / 26) {
    name.insert(name.begin(), static_cast<char>('A' + (index - 1) % 26));
  }
  return name;
}

struct Exporter::State {
  std::shared_ptr<Listener> listener;
  ExportedFunction fun;
  std::size_t next_name = 0;
  std::set<std::string> signatures;
  // Names hold for the exporter's life, and so must what they name.
  std::unordered_map<ValueKey, std::string, ValueHash> names;
  std::unordered_set<ValueKey, ValueHash> told;
  Arrays constants;

  ArraySpec spec_of(const array& a) {
    auto [entry, fresh] = names.try_emplace(key_of(a));
    if (fresh) entry->second = array_name(next_name++);
    return {entry->second, a.shape(), a.dtype()};
  }

  std::vector<ArraySpec> specs_of(Inputs arrays) {
    std::vector<ArraySpec> specs;
    for (const array& a : arrays) specs.push_back(spec_of(a));
    return specs;
  }

  void emit_constants(const std::vector<Ref<Node>>& order, const Arrays& outputs) {
    ConstantsEvent event;
    auto add = [&](const array& a) {
      if (a.node().op != nullptr || !told.insert(key_of(a)).second) return;
      constants.push_back(a);
      event.constants.emplace_back(spec_of(a).name, a);
    };
    for (const Ref<Node>& node : order) {
      for (const array& input : node->inputs) add(input);
    }
    for (const array& output : outputs) add(output);
    listener->on(event);
  }

  void emit_primitive(const Ref<Node>& node) {
    Arrays outputs;
    for (std::uint32_t i = 0; i < node->outputs.size(); ++i) outputs.emplace_back(node, i);
    PrimitiveEvent event{node->op, specs_of(node->inputs), specs_of(outputs), {}};
    if (node->attrs) event.arguments = node->attrs->values();
    listener->on(event);
  }

  void forget_inner(const std::vector<Ref<Node>>& order, const Arrays& inputs) {
    auto forget = [&](const Ref<Node>& node) {
      for (std::uint32_t i = 0; i < node->outputs.size(); ++i) names.erase({node.get(), i});
    };
    for (const Ref<Node>& node : order) {
      if (node->op != nullptr) forget(node);
    }
    for (const array& input : inputs) forget(input.node_ref());
  }
};

Exporter::Exporter(std::shared_ptr<Listener> listener, ExportedFunction fun)
    : state_(std::make_unique<State>()) {
  state_->listener = std::move(listener);
  state_->fun = std::move(fun);
}

Exporter::~Exporter() = default;

void Exporter::trace(const Arrays& positional, const Keywords& keywords) {
  std::string signature = signature_of(positional, keywords);
  if (state_->signatures.count(signature)) {
    raise<ValueError>("export_function", "this kind of arguments was traced before: got ",
                      signature, "; expected other shapes, dtypes or keywords");
  }
  Arrays inputs;
  Arrays arguments;
  for (const array& a : positional) arguments.push_back(placeholder_like(a));
  inputs = arguments;
  Keywords named;
  for (const auto& [keyword, a] : keywords) {
    inputs.push_back(placeholder_like(a));
    named.emplace(keyword, inputs.back());
  }
  Arrays outputs = state_->fun(arguments, named);
  auto is_placeholder = [](const Node& node) {
    return node.op != nullptr && node.op->evaluation == Evaluation::placeholder;
  };
  auto order = topological_order(outputs, [&](const Node& node) { return !is_placeholder(node); });

  Listener& listener = *state_->listener;
  listener.on(InputsEvent{state_->specs_of(inputs)});
  KeywordInputsEvent keyword_event;
  for (const auto& [keyword, a] : named) {
    keyword_event.keywords.emplace_back(keyword, state_->spec_of(a).name);
  }
  listener.on(keyword_event);
  listener.on(OutputsEvent{state_->specs_of(outputs)});
  state_->emit_constants(order, outputs);
  for (const Ref<Node>& node : order) {
    if (node->op != nullptr) state_->emit_primitive(node);
  }
  state_->forget_inner(order, inputs);
  state_->signatures.insert(std::move(signature));
}

}  // namespace mlx::core
