// What all binding files share: arrays and dtypes as Python objects, arguments, errors.
//
// A family of functions is bound by `void bind_<family>(nb::module_& m)` in a file of its own,
// which is declared in families.h and called by module.cpp. Its functions take
//   const ArrayLike& a          anything that can become an array: to_array("name", a)
//   const AxesArg& axis         None, an int or a sequence of ints: axis.axes
//   const ShapeArg& shape       an int or a sequence of ints: shape.shape
//   const StreamOrDevice& s     None, a Stream, a Device or a DeviceType
// and return `array`. Methods are added to array_class().
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mlx/array/array.h"
#include "mlx/array/device.h"
#include "mlx/array/error.h"
#include "mlx/ops/op.h"

// A Dtype is an object of a class of its own, not of an enum of Python's.
NB_MAKE_OPAQUE(mlx::core::Dtype)

namespace mlx::core::python {

namespace nb = nanobind;

// --- errors --------------------------------------------------------------------------------------

// Sets the Python error for an exception of the engine, of nanobind or of the C++ library.
void set_python_error(std::exception_ptr exception) noexcept;

// Runs the body of a C function of Python's: a type slot or a METH_FASTCALL function.
template <class Result = PyObject*, class Body>
Result guarded(Body&& body, Result failure = Result()) noexcept {
  try {
    return body();
  } catch (...) {
    set_python_error(std::current_exception());
    return failure;
  }
}

// --- arrays and dtypes as Python objects ---------------------------------------------------------

using ArrayClass = nb::class_<array>;
extern PyTypeObject* array_type;
ArrayClass array_class();

inline bool is_array(PyObject* object) {
  return Py_TYPE(object) == array_type || PyType_IsSubtype(Py_TYPE(object), array_type);
}
[[noreturn]] void refuse_empty_object();
// Objects of array.__new__ hold nothing until __init__ runs.
inline array& as_array(PyObject* object) {
  if (!nb::inst_ready(object)) refuse_empty_object();
  return *nb::inst_ptr<array>(object);
}
PyObject* new_array(array&& a);  // a new reference

// The one object of each dtype: `x.dtype is mx.float32`.
nb::object dtype_object(Dtype dtype);

// Evaluates; Python's lock is let go unless it takes only microseconds.
void evaluate(const array* arrays, std::size_t count);
inline void evaluate(const array& a) {
  if (!a.is_available()) evaluate(&a, 1);
}
inline Tensor evaluated_tensor(const array& a) {
  evaluate(a);
  return a.tensor();
}

// The C++ object inside, where the Python object is of that class; else null, for None too.
template <class T>
T* instance_of(nb::handle object) {
  T* instance = nullptr;
  return !object.is_none() && nb::try_cast(object, instance, false) ? instance : nullptr;
}

// Keeps a Python object alive from C++; may be let go on any thread.
std::shared_ptr<void> keep_alive(nb::object object);

// Objects of numpy's. The engine never imports it: before the user does, nothing is one.
bool is_numpy_array(PyObject* object);
bool is_numpy_scalar(PyObject* object);

// --- what becomes an array -----------------------------------------------------------------------

// A Python number takes the dtype of what it is combined with.
enum class Weak : std::uint8_t { none, boolean, integer, floating, complex };
Weak weak_kind(PyObject* object);
// The dtype of a Python number beside arrays whose common dtype is `strong` (none: no arrays).
Dtype weak_dtype(std::string_view op, PyObject* number, Weak weak, std::optional<Dtype> strong);

enum class Copy : std::uint8_t { if_needed, always, never };
struct ConvertOptions {
  std::optional<Dtype> dtype = {};
  Copy copy = Copy::always;
  bool narrow = true;  // float64 and complex128 of other libraries become float32 and complex64
};
// Everything that mx.array() takes; raises TypeError, naming `op`, for what it does not.
array convert(std::string_view op, nb::handle object, const ConvertOptions& options = {});

struct ArrayLike {
  nb::handle object;
};
array to_array(std::string_view op, const ArrayLike& a, std::optional<Dtype> dtype = {});
// Several operands of one function: Python numbers take the dtype of the arrays among them.
SmallVector<array, 3> to_arrays(std::string_view op, std::initializer_list<nb::handle> objects);
inline std::pair<array, array> to_arrays(std::string_view op, const ArrayLike& a,
                                         const ArrayLike& b) {
  SmallVector<array, 3> both = to_arrays(op, {a.object, b.object});
  return {std::move(both[0]), std::move(both[1])};
}
// A list or tuple of arrays and numbers.
Arrays to_array_list(std::string_view op, nb::handle sequence);

// --- other arguments -----------------------------------------------------------------------------

struct AxesArg {
  std::optional<Axes> axes;
};
struct ShapeArg {
  Shape shape;
};
// An int; raises TypeError or OverflowError, naming `op`.
std::int64_t to_int64(std::string_view op, nb::handle object);
// An int or a sequence of ints; false (and no Python error) for anything else.
bool load_integers(nb::handle object, SmallVector<std::int64_t, 4>& values) noexcept;
bool load_stream(nb::handle object, StreamOrDevice& stream) noexcept;

}  // namespace mlx::core::python

namespace nanobind::detail {

// Takes anything: to_array() says what is wrong with it better than a signature can.
template <>
struct type_caster<mlx::core::python::ArrayLike> {
  NB_TYPE_CASTER(mlx::core::python::ArrayLike, const_name("mlx.core.ArrayLike"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    value.object = source;
    return true;
  }
};

template <>
struct type_caster<mlx::core::python::AxesArg> {
  NB_TYPE_CASTER(mlx::core::python::AxesArg,
                 const_name("int | collections.abc.Sequence[int] | None"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    if (source.is_none()) return true;
    return mlx::core::python::load_integers(source, value.axes.emplace());
  }
};

template <>
struct type_caster<mlx::core::python::ShapeArg> {
  NB_TYPE_CASTER(mlx::core::python::ShapeArg, const_name("int | collections.abc.Sequence[int]"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    return mlx::core::python::load_integers(source, value.shape);
  }
};

template <>
struct type_caster<mlx::core::StreamOrDevice> {
  NB_TYPE_CASTER(mlx::core::StreamOrDevice,
                 const_name("mlx.core.Stream | mlx.core.Device | mlx.core.DeviceType | None"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    if (source.is_none()) return true;
    return mlx::core::python::load_stream(source, value);
  }
};

}  // namespace nanobind::detail
