// Which body of ops/lanes/ each op runs, on which dtypes: one line per op, in groups that are
// compiled apart.
#pragma once

#include "mlx/backends/cpu/lanes/loops.h"
#include "mlx/ops/lanes/arithmetic.h"
#include "mlx/ops/lanes/basic.h"
#include "mlx/ops/lanes/complex_basic.h"
#include "mlx/ops/lanes/exp_log.h"
#include "mlx/ops/lanes/integer.h"
#include "mlx/ops/lanes/power.h"
#include "mlx/ops/lanes/trig_loops.h"

namespace mlx::core::cpu::MLX_ISA {

#define MLX_UNARY_LANE(name, set)            \
  template <>                                \
  struct Lane<Elementwise::name> {           \
    static constexpr DtypeSet accepts = set; \
    static constexpr int arity = 1;          \
    template <class T>                       \
    MLX_LANE auto operator()(T x) const {    \
      return lane::name(x);                  \
    }                                        \
  };
#define MLX_BINARY_LANE(name, set)             \
  template <>                                  \
  struct Lane<Elementwise::name> {             \
    static constexpr DtypeSet accepts = set;   \
    static constexpr int arity = 2;            \
    template <class T>                         \
    MLX_LANE auto operator()(T a, T b) const { \
      return lane::name(a, b);                 \
    }                                          \
  };
// Huge arguments need more than a body: the loop over the array finds them.
#define MLX_ARRAY_LANE(name, set)                                              \
  template <>                                                                  \
  struct Lane<Elementwise::name> {                                             \
    static constexpr DtypeSet accepts = set;                                   \
    static constexpr int arity = 1;                                            \
    template <class T>                                                         \
    MLX_LANE static void loop(T* target, const T* source, std::size_t count) { \
      lane::name##_loop(target, source, count);                                \
    }                                                                          \
    template <class T>                                                         \
    MLX_LANE auto operator()(T x) const {                                      \
      return lane::name(x);                                                    \
    }                                                                          \
  };

MLX_BINARY_LANE(add, dtypes::all)
MLX_BINARY_LANE(subtract, dtypes::numeric)
MLX_BINARY_LANE(multiply, dtypes::all)
MLX_BINARY_LANE(divide, dtypes::inexact)
MLX_UNARY_LANE(negative, dtypes::numeric)
MLX_UNARY_LANE(square, dtypes::numeric)
MLX_UNARY_LANE(reciprocal, dtypes::inexact)
using ArithmeticGroup =
    Group<Elementwise::add, Elementwise::subtract, Elementwise::multiply, Elementwise::divide,
          Elementwise::negative, Elementwise::square, Elementwise::reciprocal>;
void install_arithmetic(Lanes& lanes);

MLX_BINARY_LANE(maximum, dtypes::real | dtypes::boolean)
MLX_BINARY_LANE(minimum, dtypes::real | dtypes::boolean)
MLX_UNARY_LANE(abs, dtypes::numeric)
MLX_UNARY_LANE(sign, dtypes::numeric)
MLX_UNARY_LANE(signbit, dtypes::real)
MLX_UNARY_LANE(floor, dtypes::real)
MLX_UNARY_LANE(ceil, dtypes::real)
MLX_UNARY_LANE(trunc, dtypes::real)
MLX_UNARY_LANE(round, dtypes::numeric)
MLX_UNARY_LANE(conjugate, dtypes::numeric)
MLX_UNARY_LANE(real, dtypes::numeric)
MLX_UNARY_LANE(imag, dtypes::numeric)
using OrderGroup =
    Group<Elementwise::maximum, Elementwise::minimum, Elementwise::abs, Elementwise::sign,
          Elementwise::signbit, Elementwise::floor, Elementwise::ceil, Elementwise::trunc,
          Elementwise::round, Elementwise::conjugate, Elementwise::real, Elementwise::imag>;
void install_order(Lanes& lanes);

MLX_BINARY_LANE(equal, dtypes::all)
MLX_BINARY_LANE(not_equal, dtypes::all)
MLX_BINARY_LANE(less, dtypes::real | dtypes::boolean)
MLX_BINARY_LANE(less_equal, dtypes::real | dtypes::boolean)
MLX_BINARY_LANE(greater, dtypes::real | dtypes::boolean)
MLX_BINARY_LANE(greater_equal, dtypes::real | dtypes::boolean)
using ComparisonGroup =
    Group<Elementwise::equal, Elementwise::not_equal, Elementwise::less, Elementwise::less_equal,
          Elementwise::greater, Elementwise::greater_equal>;
void install_comparison(Lanes& lanes);

MLX_BINARY_LANE(logical_and, dtypes::boolean)
MLX_BINARY_LANE(logical_or, dtypes::boolean)
MLX_BINARY_LANE(logical_xor, dtypes::boolean)
MLX_UNARY_LANE(logical_not, dtypes::boolean)
MLX_UNARY_LANE(isnan, dtypes::all)
MLX_UNARY_LANE(isinf, dtypes::all)
MLX_UNARY_LANE(isfinite, dtypes::all)
MLX_BINARY_LANE(bitwise_and, dtypes::integers | dtypes::boolean)
MLX_BINARY_LANE(bitwise_or, dtypes::integers | dtypes::boolean)
MLX_BINARY_LANE(bitwise_xor, dtypes::integers | dtypes::boolean)
MLX_UNARY_LANE(bitwise_invert, dtypes::integers | dtypes::boolean)
MLX_BINARY_LANE(left_shift, dtypes::integers)
MLX_BINARY_LANE(right_shift, dtypes::integers)
using BitGroup =
    Group<Elementwise::logical_and, Elementwise::logical_or, Elementwise::logical_xor,
          Elementwise::logical_not, Elementwise::isnan, Elementwise::isinf, Elementwise::isfinite,
          Elementwise::bitwise_and, Elementwise::bitwise_or, Elementwise::bitwise_xor,
          Elementwise::bitwise_invert, Elementwise::left_shift, Elementwise::right_shift>;
void install_bits(Lanes& lanes);

MLX_BINARY_LANE(floor_divide, dtypes::integers)
MLX_BINARY_LANE(remainder, dtypes::integers)
MLX_BINARY_LANE(power, dtypes::integers)
using DivisionGroup = Group<Elementwise::floor_divide, Elementwise::remainder, Elementwise::power>;
void install_division(Lanes& lanes);

MLX_UNARY_LANE(exp, dtypes::floating)
MLX_UNARY_LANE(expm1, dtypes::floating)
MLX_UNARY_LANE(log, dtypes::floating)
MLX_UNARY_LANE(log1p, dtypes::floating)
MLX_UNARY_LANE(log2, dtypes::floating)
MLX_UNARY_LANE(log10, dtypes::floating)
MLX_UNARY_LANE(sigmoid, dtypes::floating)
MLX_BINARY_LANE(logaddexp, dtypes::floating)
using ExponentialGroup =
    Group<Elementwise::exp, Elementwise::expm1, Elementwise::log, Elementwise::log1p,
          Elementwise::log2, Elementwise::log10, Elementwise::sigmoid, Elementwise::logaddexp>;
void install_exponential(Lanes& lanes);

MLX_UNARY_LANE(sqrt, dtypes::floating)
MLX_UNARY_LANE(rsqrt, dtypes::floating)
MLX_BINARY_LANE(hypot, dtypes::floating)
MLX_BINARY_LANE(copysign, dtypes::floating)
using RootGroup =
    Group<Elementwise::sqrt, Elementwise::rsqrt, Elementwise::hypot, Elementwise::copysign>;
void install_root(Lanes& lanes);

MLX_ARRAY_LANE(sin, dtypes::floating)
MLX_ARRAY_LANE(cos, dtypes::floating)
MLX_ARRAY_LANE(tan, dtypes::floating)
using TrigonometricGroup = Group<Elementwise::sin, Elementwise::cos, Elementwise::tan>;
void install_trigonometric(Lanes& lanes);

#undef MLX_UNARY_LANE
#undef MLX_BINARY_LANE
#undef MLX_ARRAY_LANE

void install_select(Lanes& lanes);
void install_casts(Lanes& lanes);
void install_moves(Lanes& lanes);
void install_folds(Lanes& lanes);

}  // namespace mlx::core::cpu::MLX_ISA
