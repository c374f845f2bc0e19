// Derivatives of the factorisations.
#include "mlx/ops/linalg_rules.h"

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/linalg.h"
#include "mlx/ops/matmul.h"
#include "mlx/ops/matrix.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"

namespace mlx::core::rules {
namespace {

using matrix::adjoint;
using matrix::as_diagonal;
using matrix::columns;
using matrix::diagonals;
using Results = std::vector<std::optional<array>>;

array zero_like(const array& a) { return array(0, a.dtype()); }
array half(const array& a) { return multiply(a, array(0.5, a.dtype())); }
array hermitian_part(const array& a) { return half(add(a, adjoint(a))); }
array real_part(const array& a) { return is_complex(a.dtype()) ? real(a) : a; }

// Sums of what may be missing.
std::optional<array> plus(std::optional<array> a, const std::optional<array>& b) {
  if (!a || !b) return a ? a : b;
  return add(*a, *b);
}

// A row (..., 1, n) or a column (..., n, 1) of numbers for each matrix.
array as_row(const array& a) { return expand_dims(a, Axes{-2}); }
array as_column(const array& a) { return expand_dims(a, Axes{-1}); }

// 1 / (x_j - x_i) off the diagonal, 0 on it.
array inverse_gaps(const array& x) {
  array gaps = subtract(as_row(x), as_column(x));
  array on = eye(x.shape(-1), {}, 0, Dtype::bool_);
  return where(on, zero_like(x), reciprocal(where(on, array(1, x.dtype()), gaps)));
}

// x a^-1 for a triangular.
array divided_by(const array& x, const array& a, bool upper) {
  return adjoint(linalg::solve_triangular(adjoint(a), adjoint(x), !upper));
}

// A matrix with these columns and zeros elsewhere.
array padded_columns(const array& part, std::int64_t start, std::int64_t total) {
  Shape shape = matrix::with_tail(part.shape(), 1, {total});
  Shape from(shape.size(), 0), to = shape, step(shape.size(), 1);
  from.back() = start;
  to.back() = start + part.shape(-1);
  return slice_update(broadcast_to(zero_like(part), shape), part, from, to, step);
}

// Lower triangle with half of the diagonal: what a Hermitian change of L L^H makes of L.
array half_triangle(const array& a) { return add(tril(a, -1), half(as_diagonal(diagonals(a)))); }

}  // namespace

// dL = L half_triangle(L^-1 dA L^-H), transposed.
Results cholesky_vjp(const VjpCall& call) {
  bool upper = attrs_as<CholeskyAttrs>(call.attrs).upper;
  array l = upper ? adjoint(call.outputs[0]) : call.outputs[0];
  array dl = upper ? adjoint(*call.cotangents[0]) : *call.cotangents[0];
  array middle = hermitian_part(half_triangle(matmul(adjoint(l), dl)));
  return {divided_by(linalg::solve_triangular(adjoint(l), middle, true), l, false)};
}

namespace {

// Of a = q r with at least as many rows as columns: (dq + q (lower triangle of m, mirrored)) r^-H
// with m = r dr^H - dq^H q.
array tall_qr_vjp(const array& q, const array& r, const std::optional<array>& dq,
                  const std::optional<array>& dr) {
  std::optional<array> m;
  if (dr) m = matmul(r, adjoint(*dr));
  if (dq) m = plus(m, negative(matmul(adjoint(*dq), q)));
  array lower = tril(*m, -1);
  array diagonal = as_diagonal(astype(real_part(diagonals(*m)), m->dtype()));
  array mirrored = add(add(lower, adjoint(lower)), diagonal);
  array sum = *plus(matmul(q, mirrored), dq);
  return adjoint(linalg::solve_triangular(r, adjoint(sum), true));
}

}  // namespace

// Of a wide matrix the columns past the square part are q^H a: their cotangents reach q and a.
Results qr_vjp(const VjpCall& call) {
  const array &a = call.inputs[0], &q = call.outputs[0], &r = call.outputs[1];
  std::optional<array> dq = call.cotangents[0], dr = call.cotangents[1];
  std::int64_t m = a.shape(-2), n = a.shape(-1);
  if (attrs_as<QrAttrs>(call.attrs).complete && m > n) {
    raise<ValueError>("linalg.qr", "no derivative of a complete q of ", m, " rows for ", n,
                      " columns: the last columns of q are arbitrary; expected complete=False");
  }
  if (m >= n) return {tall_qr_vjp(q, r, dq, dr)};
  std::optional<array> square_dr, rest;
  if (dr) {
    square_dr = columns(*dr, 0, m);
    array rest_dr = columns(*dr, m, n);
    dq = plus(dq, matmul(columns(a, m, n), adjoint(rest_dr)));
    rest = padded_columns(matmul(q, rest_dr), m, n);
  }
  array square = tall_qr_vjp(q, columns(r, 0, m), dq, square_dr);
  return {plus(padded_columns(square, 0, n), rest)};
}

namespace {

// What the components of du (or dv) along the vectors themselves add between u and v^H.
array rotated(const array& vectors, const array& cotangent, const array& gaps) {
  array inner = matmul(adjoint(vectors), cotangent);
  return multiply(gaps, subtract(inner, adjoint(inner)));
}

// The part of `a` that is orthogonal to the columns of `vectors`.
array outside(const array& vectors, const array& a) {
  return subtract(a, matmul(vectors, matmul(adjoint(vectors), a)));
}

}  // namespace

// With u, v the first min(m, n) vectors and F_ij = 1 / (s_j^2 - s_i^2): u times (ds on the
// diagonal, F (u^H du - du^H u) s, s F (v^H dv - dv^H v)) times v^H, and what of du, dv lies
// outside.
Results svd_vjp(const VjpCall& call) {
  const auto& attrs = attrs_as<SvdAttrs>(call.attrs);
  const array& a = call.inputs[0];
  if (!attrs.compute_uv) {
    auto [u, s, vt] = linalg::svd(a, false);
    array scaled = multiply(u, as_row(astype(*call.cotangents[0], a.dtype())));
    return {matmul(scaled, vt)};
  }
  std::int64_t m = a.shape(-2), n = a.shape(-1);
  bool needs_vectors = call.cotangents[0] || call.cotangents[2];
  if (attrs.full_matrices && m != n && needs_vectors) {
    raise<ValueError>("linalg.svd", "no derivative of square u and vt of a matrix of shape (", m,
                      ", ", n, "): the vectors past the smaller size are arbitrary; expected ",
                      "full_matrices=False");
  }
  array u = call.outputs[0], s = astype(call.outputs[1], a.dtype()), v = adjoint(call.outputs[2]);
  std::int64_t rank = std::min(m, n);
  if (m != rank || n != rank) {
    u = columns(u, 0, rank);
    v = columns(v, 0, rank);
  }
  const auto &du = call.cotangents[0], &ds = call.cotangents[1], &dvt = call.cotangents[2];
  std::optional<array> middle, total;
  if (ds) middle = as_diagonal(astype(*ds, a.dtype()));
  array gaps = inverse_gaps(square(s));
  if (du) {
    array turned = rotated(u, *du, gaps);
    if (is_complex(a.dtype())) {  // the common phase of u and v, which LAPACK fixes in u's favour
      array phase = diagonals(matmul(adjoint(u), *du));
      array im = multiply(astype(imag(phase), a.dtype()), array(complex128{0, 1}, a.dtype()));
      middle = plus(middle, as_diagonal(divide(im, s)));
    }
    middle = plus(middle, multiply(turned, as_row(s)));
    total = matmul(divide(outside(u, *du), as_row(s)), adjoint(v));
  }
  if (dvt) {
    array dv = adjoint(*dvt);
    middle = plus(middle, multiply(as_column(s), rotated(v, dv, gaps)));
    total = plus(total, matmul(u, adjoint(divide(outside(v, dv), as_row(s)))));
  }
  return {plus(matmul(matmul(u, *middle), adjoint(v)), total)};
}

// v (dw on the diagonal + F (v^H dv)) v^H with F_ij = 1 / (w_j - w_i).
Results eigh_vjp(const VjpCall& call) {
  const auto& attrs = attrs_as<EighAttrs>(call.attrs);
  const array& a = call.inputs[0];
  if (!attrs.compute_vectors) {
    array v = linalg::eigh(a, attrs.upper).second;
    array dw = astype(*call.cotangents[0], a.dtype());
    return {matmul(multiply(v, as_row(dw)), adjoint(v))};
  }
  array w = astype(call.outputs[0], a.dtype()), v = call.outputs[1];
  std::optional<array> middle;
  if (call.cotangents[0]) middle = as_diagonal(astype(*call.cotangents[0], a.dtype()));
  if (call.cotangents[1]) {
    array inner = matmul(adjoint(v), *call.cotangents[1]);
    middle = plus(middle, multiply(inverse_gaps(w), inner));
  }
  return {hermitian_part(matmul(matmul(v, *middle), adjoint(v)))};
}

// v^-H (dw on the diagonal + conj(F) (v^H dv - v^H v Re diag(v^H dv))) v^H: the vectors keep length
// 1, which takes the second term away.
Results eig_vjp(const VjpCall& call) {
  const array& a = call.inputs[0];
  bool has_vectors = attrs_as<EigAttrs>(call.attrs).compute_vectors;
  array w = call.outputs[0];
  array v = has_vectors ? call.outputs[1] : linalg::eig(a).second;
  std::optional<array> middle;
  if (call.cotangents[0]) middle = as_diagonal(*call.cotangents[0]);
  if (has_vectors && call.cotangents[1]) {
    array inner = matmul(adjoint(v), *call.cotangents[1]);
    array lengths = astype(real(diagonals(inner)), inner.dtype());
    array kept = subtract(inner, multiply(matmul(adjoint(v), v), as_row(lengths)));
    middle = plus(middle, multiply(conjugate(inverse_gaps(w)), kept));
  }
  array result = linalg::solve(adjoint(v), matmul(*middle, adjoint(v)));
  return {is_complex(a.dtype()) ? result : real(result)};
}

// p^T l^-H (strictly lower triangle of l^H dl + upper triangle of du u^H) u^-H.
Results lu_vjp(const VjpCall& call) {
  const array &packed = call.outputs[0], &order = call.outputs[2];
  std::int64_t m = packed.shape(-2), n = packed.shape(-1);
  if (m != n) {
    raise<ValueError>("linalg.lu", "no derivative for matrices that are not square: got shape ",
                      to_string(packed.shape()));
  }
  array unit = eye(n, {}, 0, packed.dtype());
  array l = add(tril(packed, -1), unit), u = triu(packed);
  const array& d = *call.cotangents[0];
  array middle = add(tril(matmul(adjoint(l), tril(d, -1)), -1), triu(matmul(triu(d), adjoint(u))));
  array inner = linalg::solve_triangular(adjoint(l), middle, true);
  array unpermuted = adjoint(linalg::solve_triangular(u, adjoint(inner), true));
  // Row order[i] of l u is row i of a.
  array rows = equal(as_column(order), as_row(arange(std::int64_t{0}, n)));
  return {matmul(astype(rows, packed.dtype()), unpermuted)};
}

Results solve_vjp(const VjpCall& call) {
  array db = linalg::solve(adjoint(call.inputs[0]), *call.cotangents[0]);
  Results result(2);
  if (call.wanted[0]) result[0] = negative(matmul(db, adjoint(call.outputs[0])));
  if (call.wanted[1]) result[1] = db;
  return result;
}

Results solve_triangular_vjp(const VjpCall& call) {
  bool upper = attrs_as<TriangularAttrs>(call.attrs).upper;
  array db = linalg::solve_triangular(adjoint(call.inputs[0]), *call.cotangents[0], !upper);
  Results result(2);
  if (call.wanted[0]) {
    array da = negative(matmul(db, adjoint(call.outputs[0])));
    result[0] = upper ? triu(da) : tril(da);
  }
  if (call.wanted[1]) result[1] = db;
  return result;
}

Results inverse_vjp(const VjpCall& call) {
  array inverse = adjoint(call.outputs[0]);
  return {negative(matmul(matmul(inverse, *call.cotangents[0]), inverse))};
}

}  // namespace mlx::core::rules
