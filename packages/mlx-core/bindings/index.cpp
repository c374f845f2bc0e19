// Functions that read and write at indices.
#include "mlx/ops/index.h"

#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "families.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"

namespace mlx::core::python {
namespace {

// Indices: numbers and lists are integers, even where they are empty.
array indices_of(std::string_view op, A indices) {
  array result = to_array(op, indices);
  bool is_list = PyList_Check(indices.object.ptr()) || PyTuple_Check(indices.object.ptr());
  if (is_list && result.size() == 0) return array(result.buffer(), result.shape(), Dtype::int32);
  return result;
}

// A Python integer out of range is told at once.
void check_number(std::string_view op, const array& a, nb::handle index,
                  std::optional<std::int64_t> axis) {
  if (!PyLong_Check(index.ptr())) return;
  std::int64_t size = axis ? a.shape(normalize_axis(op, *axis, a.ndim())) : a.size();
  std::int64_t value = PyLong_AsLongLong(index.ptr());
  if (value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    value = size;
  }
  if (value < -size || value >= size) {
    raise<IndexError>(op, "index out of range: got ", nb::str(index).c_str(), " for shape ",
                      to_string(a.shape()), "; expected ", -size, " to ", size - 1);
  }
}

// What is written: numbers and lists in the array's dtype, which must hold them.
array values_of(std::string_view op, A values, const array& target) {
  PyObject* object = values.object.ptr();
  if (is_array(object)) return as_array(object);
  bool is_plain = weak_kind(object) != Weak::none || PyList_Check(object) || PyTuple_Check(object);
  return to_array(op, values, is_plain ? std::optional(target.dtype()) : std::nullopt);
}

}  // namespace

void bind_index(nb::module_& m) {
  m.def(
      "take",
      [](A a, A indices, std::optional<std::int64_t> axis, S s) {
        array x = to_array("take", a);
        check_number("take", x, indices.object, axis);
        return take(x, indices_of("take", indices), axis, s);
      },
      nb::arg(), nb::arg("indices"), nb::arg("axis") = nb::none(), nb::kw_only(), stream_arg(),
      nb::sig("def take(a: ArrayLike, /, indices: ArrayLike, axis: int | None = None, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The slices at these indices along an axis.

Args:
    a: The array.
    indices: Integers; negative ones count from the end. Their axes replace the axis.
    axis: The axis; without it elements of the flattened array are taken.

Raises:
    IndexError: An index is out of range: at once for a number, at evaluation for an array.

>>> mx.take(mx.array([10, 20, 30]), mx.array([2, 0]))
array([30, 10], dtype=int32))");
  m.def(
      "take_along_axis",
      [](A a, A indices, std::optional<std::int64_t> axis, S s) {
        return take_along_axis(to_array("take_along_axis", a),
                               indices_of("take_along_axis", indices), axis, s);
      },
      nb::arg(), nb::arg("indices"), nb::arg("axis").none() = -1, nb::kw_only(), stream_arg(),
      nb::sig("def take_along_axis(a: ArrayLike, /, indices: ArrayLike, axis: int | None = -1, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(Elements chosen along an axis by indices of the result's shape.

Args:
    a: The array.
    indices: Integers; as many axes as ``a``, which broadcast except for the chosen one.
    axis: The axis; None takes from the flattened array.

>>> x = mx.array([[3, 1, 2], [5, 6, 4]])
>>> mx.take_along_axis(x, mx.argsort(x, axis=1), axis=1)
array([[1, 2, 3],
       [4, 5, 6]], dtype=int32))");
  m.def(
      "put_along_axis",
      [](A a, A indices, A values, std::optional<std::int64_t> axis, S s) {
        array x = to_array("put_along_axis", a);
        array update = values_of("put_along_axis", values, x);
        return put_along_axis(x, indices_of("put_along_axis", indices), update, axis,
                              ScatterMode::none, s);
      },
      nb::arg(), nb::arg("indices"), nb::arg("values"), nb::arg("axis") = nb::none(), nb::kw_only(),
      stream_arg(),
      nb::sig("def put_along_axis(a: ArrayLike, /, indices: ArrayLike, values: ArrayLike, "
              "axis: int | None = None, *, stream: StreamOrDevice = None) -> array"),
      R"(A copy in which the elements that :func:`take_along_axis` would read are replaced.

Args:
    a: The array.
    indices: Integers.
    values: What is written; it broadcasts to the shape of the indices.
    axis: The axis; without it elements of the flattened array are replaced.

>>> mx.put_along_axis(mx.zeros((2, 2)), mx.array([[1], [0]]), 7.0, axis=1)
array([[0, 7],
       [7, 0]], dtype=float32))");
  m.def(
      "slice",
      [](A a, A start, const AxesArg& axes, const ShapeArg& sizes, S s) {
        return slice(to_array("slice", a), indices_of("slice", start), axes_of("slice", axes),
                     sizes.shape, s);
      },
      nb::arg("a"), nb::arg("start_indices"), nb::arg("axes"), nb::arg("slice_size"), nb::kw_only(),
      stream_arg(),
      nb::sig("def slice(a: ArrayLike, start_indices: ArrayLike, axes: int | Sequence[int], "
              "slice_size: Sequence[int], *, stream: StreamOrDevice = None) -> array"),
      R"(A block of the array that begins where an array says.

Args:
    a: The array.
    start_indices: Where the block begins on each of ``axes``; at 0 on the others.
    axes: The axes.
    slice_size: The block's size on every axis of ``a``.

Raises:
    IndexError: At evaluation: the block does not lie inside.

>>> mx.slice(mx.arange(6), mx.array([2]), (0,), (3,))
array([2, 3, 4], dtype=int32))");
  m.def(
      "slice_update",
      [](A a, A update, A start, const AxesArg& axes, S s) {
        array x = to_array("slice_update", a);
        array values = values_of("slice_update", update, x);
        return slice_update(x, values, indices_of("slice_update", start),
                            axes_of("slice_update", axes), s);
      },
      nb::arg("a"), nb::arg("update"), nb::arg("start_indices"), nb::arg("axes"), nb::kw_only(),
      stream_arg(),
      nb::sig("def slice_update(a: ArrayLike, update: ArrayLike, start_indices: ArrayLike, "
              "axes: int | Sequence[int], *, stream: StreamOrDevice = None) -> array"),
      R"(A copy in which a block is replaced that begins where an array says.

Args:
    a: The array.
    update: The block, with as many axes as ``a``.
    start_indices: Where the block begins on each of ``axes``; at 0 on the others.
    axes: The axes.

>>> mx.slice_update(mx.zeros(4), mx.ones(2), mx.array([1]), (0,))
array([0, 1, 1, 0], dtype=float32))");
  m.def(
      "nonzero",
      [](A a) {
        array x = to_array("nonzero", a);
        if (!x.node().abstract) evaluate(x);
        nb::list indices;
        for (array& index : nonzero(x)) indices.append(nb::cast(index));
        return nb::tuple(indices);
      },
      nb::arg(), nb::sig("def nonzero(a: ArrayLike, /) -> tuple[array, ...]"),
      R"(The indices of the elements that are not zero, one array per axis. Evaluates ``a``.

>>> mx.nonzero(mx.array([0, 3, 0, 4]))
(array([1, 3], dtype=int64),))");
}

}  // namespace mlx::core::python
