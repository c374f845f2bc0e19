// Docstrings of families of functions, made from their records.
#include "docs.h"

namespace mlx::core::python {
namespace {

struct NamedSet {
  DtypeSet dtypes;
  std::string_view name;
};
constexpr NamedSet named_sets[] = {
    {dtypes::all, "any dtype"},
    {dtypes::numeric, "any dtype but bool"},
    {dtypes::inexact, "a floating or complex dtype"},
    {dtypes::floating, "a floating dtype"},
    {dtypes::real, "an integer or floating dtype"},
    {dtypes::real | dtypes::boolean, "any dtype but the complex ones"},
    {dtypes::integers, "an integer dtype"},
    {dtypes::integers | dtypes::boolean, "bool or an integer dtype"},
    {dtypes::boolean, "bool"},
};

std::string argument_doc(std::string_view name, std::string_view text) {
  return "    " + std::string(name) + ": " + std::string(text) + "\n";
}

std::string_view conversion_doc(Integers integers) {
  switch (integers) {
    case Integers::keep:
      return "";
    case Integers::to_inexact:
      return " Integers and bools become float32.";
    case Integers::to_bool:
      return " Numbers count as true where they are not 0.";
  }
  __builtin_unreachable();
}

std::string_view result_doc(const ElementwiseRow& row) {
  switch (row.result) {
    case Result::boolean:
      return "An array of bools";
    case Result::real_part:
      return "An array of the input's dtype, or of the real dtype of a complex one";
    case Result::same:
      return row.arity == 1 ? "An array of the input's dtype"
                            : "An array of the dtype that both inputs promote to";
  }
  __builtin_unreachable();
}

std::string accuracy_doc(int max_ulp) {
  if (max_ulp == 0) return ", exact.";
  return ", within " + std::to_string(max_ulp) +
         (max_ulp == 1 ? " unit in the last place." : " units in the last place.");
}

}  // namespace

std::string describe(DtypeSet dtypes) {
  for (const NamedSet& known : named_sets) {
    if (known.dtypes == dtypes) return std::string(known.name);
  }
  std::string names;
  for (int i = 0; i < dtype_count; ++i) {
    auto d = static_cast<Dtype>(i);
    if (dtypes.contains(d)) names += (names.empty() ? "" : ", ") + std::string(name_of(d));
  }
  return names;
}

std::string elementwise_doc(const ElementwiseRow& row) {
  std::string accepted = "Array or number of " + describe(row.accepts) + ".";
  std::string doc = std::string(row.doc) + "\n\nArgs:\n";
  if (row.id == Elementwise::select) {
    doc += argument_doc("condition", "Array of bools; numbers count as true where not 0.");
    doc += argument_doc("x", "Array or number, taken where the condition holds.");
    doc += argument_doc("y", "Array or number, taken elsewhere.");
  } else {
    doc += argument_doc(row.inputs[0], accepted + std::string(conversion_doc(row.integers)));
    if (row.arity == 2) {
      doc += argument_doc(row.inputs[1], "The same; the shapes broadcast against each other.");
    }
  }
  doc += stream_doc;
  doc += "\nReturns:\n    " + std::string(result_doc(row)) + accuracy_doc(row.max_ulp) + "\n";
  doc += "\nRaises:\n    TypeError: An argument has another dtype or is no array.\n";
  if (row.arity > 1) doc += "    ValueError: The shapes do not broadcast.\n";
  return doc + example_of(row.function);
}

std::string reduce_doc(const ReduceRow& row) {
  std::string doc = std::string(row.doc) + "\n\nArgs:\n";
  doc += argument_doc("a", "Array or number of " + describe(row.accepts) + ".");
  doc += argument_doc("axis", "The axis or axes that disappear; None for all.");
  doc += argument_doc("keepdims", "Keep these axes, with size 1.");
  doc += stream_doc;
  doc += "\nReturns:\n    An array without the axes.\n\nRaises:\n";
  doc += "    TypeError: The array has another dtype.\n";
  doc += "    IndexError: An axis is out of range.\n";
  doc += "    ValueError: An axis is given twice";
  doc += row.has_identity ? ".\n" : ", or nothing is there to choose from.\n";
  return doc + example_of(row.function);
}

}  // namespace mlx::core::python
