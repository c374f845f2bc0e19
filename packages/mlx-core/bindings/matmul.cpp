// Products of matrices and vectors in Python.
#include "mlx/ops/matmul.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "families.h"
#include "mlx/ops/einsum.h"
#include "support.h"

namespace mlx::core::python {
namespace {

constexpr const char* matmul_doc =
    R"(Matrix product over the last two axes; the axes before broadcast.

A vector on the left counts as a row, on the right as a column, and its axis is not in the result.
Integers multiply exactly and wrap; of bools the product is "some pair is true". float16 and
bfloat16 are summed in float32. The operator ``@`` is the same.

Args:
    a: Array with at least one axis.
    b: Array with at least one axis.
    stream: The stream or device to compute on; None for the default.

Raises:
    ValueError: The inner sizes differ, the other axes do not broadcast, or an operand is a scalar.

>>> mx.matmul(mx.array([[1, 2], [3, 4]]), mx.array([1, 10]))
array([21, 43], dtype=int32))";

constexpr const char* addmm_doc = R"(``alpha * (a @ b) + beta * c``.

Args:
    c: Array that broadcasts to the product's shape.
    a: Left factor.
    b: Right factor.
    alpha: Factor of the product.
    beta: Factor of ``c``.
    stream: The stream or device to compute on; None for the default.

Raises:
    TypeError: A factor that is not whole, for arrays of integers.
    ValueError: The shapes do not fit.

>>> mx.addmm(mx.array([1, 1]), mx.array([[1, 2], [3, 4]]), mx.array([[1, 0], [0, 1]]), beta=10)
array([[11, 12],
       [13, 14]], dtype=int32))";

constexpr const char* tensordot_doc = R"(Sum of products over pairs of axes.

Args:
    a: Array.
    b: Array.
    axes: How many of the last axes of ``a`` go with the first of ``b``; or the axes of ``a`` and
        those of ``b``, each an int or a sequence of ints.
    stream: The stream or device to compute on; None for the default.

Raises:
    IndexError: An axis is out of range.
    ValueError: The axes are not of equal number and sizes.

>>> mx.tensordot(mx.array([[1, 2], [3, 4]]), mx.array([[1, 0], [0, 1]]), axes=[[0, 1], [0, 1]])
array(5, dtype=int32))";

constexpr const char* inner_doc = R"(Sum of products over the last axes.

Args:
    a: Array or number.
    b: Array or number; where one of them is a number, the result is the plain product.
    stream: The stream or device to compute on; None for the default.

Raises:
    ValueError: The last sizes differ.

>>> mx.inner(mx.array([1, 2, 3]), mx.array([4, 5, 6]))
array(32, dtype=int32))";

constexpr const char* outer_doc = R"(Every element of ``a`` times every element of ``b``.

Args:
    a: Array or number; it is flattened.
    b: Array or number; it is flattened.
    stream: The stream or device to compute on; None for the default.

>>> mx.outer(mx.array([1, 2]), mx.array([1, 10]))
array([[1, 10],
       [2, 20]], dtype=int32))";

constexpr const char* vecdot_doc = R"(Sum of ``conj(a) * b`` over one axis.

Args:
    a: Array.
    b: Array; the other axes broadcast with those of ``a``.
    axis: The axis, counted from the end where the numbers of axes differ.
    stream: The stream or device to compute on; None for the default.

Raises:
    IndexError: The axis is out of range.
    ValueError: The sizes on the axis differ, or the other axes do not broadcast.

>>> mx.vecdot(mx.array([[1, 2], [3, 4]]), mx.array([1, 10]))
array([21, 43], dtype=int32))";

constexpr const char* einsum_doc =
    R"(Einstein summation: a product of arrays, with letters for axes.

A letter that the output lacks is summed over; a letter twice in one operand takes its diagonal;
``...`` stands for axes that broadcast, and axes of size 1 broadcast too. Without ``->`` the output
has the letters that occur once, in alphabetical order. Operands are contracted two at a time, those
first that leave the least (see :func:`einsum_path`).

Args:
    subscripts: For example ``"ij,jk->ik"``.
    operands: The arrays, one for each term.
    stream: The stream or device to compute on; None for the default.

Raises:
    ValueError: The subscripts cannot be read or do not fit the operands; the message repeats them.

>>> mx.einsum("ij,kj->ik", mx.array([[1, 2], [3, 4]]), mx.array([[1, 10]]))
array([[21],
       [43]], dtype=int32))";

constexpr const char* einsum_path_doc = R"(The order in which :func:`einsum` contracts operands.

Args:
    subscripts: As for :func:`einsum`.
    operands: The arrays; only their shapes matter.

Returns:
    The steps, each the positions of the operands it takes (the result goes to the end of the
    list), and a text that tells what they cost.

Raises:
    ValueError: The subscripts cannot be read or do not fit the operands.

>>> a, b = mx.zeros((2, 9)), mx.zeros((9, 9))
>>> mx.einsum_path("ij,jk,kl->il", a, b, b)[0]
[(0, 1), (0, 1)])";

using Product = array (*)(const array&, const array&, const StreamOrDevice&);

void bind_product(nb::module_& m, const char* name, Product function, const char* doc) {
  std::string text = "def " + std::string(name) +
                     "(a: ArrayLike, b: ArrayLike, /, *, stream: StreamOrDevice = None) -> array";
  m.def(
      name,
      [function, op = std::string(name)](const ArrayLike& a, const ArrayLike& b,
                                         const StreamOrDevice& stream) {
        auto [x, y] = to_arrays(op, a, b);
        return function(x, y, stream);
      },
      nb::arg().none(), nb::arg().none(), nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig(text.c_str()), doc);
}

// The axes of one operand of tensordot.
Axes side_of_axes(nb::handle axes) {
  Axes side;
  if (!load_integers(axes, side)) {
    raise<TypeError>("tensordot", "unusable axes: got ", nb::repr(axes).c_str(),
                     "; expected an int, or two ints or sequences of ints");
  }
  return side;
}

array tensordot_with(const array& a, const array& b, nb::handle axes,
                     const StreamOrDevice& stream) {
  if (PyIndex_Check(axes.ptr())) {
    // More axes than there are is refused later, however many.
    std::int64_t count = std::clamp<std::int64_t>(to_int64("tensordot", axes), -1, 1 << 20);
    return tensordot(a, b, static_cast<int>(count), stream);
  }
  if (!PySequence_Check(axes.ptr()) || nb::len(axes) != 2) {
    return tensordot(a, b, side_of_axes(nb::none()), {}, stream);  // refuses
  }
  return tensordot(a, b, side_of_axes(axes[0]), side_of_axes(axes[1]), stream);
}

Arrays operands_of(const nb::args& args) { return to_array_list("einsum", args); }

void bind_einsum(nb::module_& m) {
  m.def(
      "einsum",
      [](std::string_view subscripts, const nb::args& operands, const StreamOrDevice& stream) {
        return einsum(subscripts, operands_of(operands), stream);
      },
      nb::arg("subscripts"), nb::arg("operands"), nb::arg("stream") = nb::none(),
      nb::sig("def einsum(subscripts: str, *operands: ArrayLike, stream: StreamOrDevice = None) "
              "-> array"),
      einsum_doc);
  m.def(
      "einsum_path",
      [](std::string_view subscripts, const nb::args& operands) {
        auto [path, text] = einsum_path(subscripts, operands_of(operands));
        nb::list steps;
        for (const std::vector<int>& step : path) steps.append(nb::tuple(nb::cast(step)));
        return nb::make_tuple(steps, text);
      },
      nb::arg("subscripts"), nb::arg("operands"),
      nb::sig("def einsum_path(subscripts: str, *operands: ArrayLike) -> "
              "tuple[list[tuple[int, ...]], str]"),
      einsum_path_doc);
}

}  // namespace

void bind_matmul(nb::module_& m) {
  bind_product(m, "matmul", matmul, matmul_doc);
  bind_product(m, "inner", inner, inner_doc);
  bind_product(m, "outer", outer, outer_doc);
  bind_einsum(m);
  m.def(
      "vecdot",
      [](const ArrayLike& a, const ArrayLike& b, int axis, const StreamOrDevice& stream) {
        auto [x, y] = to_arrays("vecdot", a, b);
        return vecdot(x, y, axis, stream);
      },
      nb::arg().none(), nb::arg().none(), nb::kw_only(), nb::arg("axis") = -1,
      nb::arg("stream") = nb::none(),
      nb::sig("def vecdot(a: ArrayLike, b: ArrayLike, /, *, axis: int = -1, stream: StreamOrDevice "
              "= None) -> array"),
      vecdot_doc);
  m.def(
      "tensordot",
      [](const ArrayLike& a, const ArrayLike& b, nb::handle axes, const StreamOrDevice& stream) {
        auto [x, y] = to_arrays("tensordot", a, b);
        return tensordot_with(x, y, axes, stream);
      },
      nb::arg().none(), nb::arg().none(), nb::arg("axes") = 2, nb::kw_only(),
      nb::arg("stream") = nb::none(),
      nb::sig("def tensordot(a: ArrayLike, b: ArrayLike, /, axes: int | Sequence[int | "
              "Sequence[int]] = 2, *, stream: StreamOrDevice = None) -> array"),
      tensordot_doc);
  m.def(
      "addmm",
      [](const ArrayLike& c, const ArrayLike& a, const ArrayLike& b, double alpha, double beta,
         const StreamOrDevice& stream) {
        auto all = to_arrays("addmm", {c.object, a.object, b.object});
        return addmm(all[0], all[1], all[2], alpha, beta, stream);
      },
      nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg("alpha") = 1.0,
      nb::arg("beta") = 1.0, nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def addmm(c: ArrayLike, a: ArrayLike, b: ArrayLike, /, alpha: float = 1.0, beta: "
              "float = 1.0, *, stream: StreamOrDevice = None) -> array"),
      addmm_doc);
}

}  // namespace mlx::core::python
