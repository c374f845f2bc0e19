// Arrays as Python numbers and lists: item, tolist, bool(), int(), float(), complex(), index().
#include "families.h"
#include "number.h"
#include "slots.h"

namespace mlx::core::python {
namespace {

PyObject* element_at(const Tensor& tensor, std::int64_t offset) {
  return dispatch(tensor.dtype,
                  [&]<class T>() { return element_to_python(tensor.as<T>()[offset]); });
}

Tensor only_element(std::string_view op, const array& a) {
  if (a.size() != 1) {
    raise<ValueError>(op, "not one element: got an array of shape ", to_string(a.shape()),
                      "; expected one of size 1");
  }
  return evaluated_tensor(a);
}

nb::object item(std::string_view op, const array& a) {
  array held = a;
  return nb::steal(element_at(only_element(op, held), 0));
}

template <class T>
nb::object list_of(const T* data, const Tensor& tensor, std::size_t axis) {
  std::int64_t count = tensor.shape[axis], stride = tensor.strides[axis];
  nb::object list = nb::steal(PyList_New(count));
  if (!list.is_valid()) throw nb::python_error();
  bool is_last = axis + 1 == tensor.shape.size();
  for (std::int64_t i = 0; i < count; ++i, data += stride) {
    PyObject* element =
        is_last ? element_to_python(*data) : list_of(data, tensor, axis + 1).release().ptr();
    if (element == nullptr) throw nb::python_error();
    PyList_SetItem(list.ptr(), i, element);
  }
  return list;
}

nb::object to_list(const array& a) {
  array held = a;  // making the list may run Python code that gives `a` another value
  Tensor tensor = evaluated_tensor(held);
  if (tensor.ndim() == 0) return nb::steal(element_at(tensor, 0));
  return dispatch(tensor.dtype, [&]<class T>() { return list_of(tensor.as<T>(), tensor, 0); });
}

int to_bool(PyObject* self) noexcept {
  return guarded(
      [&] {
        const array& a = as_array(self);
        if (a.size() != 1) {
          raise<ValueError>("bool", "the truth of an array is ambiguous: got shape ",
                            to_string(a.shape()), "; expected one element, or use any() or all()");
        }
        return PyObject_IsTrue(item("bool", a).ptr());
      },
      -1);
}

// int(x) and float(x) of the element, with Python's own rules and errors.
template <PyObject* (*convert)(PyObject*)>
PyObject* to_number(PyObject* self) noexcept {
  return guarded([&] { return convert(item("convert", as_array(self)).ptr()); });
}

PyObject* to_index(PyObject* self) noexcept {
  return guarded([&] {
    const array& a = as_array(self);
    if (!is_integer(a.dtype()) || a.ndim() != 0) {
      raise<TypeError>("index", "no index: got ", name_of(a.dtype()), " of shape ",
                       to_string(a.shape()), "; expected an integer array without axes");
    }
    return item("index", a).release().ptr();
  });
}

nb::object format(const array& a, const nb::str& specification) {
  if (nb::len(specification) == 0) return nb::str(nb::cast(a));
  if (a.size() != 1) {
    raise<TypeError>("format", "a format needs one element: got an array of shape ",
                     to_string(a.shape()), " with format '", specification.c_str(), "'");
  }
  PyObject* text = PyObject_Format(item("format", a).ptr(), specification.ptr());
  if (text == nullptr) throw nb::python_error();
  return nb::steal(text);
}

}  // namespace

void add_number_slots(Slots& slots) {
  add_slot(slots, Py_nb_bool, to_bool);
  add_slot(slots, Py_nb_int, to_number<PyNumber_Long>);
  add_slot(slots, Py_nb_float, to_number<PyNumber_Float>);
  add_slot(slots, Py_nb_index, to_index);
}

void bind_scalar(nb::module_&) {
  array_class()
      .def(
          "item", [](const array& self) { return item("item", self); },
          nb::sig("def item(self) -> bool | int | float | complex"),
          R"(The only element as a Python number.

Raises:
    ValueError: The array has not exactly one element.

>>> mx.array([2.5]).item()
2.5)")
      .def("tolist", &to_list, nb::sig("def tolist(self) -> typing.Any"),
           R"(The elements as nested lists of Python numbers; without axes one number.

>>> mx.array([[1, 2], [3, 4]]).tolist()
[[1, 2], [3, 4]])")
      .def(
          "__complex__",
          [](const array& self) {
            return nb::handle(reinterpret_cast<PyObject*>(&PyComplex_Type))(item("complex", self));
          },
          nb::sig("def __complex__(self) -> complex"), "The only element as a complex number.")
      .def("__format__", &format, nb::arg("format_spec"),
           nb::sig("def __format__(self, format_spec: str, /) -> str"),
           "The only element in a format of Python's; any array where the format is empty.");
}

}  // namespace mlx::core::python
