// The C functions behind the array type's operators, collected from the files that define them.
#pragma once

#include "support.h"

namespace mlx::core::python {

using Slots = std::vector<PyType_Slot>;

template <class Function>
void add_slot(Slots& slots, int id, Function* function) {
  slots.push_back({id, reinterpret_cast<void*>(function)});
}

void add_operator_slots(Slots& slots);    // operators.cpp
void add_comparison_slots(Slots& slots);  // comparison.cpp
void add_indexing_slots(Slots& slots);    // indexing.cpp
void add_buffer_slots(Slots& slots);      // buffer.cpp
void add_number_slots(Slots& slots);      // scalar.cpp
void add_print_slots(Slots& slots);       // print.cpp

}  // namespace mlx::core::python
