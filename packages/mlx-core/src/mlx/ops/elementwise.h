// The elementwise family: one row per op. The table is in elementwise.cpp; the scalar bodies are in
// ops/lanes/ and compiled by each backend.
#pragma once

#include "mlx/ops/elementwise_ids.h"
#include "mlx/ops/op.h"

namespace mlx::core {

// What the result's dtype is, given the (common) input dtype.
enum class Result : std::uint8_t { same, boolean, real_part };

// What the function does with its arguments before the op sees them: integers and bools become
// float32 (to_inexact), or every dtype becomes bool (to_bool).
enum class Integers : std::uint8_t { keep, to_inexact, to_bool };

struct DerivativeArgs {
  Inputs x;        // the inputs
  const array& y;  // the output
};
// The factor f' of one input: vjp = dy * conj(f'), jvp = dx * f'. The row needs one per input.
using Derivative = array (*)(const DerivativeArgs&);

// A row's derivatives: a factor per input; or whole rules, where the function is not holomorphic
// and one factor cannot tell its complex derivative; or the reason why there are none.
struct Derivatives {
  std::array<Derivative, 2> factors{};
  int count = 0;
  Vjp vjp = nullptr;
  Jvp jvp = nullptr;
  std::string_view reason;

  Derivatives() = delete;
  constexpr Derivatives(Derivative f) : factors{f}, count(1) {}
  constexpr Derivatives(Derivative f, Derivative g) : factors{f, g}, count(2) {}
  constexpr Derivatives(Vjp vjp, Jvp jvp) : vjp(vjp), jvp(jvp) {}
  static constexpr Derivatives none(std::string_view reason) { return Derivatives(reason); }

 private:
  constexpr explicit Derivatives(std::string_view reason) : reason(reason) {}
};

struct ElementwiseRow {
  Elementwise id;
  std::string_view function;   // "arccos": the Python and C++ name
  std::string_view primitive;  // "ArcCos": the node's name
  std::array<std::string_view, 3> inputs;
  int arity;
  DtypeSet accepts;  // of the op, after promotion
  Integers integers;
  Result result;
  Derivatives derivative;
  int max_ulp;  // the numeric contract against exact arithmetic, per real part
  std::string_view doc;
};

MLX_API std::span<const ElementwiseRow> elementwise_rows();
MLX_API const ElementwiseRow& elementwise_row(Elementwise id);
MLX_API const Op& elementwise_op(Elementwise id);
// The Python function's work: promotion (by the row), broadcasting, then the node.
MLX_API array elementwise(Elementwise id, std::span<const array* const> inputs,
                          const StreamOrDevice& stream = {});

// By address: a copy of a handle costs an atomic operation, which counts beside a small array.
#define MLX_UNARY(name)                                                  \
  inline array name(const array& a, const StreamOrDevice& stream = {}) { \
    const array* const inputs[] = {&a};                                  \
    return elementwise(Elementwise::name, inputs, stream);               \
  }
#define MLX_BINARY(name)                                                                 \
  inline array name(const array& a, const array& b, const StreamOrDevice& stream = {}) { \
    const array* const inputs[] = {&a, &b};                                              \
    return elementwise(Elementwise::name, inputs, stream);                               \
  }
MLX_UNARY(abs)
MLX_UNARY(arccos)
MLX_UNARY(arccosh)
MLX_UNARY(arcsin)
MLX_UNARY(arcsinh)
MLX_UNARY(arctan)
MLX_UNARY(arctanh)
MLX_UNARY(bitwise_invert)
MLX_UNARY(ceil)
MLX_UNARY(conjugate)
MLX_UNARY(cos)
MLX_UNARY(cosh)
MLX_UNARY(erf)
MLX_UNARY(erfinv)
MLX_UNARY(exp)
MLX_UNARY(expm1)
MLX_UNARY(floor)
MLX_UNARY(imag)
MLX_UNARY(isfinite)
MLX_UNARY(isinf)
MLX_UNARY(isnan)
MLX_UNARY(log)
MLX_UNARY(log10)
MLX_UNARY(log1p)
MLX_UNARY(log2)
MLX_UNARY(logical_not)
MLX_UNARY(negative)
MLX_UNARY(real)
MLX_UNARY(reciprocal)
MLX_UNARY(round)
MLX_UNARY(rsqrt)
MLX_UNARY(sigmoid)
MLX_UNARY(sign)
MLX_UNARY(signbit)
MLX_UNARY(sin)
MLX_UNARY(sinh)
MLX_UNARY(sqrt)
MLX_UNARY(square)
MLX_UNARY(tan)
MLX_UNARY(tanh)
MLX_UNARY(trunc)
MLX_BINARY(add)
MLX_BINARY(arctan2)
MLX_BINARY(bitwise_and)
MLX_BINARY(bitwise_or)
MLX_BINARY(bitwise_xor)
MLX_BINARY(copysign)
MLX_BINARY(divide)
MLX_BINARY(equal)
MLX_BINARY(floor_divide)
MLX_BINARY(greater)
MLX_BINARY(greater_equal)
MLX_BINARY(hypot)
MLX_BINARY(left_shift)
MLX_BINARY(less)
MLX_BINARY(less_equal)
MLX_BINARY(logaddexp)
MLX_BINARY(logical_and)
MLX_BINARY(logical_or)
MLX_BINARY(logical_xor)
MLX_BINARY(maximum)
MLX_BINARY(minimum)
MLX_BINARY(multiply)
MLX_BINARY(nextafter)
MLX_BINARY(not_equal)
MLX_BINARY(power)
MLX_BINARY(remainder)
MLX_BINARY(right_shift)
MLX_BINARY(subtract)
#undef MLX_UNARY
#undef MLX_BINARY
// x where the condition holds, y elsewhere.
MLX_API array where(const array& condition, const array& x, const array& y,
                    const StreamOrDevice& stream = {});

}  // namespace mlx::core
