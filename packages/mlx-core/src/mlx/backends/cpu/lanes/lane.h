// Which body of ops/lanes/ each op runs, on which dtypes: one line per op, in groups that are
// compiled apart.
#pragma once

#include "mlx/backends/cpu/lanes/loops.h"
#include "mlx/ops/lanes/arc.h"
#include "mlx/ops/lanes/arithmetic.h"
#include "mlx/ops/lanes/basic.h"
#include "mlx/ops/lanes/complex_arc.h"
#include "mlx/ops/lanes/complex_basic.h"
#include "mlx/ops/lanes/complex_exp.h"
#include "mlx/ops/lanes/complex_trig.h"
#include "mlx/ops/lanes/division.h"
#include "mlx/ops/lanes/exp_log.h"
#include "mlx/ops/lanes/half_steps.h"
#include "mlx/ops/lanes/hyperbolic.h"
#include "mlx/ops/lanes/integer.h"
#include "mlx/ops/lanes/power.h"
#include "mlx/ops/lanes/special.h"
#include "mlx/ops/lanes/trig_loops.h"

namespace mlx::core::cpu::MLX_ISA {

// Runs lane::name on every element.
#define MLX_LANE_OF(name, inputs, set)       \
  template <>                                \
  struct Lane<Elementwise::name> {           \
    static constexpr DtypeSet accepts = set; \
    static constexpr int arity = inputs;     \
    template <class... T>                    \
    MLX_LANE auto operator()(T... x) const { \
      return lane::name(x...);               \
    }                                        \
  };
// lane::name_loop takes whole arrays of real numbers: rare arguments need more than a body.
#define MLX_ARRAY_LANE_OF(name, inputs, set)                     \
  template <>                                                    \
  struct Lane<Elementwise::name> {                               \
    static constexpr DtypeSet accepts = set;                     \
    static constexpr int arity = inputs;                         \
    static constexpr bool has_loop = true;                       \
    template <class... T>                                        \
    MLX_LANE auto operator()(T... x) const {                     \
      return lane::name(x...);                                   \
    }                                                            \
    template <class T, class... Sources>                         \
    MLX_LANE static void loop(T* target, Sources... arguments) { \
      lane::name##_loop(target, arguments...);                   \
    }                                                            \
  };

inline constexpr DtypeSet ordered = dtypes::real | dtypes::boolean;
inline constexpr DtypeSet bitwise = dtypes::integers | dtypes::boolean;

MLX_LANE_OF(add, 2, dtypes::all)
MLX_LANE_OF(subtract, 2, dtypes::numeric)
MLX_LANE_OF(multiply, 2, dtypes::all)
MLX_LANE_OF(divide, 2, dtypes::inexact)
MLX_LANE_OF(negative, 1, dtypes::numeric)
MLX_LANE_OF(square, 1, dtypes::numeric)
MLX_LANE_OF(reciprocal, 1, dtypes::inexact)
using ArithmeticGroup =
    Group<Elementwise::add, Elementwise::subtract, Elementwise::multiply, Elementwise::divide,
          Elementwise::negative, Elementwise::square, Elementwise::reciprocal>;

MLX_LANE_OF(maximum, 2, ordered)
MLX_LANE_OF(minimum, 2, ordered)
MLX_LANE_OF(abs, 1, dtypes::numeric)
MLX_LANE_OF(sign, 1, dtypes::numeric)
MLX_LANE_OF(signbit, 1, dtypes::real)
MLX_LANE_OF(copysign, 2, dtypes::floating)
// Halves have neighbours of their own.
template <>
struct Lane<Elementwise::nextafter> {
  static constexpr DtypeSet accepts = dtypes::floating;
  static constexpr int arity = 2;
  static constexpr bool takes_halves = true;
  template <class T>
  MLX_LANE T operator()(T from, T to) const {
    return lane::nextafter(from, to);
  }
};
using OrderGroup =
    Group<Elementwise::maximum, Elementwise::minimum, Elementwise::abs, Elementwise::sign,
          Elementwise::signbit, Elementwise::copysign, Elementwise::nextafter>;

MLX_LANE_OF(equal, 2, dtypes::all)
MLX_LANE_OF(not_equal, 2, dtypes::all)
MLX_LANE_OF(less, 2, ordered)
MLX_LANE_OF(less_equal, 2, ordered)
MLX_LANE_OF(greater, 2, ordered)
MLX_LANE_OF(greater_equal, 2, ordered)
using ComparisonGroup =
    Group<Elementwise::equal, Elementwise::not_equal, Elementwise::less, Elementwise::less_equal,
          Elementwise::greater, Elementwise::greater_equal>;

MLX_LANE_OF(logical_and, 2, dtypes::boolean)
MLX_LANE_OF(logical_or, 2, dtypes::boolean)
MLX_LANE_OF(logical_xor, 2, dtypes::boolean)
MLX_LANE_OF(logical_not, 1, dtypes::boolean)
MLX_LANE_OF(isnan, 1, dtypes::all)
MLX_LANE_OF(isinf, 1, dtypes::all)
MLX_LANE_OF(isfinite, 1, dtypes::all)
using PredicateGroup =
    Group<Elementwise::logical_and, Elementwise::logical_or, Elementwise::logical_xor,
          Elementwise::logical_not, Elementwise::isnan, Elementwise::isinf, Elementwise::isfinite>;

MLX_LANE_OF(bitwise_and, 2, bitwise)
MLX_LANE_OF(bitwise_or, 2, bitwise)
MLX_LANE_OF(bitwise_xor, 2, bitwise)
MLX_LANE_OF(bitwise_invert, 1, bitwise)
MLX_LANE_OF(left_shift, 2, dtypes::integers)
MLX_LANE_OF(right_shift, 2, dtypes::integers)
using BitGroup =
    Group<Elementwise::bitwise_and, Elementwise::bitwise_or, Elementwise::bitwise_xor,
          Elementwise::bitwise_invert, Elementwise::left_shift, Elementwise::right_shift>;

MLX_LANE_OF(floor, 1, dtypes::real)
MLX_LANE_OF(ceil, 1, dtypes::real)
MLX_LANE_OF(trunc, 1, dtypes::real)
MLX_LANE_OF(round, 1, dtypes::numeric)
MLX_LANE_OF(conjugate, 1, dtypes::numeric)
MLX_LANE_OF(real, 1, dtypes::numeric)
MLX_LANE_OF(imag, 1, dtypes::numeric)
using PartGroup =
    Group<Elementwise::floor, Elementwise::ceil, Elementwise::trunc, Elementwise::round,
          Elementwise::conjugate, Elementwise::real, Elementwise::imag>;

MLX_LANE_OF(floor_divide, 2, dtypes::real)
MLX_ARRAY_LANE_OF(remainder, 2, dtypes::real)
using DivisionGroup = Group<Elementwise::floor_divide, Elementwise::remainder>;

MLX_LANE_OF(exp, 1, dtypes::inexact)
MLX_LANE_OF(expm1, 1, dtypes::inexact)
MLX_LANE_OF(sigmoid, 1, dtypes::floating)
MLX_LANE_OF(logaddexp, 2, dtypes::floating)
using ExponentialGroup =
    Group<Elementwise::exp, Elementwise::expm1, Elementwise::sigmoid, Elementwise::logaddexp>;

MLX_LANE_OF(log, 1, dtypes::inexact)
MLX_LANE_OF(log1p, 1, dtypes::inexact)
MLX_LANE_OF(log2, 1, dtypes::inexact)
MLX_LANE_OF(log10, 1, dtypes::inexact)
using LogarithmGroup =
    Group<Elementwise::log, Elementwise::log1p, Elementwise::log2, Elementwise::log10>;

MLX_LANE_OF(power, 2, dtypes::numeric)
MLX_LANE_OF(sqrt, 1, dtypes::inexact)
MLX_LANE_OF(rsqrt, 1, dtypes::inexact)
MLX_LANE_OF(hypot, 2, dtypes::floating)
using PowerGroup =
    Group<Elementwise::power, Elementwise::sqrt, Elementwise::rsqrt, Elementwise::hypot>;

MLX_ARRAY_LANE_OF(sin, 1, dtypes::inexact)
MLX_ARRAY_LANE_OF(cos, 1, dtypes::inexact)
MLX_ARRAY_LANE_OF(tan, 1, dtypes::inexact)
using TrigonometricGroup = Group<Elementwise::sin, Elementwise::cos, Elementwise::tan>;

MLX_LANE_OF(arcsin, 1, dtypes::inexact)
MLX_LANE_OF(arccos, 1, dtypes::inexact)
MLX_LANE_OF(arctan, 1, dtypes::inexact)
MLX_LANE_OF(arctan2, 2, dtypes::floating)
using ArcGroup =
    Group<Elementwise::arcsin, Elementwise::arccos, Elementwise::arctan, Elementwise::arctan2>;

MLX_LANE_OF(sinh, 1, dtypes::inexact)
MLX_LANE_OF(cosh, 1, dtypes::inexact)
MLX_LANE_OF(tanh, 1, dtypes::inexact)
using HyperbolicGroup = Group<Elementwise::sinh, Elementwise::cosh, Elementwise::tanh>;

MLX_LANE_OF(arcsinh, 1, dtypes::inexact)
MLX_LANE_OF(arccosh, 1, dtypes::inexact)
MLX_LANE_OF(arctanh, 1, dtypes::inexact)
using AreaGroup = Group<Elementwise::arcsinh, Elementwise::arccosh, Elementwise::arctanh>;

MLX_LANE_OF(erf, 1, dtypes::floating)
MLX_LANE_OF(erfinv, 1, dtypes::floating)
using SpecialGroup = Group<Elementwise::erf, Elementwise::erfinv>;

#undef MLX_LANE_OF
#undef MLX_ARRAY_LANE_OF

// All of them but select, which has no body.
template <class... Groups>
struct GroupList {
  static constexpr bool contains(Elementwise id) { return (Groups::contains(id) || ...); }
};
using AllGroups = GroupList<ArithmeticGroup, OrderGroup, ComparisonGroup, PredicateGroup, BitGroup,
                            PartGroup, DivisionGroup, ExponentialGroup, LogarithmGroup, PowerGroup,
                            TrigonometricGroup, ArcGroup, HyperbolicGroup, AreaGroup, SpecialGroup>;

// Each in a source file of its own.
void install(ArithmeticGroup, Lanes& lanes);
void install(OrderGroup, Lanes& lanes);
void install(ComparisonGroup, Lanes& lanes);
void install(PredicateGroup, Lanes& lanes);
void install(BitGroup, Lanes& lanes);
void install(PartGroup, Lanes& lanes);
void install(DivisionGroup, Lanes& lanes);
void install(ExponentialGroup, Lanes& lanes);
void install(LogarithmGroup, Lanes& lanes);
void install(PowerGroup, Lanes& lanes);
void install(TrigonometricGroup, Lanes& lanes);
void install(ArcGroup, Lanes& lanes);
void install(HyperbolicGroup, Lanes& lanes);
void install(AreaGroup, Lanes& lanes);
void install(SpecialGroup, Lanes& lanes);

}  // namespace mlx::core::cpu::MLX_ISA
