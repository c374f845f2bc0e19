// Reverse and forward mode over the graph that a traced function builds.
#include "mlx/transforms/autodiff.h"

#include <unordered_map>

#include "mlx/graph/traverse.h"
#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/shape.h"
#include "mlx/transforms/trace.h"

namespace mlx::core {
namespace {

using Optionals = std::vector<std::optional<array>>;
using Values = std::unordered_map<ValueKey, array, ValueHash>;

array zeros_like(const array& a) { return broadcast_to(array(0, a.dtype()), a.shape()); }

Arrays outputs_of(const Ref<Node>& node) {
  Arrays outputs;
  for (std::uint32_t i = 0; i < node->outputs.size(); ++i) outputs.emplace_back(node, i);
  return outputs;
}

std::optional<array> find(const Values& values, const array& a) {
  auto found = values.find(key_of(a));
  if (found == values.end()) return std::nullopt;
  return found->second;
}

[[noreturn]] void refuse(std::string_view transform, const Op& op) {
  raise<ValueError>(transform, op.name, " has no derivative: ", op.gradient.reason);
}

void accumulate(Values& values, const array& at, const array& cotangent) {
  auto [entry, fresh] = values.try_emplace(key_of(at), cotangent);
  if (!fresh) entry->second = add(entry->second, cotangent);
}

void check_same(std::string_view transform, const char* what, const Arrays& given,
                const Arrays& like) {
  if (given.size() != like.size()) {
    raise<ValueError>(transform, "wrong number of ", what, ": got ", given.size(), "; expected ",
                      like.size());
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!(given[i].shape() == like[i].shape())) {
      raise<ValueError>(transform, "shape of ", what, " ", i, ": got ", to_string(given[i].shape()),
                        "; expected ", to_string(like[i].shape()));
    }
  }
}

// The derivative of one node along its inputs' tangents. The rule, or reverse mode applied to its
// own result: what pulls back is linear in the cotangent, and its transpose pushes forward.
Optionals node_jvp(const Ref<Node>& node, const Optionals& tangents) {
  const Op& op = *node->op;
  Arrays outputs = outputs_of(node);
  if (op.gradient.jvp != nullptr) {
    return op.gradient.jvp(JvpCall{op, node->inputs, outputs, node->attrs, tangents});
  }
  Arrays seeds;
  for (const array& output : outputs) seeds.push_back(zeros_like(output));
  Trace trace(seeds);
  Optionals cotangents(trace.arguments().begin(), trace.arguments().end());
  std::vector<bool> wanted;
  for (const auto& tangent : tangents) wanted.push_back(tangent.has_value());
  Optionals pulled =
      op.gradient.vjp(VjpCall{op, node->inputs, outputs, node->attrs, cotangents, wanted});
  Arrays reached;
  Optionals directions;
  for (std::size_t i = 0; i < pulled.size(); ++i) {
    if (!pulled[i] || !tangents[i]) continue;
    reached.push_back(*pulled[i]);
    directions.push_back(tangents[i]);
  }
  Optionals result = pull_back(reached, directions, trace.arguments());
  trace.add_outputs(reached);
  for (const auto& tangent : result) {
    if (tangent) trace.add_outputs({*tangent});
  }
  return result;
}

}  // namespace

Optionals pull_back(std::span<const array> outputs,
                    std::span<const std::optional<array>> cotangents,
                    std::span<const array> inputs) {
  Values values;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (cotangents[i]) accumulate(values, outputs[i], *cotangents[i]);
  }
  std::vector<Ref<Node>> nodes = dependent_nodes(outputs, inputs);
  std::unordered_map<const Node*, bool> depends;
  for (const array& input : inputs) depends[&input.node()] = true;
  for (const Ref<Node>& node : nodes) depends[node.get()] = true;
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    const Ref<Node>& node = *it;
    const Op& op = *node->op;
    Arrays node_outputs = outputs_of(node);
    Optionals arriving;
    bool any = false;
    for (const array& output : node_outputs) {
      arriving.push_back(find(values, output));
      any |= arriving.back().has_value();
    }
    if (!any) continue;
    std::vector<bool> wanted;
    bool any_wanted = false;
    for (const array& input : node->inputs) {
      wanted.push_back(depends.count(&input.node()) > 0 && is_inexact(input.dtype()));
      any_wanted |= wanted.back();
    }
    if (!any_wanted || !is_inexact(node_outputs[0].dtype())) continue;
    if (op.gradient.vjp == nullptr) refuse("vjp", op);
    Optionals result =
        op.gradient.vjp(VjpCall{op, node->inputs, node_outputs, node->attrs, arriving, wanted});
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (result[i] && wanted[i]) accumulate(values, node->inputs[i], *result[i]);
    }
    for (const array& output : node_outputs) values.erase(key_of(output));
  }
  Optionals result;
  for (const array& input : inputs) result.push_back(find(values, input));
  return result;
}

Optionals push_forward(std::span<const array> outputs, std::span<const array> inputs,
                       std::span<const std::optional<array>> tangents) {
  Values values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (tangents[i]) values.emplace(key_of(inputs[i]), *tangents[i]);
  }
  for (const Ref<Node>& node : dependent_nodes(outputs, inputs)) {
    Optionals arriving;
    bool any = false;
    for (const array& input : node->inputs) {
      arriving.push_back(is_inexact(input.dtype()) ? find(values, input) : std::nullopt);
      any |= arriving.back().has_value();
    }
    if (!any) continue;
    const Op& op = *node->op;
    if (op.gradient.vjp == nullptr) {
      if (!is_inexact(node->outputs[0].dtype)) continue;
      refuse("jvp", op);
    }
    Optionals result = node_jvp(node, arriving);
    for (std::uint32_t i = 0; i < result.size(); ++i) {
      if (result[i]) values.insert_or_assign(ValueKey{node.get(), i}, *result[i]);
    }
  }
  Optionals result;
  for (const array& output : outputs) result.push_back(find(values, output));
  return result;
}

std::pair<Arrays, Arrays> vjp(const Function& fun, const Arrays& primals,
                              const Arrays& cotangents) {
  Trace trace(primals);
  Arrays outputs = fun(trace.arguments());
  trace.add_outputs(outputs);
  check_same("vjp", "cotangents", cotangents, outputs);
  Optionals seeds;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    seeds.push_back(astype(cotangents[i], outputs[i].dtype()));
  }
  Optionals pulled = pull_back(outputs, seeds, trace.arguments());
  Arrays result;
  for (std::size_t i = 0; i < primals.size(); ++i) {
    result.push_back(pulled[i] ? *pulled[i] : zeros_like(primals[i]));
  }
  trace.add_outputs(result);
  return {std::move(outputs), std::move(result)};
}

std::pair<Arrays, Arrays> jvp(const Function& fun, const Arrays& primals, const Arrays& tangents) {
  check_same("jvp", "tangents", tangents, primals);
  Trace trace(primals);
  Arrays outputs = fun(trace.arguments());
  trace.add_outputs(outputs);
  Optionals seeds;
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    seeds.push_back(astype(tangents[i], primals[i].dtype()));
  }
  Optionals pushed = push_forward(outputs, trace.arguments(), seeds);
  Arrays result;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    result.push_back(pushed[i] ? *pushed[i] : zeros_like(outputs[i]));
  }
  trace.add_outputs(result);
  return {std::move(outputs), std::move(result)};
}

std::pair<Arrays, Arrays> value_and_grad(const Function& fun, const Arrays& primals,
                                         const std::vector<int>& argnums) {
  Arrays chosen;
  for (int argument : argnums) {
    if (argument < 0 || argument >= static_cast<int>(primals.size())) {
      raise<ValueError>("grad", "no such argument: got ", argument, " of ", primals.size());
    }
    const array& a = primals[static_cast<std::size_t>(argument)];
    if (!is_inexact(a.dtype())) {
      raise<ValueError>("grad", "argument ", argument, " is not differentiable: got ",
                        name_of(a.dtype()), "; expected a floating or complex dtype");
    }
    chosen.push_back(a);
  }
  Trace trace(chosen);
  Arrays arguments = primals;
  for (std::size_t i = 0; i < argnums.size(); ++i) {
    arguments[static_cast<std::size_t>(argnums[i])] = trace.arguments()[i];
  }
  Arrays outputs = fun(arguments);
  trace.add_outputs(outputs);
  if (outputs.empty() || outputs[0].size() != 1 || !is_floating(outputs[0].dtype())) {
    raise<ValueError>("grad", "the function must return a real scalar first: got ",
                      outputs.empty() ? std::string("nothing")
                                      : std::string(name_of(outputs[0].dtype())) + " " +
                                            to_string(outputs[0].shape()));
  }
  Optionals seeds(outputs.size());
  seeds[0] = broadcast_to(array(1, outputs[0].dtype()), outputs[0].shape());
  Optionals pulled = pull_back(outputs, seeds, trace.arguments());
  Arrays gradients;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    gradients.push_back(pulled[i] ? *pulled[i] : zeros_like(chosen[i]));
  }
  trace.add_outputs(gradients);
  return {std::move(outputs), std::move(gradients)};
}

}  // namespace mlx::core
