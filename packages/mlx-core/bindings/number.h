// Python numbers as elements of arrays, and back.
#pragma once

#include <cmath>
#include <limits>

#include "support.h"

namespace mlx::core::python {

// An integer of Python's, which may be beyond 64 bits.
struct Integer {
  std::int64_t low = 0;    // the value, where it fits
  std::uint64_t high = 0;  // the value, where only uint64 holds it
  enum class Fit : std::uint8_t { int64, uint64, below, above } fit = Fit::int64;
};
Integer read_integer(PyObject* number);

// "12345", or a rough size where Python refuses to print it.
std::string print_integer(PyObject* number);
[[noreturn]] void refuse_integer(std::string_view op, PyObject* number, Dtype dtype);
[[noreturn]] void refuse_float(std::string_view op, double value, Dtype dtype);
[[noreturn]] void refuse_complex(std::string_view op, Dtype dtype);

template <class T>
constexpr bool is_complex_type = std::is_same_v<T, complex64> || std::is_same_v<T, complex128>;

template <class T>
T from_double(double value) {
  if constexpr (is_complex_type<T>) {
    using Part = decltype(T::re);
    return T{static_cast<Part>(value), Part(0)};
  } else {
    return T(value);
  }
}

template <class T>
T from_python_integer(std::string_view op, PyObject* number) {
  if constexpr (std::is_same_v<T, bool>) {
    int truth = PyObject_IsTrue(number);
    if (truth < 0) throw nb::python_error();
    return truth != 0;
  } else if constexpr (std::is_integral_v<T>) {
    Integer value = read_integer(number);
    if (value.fit == Integer::Fit::int64 && std::in_range<T>(value.low)) {
      return static_cast<T>(value.low);
    }
    if (value.fit == Integer::Fit::uint64 && std::in_range<T>(value.high)) {
      return static_cast<T>(value.high);
    }
    refuse_integer(op, number, dtype_of<T>);
  } else {
    double value = PyLong_AsDouble(number);
    if (value == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      refuse_integer(op, number, dtype_of<T>);
    }
    return from_double<T>(value);
  }
}

template <class T>
T from_python_float(std::string_view op, double value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value != 0.0;
  } else if constexpr (std::is_integral_v<T>) {
    // 2**63 and 2**64 are doubles, the largest int64 and uint64 are not: compare with the former.
    constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
    constexpr double high = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
    double truncated = std::trunc(value);
    if (!(truncated >= low && truncated < high)) refuse_float(op, value, dtype_of<T>);
    return static_cast<T>(truncated);
  } else {
    return from_double<T>(value);
  }
}

// The number as an element of type T; raises OverflowError where T cannot hold it and TypeError for
// a complex number where T is real.
template <class T>
T element_from(std::string_view op, PyObject* number, Weak weak) {
  switch (weak) {
    case Weak::boolean:
      return from_double<T>(number == Py_True ? 1.0 : 0.0);
    case Weak::integer:
      return from_python_integer<T>(op, number);
    case Weak::floating:
      return from_python_float<T>(op, PyFloat_AsDouble(number));
    default:
      break;
  }
  if constexpr (is_complex_type<T>) {
    using Part = decltype(T::re);
    return T{static_cast<Part>(PyComplex_RealAsDouble(number)),
             static_cast<Part>(PyComplex_ImagAsDouble(number))};
  } else if constexpr (std::is_same_v<T, bool>) {
    return PyComplex_RealAsDouble(number) != 0.0 || PyComplex_ImagAsDouble(number) != 0.0;
  } else {
    refuse_complex(op, dtype_of<T>);
  }
}

array number_array(std::string_view op, PyObject* number, Weak weak, Dtype dtype);

// A new reference to the Python number of an element.
template <class T>
PyObject* element_to_python(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return PyBool_FromLong(value);
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return PyLong_FromLongLong(value);
  } else if constexpr (std::is_integral_v<T>) {
    return PyLong_FromUnsignedLongLong(value);
  } else if constexpr (is_complex_type<T>) {
    return PyComplex_FromDoubles(value.re, value.im);
  } else if constexpr (std::is_same_v<T, double>) {
    return PyFloat_FromDouble(value);
  } else {
    return PyFloat_FromDouble(static_cast<float>(value));
  }
}

}  // namespace mlx::core::python
