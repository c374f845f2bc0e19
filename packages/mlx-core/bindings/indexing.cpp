// x[...]: what Python's indices mean; reading, writing, iterating, and x.at[...].
#include "mlx/ops/indexing.h"

#include "families.h"
#include "mlx/ops/elementwise.h"
#include "number.h"
#include "slots.h"

namespace mlx::core::python {
namespace {

using Items = SmallVector<IndexItem, 4>;

std::optional<std::int64_t> slice_bound(nb::handle bound) {
  if (bound.is_none()) return std::nullopt;
  if (!PyIndex_Check(bound.ptr())) {
    raise<TypeError>("index", "unusable bound of a slice: got ", nb::inst_name(bound).c_str(),
                     "; expected an integer or None");
  }
  // Bounds are clamped anyway, so that one beyond 64 bits means the end.
  Py_ssize_t value = PyNumber_AsSsize_t(bound.ptr(), nullptr);
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return value;
}

IndexItem array_item(array indices) {
  // An empty list has no dtype of its own.
  if (indices.size() == 0 && indices.dtype() == Dtype::float32) {
    indices = array(allocate(0), indices.shape(), Dtype::int32);
  }
  return IndexItem::of(std::move(indices));
}

IndexItem parse_item(PyObject* object) {
  if (is_array(object)) return IndexItem::of(as_array(object));
  if (PyBool_Check(object)) return IndexItem::of(array(object == Py_True, Dtype::bool_));
  if (PySlice_Check(object)) {
    nb::handle slice = object;
    nb::object step = slice.attr("step");
    return IndexItem::range(slice_bound(slice.attr("start")), slice_bound(slice.attr("stop")),
                            slice_bound(step));
  }
  if (object == Py_None) return IndexItem::new_axis();
  if (object == Py_Ellipsis) return IndexItem::ellipsis();
  if (PyIndex_Check(object) && !is_numpy_array(object)) {
    Py_ssize_t value = PyNumber_AsSsize_t(object, PyExc_IndexError);
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    return IndexItem::at(value);
  }
  if (PyUnicode_Check(object) || PyFloat_Check(object) || PyDict_Check(object)) {
    raise<TypeError>("index", "unusable index: got ", nb::inst_name(object).c_str(),
                     "; expected integers, slices, None, ..., arrays of integers or bools, or a ",
                     "tuple of these");
  }
  return array_item(convert("index", object));
}

Items parse(PyObject* index) {
  Items items;
  if (!PyTuple_Check(index)) {
    items.push_back(parse_item(index));
    return items;
  }
  Py_ssize_t count = PyTuple_Size(index);
  for (Py_ssize_t i = 0; i < count; ++i) items.push_back(parse_item(PyTuple_GetItem(index, i)));
  return items;
}

// The new value of x[index] = value. It is cast to x's dtype, but a Python number must fit it, and
// an imaginary part is never dropped.
array parse_value(const array& a, nb::handle value) {
  Weak weak = weak_kind(value.ptr());
  if (weak != Weak::none) return number_array("index", value.ptr(), weak, a.dtype());
  array result = convert("index", value, {.narrow = false});
  if (is_complex(result.dtype()) && !is_complex(a.dtype())) {
    raise<TypeError>("index", "the value does not fit: got ", name_of(result.dtype()),
                     "; expected a real dtype for an array of ", name_of(a.dtype()));
  }
  return result;
}

PyObject* get_item(PyObject* self, PyObject* key) noexcept {
  return guarded([&] { return new_array(index(as_array(self), parse(key))); });
}

int set_item(PyObject* self, PyObject* key, PyObject* value) noexcept {
  return guarded(
      [&] {
        if (value == nullptr) {
          raise<TypeError>("index", "elements of an array cannot be deleted");
        }
        Items items = parse(key);
        array updates = parse_value(as_array(self), value);
        as_array(self) = index_update(as_array(self), items, updates);
        return 0;
      },
      -1);
}

Py_ssize_t length(PyObject* self) noexcept {
  return guarded<Py_ssize_t>(
      [&]() -> Py_ssize_t {
        const array& a = as_array(self);
        if (a.ndim() == 0) raise<TypeError>("len", "an array without axes has no length");
        return a.shape(0);
      },
      -1);
}

// x[i] for C code that knows sequences, like reversed().
PyObject* get_part(PyObject* self, Py_ssize_t i) noexcept {
  return guarded([&] {
    const IndexItem item = IndexItem::at(i);
    return new_array(index(as_array(self), {&item, 1}));
  });
}

// The slices along the first axis, one after the other.
struct ArrayIterator {
  array source;
  std::int64_t position = 0;
};

PyObject* next_part(PyObject* self) noexcept {
  return guarded([&]() -> PyObject* {
    if (!nb::inst_ready(self)) raise<TypeError>("iter", "an iterator without an array");
    auto& [source, position] = *nb::inst_ptr<ArrayIterator>(self);
    if (position >= source.shape(0)) return nullptr;  // the end
    const IndexItem item = IndexItem::at(position++);
    return new_array(index(source, {&item, 1}));
  });
}

PyObject* iterate(PyObject* self) noexcept {
  return guarded([&] {
    const array& a = as_array(self);
    if (a.ndim() == 0) raise<TypeError>("iter", "an array without axes cannot be iterated over");
    return nb::cast(ArrayIterator{a}).release().ptr();
  });
}

// x.at, then x.at[index]: copies of x in which elements are combined with others.
class ArrayAt {
 public:
  explicit ArrayAt(array a, Items items = {}) : array_(std::move(a)), items_(std::move(items)) {}

  ArrayAt at(nb::handle index) const { return ArrayAt(array_, parse(index.ptr())); }
  array update(ScatterMode mode, nb::handle value) const {
    return index_update(array_, items_, parse_value(array_, value), mode);
  }
  array subtract(nb::handle value) const {
    return index_update(array_, items_, negative(parse_value(array_, value)), ScatterMode::sum);
  }
  array divide(nb::handle value) const {
    return index_divide(array_, items_, parse_value(array_, value));
  }

 private:
  array array_;
  Items items_;
};

void bind_at(nb::module_& m) {
  auto updater = [](ScatterMode mode) {
    return [mode](const ArrayAt& self, nb::handle value) { return self.update(mode, value); };
  };
  nb::class_<ArrayAt>(m, "ArrayAt",
                      "Elements of an array, to be combined with others; see :attr:`array.at`.")
      .def("__getitem__", &ArrayAt::at, nb::arg("indices").none(),
           "Chooses the elements, as ``x[indices]`` does.")
      .def("add", updater(ScatterMode::sum), nb::arg("value"), "A copy with ``value`` added.")
      .def("subtract", &ArrayAt::subtract, nb::arg("value"), "A copy with ``value`` subtracted.")
      .def("multiply", updater(ScatterMode::prod), nb::arg("value"),
           "A copy multiplied by ``value``.")
      .def("divide", &ArrayAt::divide, nb::arg("value"), "A copy divided by ``value``.")
      .def("maximum", updater(ScatterMode::max), nb::arg("value"),
           "A copy with the larger of old element and ``value``.")
      .def("minimum", updater(ScatterMode::min), nb::arg("value"),
           "A copy with the smaller of old element and ``value``.");
}

}  // namespace

void add_indexing_slots(Slots& slots) {
  add_slot(slots, Py_mp_subscript, get_item);
  add_slot(slots, Py_mp_ass_subscript, set_item);
  add_slot(slots, Py_mp_length, length);
  add_slot(slots, Py_sq_length, length);
  add_slot(slots, Py_sq_item, get_part);
  add_slot(slots, Py_tp_iter, iterate);
}

void bind_indexing(nb::module_& m) {
  PyType_Slot iterator_slots[] = {{Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
                                  {Py_tp_iternext, reinterpret_cast<void*>(next_part)},
                                  {0, nullptr}};
  nb::class_<ArrayIterator>(m, "ArrayIterator", nb::type_slots(iterator_slots),
                            "The slices of an array along its first axis.");
  bind_at(m);
  array_class().def_prop_ro(
      "at", [](const array& self) { return ArrayAt(self); },
      R"(Elements to be combined with others, in a copy of the array.

``x.at[indices].add(value)`` adds as often as an element is named, unlike ``x[indices] += value``;
``subtract``, ``multiply``, ``divide``, ``maximum`` and ``minimum`` do so too.

>>> x = mx.array([0, 0, 0])
>>> x.at[mx.array([1, 1, 2])].add(5)
array([0, 10, 5], dtype=int32))");
}

}  // namespace mlx::core::python
