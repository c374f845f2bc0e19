// Derivative rules of the elementwise ops that one factor cannot express.
#include "mlx/ops/elementwise_rules.h"

#include "mlx/ops/cast.h"

namespace mlx::core::rules {
namespace {

using Results = std::vector<std::optional<array>>;

array constant(double value, const array& like) { return array(value, like.dtype()); }

// The part of v along the unit number u, as a complex number: u Re(conj(u) v).
array along(const array& u, const array& v) {
  return multiply(u, astype(real(multiply(conjugate(u), v)), u.dtype()));
}

// d(z / |z|) is what of dz is not along z, over |z|; nothing for reals and at zero.
std::optional<array> sign_derivative(const array& z, const array& y, const array& v) {
  if (!is_complex(z.dtype())) return std::nullopt;
  array size = astype(abs(z), z.dtype());
  array at_zero = equal(size, constant(0, size));
  return where(at_zero, constant(0, v), divide(subtract(v, along(y, v)), size));
}

}  // namespace

array zero(const DerivativeArgs& d) { return constant(0, d.y); }
array one(const DerivativeArgs& d) { return constant(1, d.y); }
array minus_one(const DerivativeArgs& d) { return constant(-1, d.y); }

// abs: the direction of x; 0 at 0.
Results abs_vjp(const VjpCall& call) {
  const array& x = call.inputs[0];
  return {multiply(astype(*call.cotangents[0], x.dtype()), sign(x))};
}
Results abs_jvp(const JvpCall& call) {
  const array& x = call.inputs[0];
  return {real(multiply(conjugate(sign(x)), *call.tangents[0]))};
}

Results conjugate_vjp(const VjpCall& call) { return {conjugate(*call.cotangents[0])}; }
Results conjugate_jvp(const JvpCall& call) { return {conjugate(*call.tangents[0])}; }

Results imag_vjp(const VjpCall& call) {
  const array& x = call.inputs[0];
  if (!is_complex(x.dtype())) return {std::nullopt};
  return {multiply(astype(*call.cotangents[0], x.dtype()), array(complex128{0, 1}, x.dtype()))};
}
Results imag_jvp(const JvpCall& call) { return {imag(*call.tangents[0])}; }

Results real_vjp(const VjpCall& call) {
  return {astype(*call.cotangents[0], call.inputs[0].dtype())};
}
Results real_jvp(const JvpCall& call) { return {real(*call.tangents[0])}; }

Results select_vjp(const VjpCall& call) {
  const array& dy = *call.cotangents[0];
  Results result(3);
  if (call.wanted[1]) result[1] = where(call.inputs[0], dy, constant(0, dy));
  if (call.wanted[2]) result[2] = where(call.inputs[0], constant(0, dy), dy);
  return result;
}
Results select_jvp(const JvpCall& call) {
  if (!call.tangents[1] && !call.tangents[2]) return {std::nullopt};
  array nothing = constant(0, call.outputs[0]);
  return {where(call.inputs[0], call.tangents[1].value_or(nothing),
                call.tangents[2].value_or(nothing))};
}

// The map is its own transpose.
Results sign_vjp(const VjpCall& call) {
  return {sign_derivative(call.inputs[0], call.outputs[0], *call.cotangents[0])};
}
Results sign_jvp(const JvpCall& call) {
  return {sign_derivative(call.inputs[0], call.outputs[0], *call.tangents[0])};
}

}  // namespace mlx::core::rules
