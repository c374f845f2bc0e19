// Nested Python sequences of numbers as arrays.
#pragma once

#include "support.h"

namespace mlx::core::python {

// `object` is a list, a tuple or another sequence. Raises ValueError, saying where, if it is
// ragged.
array array_from_sequence(std::string_view op, PyObject* object, std::optional<Dtype> dtype);

}  // namespace mlx::core::python
