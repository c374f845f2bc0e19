// Functions and methods that give arrays another shape or order.
#include "mlx/ops/shape.h"

#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "families.h"
#include "mlx/ops/barrier.h"
#include "mlx/ops/join.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/strided.h"

namespace mlx::core::python {
namespace {

// x.reshape(2, 3) and x.reshape((2, 3)); x.transpose likewise.
Shape sizes_of(std::string_view op, const nb::args& args) {
  Shape shape;
  nb::handle object = args;
  if (args.size() == 1) object = args[0];
  if (!load_integers(object, shape)) {
    raise<TypeError>(op, "unusable sizes: got ", nb::repr(object).c_str(),
                     "; expected integers or one sequence of integers");
  }
  return shape;
}

std::vector<Shape> shapes_of(const nb::args& args) {
  std::vector<Shape> shapes;
  for (nb::handle item : args) {
    if (!load_integers(item, shapes.emplace_back())) {
      raise<TypeError>("broadcast_shapes", "no shape: got ", nb::repr(item).c_str(),
                       "; expected a sequence of integers");
    }
  }
  return shapes;
}

nb::tuple tuple_of(const Shape& shape) {
  nb::list items;
  for (std::int64_t size : shape) items.append(size);
  return nb::tuple(items);
}

// atleast_1d and its kin: one array gives an array, several a list.
nb::object each_at_least(std::string_view op, array (*function)(const array&, S),
                         const nb::args& arrays, S stream) {
  if (arrays.size() == 1) return nb::cast(function(to_array(op, {arrays[0]}), stream));
  nb::list results;
  for (nb::handle a : arrays) results.append(nb::cast(function(to_array(op, {a}), stream)));
  return results;
}

array repeated(A a, nb::handle repeats, std::optional<std::int64_t> axis, S stream) {
  array x = to_array("repeat", a);
  if (PyLong_Check(repeats.ptr())) return repeat(x, to_int64("repeat", repeats), axis, stream);
  array counts = to_array("repeat", {repeats});
  if (counts.node().abstract) require_concrete("repeat", counts);
  evaluate(counts);
  return repeat(x, counts, axis, stream);
}

void bind_sizes(nb::module_& m) {
  m.def(
      "reshape",
      [](A a, const ShapeArg& shape, S s) {
        return reshape(to_array("reshape", a), shape.shape, s);
      },
      nb::arg(), nb::arg("shape"), nb::kw_only(), stream_arg(),
      nb::sig("def reshape(a: ArrayLike, /, shape: int | Sequence[int], *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The same elements in row-major order in another shape.

Args:
    a: The array.
    shape: The new sizes. One of them may be -1: it is computed.

Raises:
    ValueError: The number of elements would change.

>>> mx.reshape(mx.arange(6), (2, -1))
array([[0, 1, 2],
       [3, 4, 5]], dtype=int32))");
  m.def(
      "flatten",
      [](A a, std::int64_t start, std::int64_t end, S s) {
        return flatten(to_array("flatten", a), start, end, s);
      },
      nb::arg(), nb::arg("start_axis") = 0, nb::arg("end_axis") = -1, nb::kw_only(), stream_arg(),
      nb::sig("def flatten(a: ArrayLike, /, start_axis: int = 0, end_axis: int = -1, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(Axes ``start_axis`` to ``end_axis`` become one.

>>> mx.flatten(mx.zeros((2, 3, 4)), start_axis=1).shape
(2, 12))");
  m.def(
      "unflatten",
      [](A a, std::int64_t axis, const ShapeArg& shape, S s) {
        return unflatten(to_array("unflatten", a), axis, shape.shape, s);
      },
      nb::arg(), nb::arg("axis"), nb::arg("shape"), nb::kw_only(), stream_arg(),
      nb::sig("def unflatten(a: ArrayLike, /, axis: int, shape: Sequence[int], *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(One axis becomes several; one of their sizes may be -1.

>>> mx.unflatten(mx.zeros((2, 12)), 1, (3, -1)).shape
(2, 3, 4))");
  m.def(
      "squeeze",
      [](A a, const AxesArg& axis, S s) { return squeeze(to_array("squeeze", a), axis.axes, s); },
      nb::arg(), nb::arg("axis") = nb::none(), nb::kw_only(), stream_arg(),
      nb::sig("def squeeze(a: ArrayLike, /, axis: int | Sequence[int] | None = None, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The array without the given axes, or without all axes of size 1.

Raises:
    ValueError: A given axis has another size than 1.

>>> mx.squeeze(mx.zeros((1, 3, 1))).shape
(3,))");
  m.def(
      "expand_dims",
      [](A a, const AxesArg& axis, S s) {
        return expand_dims(to_array("expand_dims", a), axes_of("expand_dims", axis), s);
      },
      nb::arg(), nb::arg("axis"), nb::kw_only(), stream_arg(),
      nb::sig("def expand_dims(a: ArrayLike, /, axis: int | Sequence[int], *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(New axes of size 1.

Args:
    a: The array.
    axis: Where the new axes are in the result.

>>> mx.expand_dims(mx.zeros((3,)), (0, 2)).shape
(1, 3, 1))");
}

void bind_order(nb::module_& m) {
  m.def(
      "moveaxis",
      [](A a, const AxesArg& source, const AxesArg& destination, S s) {
        return moveaxis(to_array("moveaxis", a), axes_of("moveaxis", source),
                        axes_of("moveaxis", destination), s);
      },
      nb::arg(), nb::arg("source"), nb::arg("destination"), nb::kw_only(), stream_arg(),
      nb::sig("def moveaxis(a: ArrayLike, /, source: int | Sequence[int], "
              "destination: int | Sequence[int], *, stream: StreamOrDevice = None) -> array"),
      R"(Axes move to other places; the others keep their order.

>>> mx.moveaxis(mx.zeros((2, 3, 4)), 0, -1).shape
(3, 4, 2))");
  m.def(
      "swapaxes",
      [](A a, std::int64_t axis1, std::int64_t axis2, S s) {
        return swapaxes(to_array("swapaxes", a), axis1, axis2, s);
      },
      nb::arg(), nb::arg("axis1"), nb::arg("axis2"), nb::kw_only(), stream_arg(),
      nb::sig("def swapaxes(a: ArrayLike, /, axis1: int, axis2: int, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(Two axes change places.

>>> mx.swapaxes(mx.zeros((2, 3, 4)), 0, 2).shape
(4, 3, 2))");
  auto permuted = [](A a, const AxesArg& axes, S s) {
    return transpose(to_array("transpose", a), axes.axes, s);
  };
  m.def("transpose", permuted, nb::arg(), nb::arg("axes") = nb::none(), nb::kw_only(), stream_arg(),
        nb::sig("def transpose(a: ArrayLike, /, axes: Sequence[int] | None = None, *, "
                "stream: StreamOrDevice = None) -> array"),
        R"(The axes in another order.

Args:
    a: The array.
    axes: Axis i of the result is axis ``axes[i]``; without it the order is reversed.

>>> mx.transpose(mx.zeros((2, 3, 4)), (1, 0, 2)).shape
(3, 2, 4))");
  m.def("permute_dims", permuted, nb::arg(), nb::arg("axes") = nb::none(), nb::kw_only(),
        stream_arg(),
        nb::sig("def permute_dims(a: ArrayLike, /, axes: Sequence[int] | None = None, *, "
                "stream: StreamOrDevice = None) -> array"),
        R"(The axes in another order: :func:`transpose` by the standard's name.

>>> mx.permute_dims(mx.zeros((2, 3, 4)), (1, 0, 2)).shape
(3, 2, 4))");
  m.def(
      "matrix_transpose",
      [](A a, S s) { return matrix_transpose(to_array("matrix_transpose", a), s); }, nb::arg(),
      nb::kw_only(), stream_arg(),
      nb::sig("def matrix_transpose(a: ArrayLike, /, *, stream: StreamOrDevice = None) -> array"),
      R"(The last two axes change places.

>>> mx.matrix_transpose(mx.zeros((2, 3, 4))).shape
(2, 4, 3))");
  m.def(
      "flip", [](A a, const AxesArg& axis, S s) { return flip(to_array("flip", a), axis.axes, s); },
      nb::arg(), nb::arg("axis") = nb::none(), nb::kw_only(), stream_arg(),
      nb::sig("def flip(a: ArrayLike, /, axis: int | Sequence[int] | None = None, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The elements in reverse order along the axes, or along all.

>>> mx.flip(mx.arange(3))
array([2, 1, 0], dtype=int32))");
  m.def(
      "roll",
      [](A a, const ShapeArg& shift, const AxesArg& axis, S s) {
        return roll(to_array("roll", a), shift.shape, axis.axes, s);
      },
      nb::arg(), nb::arg("shift"), nb::arg("axis") = nb::none(), nb::kw_only(), stream_arg(),
      nb::sig(
          "def roll(a: ArrayLike, /, shift: int | Sequence[int], "
          "axis: int | Sequence[int] | None = None, *, stream: StreamOrDevice = None) -> array"),
      R"(Elements move on; what leaves at the end comes back at the start.

Args:
    a: The array.
    shift: How far; one for all axes, or one per axis.
    axis: The axes; without them the flattened array is rolled.

>>> mx.roll(mx.arange(4), 1)
array([3, 0, 1, 2], dtype=int32))");
}

void bind_repetition(nb::module_& m) {
  m.def(
      "tile",
      [](A a, const ShapeArg& reps, S s) { return tile(to_array("tile", a), reps.shape, s); },
      nb::arg(), nb::arg(), nb::kw_only(), stream_arg(),
      nb::sig("def tile(a: ArrayLike, reps: int | Sequence[int], /, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The whole array several times along its axes.

Args:
    a: The array.
    reps: How often, per axis, counted from the last.

>>> mx.tile(mx.array([1, 2]), 3)
array([1, 2, 1, 2, 1, 2], dtype=int32))");
  m.def("repeat", &repeated, nb::arg("array"), nb::arg("repeats"), nb::arg("axis") = nb::none(),
        nb::kw_only(), stream_arg(),
        nb::sig("def repeat(array: ArrayLike, repeats: int | ArrayLike, axis: int | None = None, "
                "*, stream: StreamOrDevice = None) -> array"),
        R"(Each element several times in a row.

Args:
    array: The array.
    repeats: How often; an array of counts, one per element, is evaluated.
    axis: The axis; without it the array is flattened.

>>> mx.repeat(mx.array([1, 2]), 2)
array([1, 1, 2, 2], dtype=int32))");
  m.def(
      "broadcast_to",
      [](A a, const ShapeArg& shape, S s) {
        return broadcast_to(to_array("broadcast_to", a), shape.shape, s);
      },
      nb::arg(), nb::arg("shape"), nb::kw_only(), stream_arg(),
      nb::sig("def broadcast_to(a: ArrayLike, /, shape: int | Sequence[int], *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The array repeated along axes of size 1 and along new leading axes, without a copy.

>>> mx.broadcast_to(mx.array([1, 2]), (2, 2))
array([[1, 2],
       [1, 2]], dtype=int32))");
  m.def(
      "broadcast_arrays",
      [](const nb::args& arrays, S s) {
        return broadcast_arrays(to_array_list("broadcast_arrays", arrays), s);
      },
      nb::arg("arrays"), nb::kw_only(), stream_arg(),
      nb::sig("def broadcast_arrays(*arrays: ArrayLike, stream: StreamOrDevice = None) -> "
              "list[array]"),
      R"(The arrays broadcast to their common shape.

>>> [a.shape for a in mx.broadcast_arrays(mx.zeros((2, 1)), mx.zeros(3))]
[(2, 3), (2, 3)])");
  m.def(
      "broadcast_shapes",
      [](const nb::args& shapes) {
        return tuple_of(broadcast_shapes("broadcast_shapes", shapes_of(shapes)));
      },
      nb::arg("shapes"), nb::sig("def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]"),
      R"(The shape to which arrays of these shapes broadcast.

>>> mx.broadcast_shapes((2, 1), (3,))
(2, 3))");
}

void bind_at_least(nb::module_& m) {
  m.def(
      "atleast_1d",
      [](const nb::args& arrays, S s) {
        return each_at_least("atleast_1d", atleast_1d, arrays, s);
      },
      nb::arg("arys"), nb::kw_only(), stream_arg(),
      nb::sig("def atleast_1d(*arys: ArrayLike, stream: StreamOrDevice = None) -> "
              "array | list[array]"),
      R"(The arrays with at least one axis.

>>> mx.atleast_1d(mx.array(1)).shape
(1,))");
  m.def(
      "atleast_2d",
      [](const nb::args& arrays, S s) {
        return each_at_least("atleast_2d", atleast_2d, arrays, s);
      },
      nb::arg("arys"), nb::kw_only(), stream_arg(),
      nb::sig("def atleast_2d(*arys: ArrayLike, stream: StreamOrDevice = None) -> "
              "array | list[array]"),
      R"(The arrays with at least two axes; new ones come first.

>>> mx.atleast_2d(mx.array([1, 2])).shape
(1, 2))");
  m.def(
      "atleast_3d",
      [](const nb::args& arrays, S s) {
        return each_at_least("atleast_3d", atleast_3d, arrays, s);
      },
      nb::arg("arys"), nb::kw_only(), stream_arg(),
      nb::sig("def atleast_3d(*arys: ArrayLike, stream: StreamOrDevice = None) -> "
              "array | list[array]"),
      R"(The arrays with at least three axes.

>>> mx.atleast_3d(mx.array([1, 2])).shape
(1, 2, 1))");
}

void bind_memory_views(nb::module_& m) {
  m.def(
      "as_strided",
      [](A a, std::optional<ShapeArg> shape, std::optional<ShapeArg> strides, std::int64_t offset,
         S s) {
        std::optional<Shape> sizes;
        std::optional<Strides> steps;
        if (shape) sizes = shape->shape;
        if (strides) steps = strides->shape;
        return as_strided(to_array("as_strided", a), sizes, steps, offset, s);
      },
      nb::arg(), nb::arg("shape") = nb::none(), nb::arg("strides") = nb::none(),
      nb::arg("offset") = 0, nb::kw_only(), stream_arg(),
      nb::sig("def as_strided(a: ArrayLike, /, shape: Sequence[int] | None = None, "
              "strides: Sequence[int] | None = None, offset: int = 0, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(Elements of the array in row-major order, at ``offset`` plus multiples of the strides.

Args:
    a: The array.
    shape: The result's shape; without it that of ``a``.
    strides: In elements; without them the row-major ones of the shape.
    offset: The first element.

Raises:
    IndexError: An element would lie outside of the array.

>>> mx.as_strided(mx.arange(5), (3, 3), (1, 1))
array([[0, 1, 2],
       [1, 2, 3],
       [2, 3, 4]], dtype=int32))");
  m.def(
      "contiguous",
      [](A a, bool allow_col_major, S s) {
        return contiguous(to_array("contiguous", a), allow_col_major, s);
      },
      nb::arg(), nb::arg("allow_col_major") = false, nb::kw_only(), stream_arg(),
      nb::sig("def contiguous(a: ArrayLike, /, allow_col_major: bool = False, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The array, in memory in row-major order without gaps.

Args:
    a: The array.
    allow_col_major: Leaves an array in column-major order as it is.

>>> mx.contiguous(mx.arange(4)[::2])
array([0, 2], dtype=int32))");
  m.def(
      "view", [](A a, Dtype dtype, S s) { return view(to_array("view", a), dtype, s); },
      nb::arg("a"), nb::arg("dtype"), stream_arg(),
      nb::sig("def view(a: ArrayLike, dtype: Dtype, stream: StreamOrDevice = None) -> array"),
      R"(The bytes of the elements read as another dtype.

Where the dtypes have different sizes the last axis changes its size.

Raises:
    ValueError: The bytes of the last axis do not divide.

>>> mx.view(mx.array([1.0]), mx.int32)
array([1065353216], dtype=int32))");
  m.def(
      "stop_gradient", [](A a, S s) { return stop_gradient(to_array("stop_gradient", a), s); },
      nb::arg(), nb::kw_only(), stream_arg(),
      nb::sig("def stop_gradient(a: ArrayLike, /, *, stream: StreamOrDevice = None) -> array"),
      R"(The array, through which no derivative flows.

>>> mx.grad(lambda x: x * mx.stop_gradient(x))(mx.array(3.0))
array(3, dtype=float32))");
  m.def(
      "depends",
      [](nb::handle inputs, nb::handle dependencies) -> nb::object {
        auto list_of = [](nb::handle object) {
          if (is_array(object.ptr())) return Arrays{as_array(object.ptr())};
          return to_array_list("depends", object);
        };
        Arrays results = depends(list_of(inputs), list_of(dependencies));
        if (is_array(inputs.ptr())) return nb::cast(results[0]);
        return nb::cast(results);
      },
      nb::arg("inputs"), nb::arg("dependencies"),
      nb::sig("def depends(inputs: array | Sequence[array], "
              "dependencies: array | Sequence[array]) -> array | list[array]"),
      R"(The arrays, which are available only once the dependencies are computed too.

>>> a, b = mx.array(1), mx.array(2)
>>> mx.depends(a, b)
array(1, dtype=int32))");
}

void bind_methods() {
  array_class()
      .def(
          "reshape",
          [](const array& a, const nb::args& shape, S s) {
            return reshape(a, sizes_of("reshape", shape), s);
          },
          nb::arg("shape"), nb::kw_only(), stream_arg(),
          nb::sig("def reshape(self, *shape: int | Sequence[int], "
                  "stream: StreamOrDevice = None) -> array"),
          "See :func:`reshape`.")
      .def(
          "transpose",
          [](const array& a, const nb::args& axes, S s) {
            bool is_reversed = axes.size() == 0 || (axes.size() == 1 && axes[0].is_none());
            if (is_reversed) return transpose(a, {}, s);
            return transpose(a, sizes_of("transpose", axes), s);
          },
          nb::arg("axes"), nb::kw_only(), stream_arg(),
          nb::sig("def transpose(self, *axes: int | Sequence[int], "
                  "stream: StreamOrDevice = None) -> array"),
          "See :func:`transpose`.")
      .def(
          "flatten",
          [](const array& a, std::int64_t start, std::int64_t end, S s) {
            return flatten(a, start, end, s);
          },
          nb::arg("start_axis") = 0, nb::arg("end_axis") = -1, nb::kw_only(), stream_arg(),
          nb::sig("def flatten(self, start_axis: int = 0, end_axis: int = -1, *, "
                  "stream: StreamOrDevice = None) -> array"),
          "See :func:`flatten`.")
      .def(
          "squeeze",
          [](const array& a, const AxesArg& axis, S s) { return squeeze(a, axis.axes, s); },
          nb::arg("axis") = nb::none(), nb::kw_only(), stream_arg(),
          nb::sig("def squeeze(self, axis: int | Sequence[int] | None = None, *, "
                  "stream: StreamOrDevice = None) -> array"),
          "See :func:`squeeze`.")
      .def(
          "moveaxis",
          [](const array& a, const AxesArg& source, const AxesArg& destination, S s) {
            return moveaxis(a, axes_of("moveaxis", source), axes_of("moveaxis", destination), s);
          },
          nb::arg("source"), nb::arg("destination"), nb::kw_only(), stream_arg(),
          nb::sig("def moveaxis(self, source: int | Sequence[int], "
                  "destination: int | Sequence[int], *, stream: StreamOrDevice = None) -> array"),
          "See :func:`moveaxis`.")
      .def(
          "swapaxes",
          [](const array& a, std::int64_t axis1, std::int64_t axis2, S s) {
            return swapaxes(a, axis1, axis2, s);
          },
          nb::arg("axis1"), nb::arg("axis2"), nb::kw_only(), stream_arg(),
          nb::sig("def swapaxes(self, axis1: int, axis2: int, *, "
                  "stream: StreamOrDevice = None) -> array"),
          "See :func:`swapaxes`.")
      .def(
          "view", [](const array& a, Dtype dtype, S s) { return view(a, dtype, s); },
          nb::arg("dtype"), nb::kw_only(), stream_arg(),
          nb::sig("def view(self, dtype: Dtype, *, stream: StreamOrDevice = None) -> array"),
          "See :func:`view`.");
}

}  // namespace

void bind_shape(nb::module_& m) {
  bind_sizes(m);
  bind_order(m);
  bind_repetition(m);
  bind_at_least(m);
  bind_memory_views(m);
  bind_methods();
}

}  // namespace mlx::core::python
