// One example per function of the families, for the docstrings; the tests run them.
#include "docs.h"

namespace mlx::core::python {
namespace {

struct Example {
  std::string_view function, call, output;
};

constexpr Example examples[] = {
    {"abs", "mx.abs(mx.array([-1, 2]))", "array([1, 2], dtype=int32)"},
    {"add", "mx.add(mx.array([1, 2]), 0.5)", "array([1.5, 2.5], dtype=float32)"},
    {"all", "mx.all(mx.array([[True, False], [True, True]]), axis=1)",
     "array([False, True], dtype=bool)"},
    {"any", "mx.any(mx.array([[0, 0], [0, 3]]), axis=1)", "array([False, True], dtype=bool)"},
    {"arccos", "mx.arccos(mx.array([1.0, 0.0]))", "array([0, 1.5708], dtype=float32)"},
    {"arccosh", "mx.arccosh(mx.array([1.0, 2.0]))", "array([0, 1.31696], dtype=float32)"},
    {"arcsin", "mx.arcsin(mx.array([0.0, 1.0]))", "array([0, 1.5708], dtype=float32)"},
    {"arcsinh", "mx.arcsinh(mx.array([0.0, 1.0]))", "array([0, 0.881374], dtype=float32)"},
    {"arctan", "mx.arctan(mx.array([0.0, 1.0]))", "array([0, 0.785398], dtype=float32)"},
    {"arctan2", "mx.arctan2(mx.array([1.0, -1.0]), mx.array([1.0, -1.0]))",
     "array([0.785398, -2.35619], dtype=float32)"},
    {"arctanh", "mx.arctanh(mx.array([0.0, 0.5]))", "array([0, 0.549306], dtype=float32)"},
    {"bitwise_and", "mx.bitwise_and(mx.array([12, 10]), 6)", "array([4, 2], dtype=int32)"},
    {"bitwise_invert", "mx.bitwise_invert(mx.array([0, 5]))", "array([-1, -6], dtype=int32)"},
    {"bitwise_or", "mx.bitwise_or(mx.array([12, 10]), 6)", "array([14, 14], dtype=int32)"},
    {"bitwise_xor", "mx.bitwise_xor(mx.array([12, 10]), 6)", "array([10, 12], dtype=int32)"},
    {"ceil", "mx.ceil(mx.array([1.2, -1.2]))", "array([2, -1], dtype=float32)"},
    {"conjugate", "mx.conjugate(mx.array([1 + 2j]))", "array([1-2j], dtype=complex64)"},
    {"copysign", "mx.copysign(mx.array([1.0, -2.0]), mx.array([-3.0, 3.0]))",
     "array([-1, 2], dtype=float32)"},
    {"cos", "mx.cos(mx.array([0.0, 1.0]))", "array([1, 0.540302], dtype=float32)"},
    {"cosh", "mx.cosh(mx.array([0.0, 1.0]))", "array([1, 1.54308], dtype=float32)"},
    {"divide", "mx.divide(mx.array([1, 3]), 2)", "array([0.5, 1.5], dtype=float32)"},
    {"equal", "mx.equal(mx.array([1, 2]), mx.array([1, 3]))", "array([True, False], dtype=bool)"},
    {"erf", "mx.erf(mx.array([0.0, 1.0]))", "array([0, 0.842701], dtype=float32)"},
    {"erfinv", "mx.erfinv(mx.array([0.0, 0.5]))", "array([0, 0.476936], dtype=float32)"},
    {"exp", "mx.exp(mx.array([0.0, 1.0]))", "array([1, 2.71828], dtype=float32)"},
    {"expm1", "mx.expm1(mx.array([0.0, 0.5]))", "array([0, 0.648721], dtype=float32)"},
    {"floor", "mx.floor(mx.array([1.2, -1.2]))", "array([1, -2], dtype=float32)"},
    {"floor_divide", "mx.floor_divide(mx.array([7, -7]), 2)", "array([3, -4], dtype=int32)"},
    {"greater", "mx.greater(mx.array([1, 2]), 1)", "array([False, True], dtype=bool)"},
    {"greater_equal", "mx.greater_equal(mx.array([1, 2]), 2)", "array([False, True], dtype=bool)"},
    {"hypot", "mx.hypot(mx.array([3.0]), mx.array([4.0]))", "array([5], dtype=float32)"},
    {"imag", "mx.imag(mx.array([1 + 2j]))", "array([2], dtype=float32)"},
    {"isfinite", "mx.isfinite(mx.array([1.0, mx.inf]))", "array([True, False], dtype=bool)"},
    {"isinf", "mx.isinf(mx.array([1.0, mx.inf]))", "array([False, True], dtype=bool)"},
    {"isnan", "mx.isnan(mx.array([1.0, mx.nan]))", "array([False, True], dtype=bool)"},
    {"left_shift", "mx.left_shift(mx.array([1, 2]), 3)", "array([8, 16], dtype=int32)"},
    {"less", "mx.less(mx.array([1, 2]), 2)", "array([True, False], dtype=bool)"},
    {"less_equal", "mx.less_equal(mx.array([1, 2]), 1)", "array([True, False], dtype=bool)"},
    {"log", "mx.log(mx.array([1.0, 2.0]))", "array([0, 0.693147], dtype=float32)"},
    {"log10", "mx.log10(mx.array([1.0, 1000.0]))", "array([0, 3], dtype=float32)"},
    {"log1p", "mx.log1p(mx.array([0.0, 1e-5]))", "array([0, 9.99995e-06], dtype=float32)"},
    {"log2", "mx.log2(mx.array([1.0, 8.0]))", "array([0, 3], dtype=float32)"},
    {"logaddexp", "mx.logaddexp(mx.array([0.0]), mx.array([0.0]))",
     "array([0.693147], dtype=float32)"},
    {"logical_and", "mx.logical_and(mx.array([True, False]), True)",
     "array([True, False], dtype=bool)"},
    {"logical_not", "mx.logical_not(mx.array([0, 2]))", "array([True, False], dtype=bool)"},
    {"logical_or", "mx.logical_or(mx.array([True, False]), False)",
     "array([True, False], dtype=bool)"},
    {"logical_xor", "mx.logical_xor(mx.array([True, False]), True)",
     "array([False, True], dtype=bool)"},
    {"max", "mx.max(mx.array([[1, 5], [7, 2]]), axis=0)", "array([7, 5], dtype=int32)"},
    {"maximum", "mx.maximum(mx.array([1, 5]), 3)", "array([3, 5], dtype=int32)"},
    {"min", "mx.min(mx.array([[1, 5], [7, 2]]), axis=0)", "array([1, 2], dtype=int32)"},
    {"minimum", "mx.minimum(mx.array([1, 5]), 3)", "array([1, 3], dtype=int32)"},
    {"multiply", "mx.multiply(mx.array([1, 2]), 3)", "array([3, 6], dtype=int32)"},
    {"negative", "mx.negative(mx.array([1, -2]))", "array([-1, 2], dtype=int32)"},
    {"nextafter", "mx.nextafter(mx.array([1.0]), mx.array([2.0])) > 1",
     "array([True], dtype=bool)"},
    {"not_equal", "mx.not_equal(mx.array([1, 2]), 1)", "array([False, True], dtype=bool)"},
    {"power", "mx.power(mx.array([2, 3]), 3)", "array([8, 27], dtype=int32)"},
    {"prod", "mx.prod(mx.array([[1, 2], [3, 4]]), axis=1)", "array([2, 12], dtype=int32)"},
    {"real", "mx.real(mx.array([1 + 2j]))", "array([1], dtype=float32)"},
    {"reciprocal", "mx.reciprocal(mx.array([2.0, 4.0]))", "array([0.5, 0.25], dtype=float32)"},
    {"remainder", "mx.remainder(mx.array([7, -7]), 3)", "array([1, 2], dtype=int32)"},
    {"right_shift", "mx.right_shift(mx.array([8, -8]), 1)", "array([4, -4], dtype=int32)"},
    {"rsqrt", "mx.rsqrt(mx.array([4.0, 16.0]))", "array([0.5, 0.25], dtype=float32)"},
    {"sigmoid", "mx.sigmoid(mx.array([0.0, 2.0]))", "array([0.5, 0.880797], dtype=float32)"},
    {"sign", "mx.sign(mx.array([-3, 0, 3]))", "array([-1, 0, 1], dtype=int32)"},
    {"signbit", "mx.signbit(mx.array([-0.0, 0.0]))", "array([True, False], dtype=bool)"},
    {"sin", "mx.sin(mx.array([0.0, 1.0]))", "array([0, 0.841471], dtype=float32)"},
    {"sinh", "mx.sinh(mx.array([0.0, 1.0]))", "array([0, 1.1752], dtype=float32)"},
    {"sqrt", "mx.sqrt(mx.array([4, 2]))", "array([2, 1.41421], dtype=float32)"},
    {"square", "mx.square(mx.array([2, -3]))", "array([4, 9], dtype=int32)"},
    {"subtract", "mx.subtract(mx.array([1, 2]), 3)", "array([-2, -1], dtype=int32)"},
    {"sum", "mx.sum(mx.array([[1, 2], [3, 4]]), axis=1)", "array([3, 7], dtype=int32)"},
    {"tan", "mx.tan(mx.array([0.0, 1.0]))", "array([0, 1.55741], dtype=float32)"},
    {"tanh", "mx.tanh(mx.array([0.0, 1.0]))", "array([0, 0.761594], dtype=float32)"},
    {"trunc", "mx.trunc(mx.array([1.7, -1.7]))", "array([1, -1], dtype=float32)"},
    {"where", "mx.where(mx.array([True, False]), mx.array([1, 2]), 0)",
     "array([1, 0], dtype=int32)"},
};

}  // namespace

std::string example_of(std::string_view function) {
  for (const Example& example : examples) {
    if (example.function == function) {
      return "\n>>> " + std::string(example.call) + "\n" + std::string(example.output);
    }
  }
  return "";
}

}  // namespace mlx::core::python
