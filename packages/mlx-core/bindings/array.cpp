// The class mlx.core.array: construction, properties, copying, pickling.
#include <cstring>

#include "families.h"
#include "host.h"
#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/shape.h"
#include "slots.h"

namespace mlx::core::python {
namespace {

constexpr const char* class_doc = R"(An array of numbers of one dtype, computed when somebody looks.

``array(val, dtype=None)`` makes one from a Python number, nested lists or tuples (also with arrays
inside), an array of another library (numpy, or anything with the buffer protocol, ``__dlpack__``,
``__array_interface__`` or ``__array__``), or another array; it never shares memory with ``val``.

Without a dtype Python floats give float32, complex numbers complex64, and integers int32, or where
they do not fit int64, or uint64. Arrays of other libraries keep their dtype, but float64 becomes
float32 and complex128 complex64: give the dtype to keep them.

Operators take arrays, Python numbers, numpy's arrays and scalars (the result is an array of ours on
either side), and lists. A Python number takes the dtype of the array beside it: an integer or a
float beside a float16 array gives float16, a float beside integers float32. Other types are left to
their own operators. ``x == None`` and ``x == 'a'`` are False for every element, as with numpy.
In-place operators give the Python object another value; they refuse to cast a result to a lower
kind (float32 to int32).

Args:
    val: What the array is made of.
    dtype: The dtype; numbers must fit it.

Raises:
    TypeError: No array can be made of ``val``.
    ValueError: Nested sequences are ragged; the message says where.
    OverflowError: An integer fits no dtype, or not the given one.

>>> mx.array([[1, 2], [3, 4]]) * 2.5
array([[2.5, 5],
       [7.5, 10]], dtype=float32))";

Slots collect_slots() {
  Slots slots;
  add_operator_slots(slots);
  add_comparison_slots(slots);
  add_indexing_slots(slots);
  add_buffer_slots(slots);
  add_number_slots(slots);
  add_print_slots(slots);
  slots.push_back({0, nullptr});
  return slots;
}

nb::object shape_tuple(const array& a) {
  const Shape& shape = a.shape();
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
  if (!tuple.is_valid()) throw nb::python_error();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLongLong(shape[i]));
  }
  return tuple;
}

// The elements in row-major order.
nb::bytes to_bytes(const array& a) {
  array held = a;
  Tensor tensor = evaluated_tensor(held);
  nb::object bytes = nb::steal(PyBytes_FromStringAndSize(nullptr, held.nbytes()));
  if (!bytes.is_valid()) throw nb::python_error();
  copy_elements(as_host(tensor), reinterpret_cast<std::byte*>(PyBytes_AsString(bytes.ptr())));
  return nb::borrow<nb::bytes>(bytes);
}

void set_state(array& self, const nb::tuple& state) {
  const Dtype* dtype = state.size() == 3 ? instance_of<Dtype>(state[0]) : nullptr;
  SmallVector<std::int64_t, 4> shape;
  if (dtype == nullptr || !load_integers(state[1], shape) || !nb::isinstance<nb::bytes>(state[2])) {
    raise<ValueError>("__setstate__", "a damaged state: expected dtype, shape and bytes");
  }
  auto bytes = nb::borrow<nb::bytes>(state[2]);
  auto expected =
      static_cast<std::size_t>(element_count(shape)) * static_cast<std::size_t>(size_of(*dtype));
  if (bytes.size() != expected) {
    raise<ValueError>("__setstate__", "a damaged state: got ", bytes.size(), " bytes; expected ",
                      expected);
  }
  BufferRef buffer = allocate(bytes.size());
  if (bytes.size() > 0) std::memcpy(buffer->data(), bytes.data(), bytes.size());
  new (&self) array(std::move(buffer), std::move(shape), *dtype);
}

// For numpy, which calls this where it cannot use the buffer: bfloat16 becomes float32.
nb::object to_numpy(nb::handle self, nb::handle dtype, nb::handle copy) {
  array a = as_array(self.ptr());
  nb::object source = nb::borrow(self);
  if (a.dtype() == Dtype::bfloat16) {
    if (copy.ptr() == Py_False) {
      raise<ValueError>("__array__",
                        "numpy has no bfloat16: got copy=False; expected None or True");
    }
    a = astype(a, Dtype::float32);
    source = nb::cast(a);
  }
  nb::module_ numpy = nb::module_::import_("numpy");
  nb::object view = nb::steal(PyMemoryView_FromObject(source.ptr()));
  if (!view.is_valid()) throw nb::python_error();
  nb::dict keywords;
  if (!copy.is_none()) keywords["copy"] = copy;
  if (!dtype.is_none()) keywords["dtype"] = dtype;
  return numpy.attr(copy.is_none() ? "asarray" : "array")(view, **keywords);
}

void bind_properties(ArrayClass& cls) {
  cls.def_prop_ro(
         "shape", &shape_tuple, nb::sig("def shape(self) -> tuple[int, ...]"),
         "The number of elements along each axis.\n\n>>> mx.array([[1, 2, 3]]).shape\n(1, 3)")
      .def_prop_ro(
          "dtype", [](const array& a) { return dtype_object(a.dtype()); },
          nb::sig("def dtype(self) -> Dtype"), "The type of the elements.")
      .def_prop_ro(
          "ndim", [](const array& a) { return a.ndim(); }, "The number of axes.")
      .def_prop_ro(
          "size", [](const array& a) { return a.size(); }, "The number of elements.")
      .def_prop_ro(
          "itemsize", [](const array& a) { return a.itemsize(); }, "Bytes of one element.")
      .def_prop_ro(
          "nbytes", [](const array& a) { return a.nbytes(); }, "Bytes of all elements.")
      .def_prop_ro(
          "device", [](const array& a) { return a.node().stream.device; },
          nb::sig("def device(self) -> Device"), "The device that the array is computed on.")
      .def_prop_ro(
          "real", [](const array& a) { return real(a); }, "The real parts.")
      .def_prop_ro(
          "imag", [](const array& a) { return imag(a); },
          "The imaginary parts; zeros of a real array.")
      .def_prop_ro(
          "T", [](const array& a) { return transpose(a); }, "The array with its axes reversed.")
      .def_prop_ro(
          "mT", [](const array& a) { return matrix_transpose(a); },
          "The array with its last two axes exchanged.");
}

void bind_copying(ArrayClass& cls) {
  auto same = [](const array& a) { return a; };  // elements never change: a handle is a copy
  cls.def("__copy__", same, nb::sig("def __copy__(self) -> array"), "The array.")
      .def(
          "__deepcopy__", [same](const array& a, nb::handle) { return same(a); }, nb::arg("memo"),
          nb::sig("def __deepcopy__(self, memo: dict) -> array"), "The array.")
      .def(
          "__getstate__",
          [](const array& a) {
            return nb::make_tuple(dtype_object(a.dtype()), shape_tuple(a), to_bytes(a));
          },
          "Dtype, shape and row-major bytes.")
      .def("__setstate__", &set_state, "An array from what ``__getstate__`` gives.")
      .def("__bytes__", &to_bytes, nb::sig("def __bytes__(self) -> bytes"),
           "The bytes of the elements in row-major order.")
      .def("__array__", &to_numpy, nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
           nb::sig("def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> "
                   "typing.Any"),
           R"(The array as numpy's; called by numpy.

The memory is shared and read-only where dtype and ``copy`` allow. bfloat16 becomes float32.

Raises:
    ValueError: ``copy`` is False and the dtype needs one.)");
}

}  // namespace

PyTypeObject* array_type = nullptr;

ArrayClass array_class() { return nb::borrow<ArrayClass>(reinterpret_cast<PyObject*>(array_type)); }

void refuse_empty_object() {
  raise<TypeError>("array", "an object without a value: array.__init__ has not been called");
}

PyObject* new_array(array&& a) {
  nb::object object = nb::inst_alloc(reinterpret_cast<PyObject*>(array_type));
  new (nb::inst_ptr<array>(object)) array(std::move(a));
  nb::inst_mark_ready(object);
  return object.release().ptr();
}

void bind_array(nb::module_& m) {
  Slots slots = collect_slots();
  // Small arrays come and go: their Python objects are kept for the next ones.
  ArrayClass cls(m, "array", nb::type_slots(slots.data()), nb::pooled(), class_doc);
  array_type = reinterpret_cast<PyTypeObject*>(nb::object(cls).release().ptr());  // kept for good
  cls.def(
      "__init__",
      [](array* self, nb::handle val, std::optional<Dtype> dtype) {
        new (self) array(convert("array", val, {.dtype = dtype}));
      },
      nb::arg("val").none(), nb::arg("dtype") = nb::none(),
      nb::sig("def __init__(self, val: ArrayLike, dtype: Dtype | None = None) -> None"));
  bind_properties(cls);
  bind_copying(cls);
  // numpy's operators leave `numpy_array + x` to x; a ufunc called by name takes x as its own.
  cls.attr("__array_priority__") = 1000.0;
}

}  // namespace mlx::core::python
