// Functions that put arrays together and take them apart.
#include "mlx/ops/join.h"

#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "families.h"

namespace mlx::core::python {
namespace {

array joined(nb::handle arrays, std::optional<std::int64_t> axis, S s) {
  return concatenate(to_array_list("concatenate", arrays), axis, s);
}

Arrays parts_of(const array& a, nb::handle indices_or_sections, std::int64_t axis, S s) {
  Shape indices;
  if (!load_integers(indices_or_sections, indices)) {
    raise<TypeError>("split", "unusable parts: got ", nb::repr(indices_or_sections).c_str(),
                     "; expected the number of parts or a sequence of positions");
  }
  bool is_number = PyIndex_Check(indices_or_sections.ptr());
  return is_number ? split(a, indices[0], axis, s) : split(a, indices, axis, s);
}

PadMode mode_of(const std::string& mode) {
  if (mode == "constant") return PadMode::constant;
  if (mode == "edge") return PadMode::edge;
  if (mode == "reflect") return PadMode::reflect;
  if (mode == "symmetric") return PadMode::symmetric;
  if (mode == "wrap") return PadMode::wrap;
  raise<ValueError>("pad", "unknown mode: got '", mode,
                    "'; expected 'constant', 'edge', 'reflect', 'symmetric' or 'wrap'");
}

// One width for all, a pair for all, or a pair per axis.
std::pair<Shape, Shape> widths_of(nb::handle pad_width, std::size_t ndim) {
  Shape flat;
  if (load_integers(pad_width, flat) && (flat.size() == 1 || flat.size() == 2)) {
    return {Shape(ndim, flat[0]), Shape(ndim, flat.back())};
  }
  Shape low, high;
  if (PySequence_Check(pad_width.ptr())) {
    for (nb::handle item : nb::tuple(nb::borrow(pad_width))) {
      Shape pair;
      if (!load_integers(item, pair) || pair.empty() || pair.size() > 2) break;
      low.push_back(pair[0]);
      high.push_back(pair.back());
    }
  }
  if (low.size() == 1) return {Shape(ndim, low[0]), Shape(ndim, high[0])};
  if (low.size() != ndim) {
    raise<ValueError>("pad", "unusable widths: got ", nb::repr(pad_width).c_str(),
                      "; expected an integer, a pair of integers, or a pair for each of the ", ndim,
                      " axes");
  }
  return {low, high};
}

}  // namespace

void bind_join(nb::module_& m) {
  m.def("concatenate", &joined, nb::arg("arrays"), nb::arg("axis").none() = 0, nb::kw_only(),
        stream_arg(),
        nb::sig("def concatenate(arrays: Sequence[ArrayLike], axis: int | None = 0, *, "
                "stream: StreamOrDevice = None) -> array"),
        R"(The arrays one after the other along an axis.

Args:
    arrays: At least one; their shapes differ at most on the axis.
    axis: The axis; None joins the flattened arrays.

>>> mx.concatenate([mx.array([1, 2]), mx.array([3])])
array([1, 2, 3], dtype=int32))");
  m.def("concat", &joined, nb::arg("arrays"), nb::arg("axis").none() = 0, nb::kw_only(),
        stream_arg(),
        nb::sig("def concat(arrays: Sequence[ArrayLike], axis: int | None = 0, *, "
                "stream: StreamOrDevice = None) -> array"),
        R"(The arrays one after the other: :func:`concatenate` by the standard's name.

>>> mx.concat([mx.array([1, 2]), mx.array([3])])
array([1, 2, 3], dtype=int32))");
  m.def(
      "stack",
      [](nb::handle arrays, std::int64_t axis, S s) {
        return stack(to_array_list("stack", arrays), axis, s);
      },
      nb::arg("arrays"), nb::arg("axis") = 0, nb::kw_only(), stream_arg(),
      nb::sig("def stack(arrays: Sequence[ArrayLike], axis: int = 0, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The arrays, which have one shape, along a new axis.

>>> mx.stack([mx.array([1, 2]), mx.array([3, 4])], axis=1)
array([[1, 3],
       [2, 4]], dtype=int32))");
  m.def(
      "unstack",
      [](A a, std::int64_t axis, S s) {
        nb::list parts;
        for (array& part : unstack(to_array("unstack", a), axis, s)) parts.append(nb::cast(part));
        return nb::tuple(parts);
      },
      nb::arg(), nb::kw_only(), nb::arg("axis") = 0, stream_arg(),
      nb::sig("def unstack(x: ArrayLike, /, *, axis: int = 0, stream: StreamOrDevice = None) -> "
              "tuple[array, ...]"),
      R"(The slices along an axis, without it.

>>> [p.tolist() for p in mx.unstack(mx.array([[1, 2], [3, 4]]))]
[[1, 2], [3, 4]])");
  m.def(
      "split",
      [](A a, nb::handle parts, std::int64_t axis, S s) {
        return parts_of(to_array("split", a), parts, axis, s);
      },
      nb::arg(), nb::arg("indices_or_sections"), nb::arg("axis") = 0, nb::kw_only(), stream_arg(),
      nb::sig("def split(a: ArrayLike, /, indices_or_sections: int | Sequence[int], "
              "axis: int = 0, *, stream: StreamOrDevice = None) -> list[array]"),
      R"(Parts of the array along an axis.

Args:
    a: The array.
    indices_or_sections: How many equal parts, or where new parts begin.
    axis: The axis.

Raises:
    ValueError: The axis has no such number of equal parts.

>>> [p.tolist() for p in mx.split(mx.arange(5), [2, 3])]
[[0, 1], [2], [3, 4]])");
  m.def(
      "pad",
      [](A a, nb::handle pad_width, const std::string& mode, nb::handle value, S s) {
        array x = to_array("pad", a);
        auto [low, high] = widths_of(pad_width, x.shape().size());
        return pad(x, low, high, mode_of(mode), to_array("pad", {value}, x.dtype()), s);
      },
      nb::arg("a"), nb::arg("pad_width"), nb::arg("mode") = "constant",
      nb::arg("constant_values") = 0, nb::kw_only(), stream_arg(),
      nb::sig("def pad(a: ArrayLike, pad_width: int | tuple[int, int] | Sequence[tuple[int, int]], "
              "mode: str = 'constant', constant_values: ArrayLike = 0, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The array with more elements around it.

Args:
    a: The array.
    pad_width: How many before and after: one number for all, a pair for all, or a pair per axis.
    mode: What they are: ``'constant'``, ``'edge'`` (the nearest element), ``'reflect'`` and
        ``'symmetric'`` (the array mirrored, without and with its outermost element) or ``'wrap'``
        (the array repeated).
    constant_values: The constant.

>>> mx.pad(mx.array([1, 2]), (1, 2))
array([0, 1, 2, 0, 0], dtype=int32))");
  array_class().def(
      "split", &parts_of, nb::arg("indices_or_sections"), nb::arg("axis") = 0, nb::kw_only(),
      stream_arg(),
      nb::sig("def split(self, indices_or_sections: int | Sequence[int], axis: int = 0, *, "
              "stream: StreamOrDevice = None) -> list[array]"),
      "See :func:`split`.");
}

}  // namespace mlx::core::python
