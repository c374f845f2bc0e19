// Comparison operators of arrays.
//
// Beside None, text and bytes every element is unequal, as with numpy's arrays. An integer that the
// array's dtype cannot hold is beyond all its values, which is an answer and no error.
#include <limits>

#include "mlx/ops/elementwise.h"
#include "mlx/ops/shape.h"
#include "number.h"
#include "operand.h"
#include "slots.h"

namespace mlx::core::python {
namespace {

constexpr Elementwise comparisons[] = {Elementwise::less,    Elementwise::less_equal,
                                       Elementwise::equal,   Elementwise::not_equal,
                                       Elementwise::greater, Elementwise::greater_equal};
static_assert(Py_LT == 0 && Py_LE == 1 && Py_EQ == 2 && Py_NE == 3 && Py_GT == 4 && Py_GE == 5);

array everywhere(const array& like, bool value) {
  return broadcast_to(array(value, Dtype::bool_), like.shape());
}

bool is_never_equal(PyObject* object) {
  return object == Py_None || PyUnicode_Check(object) || PyBytes_Check(object);
}

// Compared with a number above (below) all values of the array.
bool holds_beyond(int operation, bool is_above) {
  switch (operation) {
    case Py_LT:
    case Py_LE:
      return is_above;
    case Py_GT:
    case Py_GE:
      return !is_above;
    default:
      return operation == Py_NE;
  }
}

// Is the integer beyond what the dtype holds, and on which side?
std::optional<bool> is_above(PyObject* number, Dtype dtype) {
  Integer value = read_integer(number);
  return dispatch(dtype, [&]<class T>() -> std::optional<bool> {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (value.fit == Integer::Fit::below) return false;
      if (value.fit == Integer::Fit::above) return true;
      if (value.fit == Integer::Fit::uint64) {
        if (std::in_range<T>(value.high)) return std::nullopt;
        return true;
      }
      if (std::in_range<T>(value.low)) return std::nullopt;
      return value.low > 0;
    } else {
      return std::nullopt;
    }
  });
}

PyObject* compare(PyObject* self, PyObject* other, int operation) noexcept {
  return guarded([&]() -> PyObject* {
    Elementwise id = comparisons[operation];
    const array& a = as_array(self);
    if (is_array(other)) return new_array(apply_binary(id, a, as_array(other)));
    if (is_never_equal(other)) {
      if (operation != Py_EQ && operation != Py_NE) return not_implemented();
      return new_array(everywhere(a, operation == Py_NE));
    }
    if (weak_kind(other) == Weak::integer && is_integer(a.dtype())) {
      auto above = is_above(other, a.dtype());
      if (above) return new_array(everywhere(a, holds_beyond(operation, *above)));
    }
    auto operands = to_operands(elementwise_row(id).function, self, other);
    if (!operands) return not_implemented();
    return new_array(apply_binary(id, operands->first, operands->second));
  });
}

// A 0-d array equals the number that it holds, so it hashes as that number does: sets, dicts and
// pandas' isin find it. Other arrays are told apart by what they are, as == gives an array.
Py_hash_t hash(PyObject* self) noexcept {
  return guarded<Py_hash_t>(
      [&]() -> Py_hash_t {
        const array& a = as_array(self);
        if (a.ndim() == 0 && !a.node().abstract) {
          Tensor tensor = evaluated_tensor(a);
          nb::object number = dispatch(tensor.dtype, [&]<class T>() {
            return nb::steal(element_to_python(*tensor.as<T>()));
          });
          return PyObject_Hash(number.ptr());
        }
        auto address = reinterpret_cast<std::uintptr_t>(self);
        auto value =
            static_cast<Py_hash_t>((address >> 4) | (address << (8 * sizeof(address) - 4)));
        return value == -1 ? -2 : value;
      },
      -1);
}

}  // namespace

void add_comparison_slots(Slots& slots) {
  add_slot(slots, Py_tp_richcompare, compare);
  add_slot(slots, Py_tp_hash, hash);
}

}  // namespace mlx::core::python
