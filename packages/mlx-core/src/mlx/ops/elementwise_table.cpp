// The table of elementwise ops: one row each, in the order of the enum. Adding one: the enumerator,
// the row, the body in ops/lanes/, the declaration in elementwise.h, the reference in
// tests/reference.py; the compiler and one test check that all are there.
#include "mlx/ops/elementwise.h"
#include "mlx/ops/elementwise_rules.h"

namespace mlx::core {
namespace {

using E = Elementwise;
using D = const DerivativeArgs&;

array c(double value, const array& like) { return array(value, like.dtype()); }
array one_plus_square(const array& a) { return add(c(1, a), square(a)); }
// (1 - a)(1 + a) keeps its digits where a is near 1.
array one_minus_square(const array& a) { return multiply(subtract(c(1, a), a), add(c(1, a), a)); }
array sum_of_squares(D d) { return add(square(d.x[0]), square(d.x[1])); }
// 1 where this input is taken, 1/2 at a tie, 0 elsewhere.
array share(const array& taken, D d) {
  return where(taken, c(1, d.y), where(equal(d.x[0], d.x[1]), c(0.5, d.y), c(0, d.y)));
}
// 1 or -1, by the sign bit.
array sign_of(const array& a, D d) { return copysign(c(1, d.y), a); }
// log(a) a**b, 0 where a is 0.
array power_of_exponent(D d) {
  array at_zero = equal(d.x[0], c(0, d.y));
  return multiply(d.y, log(where(at_zero, c(1, d.y), d.x[0])));
}

constexpr ElementwiseRow unary(E id, std::string_view function, std::string_view primitive,
                               DtypeSet accepts, Integers integers, Result result,
                               Derivatives derivative, int max_ulp, std::string_view doc) {
  return {id, function, primitive, {"a"}, 1, accepts, integers, result, derivative, max_ulp, doc};
}
constexpr ElementwiseRow binary(E id, std::string_view function, std::string_view primitive,
                                DtypeSet accepts, Integers integers, Result result,
                                Derivatives derivative, int max_ulp, std::string_view doc) {
  return {id,       function, primitive,  {"a", "b"}, 2,  accepts,
          integers, result,   derivative, max_ulp,    doc};
}

// Function name, primitive name, dtypes, what becomes of integers, result dtype, derivatives, the
// largest error in units of the last place, and what it does.
constexpr ElementwiseRow table[] = {
    unary(E::abs, "abs", "Abs", dtypes::numeric, Integers::keep, Result::real_part,
          {rules::abs_vjp, rules::abs_jvp}, 1,
          "Absolute value; of a complex number its modulus. The derivative at 0 is 0."),
    binary(E::add, "add", "Add", dtypes::all, Integers::keep, Result::same,
           {rules::one, rules::one}, 1, "Sum of two arrays; of bools, either."),
    unary(E::arccos, "arccos", "ArcCos", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return negative(rsqrt(one_minus_square(d.x[0]))); }}, 4,
          "Inverse cosine, in radians."),
    unary(E::arccosh, "arccosh", "ArcCosh", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) {
            return divide(c(1, d.y), multiply(sqrt(subtract(d.x[0], c(1, d.y))),
                                              sqrt(add(d.x[0], c(1, d.y)))));
          }},
          4, "Inverse hyperbolic cosine."),
    unary(E::arcsin, "arcsin", "ArcSin", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return rsqrt(one_minus_square(d.x[0])); }}, 4, "Inverse sine, in radians."),
    unary(E::arcsinh, "arcsinh", "ArcSinh", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return rsqrt(one_plus_square(d.x[0])); }}, 4, "Inverse hyperbolic sine."),
    unary(E::arctan, "arctan", "ArcTan", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return reciprocal(one_plus_square(d.x[0])); }}, 4,
          "Inverse tangent, in radians."),
    binary(E::arctan2, "arctan2", "ArcTan2", dtypes::floating, Integers::to_inexact, Result::same,
           {[](D d) { return divide(d.x[1], sum_of_squares(d)); },
            [](D d) { return negative(divide(d.x[0], sum_of_squares(d))); }},
           4, "Angle in radians of the point (b, a), in its quadrant."),
    unary(E::arctanh, "arctanh", "ArcTanh", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return reciprocal(one_minus_square(d.x[0])); }}, 4,
          "Inverse hyperbolic tangent."),
    binary(E::bitwise_and, "bitwise_and", "BitwiseAnd", dtypes::integers | dtypes::boolean,
           Integers::keep, Result::same, Derivatives::none("the result is an integer"), 0,
           "Bitwise and."),
    unary(E::bitwise_invert, "bitwise_invert", "BitwiseInvert", dtypes::integers | dtypes::boolean,
          Integers::keep, Result::same, Derivatives::none("the result is an integer"), 0,
          "Every bit inverted; of a bool, not."),
    binary(E::bitwise_or, "bitwise_or", "BitwiseOr", dtypes::integers | dtypes::boolean,
           Integers::keep, Result::same, Derivatives::none("the result is an integer"), 0,
           "Bitwise or."),
    binary(E::bitwise_xor, "bitwise_xor", "BitwiseXor", dtypes::integers | dtypes::boolean,
           Integers::keep, Result::same, Derivatives::none("the result is an integer"), 0,
           "Bitwise exclusive or."),
    unary(E::ceil, "ceil", "Ceil", dtypes::real, Integers::keep, Result::same, rules::zero, 0,
          "Smallest integer not below; its derivative is 0."),
    unary(E::conjugate, "conjugate", "Conjugate", dtypes::numeric, Integers::keep, Result::same,
          {rules::conjugate_vjp, rules::conjugate_jvp}, 0,
          "Complex conjugate; a real array unchanged."),
    binary(E::copysign, "copysign", "CopySign", dtypes::floating, Integers::to_inexact,
           Result::same,
           {[](D d) { return multiply(sign_of(d.x[0], d), sign_of(d.x[1], d)); }, rules::zero}, 0,
           "Magnitude of a with the sign of b."),
    unary(E::cos, "cos", "Cos", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return negative(sin(d.x[0])); }}, 4, "Cosine of an angle in radians."),
    unary(E::cosh, "cosh", "Cosh", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return sinh(d.x[0]); }}, 4, "Hyperbolic cosine."),
    binary(
        E::divide, "divide", "Divide", dtypes::inexact, Integers::to_inexact, Result::same,
        {[](D d) { return reciprocal(d.x[1]); }, [](D d) { return negative(divide(d.y, d.x[1])); }},
        1, "Quotient; integers are divided as float32."),
    binary(E::equal, "equal", "Equal", dtypes::all, Integers::keep, Result::boolean,
           Derivatives::none("the result is boolean"), 0,
           "Where a and b are equal; NaN equals nothing."),
    unary(E::erf, "erf", "Erf", dtypes::floating, Integers::to_inexact, Result::same,
          {[](D d) { return multiply(c(1.1283791670955126, d.y), exp(negative(square(d.x[0])))); }},
          4, "Error function."),
    unary(E::erfinv, "erfinv", "ErfInv", dtypes::floating, Integers::to_inexact, Result::same,
          {[](D d) { return multiply(c(0.886226925452758, d.y), exp(square(d.y))); }}, 4,
          "Inverse of the error function; NaN outside [-1, 1]."),
    unary(E::exp, "exp", "Exp", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return d.y; }}, 2, "Exponential."),
    unary(E::expm1, "expm1", "Expm1", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return add(d.y, c(1, d.y)); }}, 4, "exp(a) - 1, accurate near 0."),
    unary(E::floor, "floor", "Floor", dtypes::real, Integers::keep, Result::same, rules::zero, 0,
          "Largest integer not above; its derivative is 0."),
    binary(E::floor_divide, "floor_divide", "FloorDivide", dtypes::real, Integers::keep,
           Result::same, {rules::zero, rules::zero}, 0,
           "Largest integer not above the quotient; an integer divided by 0 gives 0. Its "
           "derivative is 0."),
    binary(E::greater, "greater", "Greater", dtypes::real | dtypes::boolean, Integers::keep,
           Result::boolean, Derivatives::none("the result is boolean"), 0, "Where a > b."),
    binary(E::greater_equal, "greater_equal", "GreaterEqual", dtypes::real | dtypes::boolean,
           Integers::keep, Result::boolean, Derivatives::none("the result is boolean"), 0,
           "Where a >= b."),
    binary(E::hypot, "hypot", "Hypot", dtypes::floating, Integers::to_inexact, Result::same,
           {[](D d) { return divide(d.x[0], d.y); }, [](D d) { return divide(d.x[1], d.y); }}, 4,
           "sqrt(a * a + b * b) without overflow."),
    unary(E::imag, "imag", "Imag", dtypes::numeric, Integers::keep, Result::real_part,
          {rules::imag_vjp, rules::imag_jvp}, 0, "Imaginary part; 0 of a real array."),
    unary(E::isfinite, "isfinite", "IsFinite", dtypes::all, Integers::keep, Result::boolean,
          Derivatives::none("the result is boolean"), 0,
          "Where the value is neither infinite nor NaN."),
    unary(E::isinf, "isinf", "IsInf", dtypes::all, Integers::keep, Result::boolean,
          Derivatives::none("the result is boolean"), 0, "Where the value is infinite."),
    unary(E::isnan, "isnan", "IsNaN", dtypes::all, Integers::keep, Result::boolean,
          Derivatives::none("the result is boolean"), 0, "Where the value is NaN."),
    binary(E::left_shift, "left_shift", "LeftShift", dtypes::integers, Integers::keep, Result::same,
           Derivatives::none("the result is an integer"), 0,
           "Bits moved up by b; 0 where b is not below the width."),
    binary(E::less, "less", "Less", dtypes::real | dtypes::boolean, Integers::keep, Result::boolean,
           Derivatives::none("the result is boolean"), 0, "Where a < b."),
    binary(E::less_equal, "less_equal", "LessEqual", dtypes::real | dtypes::boolean, Integers::keep,
           Result::boolean, Derivatives::none("the result is boolean"), 0, "Where a <= b."),
    unary(E::log, "log", "Log", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return reciprocal(d.x[0]); }}, 2, "Natural logarithm."),
    unary(E::log10, "log10", "Log10", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return divide(c(0.4342944819032518, d.y), d.x[0]); }}, 4,
          "Logarithm to base 10."),
    unary(E::log1p, "log1p", "Log1p", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return reciprocal(add(d.x[0], c(1, d.y))); }}, 4,
          "log(1 + a), accurate near 0."),
    unary(E::log2, "log2", "Log2", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return divide(c(1.4426950408889634, d.y), d.x[0]); }}, 4,
          "Logarithm to base 2."),
    binary(E::logaddexp, "logaddexp", "LogAddExp", dtypes::floating, Integers::to_inexact,
           Result::same,
           {[](D d) { return exp(subtract(d.x[0], d.y)); },
            [](D d) { return exp(subtract(d.x[1], d.y)); }},
           4, "log(exp(a) + exp(b)) without overflow."),
    binary(E::logical_and, "logical_and", "LogicalAnd", dtypes::boolean, Integers::to_bool,
           Result::boolean, Derivatives::none("the result is boolean"), 0,
           "Where both are true (not 0)."),
    unary(E::logical_not, "logical_not", "LogicalNot", dtypes::boolean, Integers::to_bool,
          Result::boolean, Derivatives::none("the result is boolean"), 0, "Where false (0)."),
    binary(E::logical_or, "logical_or", "LogicalOr", dtypes::boolean, Integers::to_bool,
           Result::boolean, Derivatives::none("the result is boolean"), 0,
           "Where either is true (not 0)."),
    binary(E::logical_xor, "logical_xor", "LogicalXor", dtypes::boolean, Integers::to_bool,
           Result::boolean, Derivatives::none("the result is boolean"), 0,
           "Where exactly one is true (not 0)."),
    binary(E::maximum, "maximum", "Maximum", dtypes::real | dtypes::boolean, Integers::keep,
           Result::same,
           {[](D d) { return share(greater(d.x[0], d.x[1]), d); },
            [](D d) { return share(greater(d.x[1], d.x[0]), d); }},
           0, "The larger; NaN where either is NaN. At a tie each gets half the derivative."),
    binary(E::minimum, "minimum", "Minimum", dtypes::real | dtypes::boolean, Integers::keep,
           Result::same,
           {[](D d) { return share(less(d.x[0], d.x[1]), d); },
            [](D d) { return share(less(d.x[1], d.x[0]), d); }},
           0, "The smaller; NaN where either is NaN. At a tie each gets half the derivative."),
    binary(E::multiply, "multiply", "Multiply", dtypes::all, Integers::keep, Result::same,
           {[](D d) { return d.x[1]; }, [](D d) { return d.x[0]; }}, 1,
           "Product of two arrays; of bools, both."),
    unary(E::negative, "negative", "Negative", dtypes::numeric, Integers::keep, Result::same,
          rules::minus_one, 0, "The value with the other sign."),
    binary(E::nextafter, "nextafter", "NextAfter", dtypes::floating, Integers::to_inexact,
           Result::same, Derivatives::none("it moves by one unit in the last place"), 0,
           "The next representable value after a on the way to b."),
    binary(E::not_equal, "not_equal", "NotEqual", dtypes::all, Integers::keep, Result::boolean,
           Derivatives::none("the result is boolean"), 0, "Where a and b differ."),
    binary(E::power, "power", "Power", dtypes::numeric, Integers::keep, Result::same,
           {[](D d) { return multiply(d.x[1], power(d.x[0], subtract(d.x[1], c(1, d.y)))); },
            [](D d) { return power_of_exponent(d); }},
           4, "a to the power b; an integer to a negative power is 0 unless a is 1 or -1."),
    unary(E::real, "real", "Real", dtypes::numeric, Integers::keep, Result::real_part,
          {rules::real_vjp, rules::real_jvp}, 0, "Real part; a real array unchanged."),
    unary(E::reciprocal, "reciprocal", "Reciprocal", dtypes::inexact, Integers::to_inexact,
          Result::same, {[](D d) { return negative(square(d.y)); }}, 1, "1 / a."),
    binary(E::remainder, "remainder", "Remainder", dtypes::real, Integers::keep, Result::same,
           {rules::one, [](D d) { return negative(floor_divide(d.x[0], d.x[1])); }}, 0,
           "What floor_divide leaves, with the sign of b; an integer divided by 0 leaves 0."),
    binary(E::right_shift, "right_shift", "RightShift", dtypes::integers, Integers::keep,
           Result::same, Derivatives::none("the result is an integer"), 0,
           "Bits moved down by b, keeping the sign."),
    unary(E::round, "round", "Round", dtypes::numeric, Integers::keep, Result::same, rules::zero, 0,
          "Nearest integer, halves to even; its derivative is 0."),
    unary(E::rsqrt, "rsqrt", "Rsqrt", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return multiply(c(-0.5, d.y), multiply(d.y, square(d.y))); }}, 2,
          "1 / sqrt(a)."),
    {E::select,
     "where",
     "Select",
     {"condition", "x", "y"},
     3,
     dtypes::all,
     Integers::keep,
     Result::same,
     {rules::select_vjp, rules::select_jvp},
     0,
     "x where the condition holds, y elsewhere; no derivative reaches the value not taken."},
    unary(E::sigmoid, "sigmoid", "Sigmoid", dtypes::floating, Integers::to_inexact, Result::same,
          {[](D d) { return multiply(d.y, subtract(c(1, d.y), d.y)); }}, 4, "1 / (1 + exp(-a))."),
    unary(E::sign, "sign", "Sign", dtypes::numeric, Integers::keep, Result::same,
          {rules::sign_vjp, rules::sign_jvp}, 1, "-1, 0 or 1; of a complex number a / abs(a)."),
    unary(E::signbit, "signbit", "SignBit", dtypes::real, Integers::keep, Result::boolean,
          Derivatives::none("the result is boolean"), 0,
          "Where the sign bit is set, -0 and negative NaN included."),
    unary(E::sin, "sin", "Sin", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return cos(d.x[0]); }}, 4, "Sine of an angle in radians."),
    unary(E::sinh, "sinh", "Sinh", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return cosh(d.x[0]); }}, 4, "Hyperbolic sine."),
    unary(E::sqrt, "sqrt", "Sqrt", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return divide(c(0.5, d.y), d.y); }}, 1,
          "Square root; NaN of a negative real number. The derivative at 0 is infinite."),
    unary(E::square, "square", "Square", dtypes::numeric, Integers::keep, Result::same,
          {[](D d) { return multiply(c(2, d.y), d.x[0]); }}, 1, "a * a."),
    binary(E::subtract, "subtract", "Subtract", dtypes::numeric, Integers::keep, Result::same,
           {rules::one, rules::minus_one}, 1, "Difference of two arrays."),
    unary(E::tan, "tan", "Tan", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return one_plus_square(d.y); }}, 4, "Tangent of an angle in radians."),
    unary(E::tanh, "tanh", "Tanh", dtypes::inexact, Integers::to_inexact, Result::same,
          {[](D d) { return one_minus_square(d.y); }}, 4, "Hyperbolic tangent."),
    unary(E::trunc, "trunc", "Trunc", dtypes::real, Integers::keep, Result::same, rules::zero, 0,
          "The integer part; its derivative is 0."),
};

consteval bool complete() {
  if (std::size(table) != static_cast<std::size_t>(elementwise_count)) return false;
  for (std::size_t i = 0; i < std::size(table); ++i) {
    const ElementwiseRow& row = table[i];
    if (static_cast<std::size_t>(row.id) != i) return false;
    if (row.derivative.count != 0 && row.derivative.count != row.arity) return false;
    if (row.derivative.count == 0 && row.derivative.vjp == nullptr && row.derivative.reason.empty())
      return false;
    if (row.doc.empty() || row.doc.back() != '.') return false;
  }
  return true;
}
static_assert(complete(), "elementwise table: order, derivatives or docs are wrong");

}  // namespace

std::span<const ElementwiseRow> elementwise_rows() { return table; }

}  // namespace mlx::core
