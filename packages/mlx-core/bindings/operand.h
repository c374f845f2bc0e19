// What stands on the two sides of an operator.
#pragma once

#include "mlx/ops/elementwise.h"
#include "support.h"

namespace mlx::core::python {

// Both sides as arrays, at least one of which is one already. nullopt: the other side is of a type
// that the operators do not know, so that Python asks its class instead.
std::optional<std::pair<array, array>> to_operands(std::string_view op, PyObject* a, PyObject* b);

inline array apply_binary(Elementwise id, const array& a, const array& b) {
  const array* const inputs[] = {&a, &b};
  return elementwise(id, inputs);
}

inline PyObject* not_implemented() { return Py_NewRef(Py_NotImplemented); }

}  // namespace mlx::core::python
