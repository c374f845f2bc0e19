// The records of the factorisations, and the functions of the linalg module.
#include "mlx/ops/linalg.h"

#include <cmath>
#include <limits>

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/linalg_rules.h"
#include "mlx/ops/matmul.h"
#include "mlx/ops/matrix.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

using matrix::with_tail;

constexpr DtypeSet lapack_dtypes = {Dtype::float32, Dtype::float64, Dtype::complex64,
                                    Dtype::complex128};

void require_dtype(std::string_view op, Dtype dtype) {
  if (lapack_dtypes.contains(dtype)) return;
  raise<TypeError>(op, "unusable dtype: got ", name_of(dtype),
                   "; expected float32, float64, complex64 or complex128 (or an integer dtype, "
                   "which counts as float32)");
}

void require_matrix(std::string_view op, const array& a) {
  if (a.ndim() >= 2) return;
  raise<ValueError>(op, "not a matrix: got shape ", to_string(a.shape()),
                    "; expected at least two axes");
}

void require_square(std::string_view op, const array& a) {
  require_matrix(op, a);
  if (a.shape(-1) == a.shape(-2)) return;
  raise<ValueError>(op, "the matrix is not square: got shape ", to_string(a.shape()),
                    "; expected equal last two sizes");
}

Specs infer_square(const Op& op, Inputs inputs, const AttrsRef&) {
  require_dtype(op.name, inputs[0].dtype());
  require_square(op.name, inputs[0]);
  return {Spec{inputs[0].shape(), inputs[0].dtype()}};
}

Specs infer_qr(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const array& a = inputs[0];
  require_dtype(op.name, a.dtype());
  require_matrix(op.name, a);
  std::int64_t m = a.shape(-2), n = a.shape(-1);
  std::int64_t columns = attrs_as<QrAttrs>(attrs).complete ? m : std::min(m, n);
  return {Spec{with_tail(a.shape(), 2, {m, columns}), a.dtype()},
          Spec{with_tail(a.shape(), 2, {columns, n}), a.dtype()}};
}

Specs infer_svd(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const auto& [compute_uv, full] = attrs_as<SvdAttrs>(attrs);
  const array& a = inputs[0];
  require_dtype(op.name, a.dtype());
  require_matrix(op.name, a);
  std::int64_t m = a.shape(-2), n = a.shape(-1), rank = std::min(m, n);
  Spec s{with_tail(a.shape(), 2, {rank}), real_of(a.dtype())};
  if (!compute_uv) return {s};
  return {Spec{with_tail(a.shape(), 2, {m, full ? m : rank}), a.dtype()}, s,
          Spec{with_tail(a.shape(), 2, {full ? n : rank, n}), a.dtype()}};
}

Specs infer_eigen(const Op& op, const array& a, Dtype values, Dtype vectors, bool with_vectors) {
  require_dtype(op.name, a.dtype());
  require_square(op.name, a);
  Spec w{with_tail(a.shape(), 1, {}), values};
  if (!with_vectors) return {w};
  return {w, Spec{a.shape(), vectors}};
}

Specs infer_eigh(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  Dtype dtype = inputs[0].dtype();
  return infer_eigen(op, inputs[0], real_of(dtype), dtype,
                     attrs_as<EighAttrs>(attrs).compute_vectors);
}

Specs infer_eig(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  Dtype dtype = complex_of(inputs[0].dtype());
  return infer_eigen(op, inputs[0], dtype, dtype, attrs_as<EigAttrs>(attrs).compute_vectors);
}

Specs infer_lu(const Op& op, Inputs inputs, const AttrsRef&) {
  const array& a = inputs[0];
  require_dtype(op.name, a.dtype());
  require_matrix(op.name, a);
  std::int64_t m = a.shape(-2), n = a.shape(-1);
  return {Spec{a.shape(), a.dtype()}, Spec{with_tail(a.shape(), 2, {std::min(m, n)}), Dtype::int64},
          Spec{with_tail(a.shape(), 2, {m}), Dtype::int64}};
}

Specs infer_solve(const Op& op, Inputs inputs, const AttrsRef&) {
  const array &a = inputs[0], &b = inputs[1];
  require_dtype(op.name, a.dtype());
  require_square(op.name, a);
  bool fits = a.dtype() == b.dtype() && a.ndim() == b.ndim() && a.shape(-1) == b.shape(-2);
  for (int axis = 0; fits && axis < a.ndim() - 2; ++axis) fits = a.shape(axis) == b.shape(axis);
  if (!fits) {
    raise<ValueError>(op.name, "the matrices do not fit: got ", name_of(a.dtype()), " ",
                      to_string(a.shape()), " and ", name_of(b.dtype()), " ", to_string(b.shape()),
                      "; expected one dtype, equal batch sizes and as many rows");
  }
  return {Spec{b.shape(), b.dtype()}};
}

Arrays vmap(const VmapCall& call) {
  SmallVector<array, 3> inputs;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    inputs.push_back(move_batch_to_front(call, i));
  }
  return apply_multi(call.op, std::move(inputs), call.attrs, call.stream);
}

// The argument in a dtype that LAPACK has.
array ready(std::string_view op, const array& a, Stream stream) {
  Dtype dtype = inexact_of(a.dtype());
  require_dtype(op, dtype);
  return astype(a, dtype, stream);
}
array ready_matrix(std::string_view op, const array& a, Stream stream) {
  require_matrix(op, a);
  return ready(op, a, stream);
}
array ready_square(std::string_view op, const array& a, Stream stream) {
  require_square(op, a);
  return ready(op, a, stream);
}

// Solve and SolveTriangular share what their arguments may be.
array solved(const Op& op, std::string_view name, const array& a, const array& b, AttrsRef attrs,
             Stream stream) {
  require_square(name, a);
  if (b.ndim() == 0) require_matrix(name, b);
  Dtype dtype = inexact_of(promote(a.dtype(), b.dtype()));
  require_dtype(name, dtype);
  array x = astype(a, dtype, stream), y = astype(b, dtype, stream);
  if (b.ndim() == 1) y = expand_dims(y, Axes{1}, stream);
  if (x.shape(-1) != y.shape(-2)) {
    raise<ValueError>(name, "the shapes do not fit: got ", to_string(a.shape()), " and ",
                      to_string(b.shape()), "; expected as many rows in both");
  }
  Shape batch = broadcast_shapes(name, with_tail(x.shape(), 2, {}), with_tail(y.shape(), 2, {}));
  Shape left = batch, right = batch;
  for (int axis : {-2, -1}) {
    left.push_back(x.shape(axis));
    right.push_back(y.shape(axis));
  }
  array result = apply(op, {broadcast_to(x, left, stream), broadcast_to(y, right, stream)},
                       std::move(attrs), stream);
  return b.ndim() == 1 ? squeeze(result, Axes{-1}, stream) : result;
}

double epsilon_of(Dtype dtype) {
  return real_of(dtype) == Dtype::float32 ? std::numeric_limits<float>::epsilon()
                                          : std::numeric_limits<double>::epsilon();
}

// The factors behind a determinant: the diagonal of u, and -1 where rows were exchanged oddly
// often.
struct Determinant {
  array diagonal, parity;
};
Determinant determinant(std::string_view op, const array& a, Stream stream) {
  array x = ready_square(op, a, stream);
  auto [packed, pivots] = linalg::lu_factor(x, stream);
  array moved =
      not_equal(pivots, arange(std::int64_t{0}, x.shape(-1), 1, Dtype::int64, stream), stream);
  array odd = remainder(sum(astype(moved, Dtype::int32, stream), Axes{-1}, false, stream),
                        array(2, Dtype::int32), stream);
  array one(1, x.dtype());
  array parity = where(equal(odd, array(0), stream), one, negative(one, stream), stream);
  return {matrix::diagonals(packed, stream), parity};
}

}  // namespace

namespace linalg {

array cholesky(const array& a, bool upper, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  return apply(primitives::Cholesky, {ready_square("linalg.cholesky", a, stream)},
               make_attrs(CholeskyAttrs{upper}), stream);
}

std::pair<array, array> qr(const array& a, bool complete, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Arrays parts = apply_multi(primitives::QRF, {ready_matrix("linalg.qr", a, stream)},
                             make_attrs(QrAttrs{complete}), stream);
  return {parts[0], parts[1]};
}

std::tuple<array, array, array> svd(const array& a, bool full, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Arrays parts = apply_multi(primitives::SVD, {ready_matrix("linalg.svd", a, stream)},
                             make_attrs(SvdAttrs{true, full}), stream);
  return {parts[0], parts[1], parts[2]};
}

array svdvals(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  return apply(primitives::SVD, {ready_matrix("linalg.svd", a, stream)},
               make_attrs(SvdAttrs{false, false}), stream);
}

std::pair<array, array> eigh(const array& a, bool upper, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Arrays parts = apply_multi(primitives::Eigh, {ready_square("linalg.eigh", a, stream)},
                             make_attrs(EighAttrs{upper, true}), stream);
  return {parts[0], parts[1]};
}

array eigvalsh(const array& a, bool upper, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  return apply(primitives::Eigh, {ready_square("linalg.eigvalsh", a, stream)},
               make_attrs(EighAttrs{upper, false}), stream);
}

std::pair<array, array> eig(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Arrays parts = apply_multi(primitives::Eig, {ready_square("linalg.eig", a, stream)},
                             make_attrs(EigAttrs{true}), stream);
  return {parts[0], parts[1]};
}

array eigvals(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  return apply(primitives::Eig, {ready_square("linalg.eigvals", a, stream)},
               make_attrs(EigAttrs{false}), stream);
}

std::tuple<array, array, array> lu(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array x = ready_matrix("linalg.lu", a, stream);
  Arrays parts = apply_multi(primitives::LUF, {x}, nullptr, stream);
  std::int64_t m = x.shape(-2), n = x.shape(-1), rank = std::min(m, n);
  array l = add(tril(matrix::columns(parts[0], 0, rank, stream), -1, stream),
                eye(m, rank, 0, x.dtype(), stream), stream);
  array u = triu(matrix::rows(parts[0], 0, rank, stream), 0, stream);
  return {parts[2], l, u};
}

std::pair<array, array> lu_factor(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Arrays parts =
      apply_multi(primitives::LUF, {ready_matrix("linalg.lu_factor", a, stream)}, nullptr, stream);
  return {parts[0], parts[1]};
}

array solve(const array& a, const array& b, const StreamOrDevice& where) {
  return solved(primitives::Solve, "linalg.solve", a, b, nullptr, to_stream(where));
}

array solve_triangular(const array& a, const array& b, bool upper, const StreamOrDevice& where) {
  return solved(primitives::SolveTriangular, "linalg.solve_triangular", a, b,
                make_attrs(TriangularAttrs{upper}), to_stream(where));
}

array inv(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  return apply(primitives::Inverse, {ready_square("linalg.inv", a, stream)}, nullptr, stream);
}

array tri_inv(const array& a, bool upper, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array x = ready_square("linalg.tri_inv", a, stream);
  return solve_triangular(x, eye(x.shape(-1), {}, 0, x.dtype(), stream), upper, stream);
}

array cholesky_inv(const array& a, bool upper, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array inverse = tri_inv(ready_square("linalg.cholesky_inv", a, stream), upper, stream);
  array other = matrix::adjoint(inverse, stream);
  return upper ? matmul(inverse, other, stream) : matmul(other, inverse, stream);
}

array pinv(const array& a, std::optional<double> rtol, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array x = ready_matrix("linalg.pinv", a, stream);
  if (x.shape(-1) == 0 || x.shape(-2) == 0) return matrix::adjoint(x, stream);
  auto [u, s, vt] = svd(x, false, stream);
  double largest_side = static_cast<double>(std::max(x.shape(-1), x.shape(-2)));
  double relative = rtol.value_or(largest_side * epsilon_of(x.dtype()));
  array cutoff = multiply(max(s, Axes{-1}, true, stream), array(relative, s.dtype()), stream);
  array kept = greater(s, cutoff, stream);
  array one(1, s.dtype());
  array inverse = core::where(kept, reciprocal(core::where(kept, s, one, stream), stream),
                              array(0, s.dtype()), stream);
  array scaled =
      multiply(matrix::adjoint(vt, stream),
               expand_dims(astype(inverse, x.dtype(), stream), Axes{-2}, stream), stream);
  return matmul(scaled, matrix::adjoint(u, stream), stream);
}

array det(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  auto [diagonal, parity] = determinant("linalg.det", a, stream);
  return multiply(prod(diagonal, Axes{-1}, false, stream), parity, stream);
}

std::pair<array, array> slogdet(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  auto [diagonal, parity] = determinant("linalg.slogdet", a, stream);
  array signs = prod(sign(diagonal, stream), Axes{-1}, false, stream);
  array logs = sum(log(abs(diagonal, stream), stream), Axes{-1}, false, stream);
  return {multiply(signs, parity, stream), logs};
}

}  // namespace linalg

namespace primitives {

const Op Cholesky = {
    .name = "Cholesky",
    .inputs = {"a"},
    .attrs = describe<CholeskyAttrs>(),
    .infer = infer_square,
    .gradient = {rules::cholesky_vjp},
    .batching = vmap,
    .doc = "Triangular factor of positive definite matrices; one triangle is read.",
};

const Op QRF = {
    .name = "QRF",
    .inputs = {"a"},
    .attrs = describe<QrAttrs>(),
    .infer = infer_qr,
    .gradient = {rules::qr_vjp},
    .batching = vmap,
    .doc = "Orthonormal columns and an upper triangular matrix whose product is a.",
};

const Op SVD = {
    .name = "SVD",
    .inputs = {"a"},
    .attrs = describe<SvdAttrs>(),
    .infer = infer_svd,
    .gradient = {rules::svd_vjp},
    .batching = vmap,
    .doc =
        "Singular vectors and values, (u, s, vt), or the values alone. The derivative of the "
        "vectors needs distinct values.",
};

const Op Eigh = {
    .name = "Eigh",
    .inputs = {"a"},
    .attrs = describe<EighAttrs>(),
    .infer = infer_eigh,
    .gradient = {rules::eigh_vjp},
    .batching = vmap,
    .doc =
        "Eigenvalues and, where asked for, eigenvectors of Hermitian matrices. The derivative of "
        "the vectors needs distinct values.",
};

const Op Eig = {
    .name = "Eig",
    .inputs = {"a"},
    .attrs = describe<EigAttrs>(),
    .infer = infer_eig,
    .gradient = {rules::eig_vjp},
    .batching = vmap,
    .doc =
        "Eigenvalues and, where asked for, eigenvectors of square matrices. The derivative needs "
        "distinct values.",
};

const Op LUF = {
    .name = "LUF",
    .inputs = {"a"},
    .infer = infer_lu,
    .gradient = {rules::lu_vjp},
    .batching = vmap,
    .doc =
        "Triangular factors in one matrix, the exchanges of rows, and the rows of the product "
        "that are the rows of a.",
};

const Op Inverse = {
    .name = "Inverse",
    .inputs = {"a"},
    .infer = infer_square,
    .gradient = {rules::inverse_vjp},
    .batching = vmap,
    .doc = "Inverse of square matrices.",
};

const Op Solve = {
    .name = "Solve",
    .inputs = {"a", "b"},
    .infer = infer_solve,
    .gradient = {rules::solve_vjp},
    .batching = vmap,
    .doc = "The x with a x = b.",
};

const Op SolveTriangular = {
    .name = "SolveTriangular",
    .inputs = {"a", "b"},
    .attrs = describe<TriangularAttrs>(),
    .infer = infer_solve,
    .gradient = {rules::solve_triangular_vjp},
    .batching = vmap,
    .doc = "The x with a x = b, where one triangle of a is read and the other counts as 0.",
};

}  // namespace primitives

}  // namespace mlx::core
