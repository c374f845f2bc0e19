// Arithmetic and bitwise operators of arrays, also reflected and in place, as type slots: plain C
// functions, for a small `a + b` costs little more than the call.
#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/matmul.h"
#include "number.h"
#include "operand.h"
#include "slots.h"

namespace mlx::core::python {
namespace {

// The other side of an operator whose one side is an array of dtype `beside`.
std::optional<array> to_operand(std::string_view op, PyObject* object, Dtype beside) {
  Weak weak = weak_kind(object);
  if (weak != Weak::none) {
    return number_array(op, object, weak, weak_dtype(op, object, weak, beside));
  }
  bool is_sequence = PyList_Check(object) || PyTuple_Check(object);
  if (!is_sequence && !is_numpy_array(object) && !is_numpy_scalar(object)) return std::nullopt;
  // Beside float64 an array of numpy's keeps its precision.
  bool is_wide = real_of(beside) == Dtype::float64;
  return convert(op, object, {.copy = Copy::always, .narrow = !is_wide});
}

template <Elementwise id>
std::string_view name_of_operator() {
  return elementwise_row(id).function;
}

template <Elementwise id>
PyObject* binary(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    if (is_array(a) && is_array(b)) return new_array(apply_binary(id, as_array(a), as_array(b)));
    auto operands = to_operands(name_of_operator<id>(), a, b);
    if (!operands) return not_implemented();
    return new_array(apply_binary(id, operands->first, operands->second));
  });
}

// `x += y` gives the Python object another value, which must have the same dtype and shape.
PyObject* assign(std::string_view op, PyObject* self, array&& result) {
  array& target = as_array(self);
  if (kind_of(result.dtype()) > kind_of(target.dtype())) {
    raise<TypeError>(op, "the result does not fit in place: got ", name_of(result.dtype()),
                     "; expected ", name_of(target.dtype()),
                     " or a dtype that casts to it; write x = x ... instead");
  }
  if (!(result.shape() == target.shape())) {
    raise<ValueError>(op, "the shape would change in place: got ", to_string(result.shape()),
                      "; expected ", to_string(target.shape()));
  }
  target = astype(result, target.dtype());
  return Py_NewRef(self);
}

template <Elementwise id>
PyObject* in_place(PyObject* self, PyObject* other) noexcept {
  return guarded([&]() -> PyObject* {
    auto operands = to_operands(name_of_operator<id>(), self, other);
    if (!operands) return not_implemented();
    return assign(name_of_operator<id>(), self,
                  apply_binary(id, operands->first, operands->second));
  });
}

template <Elementwise id>
PyObject* unary(PyObject* self) noexcept {
  return guarded([&] {
    const array* const inputs[] = {&as_array(self)};
    return new_array(elementwise(id, inputs));
  });
}

PyObject* positive(PyObject* self) noexcept {
  return guarded([&] {
    array same = as_array(self);
    return new_array(std::move(same));
  });
}

PyObject* divmod(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    auto operands = to_operands("divmod", a, b);
    if (!operands) return not_implemented();
    const auto& [x, y] = *operands;
    return nb::make_tuple(floor_divide(x, y), remainder(x, y)).release().ptr();
  });
}

PyObject* matrix_multiply(PyObject* a, PyObject* b) noexcept {
  return guarded([&]() -> PyObject* {
    auto operands = to_operands("matmul", a, b);
    if (!operands) return not_implemented();
    return new_array(matmul(operands->first, operands->second));
  });
}

PyObject* matrix_multiply_in_place(PyObject* self, PyObject* other) noexcept {
  return guarded([&]() -> PyObject* {
    auto operands = to_operands("matmul", self, other);
    if (!operands) return not_implemented();
    return assign("matmul", self, matmul(operands->first, operands->second));
  });
}

bool has_modulus(PyObject* modulus) {
  if (modulus == Py_None) return false;
  PyErr_SetString(PyExc_TypeError, "[power] no third argument: pow() of arrays takes two");
  return true;
}

PyObject* power_slot(PyObject* a, PyObject* b, PyObject* modulus) noexcept {
  return has_modulus(modulus) ? nullptr : binary<Elementwise::power>(a, b);
}

PyObject* power_in_place(PyObject* self, PyObject* other, PyObject* modulus) noexcept {
  return has_modulus(modulus) ? nullptr : in_place<Elementwise::power>(self, other);
}

template <Elementwise id>
void add_pair(Slots& slots, int operator_id, int in_place_id) {
  add_slot(slots, operator_id, binary<id>);
  add_slot(slots, in_place_id, in_place<id>);
}

}  // namespace

std::optional<std::pair<array, array>> to_operands(std::string_view op, PyObject* a, PyObject* b) {
  if (is_array(a)) {
    const array& x = as_array(a);
    if (is_array(b)) return std::pair{x, as_array(b)};
    if (auto y = to_operand(op, b, x.dtype())) return std::pair{x, std::move(*y)};
  } else if (is_array(b)) {
    const array& y = as_array(b);
    if (auto x = to_operand(op, a, y.dtype())) return std::pair{std::move(*x), y};
  }
  return std::nullopt;
}

void add_operator_slots(Slots& slots) {
  using E = Elementwise;
  add_pair<E::add>(slots, Py_nb_add, Py_nb_inplace_add);
  add_pair<E::subtract>(slots, Py_nb_subtract, Py_nb_inplace_subtract);
  add_pair<E::multiply>(slots, Py_nb_multiply, Py_nb_inplace_multiply);
  add_pair<E::divide>(slots, Py_nb_true_divide, Py_nb_inplace_true_divide);
  add_pair<E::floor_divide>(slots, Py_nb_floor_divide, Py_nb_inplace_floor_divide);
  add_pair<E::remainder>(slots, Py_nb_remainder, Py_nb_inplace_remainder);
  add_pair<E::bitwise_and>(slots, Py_nb_and, Py_nb_inplace_and);
  add_pair<E::bitwise_or>(slots, Py_nb_or, Py_nb_inplace_or);
  add_pair<E::bitwise_xor>(slots, Py_nb_xor, Py_nb_inplace_xor);
  add_pair<E::left_shift>(slots, Py_nb_lshift, Py_nb_inplace_lshift);
  add_pair<E::right_shift>(slots, Py_nb_rshift, Py_nb_inplace_rshift);
  add_slot(slots, Py_nb_power, power_slot);
  add_slot(slots, Py_nb_inplace_power, power_in_place);
  add_slot(slots, Py_nb_divmod, divmod);
  add_slot(slots, Py_nb_matrix_multiply, matrix_multiply);
  add_slot(slots, Py_nb_inplace_matrix_multiply, matrix_multiply_in_place);
  add_slot(slots, Py_nb_negative, unary<E::negative>);
  add_slot(slots, Py_nb_absolute, unary<E::abs>);
  add_slot(slots, Py_nb_invert, unary<E::bitwise_invert>);
  add_slot(slots, Py_nb_positive, positive);
}

}  // namespace mlx::core::python
