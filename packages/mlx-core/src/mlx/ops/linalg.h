// Factorisations of matrices, linear equations and what is composed of them. All work on the last
// two axes, and on every matrix of the axes before; float32, float64, complex64 and complex128 as
// they are, integers and bools as float32. What cannot be computed (a singular matrix, one that is
// not positive definite) raises ValueError when it is evaluated.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "mlx/ops/op.h"

namespace mlx::core {

struct CholeskyAttrs {
  bool upper = false;
  bool operator==(const CholeskyAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"upper", &CholeskyAttrs::upper}}; }
};
struct QrAttrs {
  bool complete = false;  // all m columns of q, though min(m, n) suffice
  bool operator==(const QrAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"complete", &QrAttrs::complete}}; }
};
struct SvdAttrs {
  bool compute_uv = true;
  bool full_matrices = true;
  bool operator==(const SvdAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"compute_uv", &SvdAttrs::compute_uv},
                      Field{"full_matrices", &SvdAttrs::full_matrices}};
  }
};
struct EighAttrs {
  bool upper = false;  // the triangle that is read
  bool compute_vectors = true;
  bool operator==(const EighAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"upper", &EighAttrs::upper},
                      Field{"compute_vectors", &EighAttrs::compute_vectors}};
  }
};
struct EigAttrs {
  bool compute_vectors = true;
  bool operator==(const EigAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"compute_vectors", &EigAttrs::compute_vectors}};
  }
};
struct TriangularAttrs {
  bool upper = false;
  bool operator==(const TriangularAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"upper", &TriangularAttrs::upper}}; }
};

namespace linalg {

// a = L L^H with L lower triangular, or U^H U; only that triangle of a is read.
MLX_API array cholesky(const array& a, bool upper = false, const StreamOrDevice& stream = {});
// a = q r with orthonormal columns of q and r upper triangular.
MLX_API std::pair<array, array> qr(const array& a, bool complete = false,
                                   const StreamOrDevice& stream = {});
// a = u diag(s) vt with s descending. `full_matrices`: u and vt are square.
MLX_API std::tuple<array, array, array> svd(const array& a, bool full_matrices = true,
                                            const StreamOrDevice& stream = {});
MLX_API array svdvals(const array& a, const StreamOrDevice& stream = {});
// Eigenvalues (real, ascending) and eigenvectors (columns) of a Hermitian matrix.
MLX_API std::pair<array, array> eigh(const array& a, bool upper = false,
                                     const StreamOrDevice& stream = {});
MLX_API array eigvalsh(const array& a, bool upper = false, const StreamOrDevice& stream = {});
// Eigenvalues and eigenvectors (columns of length 1) of any square matrix; always complex.
MLX_API std::pair<array, array> eig(const array& a, const StreamOrDevice& stream = {});
MLX_API array eigvals(const array& a, const StreamOrDevice& stream = {});
// (p, l, u) with a = l[p] u; p are row indices.
MLX_API std::tuple<array, array, array> lu(const array& a, const StreamOrDevice& stream = {});
// l and u in one matrix, and pivots: row i was exchanged with row pivots[i], in order.
MLX_API std::pair<array, array> lu_factor(const array& a, const StreamOrDevice& stream = {});
// x with a x = b. b is one column where it has one axis, else a stack of matrices.
MLX_API array solve(const array& a, const array& b, const StreamOrDevice& stream = {});
MLX_API array solve_triangular(const array& a, const array& b, bool upper = false,
                               const StreamOrDevice& stream = {});
MLX_API array inv(const array& a, const StreamOrDevice& stream = {});
MLX_API array tri_inv(const array& a, bool upper = false, const StreamOrDevice& stream = {});
// Inverse of the matrix whose Cholesky factor is `a`.
MLX_API array cholesky_inv(const array& a, bool upper = false, const StreamOrDevice& stream = {});
// Moore-Penrose inverse: singular values up to `rtol` times the largest count as 0; without it,
// max(m, n) times the dtype's epsilon.
MLX_API array pinv(const array& a, std::optional<double> rtol = {},
                   const StreamOrDevice& stream = {});
MLX_API array det(const array& a, const StreamOrDevice& stream = {});
// Sign (of complex matrices: a number on the unit circle) and logarithm of the absolute value.
MLX_API std::pair<array, array> slogdet(const array& a, const StreamOrDevice& stream = {});

// monostate: 2 for vectors, "fro" for matrices; without axes, of all elements as one vector.
using NormOrder = std::variant<std::monostate, double, std::string>;
MLX_API array norm(const array& a, const NormOrder& order = {},
                   const std::optional<Axes>& axes = {}, bool keepdims = false,
                   const StreamOrDevice& stream = {});
// Of vectors of 3 elements; of 2, as if the third were 0 (and its third alone where both have 2).
MLX_API array cross(const array& a, const array& b, int axis = -1,
                    const StreamOrDevice& stream = {});

}  // namespace linalg

}  // namespace mlx::core
