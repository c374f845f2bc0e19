// Elementwise functions that are written with other ops, in Python.
#include "mlx/ops/composite.h"

#include <nanobind/stl/pair.h>

#include "arguments.h"
#include "families.h"

namespace mlx::core::python {
namespace {

using Unary = array (*)(const array&, const StreamOrDevice&);

void bind_unary(nb::module_& m, const char* name, Unary function, const char* doc) {
  std::string text =
      "def " + std::string(name) + "(a: ArrayLike, /, *, stream: StreamOrDevice = None) -> array";
  m.def(
      name,
      [function, op = std::string(name)](A a, S stream) {
        return function(to_array(op, a), stream);
      },
      nb::arg().none(), nb::kw_only(), stream_arg(), nb::sig(text.c_str()), doc);
}

// The same with the signature of isinf: the array by keyword too, the stream by position too.
void bind_test(nb::module_& m, const char* name, Unary function, const char* doc) {
  std::string text =
      "def " + std::string(name) + "(a: ArrayLike, stream: StreamOrDevice = None) -> array";
  m.def(
      name,
      [function, op = std::string(name)](A a, S stream) {
        return function(to_array(op, a), stream);
      },
      nb::arg("a").none(), stream_arg(), nb::sig(text.c_str()), doc);
}

// The array and the bounds that are there: Python numbers take the array's dtype.
array clipped(A a, A low, A high, S stream) {
  std::optional<array> bounds[2];
  const ArrayLike* given[] = {&low, &high};
  array x = to_array("clip", a);
  for (int i = 0; i < 2; ++i) {
    if (!given[i]->object.is_none()) bounds[i] = to_arrays("clip", {a.object, given[i]->object})[1];
  }
  return clip(x, bounds[0], bounds[1], stream);
}

constexpr const char* clip_doc =
    R"(Each element, moved into an interval; NaN where it or a bound is NaN.

Args:
    a: Array or number.
    a_min: The least value; None for no bound.
    a_max: The largest value; None for no bound.
    stream: The stream or device to compute on; None for the default.

>>> mx.clip(mx.array([1, 5, 9]), 2, 6)
array([2, 5, 6], dtype=int32))";

constexpr const char* isclose_doc =
    R"(Is ``|a - b| <= atol + rtol * |b|``? Equal infinities are close.

Args:
    a: Array or number.
    b: The same; the shapes broadcast against each other.
    rtol: Tolerance relative to ``b``.
    atol: Absolute tolerance.
    equal_nan: Is NaN close to NaN?
    stream: The stream or device to compute on; None for the default.

>>> mx.isclose(mx.array([1.0, 2.0]), mx.array([1.0, 2.1]))
array([True, False], dtype=bool))";

constexpr const char* allclose_doc = R"(Are all elements close? See :func:`isclose`; one bool.

>>> mx.allclose(mx.array([1.0, 2.0]), 1.0).item()
False)";

using Closes = array (*)(const array&, const array&, const Closeness&, const StreamOrDevice&);

void bind_close(nb::module_& m, const char* name, Closes function, const char* doc) {
  std::string text = "def " + std::string(name) +
                     "(a: ArrayLike, b: ArrayLike, /, rtol: float = 1e-05, atol: float = 1e-08, *, "
                     "equal_nan: bool = False, stream: StreamOrDevice = None) -> array";
  m.def(
      name,
      [function, op = std::string(name)](A a, A b, double rtol, double atol, bool equal_nan,
                                         S stream) {
        auto [x, y] = to_arrays(op, a, b);
        return function(x, y, {rtol, atol, equal_nan}, stream);
      },
      nb::arg().none(), nb::arg().none(), nb::arg("rtol") = 1e-5, nb::arg("atol") = 1e-8,
      nb::kw_only(), nb::arg("equal_nan") = false, stream_arg(), nb::sig(text.c_str()), doc);
}

void bind_comparisons(nb::module_& m) {
  bind_close(m, "isclose", isclose, isclose_doc);
  bind_close(m, "allclose", allclose, allclose_doc);
  m.def(
      "array_equal",
      [](A a, A b, bool equal_nan, S stream) {
        auto [x, y] = to_arrays("array_equal", a, b);
        return array_equal(x, y, equal_nan, stream);
      },
      nb::arg("a").none(), nb::arg("b").none(), nb::arg("equal_nan") = false, stream_arg(),
      nb::sig("def array_equal(a: ArrayLike, b: ArrayLike, equal_nan: bool = False, "
              "stream: StreamOrDevice = None) -> array"),
      R"(Are the shapes and all elements equal? One bool.

>>> mx.array_equal(mx.array([1, 2]), mx.array([1, 2])).item()
True)");
}

void bind_numbers(nb::module_& m) {
  m.def(
      "nan_to_num",
      [](A a, double nan, std::optional<double> posinf, std::optional<double> neginf, S stream) {
        return nan_to_num(to_array("nan_to_num", a), {nan, posinf, neginf}, stream);
      },
      nb::arg("a").none(), nb::arg("nan") = 0.0, nb::arg("posinf") = nb::none(),
      nb::arg("neginf") = nb::none(), nb::kw_only(), stream_arg(),
      nb::sig("def nan_to_num(a: ArrayLike, nan: float = 0, posinf: float | None = None, "
              "neginf: float | None = None, *, stream: StreamOrDevice = None) -> array"),
      R"(The array with numbers where it has NaN or infinities.

Args:
    a: Array or number.
    nan: What stands for NaN.
    posinf: What stands for infinity; None for the dtype's largest number.
    neginf: What stands for minus infinity; None for the dtype's smallest number.
    stream: The stream or device to compute on; None for the default.

>>> mx.nan_to_num(mx.array([1.0, float("nan"), float("inf")]), posinf=9)
array([1, 0, 9], dtype=float32))");
  m.def(
      "divmod",
      [](A a, A b, S stream) {
        auto [x, y] = to_arrays("divmod", a, b);
        return divmod(x, y, stream);
      },
      nb::arg("a").none(), nb::arg("b").none(), stream_arg(),
      nb::sig("def divmod(a: ArrayLike, b: ArrayLike, stream: StreamOrDevice = None) -> "
              "tuple[array, array]"),
      R"(Quotient rounded down, and what remains.

>>> mx.divmod(mx.array(7), 3)
(array(2, dtype=int32), array(1, dtype=int32)))");
}

}  // namespace

void bind_composite(nb::module_& m) {
  bind_unary(m, "positive", positive, R"(The array itself.

Raises:
    TypeError: The array is of bools.

>>> mx.positive(mx.array([1, -2]))
array([1, -2], dtype=int32))");
  bind_test(m, "isposinf", isposinf, R"(Is each element infinity?

>>> mx.isposinf(mx.array([1.0, float("inf")]))
array([False, True], dtype=bool))");
  bind_test(m, "isneginf", isneginf, R"(Is each element minus infinity?

>>> mx.isneginf(mx.array([1.0, -float("inf")]))
array([False, True], dtype=bool))");
  bind_unary(m, "degrees", degrees, R"(Degrees of angles in radians.

>>> mx.degrees(mx.array(mx.pi))
array(180, dtype=float32))");
  bind_unary(m, "radians", radians, R"(Radians of angles in degrees.

>>> mx.radians(mx.array(180.0))
array(3.14159, dtype=float32))");
  m.def("clip", &clipped, nb::arg().none(), nb::arg("a_min").none() = nb::none(),
        nb::arg("a_max").none() = nb::none(), nb::kw_only(), stream_arg(),
        nb::sig("def clip(a: ArrayLike, /, a_min: ArrayLike | None = None, a_max: ArrayLike | None "
                "= None, *, stream: StreamOrDevice = None) -> array"),
        clip_doc);
  bind_comparisons(m);
  bind_numbers(m);
}

}  // namespace mlx::core::python
