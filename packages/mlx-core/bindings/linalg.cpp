// The submodule mlx.core.linalg.
#include "mlx/ops/linalg.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "families.h"
#include "support.h"

namespace mlx::core::python {
namespace {

constexpr const char* stream_only = ", *, stream: StreamOrDevice = None)";

// What every docstring of a factorisation ends its description and its arguments with.
std::string doc_of(std::string_view summary, std::string_view more_arguments,
                   std::string_view raises, std::string_view example) {
  std::string text(summary);
  text +=
      "\n\nWorks on the last two axes of arrays of float32, float64, complex64 or complex128 "
      "(integers\n"
      "become float32), for every matrix of the axes before.\n\nArgs:\n    a: Array with at least "
      "two axes.\n";
  text += more_arguments;
  text +=
      "    stream: The stream or device to compute on; None for the default.\n\nRaises:\n"
      "    TypeError: An unusable dtype.\n    ValueError: ";
  text += raises;
  text += "\n\n";
  return text + std::string(example);
}

constexpr std::string_view wrong_shape = "A wrong shape.";
constexpr std::string_view square = "The matrix is not square.";
constexpr std::string_view singular =
    "The matrix is not square, or (at evaluation) it is\n        singular.";
constexpr std::string_view iterated =
    "A wrong shape, or (at evaluation) a matrix that holds NaN or\n        infinity, or for which "
    "the iteration does not converge.";

using Unary = array (*)(const array&, const StreamOrDevice&);

void bind_unary(nb::module_& m, const char* name, Unary function, const std::string& doc) {
  std::string text = "def " + std::string(name) + "(a: ArrayLike" + stream_only + " -> array";
  m.def(
      name,
      [function, op = "linalg." + std::string(name)](const ArrayLike& a,
                                                     const StreamOrDevice& stream) {
        return function(to_array(op, a), stream);
      },
      nb::arg("a").none(), nb::kw_only(), nb::arg("stream") = nb::none(), nb::sig(text.c_str()),
      doc.c_str());
}

using Triangular = array (*)(const array&, bool, const StreamOrDevice&);

void bind_triangular(nb::module_& m, const char* name, Triangular function,
                     const std::string& doc) {
  std::string text =
      "def " + std::string(name) + "(a: ArrayLike, upper: bool = False" + stream_only + " -> array";
  m.def(
      name,
      [function, op = "linalg." + std::string(name)](const ArrayLike& a, bool upper,
                                                     const StreamOrDevice& stream) {
        return function(to_array(op, a), upper, stream);
      },
      nb::arg("a").none(), nb::arg("upper") = false, nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig(text.c_str()), doc.c_str());
}

bool is_upper(std::string_view op, std::string_view triangle) {
  if (triangle == "U" || triangle == "u") return true;
  if (triangle == "L" || triangle == "l") return false;
  raise<ValueError>(op, "unknown triangle: got '", triangle, "'; expected 'L' or 'U'");
}

linalg::NormOrder norm_order(nb::handle order) {
  if (order.is_none()) return {};
  if (PyUnicode_Check(order.ptr())) return nb::cast<std::string>(order);
  double number = PyFloat_AsDouble(order.ptr());
  if (number == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    raise<TypeError>("linalg.norm", "unusable order: got ", nb::repr(order).c_str(),
                     "; expected a number, 'fro', 'nuc' or None");
  }
  return number;
}

constexpr const char* norm_doc = R"(Norm of vectors or matrices.

Without ``ord`` it is the square root of the sum of squares, over ``axis`` or over all elements. With
``ord`` and one axis it is a vector norm: any number ``p``, ``inf``, ``-inf``, or 0 for the number of
elements that are not 0. With two axes it is a matrix norm: ``'fro'``, ``'nuc'`` (sum of the singular
values), 2 and -2 (the largest and smallest of them), 1 and -1 (of the sums of columns), ``inf`` and
``-inf`` (of rows). float16 and bfloat16 are computed in float32.

Args:
    a: Array; integers become float32.
    ord: Which norm.
    axis: One or two axes; None for all (with ``ord``: of arrays with one or two axes).
    keepdims: Keep these axes, with size 1.
    stream: The stream or device to compute on; None for the default.

Raises:
    IndexError: An axis is out of range.
    ValueError: There is no such norm.

>>> mx.linalg.norm(mx.array([[3.0, 4.0], [6.0, 8.0]]), axis=1)
array([5, 10], dtype=float32))";

constexpr const char* cross_doc = R"(Cross product of vectors of 3 elements.

A vector of 2 elements counts as one whose third element is 0; where both have 2, the result is the
third element alone.

Args:
    a: Array.
    b: Array; the other axes broadcast with those of ``a``.
    axis: The axis of the vectors, counted from the end where the numbers of axes differ.
    stream: The stream or device to compute on; None for the default.

Raises:
    IndexError: The axis is out of range.
    ValueError: The vectors have neither 2 nor 3 elements, or the other axes do not broadcast.

>>> mx.linalg.cross(mx.array([1, 0, 0]), mx.array([0, 1, 0]))
array([0, 0, 1], dtype=int32))";

void bind_norm_and_cross(nb::module_& m) {
  m.def(
      "norm",
      [](const ArrayLike& a, nb::handle order, const AxesArg& axis, bool keepdims,
         const StreamOrDevice& stream) {
        return linalg::norm(to_array("linalg.norm", a), norm_order(order), axis.axes, keepdims,
                            stream);
      },
      nb::arg().none(), nb::arg("ord").none() = nb::none(), nb::arg("axis") = nb::none(),
      nb::arg("keepdims") = false, nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def norm(a: ArrayLike, /, ord: float | str | None = None, axis: int | Sequence[int] "
              "| None = None, keepdims: bool = False, *, stream: StreamOrDevice = None) -> array"),
      norm_doc);
  m.def(
      "cross",
      [](const ArrayLike& a, const ArrayLike& b, int axis, const StreamOrDevice& stream) {
        auto [x, y] = to_arrays("linalg.cross", a, b);
        return linalg::cross(x, y, axis, stream);
      },
      nb::arg("a").none(), nb::arg("b").none(), nb::arg("axis") = -1, nb::kw_only(),
      nb::arg("stream") = nb::none(),
      nb::sig("def cross(a: ArrayLike, b: ArrayLike, axis: int = -1, *, stream: StreamOrDevice = "
              "None) -> array"),
      cross_doc);
}

void bind_eigen(nb::module_& m) {
  std::string triangle =
      "    UPLO: 'L' or 'U', the triangle that is read; the other one counts as its mirror "
      "image.\n";
  m.def(
      "eigh",
      [](const ArrayLike& a, std::string_view triangle, const StreamOrDevice& stream) {
        return linalg::eigh(to_array("linalg.eigh", a), is_upper("linalg.eigh", triangle), stream);
      },
      nb::arg("a").none(), nb::arg("UPLO") = "L", nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def eigh(a: ArrayLike, UPLO: str = 'L', *, stream: StreamOrDevice = None) -> "
              "tuple[array, array]"),
      doc_of(
          "Eigenvalues (ascending) and eigenvectors (columns) of symmetric or Hermitian matrices."
          "\n\nThe derivative is along such matrices, and of the vectors needs distinct values.",
          triangle, iterated,
          ">>> mx.linalg.eigh(mx.array([[2.0, 0.0], [0.0, 1.0]]))[0]\n"
          "array([1, 2], dtype=float32)")
          .c_str());
  m.def(
      "eigvalsh",
      [](const ArrayLike& a, std::string_view triangle, const StreamOrDevice& stream) {
        return linalg::eigvalsh(to_array("linalg.eigvalsh", a),
                                is_upper("linalg.eigvalsh", triangle), stream);
      },
      nb::arg("a").none(), nb::arg("UPLO") = "L", nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def eigvalsh(a: ArrayLike, UPLO: str = 'L', *, stream: StreamOrDevice = None) -> "
              "array"),
      doc_of("Eigenvalues of symmetric or Hermitian matrices, ascending.", triangle, iterated,
             ">>> mx.linalg.eigvalsh(mx.array([[2.0, 0.0], [0.0, 1.0]]))\n"
             "array([1, 2], dtype=float32)")
          .c_str());
  m.def(
      "eig",
      [](const ArrayLike& a, const StreamOrDevice& stream) {
        return linalg::eig(to_array("linalg.eig", a), stream);
      },
      nb::arg("a").none(), nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def eig(a: ArrayLike, *, stream: StreamOrDevice = None) -> tuple[array, array]"),
      doc_of("Eigenvalues and eigenvectors (columns of length 1) of square matrices.\n\nBoth are "
             "complex: complex64 from float32, complex128 from float64.",
             "", iterated,
             ">>> mx.linalg.eig(mx.array([[2.0, 0.0], [0.0, 1.0]]))[0]\n"
             "array([2+0j, 1+0j], dtype=complex64)")
          .c_str());
  bind_unary(m, "eigvals", linalg::eigvals,
             doc_of("Eigenvalues of square matrices; always complex.", "", iterated,
                    ">>> mx.linalg.eigvals(mx.array([[2.0, 0.0], [0.0, 1.0]]))\n"
                    "array([2+0j, 1+0j], dtype=complex64)"));
}

nb::object svd_of(const array& a, bool compute_uv, bool full_matrices,
                  const StreamOrDevice& stream) {
  if (!compute_uv) return nb::cast(linalg::svdvals(a, stream));
  return nb::cast(linalg::svd(a, full_matrices, stream));
}

void bind_factorisations(nb::module_& m) {
  bind_triangular(
      m, "cholesky", linalg::cholesky,
      doc_of("Triangular factor of positive definite matrices: ``a = L @ L^H``, or ``U^H @ U``.\n\n"
             "Only that triangle of ``a`` is read. The derivative is along symmetric or Hermitian "
             "matrices.",
             "    upper: Give (and read) the upper triangle.\n",
             "The matrix is not square, or (at evaluation) not positive\n        definite.",
             ">>> mx.linalg.cholesky(mx.array([[4.0, 2.0], [2.0, 10.0]]))\n"
             "array([[2, 0],\n       [1, 3]], dtype=float32)"));
  m.def(
      "qr",
      [](const ArrayLike& a, std::string_view mode, const StreamOrDevice& stream) {
        if (mode != "reduced" && mode != "complete") {
          raise<ValueError>("linalg.qr", "unknown mode: got '", mode,
                            "'; expected 'reduced' or 'complete'");
        }
        return linalg::qr(to_array("linalg.qr", a), mode == "complete", stream);
      },
      nb::arg("a").none(), nb::kw_only(), nb::arg("mode") = "reduced",
      nb::arg("stream") = nb::none(),
      nb::sig("def qr(a: ArrayLike, *, mode: str = 'reduced', stream: StreamOrDevice = None) -> "
              "tuple[array, array]"),
      doc_of("``a = Q @ R`` with orthonormal columns of Q and R upper triangular.",
             "    mode: 'reduced': min(m, n) columns of Q; 'complete': all m.\n", wrong_shape,
             ">>> q, r = mx.linalg.qr(mx.array([[3.0, 1.0], [4.0, 1.0]]))\n"
             ">>> mx.round(q @ r, 3)\n"
             "array([[3, 1],\n       [4, 1]], dtype=float32)")
          .c_str());
  m.def(
      "svd",
      [](const ArrayLike& a, bool compute_uv, bool full_matrices, const StreamOrDevice& stream) {
        return svd_of(to_array("linalg.svd", a), compute_uv, full_matrices, stream);
      },
      nb::arg("a").none(), nb::arg("compute_uv") = true, nb::kw_only(),
      nb::arg("full_matrices") = true, nb::arg("stream") = nb::none(),
      nb::sig("def svd(a: ArrayLike, compute_uv: bool = True, *, full_matrices: bool = True, "
              "stream: StreamOrDevice = None) -> array | tuple[array, array, array]"),
      doc_of("``a = U @ diag(S) @ Vt`` with orthonormal columns of U and rows of Vt, S descending.",
             "    compute_uv: False: only S.\n    full_matrices: U and Vt are square; False: "
             "min(m, n) vectors each.\n",
             iterated,
             ">>> mx.linalg.svd(mx.array([[0.0, 3.0], [4.0, 0.0]]), compute_uv=False)\n"
             "array([4, 3], dtype=float32)")
          .c_str());
  m.def(
      "lu",
      [](const ArrayLike& a, const StreamOrDevice& stream) {
        return linalg::lu(to_array("linalg.lu", a), stream);
      },
      nb::arg("a").none(), nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def lu(a: ArrayLike, *, stream: StreamOrDevice = None) -> "
              "tuple[array, array, array]"),
      doc_of("(P, L, U) with ``a = L[P] @ U``: row indices, and triangular factors.", "",
             wrong_shape,
             ">>> mx.linalg.lu(mx.array([[1.0, 2.0], [4.0, 2.0]]))[2]\n"
             "array([[4, 2],\n       [0, 1.5]], dtype=float32)")
          .c_str());
  m.def(
      "lu_factor",
      [](const ArrayLike& a, const StreamOrDevice& stream) {
        return linalg::lu_factor(to_array("linalg.lu_factor", a), stream);
      },
      nb::arg("a").none(), nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def lu_factor(a: ArrayLike, *, stream: StreamOrDevice = None) -> "
              "tuple[array, array]"),
      doc_of("L and U in one matrix, and pivots: row i was exchanged with row ``pivots[i]``.", "",
             wrong_shape,
             ">>> mx.linalg.lu_factor(mx.array([[1.0, 2.0], [4.0, 2.0]]))[1]\n"
             "array([1, 1], dtype=int64)")
          .c_str());
}

void bind_equations(nb::module_& m) {
  std::string right =
      "    b: Array of the dtype's kind: one column where it has one axis, else a stack of "
      "matrices "
      "with\n        as many rows as ``a``; the axes before broadcast.\n";
  m.def(
      "solve",
      [](const ArrayLike& a, const ArrayLike& b, const StreamOrDevice& stream) {
        auto [x, y] = to_arrays("linalg.solve", a, b);
        return linalg::solve(x, y, stream);
      },
      nb::arg("a").none(), nb::arg("b").none(), nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def solve(a: ArrayLike, b: ArrayLike, *, stream: StreamOrDevice = None) -> array"),
      doc_of("The ``x`` with ``a @ x = b``.", right, singular,
             ">>> mx.linalg.solve(mx.array([[2.0, 0.0], [0.0, 4.0]]), mx.array([2.0, 2.0]))\n"
             "array([1, 0.5], dtype=float32)")
          .c_str());
  m.def(
      "solve_triangular",
      [](const ArrayLike& a, const ArrayLike& b, bool upper, const StreamOrDevice& stream) {
        auto [x, y] = to_arrays("linalg.solve_triangular", a, b);
        return linalg::solve_triangular(x, y, upper, stream);
      },
      nb::arg("a").none(), nb::arg("b").none(), nb::kw_only(), nb::arg("upper") = false,
      nb::arg("stream") = nb::none(),
      nb::sig("def solve_triangular(a: ArrayLike, b: ArrayLike, *, upper: bool = False, stream: "
              "StreamOrDevice = None) -> array"),
      doc_of("The ``x`` with ``a @ x = b`` for triangular matrices.",
             right + "    upper: The upper triangle is read, not the lower one.\n", singular,
             ">>> mx.linalg.solve_triangular(mx.array([[2.0, 0.0], [1.0, 1.0]]), "
             "mx.array([2.0, 3.0]))\narray([1, 2], dtype=float32)")
          .c_str());
  bind_unary(m, "inv", linalg::inv,
             doc_of("Inverse of square matrices.", "", singular,
                    ">>> mx.linalg.inv(mx.array([[2.0, 1.0], [1.0, 1.0]]))\n"
                    "array([[1, -1],\n       [-1, 2]], dtype=float32)"));
  bind_triangular(m, "tri_inv", linalg::tri_inv,
                  doc_of("Inverse of triangular matrices.",
                         "    upper: The upper triangle is read, not the lower one.\n", singular,
                         ">>> mx.linalg.tri_inv(mx.array([[2.0, 0.0], [0.0, 4.0]]))\n"
                         "array([[0.5, 0],\n       [0, 0.25]], dtype=float32)"));
  bind_triangular(m, "cholesky_inv", linalg::cholesky_inv,
                  doc_of("Inverse of the matrix whose Cholesky factor is ``a``.",
                         "    upper: The factor is an upper triangle.\n", singular,
                         ">>> mx.linalg.cholesky_inv(mx.array([[2.0, 0.0], [0.0, 4.0]]))\n"
                         "array([[0.25, 0],\n       [0, 0.0625]], dtype=float32)"));
  bind_unary(
      m, "pinv",
      [](const array& a, const StreamOrDevice& stream) { return linalg::pinv(a, {}, stream); },
      doc_of("Moore-Penrose inverse.\n\nSingular values up to max(m, n) times the dtype's epsilon "
             "times the largest one count as 0.",
             "", iterated,
             ">>> mx.linalg.pinv(mx.array([[2.0, 0.0], [0.0, 0.0]]))\n"
             "array([[0.5, 0],\n       [0, 0]], dtype=float32)"));
  bind_unary(m, "det", linalg::det,
             doc_of("Determinant of square matrices.", "", square,
                    ">>> mx.linalg.det(mx.array([[2.0, 1.0], [0.0, 4.0]]))\n"
                    "array(8, dtype=float32)"));
  m.def(
      "slogdet",
      [](const ArrayLike& a, const StreamOrDevice& stream) {
        return linalg::slogdet(to_array("linalg.slogdet", a), stream);
      },
      nb::arg("a").none(), nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def slogdet(a: ArrayLike, *, stream: StreamOrDevice = None) -> tuple[array, array]"),
      doc_of(
          "Sign of the determinant and logarithm of its absolute value.\n\nOf complex matrices "
          "the sign is a number of absolute value 1; it is 0, and the logarithm -inf,\nwhere the "
          "determinant is 0.",
          "", square,
          ">>> mx.linalg.slogdet(mx.array([[1.0, 0.0], [0.0, -1.0]]))\n"
          "(array(-1, dtype=float32), array(0, dtype=float32))")
          .c_str());
}

}  // namespace

void bind_linalg(nb::module_& m) {
  nb::module_ linalg = m.def_submodule("linalg", "Factorisations, linear equations and norms.");
  linalg.attr("__name__") = "mlx.core.linalg";
  bind_factorisations(linalg);
  bind_eigen(linalg);
  bind_equations(linalg);
  bind_norm_and_cross(linalg);
}

}  // namespace mlx::core::python
