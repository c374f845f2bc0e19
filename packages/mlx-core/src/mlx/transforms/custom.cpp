// Functions with rules of their own: a node that passes the function's outputs through and carries
// the rules.
#include "mlx/transforms/custom.h"

#include "mlx/ops/primitives.h"
#include "mlx/ops/shape.h"
#include "mlx/transforms/vmap.h"

namespace mlx::core {
namespace {

using Optionals = std::vector<std::optional<array>>;

class RulesAttrs final : public Attrs {
 public:
  RulesAttrs(std::shared_ptr<const CustomRules> rules, std::size_t outputs)
      : rules(std::move(rules)), outputs(outputs) {}
  bool equals(const Attrs& other) const override {
    auto* same = dynamic_cast<const RulesAttrs*>(&other);
    return same && same->rules == rules;
  }
  std::vector<NamedValue> values() const override { return {}; }
  const std::shared_ptr<const CustomRules> rules;
  const std::size_t outputs;  // how many of the node's inputs are the function's outputs
};

const RulesAttrs& attrs_of(const AttrsRef& attrs) { return static_cast<const RulesAttrs&>(*attrs); }

// The node's inputs are the primals, then the outputs of the function.
Arrays primals_of(Inputs inputs, std::size_t outputs) {
  return Arrays(inputs.begin(), inputs.end() - static_cast<std::ptrdiff_t>(outputs));
}

array zeros_like(const array& a) { return broadcast_to(array(0, a.dtype()), a.shape()); }

Arrays filled(std::span<const std::optional<array>> values, std::span<const array> like) {
  Arrays result;
  for (std::size_t i = 0; i < like.size(); ++i) {
    result.push_back(values[i] ? *values[i] : zeros_like(like[i]));
  }
  return result;
}

Specs infer(const Op&, Inputs inputs, const AttrsRef& attrs) {
  Specs specs;
  for (const array& output : inputs.last(attrs_of(attrs).outputs)) {
    specs.push_back({output.shape(), output.dtype()});
  }
  return specs;
}

Optionals custom_vjp(const VjpCall& call) {
  const CustomRules& rules = *attrs_of(call.attrs).rules;
  Arrays primals = primals_of(call.inputs, call.outputs.size());
  Arrays outputs(call.outputs.begin(), call.outputs.end());
  Arrays cotangents = filled(call.cotangents, outputs);
  Arrays pulled = rules.vjp ? rules.vjp(primals, cotangents, outputs)
                            : vjp(rules.fun, primals, cotangents).second;
  if (pulled.size() != primals.size()) {
    raise<ValueError>("custom_function", "the vjp returned ", pulled.size(),
                      " arrays; expected one per input: ", primals.size());
  }
  Optionals result(pulled.begin(), pulled.end());
  result.resize(call.inputs.size());
  return result;
}

Optionals custom_jvp(const JvpCall& call) {
  const CustomRules& rules = *attrs_of(call.attrs).rules;
  Arrays primals = primals_of(call.inputs, call.outputs.size());
  Arrays tangents = filled(call.tangents.first(primals.size()), primals);
  Arrays pushed =
      rules.jvp ? rules.jvp(primals, tangents) : jvp(rules.fun, primals, tangents).second;
  if (pushed.size() != call.outputs.size()) {
    raise<ValueError>("custom_function", "the jvp returned ", pushed.size(),
                      " arrays; expected one per output: ", call.outputs.size());
  }
  return Optionals(pushed.begin(), pushed.end());
}

Arrays custom_vmap(const VmapCall& call) {
  const RulesAttrs& attrs = attrs_of(call.attrs);
  Arrays primals = primals_of(call.inputs, attrs.outputs);
  std::vector<int> axes(call.axes.begin(), call.axes.begin() + static_cast<int>(primals.size()));
  if (!attrs.rules->vmap) {
    Function batched = vmap(attrs.rules->fun, axes, std::vector<int>(attrs.outputs, 0));
    CustomRules rules;
    rules.fun = batched;
    return call_custom(std::make_shared<const CustomRules>(std::move(rules)), primals);
  }
  auto [outputs, out_axes] = attrs.rules->vmap(primals, axes);
  Arrays result;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    VmapCall to_front{call.op,    {&outputs[i], 1}, {&out_axes[i], 1},
                      call.attrs, call.size,        call.stream};
    result.push_back(move_batch_to_front(to_front, 0));
  }
  return result;
}

}  // namespace

Arrays call_custom(std::shared_ptr<const CustomRules> rules, const Arrays& primals) {
  Arrays outputs = rules->fun(primals);
  if (outputs.empty()) return outputs;
  SmallVector<array, 3> inputs(primals.begin(), primals.end());
  for (const array& output : outputs) inputs.push_back(output);
  std::size_t count = outputs.size();
  AttrsRef attrs(new RulesAttrs(std::move(rules), count));
  return apply_multi(primitives::CustomFunction, std::move(inputs), attrs,
                     outputs[0].node().stream);
}

Function checkpoint(Function fun) {
  CustomRules rules;
  rules.fun = fun;
  // The default rules differentiate `fun` at the primals, which computes all else again.
  auto shared = std::make_shared<const CustomRules>(std::move(rules));
  return [shared](const Arrays& arguments) { return call_custom(shared, arguments); };
}

namespace primitives {

const Op CustomFunction = {
    .name = "CustomFunction",
    .inputs = {"arrays..."},
    .evaluation = Evaluation::alias,
    .infer = infer,
    .gradient = {custom_vjp, custom_jvp},
    .batching = custom_vmap,
    .doc =
        "The outputs of a function that has rules of its own; the inputs before them are its "
        "arguments.",
};

}  // namespace primitives

}  // namespace mlx::core
