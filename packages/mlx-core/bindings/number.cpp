// Python numbers as elements of arrays: which dtype they take, and when one does not fit.
#include "number.h"

namespace mlx::core::python {
namespace {

bool fits_int32(const Integer& value) {
  return value.fit == Integer::Fit::int64 && std::in_range<std::int32_t>(value.low);
}

// The dtype of an integer alone: the first of int32, int64 and uint64 that holds it.
Dtype default_integer_dtype(std::string_view op, PyObject* number) {
  Integer value = read_integer(number);
  if (fits_int32(value)) return Dtype::int32;
  if (value.fit == Integer::Fit::int64) return Dtype::int64;
  if (value.fit == Integer::Fit::uint64) return Dtype::uint64;
  refuse_integer(op, number, value.fit == Integer::Fit::below ? Dtype::int64 : Dtype::uint64);
}

}  // namespace

Integer read_integer(PyObject* number) {
  int overflow = 0;
  Integer value;
  value.low = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (value.low == -1 && PyErr_Occurred()) throw nb::python_error();
  if (overflow < 0) value.fit = Integer::Fit::below;
  if (overflow > 0) {
    value.high = PyLong_AsUnsignedLongLong(number);
    value.fit = Integer::Fit::uint64;
    if (PyErr_Occurred()) {
      PyErr_Clear();
      value.fit = Integer::Fit::above;
    }
  }
  return value;
}

std::string print_integer(PyObject* number) {
  PyObject* text = PyObject_Str(number);
  if (text == nullptr) {  // longer than sys.get_int_max_str_digits()
    PyErr_Clear();
    return "an integer of thousands of digits";
  }
  return nb::cast<std::string>(nb::steal<nb::str>(text));
}

void refuse_integer(std::string_view op, PyObject* number, Dtype dtype) {
  std::string limits;
  if (is_integer(dtype)) {
    dispatch(dtype, [&]<class T>() {
      if constexpr (std::is_integral_v<T>) {
        limits = " in [" + std::to_string(std::numeric_limits<T>::min()) + ", " +
                 std::to_string(std::numeric_limits<T>::max()) + "]";
      }
    });
  }
  raise<OverflowError>(op, "a Python integer does not fit: got ", print_integer(number),
                       "; expected a value", limits, " of ", name_of(dtype));
}

void refuse_float(std::string_view op, double value, Dtype dtype) {
  if (std::isnan(value)) {
    raise<ValueError>(op, "NaN is no integer: got nan; expected a value of ", name_of(dtype));
  }
  raise<OverflowError>(op, "a Python float does not fit: got ", value, "; expected a value of ",
                       name_of(dtype));
}

void refuse_complex(std::string_view op, Dtype dtype) {
  raise<TypeError>(op, "a complex number in a real array: got complex; expected a real number for ",
                   name_of(dtype));
}

Weak weak_kind(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  if (type == &PyFloat_Type) return Weak::floating;
  if (type == &PyLong_Type) return Weak::integer;
  if (type == &PyBool_Type) return Weak::boolean;
  if (type == &PyComplex_Type) return Weak::complex;
  // Subclasses: IntEnum, and numpy's float64 and complex128, which are Python's float and complex.
  if (PyLong_Check(object)) return Weak::integer;
  if (PyFloat_Check(object)) return Weak::floating;
  if (PyComplex_Check(object)) return Weak::complex;
  return Weak::none;
}

Dtype weak_dtype(std::string_view op, PyObject* number, Weak weak, std::optional<Dtype> strong) {
  switch (weak) {
    case Weak::boolean:
      return strong.value_or(Dtype::bool_);
    case Weak::integer:
      if (strong && *strong != Dtype::bool_) return *strong;
      return default_integer_dtype(op, number);
    case Weak::floating:
      return strong ? inexact_of(*strong) : Dtype::float32;
    default:
      return strong ? complex_of(*strong) : Dtype::complex64;
  }
}

array number_array(std::string_view op, PyObject* number, Weak weak, Dtype dtype) {
  BufferRef buffer = allocate(static_cast<std::size_t>(size_of(dtype)));
  dispatch(dtype, [&]<class T>() {
    *reinterpret_cast<T*>(buffer->data()) = element_from<T>(op, number, weak);
  });
  return array(std::move(buffer), Shape{}, dtype);
}

}  // namespace mlx::core::python
