// Functions that make arrays of nothing but numbers.
#include "mlx/ops/create.h"

#include <nanobind/stl/vector.h>

#include <cmath>

#include "arguments.h"
#include "families.h"
#include "number.h"

namespace mlx::core::python {
namespace {

// --- arange --------------------------------------------------------------------------------------

// A bound of a range: an exact integer, or a double.
struct Bound {
  std::optional<std::int64_t> integer;
  bool is_unsigned = false;  // `integer` are the bits of a number beyond int64
  double value = 0;
};

Bound bound_of(nb::handle object) {
  if (PyFloat_Check(object.ptr())) return {.integer = {}, .value = nb::cast<double>(object)};
  nb::object number = nb::borrow(object);
  if (is_array(object.ptr())) number = object.attr("item")();
  if (PyIndex_Check(number.ptr())) {
    nb::object exact = nb::steal(PyNumber_Index(number.ptr()));
    if (!exact.is_valid()) throw nb::python_error();
    Integer value = read_integer(exact.ptr());
    double rounded = PyLong_AsDouble(exact.ptr());
    if (PyErr_Occurred()) throw nb::python_error();
    if (value.fit == Integer::Fit::int64) return {.integer = value.low, .value = rounded};
    if (value.fit == Integer::Fit::uint64) {
      return {
          .integer = static_cast<std::int64_t>(value.high), .is_unsigned = true, .value = rounded};
    }
    return {.integer = {}, .value = rounded};
  }
  double value = PyFloat_AsDouble(number.ptr());
  if (value == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    raise<TypeError>("arange", "not a real number: got ", nb::repr(object).c_str());
  }
  return {.integer = {}, .value = value};
}

// Bounds beyond int64: in uint64, counted from 0 so that nothing overflows.
array unsigned_arange(const Bound& start, const Bound& stop, const Bound& step, MaybeDtype dtype,
                      S s) {
  bool is_exact = start.integer && stop.integer && step.integer && !step.is_unsigned;
  auto is_negative = [](const Bound& b) { return !b.is_unsigned && *b.integer < 0; };
  if (!is_exact || dtype.value_or(Dtype::uint64) != Dtype::uint64 || is_negative(start) ||
      is_negative(stop)) {
    return arange(start.value, stop.value, step.value, dtype, s);
  }
  // The distance fits int64 unless the range is longer than any array.
  auto from = static_cast<std::uint64_t>(*start.integer);
  auto to = static_cast<std::uint64_t>(*stop.integer);
  bool is_up = to >= from;
  std::uint64_t distance = is_up ? to - from : from - to;
  if (!std::in_range<std::int64_t>(distance)) {
    raise<OverflowError>("arange", "the range is too long: got start ", from, " and stop ", to);
  }
  auto signed_distance = static_cast<std::int64_t>(distance);
  array offsets =
      arange(std::int64_t{0}, is_up ? signed_distance : -signed_distance, *step.integer, {}, s);
  return arange_uint64(from, *step.integer, offsets.size(), s);
}

array python_arange(nb::handle first, nb::handle second, nb::handle third, MaybeDtype dtype, S s) {
  // arange(stop), arange(start, stop), arange(start, stop, step), or the same by keyword.
  nb::handle start = second.is_none() ? nb::handle(Py_None) : first;
  nb::handle stop = second.is_none() ? first : second;
  if (stop.is_none()) raise<TypeError>("arange", "no stop: got None; expected a number");
  Bound from = start.is_none() ? Bound{.integer = 0, .value = 0} : bound_of(start);
  Bound to = bound_of(stop);
  Bound by = third.is_none() ? Bound{.integer = 1, .value = 1} : bound_of(third);
  if (from.is_unsigned || to.is_unsigned || by.is_unsigned) {
    return unsigned_arange(from, to, by, dtype, s);
  }
  if (from.integer && to.integer && by.integer) {
    return arange(*from.integer, *to.integer, *by.integer, dtype, s);
  }
  return arange(from.value, to.value, by.value, dtype, s);
}

void bind_ranges(nb::module_& m) {
  m.def("arange", &python_arange, nb::arg("start").none() = nb::none(),
        nb::arg("stop").none() = nb::none(), nb::arg("step").none() = nb::none(), dtype_arg(),
        nb::kw_only(), stream_arg(),
        nb::sig("def arange(start: scalar, stop: scalar | None = None, step: scalar | None = None, "
                "dtype: Dtype | None = None, *, stream: StreamOrDevice = None) -> array"),
        R"(Evenly spaced numbers: ``start``, ``start + step``, ... before ``stop``.

Args:
    start: The first number; 0 if only one number is given, which is then ``stop``.
    stop: The end, which is not included.
    step: The distance; 1 by default.
    dtype: By default int32 if all are integers (int64 where int32 cannot hold them), else float32.

>>> mx.arange(2, 5)
array([2, 3, 4], dtype=int32)
>>> mx.arange(0, 1, 0.25)
array([0, 0.25, 0.5, 0.75], dtype=float32))");
  m.def(
      "linspace",
      [](nb::handle start, nb::handle stop, std::int64_t num, bool endpoint, MaybeDtype dtype,
         S s) {
        if (PyComplex_Check(start.ptr()) || PyComplex_Check(stop.ptr())) {
          auto number = [](nb::handle object) {
            complex128 value{PyComplex_RealAsDouble(object.ptr()),
                             PyComplex_ImagAsDouble(object.ptr())};
            if (PyErr_Occurred()) throw nb::python_error();
            return value;
          };
          return linspace(number(start), number(stop), num, endpoint,
                          dtype.value_or(Dtype::complex64), s);
        }
        auto number = [](nb::handle object) {
          double value = PyFloat_AsDouble(object.ptr());
          if (value == -1.0 && PyErr_Occurred()) throw nb::python_error();
          return value;
        };
        return linspace(number(start), number(stop), num, endpoint, dtype.value_or(Dtype::float32),
                        s);
      },
      nb::arg("start"), nb::arg("stop"), nb::arg("num") = 50, nb::arg("endpoint") = true,
      dtype_arg(), stream_arg(),
      nb::sig("def linspace(start: scalar, stop: scalar, num: int = 50, endpoint: bool = True, "
              "dtype: Dtype | None = float32, stream: StreamOrDevice = None) -> array"),
      R"(Evenly spaced numbers between two ends, which are exact.

Args:
    start: The first number.
    stop: The last number.
    num: How many.
    endpoint: Whether ``stop`` is one of them.
    dtype: Of the result; integer dtypes round down.

>>> mx.linspace(0, 1, 5)
array([0, 0.25, 0.5, 0.75, 1], dtype=float32))");
}

// --- constants -----------------------------------------------------------------------------------

void bind_constants(nb::module_& m) {
  m.def(
      "zeros",
      [](const ShapeArg& shape, MaybeDtype dtype, S s) {
        return zeros(shape.shape, dtype.value_or(Dtype::float32), s);
      },
      nb::arg("shape"), dtype_arg(), nb::kw_only(), stream_arg(),
      nb::sig("def zeros(shape: int | Sequence[int], dtype: Dtype | None = float32, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(An array of zeros.

>>> mx.zeros((2, 2))
array([[0, 0],
       [0, 0]], dtype=float32))");
  m.def(
      "ones",
      [](const ShapeArg& shape, MaybeDtype dtype, S s) {
        return ones(shape.shape, dtype.value_or(Dtype::float32), s);
      },
      nb::arg("shape"), dtype_arg(), nb::kw_only(), stream_arg(),
      nb::sig("def ones(shape: int | Sequence[int], dtype: Dtype | None = float32, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(An array of ones.

>>> mx.ones(3, mx.int32)
array([1, 1, 1], dtype=int32))");
  m.def(
      "empty",
      [](const ShapeArg& shape, MaybeDtype dtype, S s) {
        return zeros(shape.shape, dtype.value_or(Dtype::float32), s);
      },
      nb::arg("shape"), dtype_arg(), nb::kw_only(), stream_arg(),
      nb::sig("def empty(shape: int | Sequence[int], dtype: Dtype | None = float32, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(An array whose elements are meant to be replaced; arrays are lazy, so they are zeros.

>>> mx.empty((2, 3)).shape
(2, 3))");
  m.def(
      "full",
      [](const ShapeArg& shape, A vals, MaybeDtype dtype, S s) {
        return full(shape.shape, to_array("full", vals, dtype), dtype, s);
      },
      nb::arg("shape"), nb::arg("vals"), dtype_arg(), nb::kw_only(), stream_arg(),
      nb::sig("def full(shape: int | Sequence[int], vals: ArrayLike, dtype: Dtype | None = None, "
              "*, stream: StreamOrDevice = None) -> array"),
      R"(An array whose elements are all ``vals``.

Args:
    shape: The shape.
    vals: A number, or an array that broadcasts to the shape.
    dtype: By default that of ``vals``.

>>> mx.full((2,), 7)
array([7, 7], dtype=int32))");
  m.def(
      "full_like",
      [](A a, A vals, MaybeDtype dtype, S s) {
        array like = to_array("full_like", a);
        Dtype result = dtype.value_or(like.dtype());
        return full(like.shape(), to_array("full_like", vals, result), result, s);
      },
      nb::arg("a"), nb::arg("vals"), dtype_arg(), nb::kw_only(), stream_arg(),
      nb::sig("def full_like(a: ArrayLike, vals: ArrayLike, dtype: Dtype | None = None, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(An array of the shape (and dtype) of another whose elements are all ``vals``.

>>> mx.full_like(mx.zeros(2), 7)
array([7, 7], dtype=float32))");
  m.def(
      "zeros_like",
      [](A a, MaybeDtype dtype, S s) { return zeros_like(to_array("zeros_like", a), dtype, s); },
      nb::arg(), dtype_arg(), nb::kw_only(), stream_arg(),
      nb::sig("def zeros_like(a: ArrayLike, /, dtype: Dtype | None = None, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(Zeros in the shape and dtype of another array.

>>> mx.zeros_like(mx.array([1, 2]))
array([0, 0], dtype=int32))");
  m.def(
      "ones_like",
      [](A a, MaybeDtype dtype, S s) { return ones_like(to_array("ones_like", a), dtype, s); },
      nb::arg(), dtype_arg(), nb::kw_only(), stream_arg(),
      nb::sig("def ones_like(a: ArrayLike, /, dtype: Dtype | None = None, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(Ones in the shape and dtype of another array.

>>> mx.ones_like(mx.array([1, 2]))
array([1, 1], dtype=int32))");
  m.def(
      "empty_like",
      [](A a, MaybeDtype dtype, S s) { return zeros_like(to_array("empty_like", a), dtype, s); },
      nb::arg(), dtype_arg(), nb::kw_only(), stream_arg(),
      nb::sig("def empty_like(a: ArrayLike, /, dtype: Dtype | None = None, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(An array in the shape and dtype of another one, whose elements are meant to be replaced.

>>> mx.empty_like(mx.array([1, 2])).shape
(2,))");
}

// --- matrices ------------------------------------------------------------------------------------

void bind_patterns(nb::module_& m) {
  m.def(
      "eye",
      [](std::int64_t n, std::optional<std::int64_t> columns, std::int64_t k, MaybeDtype dtype,
         S s) { return eye(n, columns, k, dtype.value_or(Dtype::float32), s); },
      nb::arg("n"), nb::arg("m") = nb::none(), nb::arg("k") = 0, dtype_arg(), nb::kw_only(),
      stream_arg(),
      nb::sig("def eye(n: int, m: int | None = None, k: int = 0, dtype: Dtype | None = float32, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(A matrix of zeros with ones on a diagonal.

Args:
    n: Rows.
    m: Columns; ``n`` by default.
    k: The diagonal: above the main one if positive, below it if negative.
    dtype: Of the result.

>>> mx.eye(2)
array([[1, 0],
       [0, 1]], dtype=float32))");
  m.def(
      "identity",
      [](std::int64_t n, MaybeDtype dtype, S s) {
        return identity(n, dtype.value_or(Dtype::float32), s);
      },
      nb::arg("n"), dtype_arg(), nb::kw_only(), stream_arg(),
      nb::sig("def identity(n: int, dtype: Dtype | None = float32, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The identity matrix.

>>> mx.identity(2, mx.int32)
array([[1, 0],
       [0, 1]], dtype=int32))");
  m.def(
      "tri",
      [](std::int64_t n, std::optional<std::int64_t> columns, std::int64_t k, MaybeDtype dtype,
         S s) { return tri(n, columns, k, dtype.value_or(Dtype::float32), s); },
      nb::arg("n"), nb::arg("m") = nb::none(), nb::arg("k") = 0, dtype_arg(), nb::kw_only(),
      stream_arg(),
      nb::sig("def tri(n: int, m: int | None = None, k: int = 0, dtype: Dtype | None = None, *, "
              "stream: StreamOrDevice = None) -> array"),
      R"(A matrix with ones on and below a diagonal, zeros above.

>>> mx.tri(2)
array([[1, 0],
       [1, 1]], dtype=float32))");
  m.def(
      "tril", [](A x, std::int64_t k, S s) { return tril(to_array("tril", x), k, s); },
      nb::arg("x"), nb::arg("k") = 0, nb::kw_only(), stream_arg(),
      nb::sig("def tril(x: ArrayLike, k: int = 0, *, stream: StreamOrDevice = None) -> array"),
      R"(The matrices in the last two axes, with zeros above the k-th diagonal.

>>> mx.tril(mx.ones((2, 2)))
array([[1, 0],
       [1, 1]], dtype=float32))");
  m.def(
      "triu", [](A x, std::int64_t k, S s) { return triu(to_array("triu", x), k, s); },
      nb::arg("x"), nb::arg("k") = 0, nb::kw_only(), stream_arg(),
      nb::sig("def triu(x: ArrayLike, k: int = 0, *, stream: StreamOrDevice = None) -> array"),
      R"(The matrices in the last two axes, with zeros below the k-th diagonal.

>>> mx.triu(mx.ones((2, 2)))
array([[1, 1],
       [0, 1]], dtype=float32))");
}

void bind_diagonals(nb::module_& m) {
  m.def(
      "diag", [](A a, std::int64_t k, S s) { return diag(to_array("diag", a), k, s); }, nb::arg(),
      nb::arg("k") = 0, nb::kw_only(), stream_arg(),
      nb::sig("def diag(a: ArrayLike, /, k: int = 0, *, stream: StreamOrDevice = None) -> array"),
      R"(Of a vector the matrix with it on a diagonal; of a matrix that diagonal.

>>> mx.diag(mx.array([1, 2]))
array([[1, 0],
       [0, 2]], dtype=int32))");
  m.def(
      "diagonal",
      [](A a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2, S s) {
        return diagonal(to_array("diagonal", a), offset, axis1, axis2, s);
      },
      nb::arg("a"), nb::arg("offset") = 0, nb::arg("axis1") = 0, nb::arg("axis2") = 1, stream_arg(),
      nb::sig("def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, "
              "stream: StreamOrDevice = None) -> array"),
      R"(The diagonals of the matrices in two axes, as a new last axis.

Args:
    a: The array.
    offset: Which diagonal: above the main one if positive, below it if negative.
    axis1: The axis of the rows.
    axis2: The axis of the columns.

>>> mx.diagonal(mx.array([[1, 2], [3, 4]]))
array([1, 4], dtype=int32))");
  m.def(
      "trace",
      [](A a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2, MaybeDtype dtype, S s) {
        return trace(to_array("trace", a), offset, axis1, axis2, dtype, s);
      },
      nb::arg(), nb::arg("offset") = 0, nb::arg("axis1") = 0, nb::arg("axis2") = 1, dtype_arg(),
      nb::kw_only(), stream_arg(),
      nb::sig("def trace(a: ArrayLike, /, offset: int = 0, axis1: int = 0, axis2: int = 1, "
              "dtype: Dtype | None = None, *, stream: StreamOrDevice = None) -> array"),
      R"(The sums of the diagonals of the matrices in two axes.

>>> mx.trace(mx.array([[1, 2], [3, 4]]))
array(5, dtype=int32))");
  m.def(
      "kron",
      [](A a, A b, S s) {
        auto [x, y] = to_arrays("kron", a, b);
        return kron(x, y, s);
      },
      nb::arg("a"), nb::arg("b"), nb::kw_only(), stream_arg(),
      nb::sig("def kron(a: ArrayLike, b: ArrayLike, *, stream: StreamOrDevice = None) -> array"),
      R"(The Kronecker product: each element of ``a`` times the whole of ``b``.

>>> mx.kron(mx.array([1, 2]), mx.array([1, 10]))
array([1, 10, 2, 20], dtype=int32))");
  m.def(
      "meshgrid",
      [](const nb::args& arrays, bool sparse, const std::string& indexing, S s) {
        if (indexing != "xy" && indexing != "ij") {
          raise<ValueError>("meshgrid", "unknown indexing: got '", indexing,
                            "'; expected 'xy' or 'ij'");
        }
        return meshgrid(to_array_list("meshgrid", arrays), sparse,
                        indexing == "xy" ? GridIndexing::xy : GridIndexing::ij, s);
      },
      nb::arg("arrays"), nb::kw_only(), nb::arg("sparse") = false, nb::arg("indexing") = "xy",
      stream_arg(),
      nb::sig("def meshgrid(*arrays: ArrayLike, sparse: bool = False, indexing: str = 'xy', "
              "stream: StreamOrDevice = None) -> list[array]"),
      R"(The coordinates of a grid, one array per axis.

Args:
    arrays: The coordinates along each axis.
    sparse: Keeps size 1 on the axes along which a grid does not change.
    indexing: ``'xy'`` has the second array along the rows, ``'ij'`` the first.

>>> [g.tolist() for g in mx.meshgrid(mx.arange(2), mx.arange(2))]
[[[0, 1], [0, 1]], [[0, 0], [1, 1]]])");
  array_class()
      .def(
          "diag", [](const array& a, std::int64_t k, S s) { return diag(a, k, s); },
          nb::arg("k") = 0, nb::kw_only(), stream_arg(),
          nb::sig("def diag(self, k: int = 0, *, stream: StreamOrDevice = None) -> array"),
          "See :func:`diag`.")
      .def(
          "diagonal",
          [](const array& a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2, S s) {
            return diagonal(a, offset, axis1, axis2, s);
          },
          nb::arg("offset") = 0, nb::arg("axis1") = 0, nb::arg("axis2") = 1, stream_arg(),
          nb::sig("def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1, "
                  "stream: StreamOrDevice = None) -> array"),
          "See :func:`diagonal`.");
}

}  // namespace

void bind_create(nb::module_& m) {
  bind_ranges(m);
  bind_constants(m);
  bind_patterns(m);
  bind_diagonals(m);
}

}  // namespace mlx::core::python
