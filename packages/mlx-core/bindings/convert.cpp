// From Python objects to arrays: numbers, sequences, arrays of other libraries; and other
// arguments.
#include "families.h"
#include "host.h"
#include "mlx/ops/cast.h"
#include "number.h"
#include "sequence.h"

namespace mlx::core::python {
namespace {

// A class of numpy's, once somebody has imported it.
PyObject* numpy_class(const char* name) {
  nb::object numpy = nb::steal(PyImport_GetModule(nb::str("numpy").ptr()));
  if (!numpy.is_valid()) {
    if (PyErr_Occurred()) throw nb::python_error();
    return nullptr;
  }
  return nb::object(numpy.attr(name)).release().ptr();  // kept for good: types do not die
}

bool is_instance_of(PyObject* object, PyObject*& known, const char* name) {
  if (known == nullptr) known = numpy_class(name);
  return known != nullptr &&
         PyType_IsSubtype(Py_TYPE(object), reinterpret_cast<PyTypeObject*>(known));
}

// The array again. Shared memory of another library is copied, for it may still change there.
array copy_of(const array& a, const ConvertOptions& options) {
  if (options.dtype && *options.dtype != a.dtype()) {
    if (options.copy == Copy::never) {
      raise<ValueError>("asarray", "another dtype needs a copy: got copy=False for ",
                        name_of(a.dtype()), " as ", name_of(*options.dtype));
    }
    return astype(a, *options.dtype);
  }
  if (options.copy != Copy::always || !a.is_available() || !a.buffer()->is_borrowed()) return a;
  return import_host("array", as_host(a.tensor()), {.copy = Copy::always, .narrow = false});
}

std::optional<HostArray> host_of(std::string_view op, PyObject* object, Copy copy) {
  if (auto host = host_from_buffer(op, object)) return host;
  if (auto host = host_from_bfloat16(op, object)) return host;
  // What numpy cannot put into a buffer (dates, text) DLPack refuses less clearly.
  bool is_numpy = is_numpy_array(object) || is_numpy_scalar(object);
  if (!is_numpy) {
    if (auto host = host_from_dlpack(op, object, copy)) return host;
  }
  return host_from_interface(op, object);
}

[[noreturn]] void refuse_object(std::string_view op, PyObject* object) {
  raise<TypeError>(op, "no array can be made of this: got ", nb::inst_name(object).c_str(),
                   "; expected an array, a number, a (nested) sequence of numbers, or an object "
                   "with a buffer, __dlpack__ or __array__");
}

// pandas' objects and the like: an array of numpy's is what they give.
std::optional<array> array_from_method(std::string_view op, PyObject* object,
                                       const ConvertOptions& options) {
  if (PyType_Check(object) || !nb::hasattr(object, "__array__")) return std::nullopt;
  nb::object result = nb::handle(object).attr("__array__")();
  if (!is_numpy_array(result.ptr())) refuse_object(op, object);
  return convert(op, result, options);
}

void refuse_no_copy(std::string_view op, PyObject* object, const ConvertOptions& options) {
  if (options.copy != Copy::never) return;
  raise<ValueError>(op, "the memory cannot be shared: got copy=False for ",
                    nb::inst_name(object).c_str(), "; expected copy=None or copy=True");
}

}  // namespace

bool is_numpy_array(PyObject* object) {
  static PyObject* known = nullptr;
  return is_instance_of(object, known, "ndarray");
}

bool is_numpy_scalar(PyObject* object) {
  static PyObject* known = nullptr;
  return is_instance_of(object, known, "generic");
}

std::shared_ptr<void> keep_alive(nb::object object) {
  return std::shared_ptr<PyObject>(object.release().ptr(), [](PyObject* held) {
    if (!nb::is_alive()) return;
    nb::gil_scoped_acquire gil;
    Py_DECREF(held);
  });
}

array convert(std::string_view op, nb::handle handle, const ConvertOptions& options) {
  PyObject* object = handle.ptr();
  if (is_array(object)) return copy_of(as_array(object), options);
  Weak weak = weak_kind(object);
  if (weak != Weak::none) {
    refuse_no_copy(op, object, options);
    Dtype dtype = options.dtype ? *options.dtype : weak_dtype(op, object, weak, std::nullopt);
    return number_array(op, object, weak, dtype);
  }
  bool is_list = PyList_Check(object) || PyTuple_Check(object);
  if (!is_list && !PyUnicode_Check(object)) {
    if (auto host = host_of(op, object, options.copy)) return import_host(op, *host, options);
    if (auto result = array_from_method(op, object, options)) return std::move(*result);
  }
  bool is_text = PyUnicode_Check(object) || PyBytes_Check(object);
  if (!is_list && (is_text || !PySequence_Check(object) || PyDict_Check(object) ||
                   is_numpy_array(object) || PyType_Check(object))) {
    refuse_object(op, object);
  }
  refuse_no_copy(op, object, options);
  return array_from_sequence(op, object, options.dtype);
}

array to_array(std::string_view op, const ArrayLike& a, std::optional<Dtype> dtype) {
  PyObject* object = a.object.ptr();
  if (is_array(object) && !dtype) return as_array(object);
  return convert(op, a.object, {.dtype = dtype});
}

SmallVector<array, 3> to_arrays(std::string_view op, std::initializer_list<nb::handle> objects) {
  std::optional<Dtype> strong;
  auto add = [&](Dtype dtype) { strong = strong ? promote(*strong, dtype) : dtype; };
  for (nb::handle object : objects) {
    if (is_array(object.ptr())) add(as_array(object.ptr()).dtype());
  }
  // Beside float64 the arrays of other libraries keep their precision.
  bool narrow = !strong || real_of(*strong) != Dtype::float64;
  SmallVector<std::optional<array>, 3> converted;
  for (nb::handle object : objects) {
    converted.emplace_back();
    if (weak_kind(object.ptr()) != Weak::none) continue;
    converted.back() =
        is_array(object.ptr()) ? as_array(object.ptr()) : convert(op, object, {.narrow = narrow});
    add(converted.back()->dtype());
  }
  SmallVector<array, 3> result;
  auto object = objects.begin();
  for (std::optional<array>& item : converted) {
    if (!item) {
      Weak weak = weak_kind(object->ptr());
      item = number_array(op, object->ptr(), weak, weak_dtype(op, object->ptr(), weak, strong));
    }
    result.push_back(std::move(*item));
    ++object;
  }
  return result;
}

Arrays to_array_list(std::string_view op, nb::handle sequence) {
  if (!PyList_Check(sequence.ptr()) && !PyTuple_Check(sequence.ptr())) {
    raise<TypeError>(op, "unusable arrays: got ", nb::inst_name(sequence).c_str(),
                     "; expected a list or tuple of arrays");
  }
  Arrays arrays;
  for (nb::handle item : nb::borrow<nb::sequence>(sequence)) {
    arrays.push_back(to_array(op, ArrayLike{item}));
  }
  return arrays;
}

std::int64_t to_int64(std::string_view op, nb::handle object) {
  if (PyBool_Check(object.ptr()) || !PyIndex_Check(object.ptr())) {
    raise<TypeError>(op, "no integer: got ", nb::inst_name(object).c_str(), "; expected an int");
  }
  nb::object number = nb::steal(PyNumber_Index(object.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  Integer value = read_integer(number.ptr());
  if (value.fit != Integer::Fit::int64) refuse_integer(op, number.ptr(), Dtype::int64);
  return value.low;
}

bool load_integers(nb::handle object, SmallVector<std::int64_t, 4>& values) noexcept {
  auto load = [&](PyObject* item) {
    if (PyBool_Check(item) || !PyIndex_Check(item) || is_array(item)) return false;
    nb::object number = nb::steal(PyNumber_Index(item));
    std::int64_t value = number.is_valid() ? PyLong_AsLongLong(number.ptr()) : -1;
    if (value == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      return false;
    }
    values.push_back(value);
    return true;
  };
  if (load(object.ptr())) return true;
  if (!PySequence_Check(object.ptr()) || PyUnicode_Check(object.ptr())) return false;
  nb::object items = nb::steal(PySequence_Tuple(object.ptr()));
  if (!items.is_valid()) {
    PyErr_Clear();
    return false;
  }
  for (nb::handle item : nb::borrow<nb::tuple>(items)) {
    if (!load(item.ptr())) return false;
  }
  return true;
}

void bind_convert(nb::module_& m) {
  m.def(
      "asarray",
      [](nb::handle a, std::optional<Dtype> dtype, std::optional<bool> copy) {
        Copy policy = !copy ? Copy::if_needed : *copy ? Copy::always : Copy::never;
        return convert("asarray", a, {.dtype = dtype, .copy = policy, .narrow = false});
      },
      nb::arg("a").none(), nb::arg("dtype") = nb::none(), nb::kw_only(),
      nb::arg("copy") = nb::none(),
      nb::sig("def asarray(a: ArrayLike, dtype: Dtype | None = None, *, copy: bool | None = None) "
              "-> array"),
      R"(The object as an array that shares its memory where that is possible.

What another library writes to shared memory later is seen by the array. Unlike :func:`array` it
keeps float64 and complex128 of other libraries, for sharing has no other dtype.

Args:
    a: What :func:`array` takes.
    dtype: The dtype of the result; without it that of ``a``.
    copy: True copies, False raises where sharing is impossible, None copies only then.

Raises:
    TypeError: No array can be made of ``a``.
    ValueError: ``copy`` is False and must be True.

>>> import array
>>> shared = array.array('d', [1.0, 2.0])
>>> x = mx.asarray(shared)
>>> shared[0] = 5.0
>>> x
array([5, 2], dtype=float64))");
}

}  // namespace mlx::core::python
