// Derivatives of elementwise ops that are constants, and whole rules of those that are not
// holomorphic. The convention for complex numbers: a cotangent c of y stands for the real number
// Re(sum(conj(c) dy)), so that vjp multiplies by conj(f') where f' exists.
#pragma once

#include "mlx/ops/elementwise.h"

namespace mlx::core::rules {

// The family recognises these by address and makes no node for them.
array zero(const DerivativeArgs&);
array one(const DerivativeArgs&);
array minus_one(const DerivativeArgs&);

std::vector<std::optional<array>> abs_vjp(const VjpCall& call);
std::vector<std::optional<array>> abs_jvp(const JvpCall& call);
std::vector<std::optional<array>> conjugate_vjp(const VjpCall& call);
std::vector<std::optional<array>> conjugate_jvp(const JvpCall& call);
std::vector<std::optional<array>> imag_vjp(const VjpCall& call);
std::vector<std::optional<array>> imag_jvp(const JvpCall& call);
std::vector<std::optional<array>> real_vjp(const VjpCall& call);
std::vector<std::optional<array>> real_jvp(const JvpCall& call);
std::vector<std::optional<array>> select_vjp(const VjpCall& call);
std::vector<std::optional<array>> select_jvp(const JvpCall& call);
std::vector<std::optional<array>> sign_vjp(const VjpCall& call);
std::vector<std::optional<array>> sign_jvp(const JvpCall& call);

}  // namespace mlx::core::rules
