// Derivatives of the factorisations. In every one the cotangent c of y stands for the real number
// Re(sum(conj(c) dy)), and matrices that must be Hermitian are differentiated along Hermitian ones.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core::rules {

std::vector<std::optional<array>> cholesky_vjp(const VjpCall& call);
std::vector<std::optional<array>> qr_vjp(const VjpCall& call);
std::vector<std::optional<array>> svd_vjp(const VjpCall& call);
std::vector<std::optional<array>> eigh_vjp(const VjpCall& call);
std::vector<std::optional<array>> eig_vjp(const VjpCall& call);
std::vector<std::optional<array>> lu_vjp(const VjpCall& call);
std::vector<std::optional<array>> solve_vjp(const VjpCall& call);
std::vector<std::optional<array>> solve_triangular_vjp(const VjpCall& call);
std::vector<std::optional<array>> inverse_vjp(const VjpCall& call);

}  // namespace mlx::core::rules
