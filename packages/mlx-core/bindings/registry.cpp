// The engine's own records of its operations, as plain Python values.
#include "docs.h"
#include "families.h"
#include "support.h"

namespace mlx::core::python {
namespace {

nb::object text(std::string_view value) { return nb::str(value.data(), value.size()); }

nb::list names(const std::vector<std::string_view>& values) {
  nb::list list;
  for (std::string_view value : values) list.append(text(value));
  return list;
}

nb::object dtype_list(DtypeSet dtypes) {
  nb::list list;
  for (int i = 0; i < dtype_count; ++i) {
    auto d = static_cast<Dtype>(i);
    if (dtypes.contains(d)) list.append(dtype_object(d));
  }
  return list;
}

std::string_view name_of(Evaluation evaluation) {
  constexpr std::string_view known[] = {"elementwise", "cast", "iota",   "reduce",
                                        "alias",       "view", "kernel", "placeholder"};
  return known[static_cast<std::size_t>(evaluation)];
}

std::string_view name_of(Integers integers) {
  constexpr std::string_view known[] = {"keep", "to_inexact", "to_bool"};
  return known[static_cast<std::size_t>(integers)];
}

nb::dict record(const Op& op) {
  nb::dict result;
  result["name"] = text(op.name);
  result["inputs"] = names(op.inputs);
  result["attributes"] = names(op.attrs.names);
  result["evaluation"] = text(name_of(op.evaluation));
  result["doc"] = text(op.doc);
  result["since"] = text(op.since);
  result["vjp"] = op.gradient.vjp != nullptr;
  result["jvp"] = op.gradient.vjp != nullptr || op.gradient.jvp != nullptr;
  result["vmap"] = op.batching.rule != nullptr;
  result["no_gradient_because"] = text(op.gradient.reason);
  result["no_vmap_because"] = text(op.batching.reason);
  const ElementwiseRow* row = op.elementwise;
  result["function"] = row != nullptr ? text(row->function) : nb::none();
  result["accepts"] = row != nullptr ? dtype_list(row->accepts) : nb::none();
  result["integers"] = row != nullptr ? text(name_of(row->integers)) : nb::none();
  result["max_ulp"] = row != nullptr ? nb::object(nb::int_(row->max_ulp)) : nb::none();
  return result;
}

}  // namespace

void bind_registry(nb::module_& m) {
  m.def(
      "ops",
      [] {
        nb::list list;
        for (const Op* op : all_ops()) list.append(record(*op));
        return list;
      },
      nb::sig("def ops() -> list[dict[str, typing.Any]]"),
      R"(The records of all primitive operations, as the engine itself uses them.

Returns:
    A dict for each: ``name`` (of the graph's node), ``inputs`` and ``attributes`` (their names),
    ``evaluation`` (how it is computed), ``doc``, ``since`` (version), ``vjp``, ``jvp`` and ``vmap``
    (is there a rule) and why not, and for elementwise operations ``function`` (its name here),
    ``accepts`` (dtypes), ``integers`` (what becomes of bools and integers: ``keep``, ``to_inexact``
    or, of every dtype, ``to_bool``) and ``max_ulp`` (the largest error, in units in the last place).

>>> next(op for op in mx.ops() if op['name'] == 'Add')['inputs']
['a', 'b'])");
}

}  // namespace mlx::core::python
