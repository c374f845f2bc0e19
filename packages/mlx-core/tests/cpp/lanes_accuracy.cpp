// Measures the real scalar bodies against __float128: largest error in ULP per function, special
// values, and with the argument "bench" nanoseconds per element. Exits non-zero on failure.
//
//   g++ -std=gnu++20 -O3 -march=x86-64-v3 -DMLX_ISA=v3 -fno-math-errno -fno-trapping-math
//       -ffp-contract=off -Isrc tests/cpp/lanes_accuracy.cpp -lquadmath -o lanes_accuracy
#include <algorithm>
#include <cstring>
#include <functional>

#include "lanes_support.h"
#include "mlx/ops/lanes/arc.h"
#include "mlx/ops/lanes/hyperbolic.h"
#include "mlx/ops/lanes/power.h"
#include "mlx/ops/lanes/special.h"
#include "mlx/ops/lanes/trig_loops.h"

namespace lanes_test {
namespace {

template <class T>
using Loop = void (*)(T*, const T*, std::size_t);

struct Range {
  double low;
  double high;
};

struct Function {
  const char* name;
  Loop<float> loop_float;
  Loop<double> loop_double;
  Quad (*exact)(Quad);
  double bound;                 // in ULP, for both types
  double (*reference)(double);  // for the special values
  std::vector<Range> ranges;    // besides random bits, which every function gets
};

#define LOOP(NAME)                                                              \
  [](float* d, const float* s, std::size_t n) __attribute__((noinline)) {       \
    for (std::size_t i = 0; i < n; ++i) d[i] = lane::NAME(s[i]);                \
  },                                                                            \
      [](double* d, const double* s, std::size_t n) __attribute__((noinline)) { \
        for (std::size_t i = 0; i < n; ++i) d[i] = lane::NAME(s[i]);            \
      }
#define OWN_LOOP(NAME)                                                                            \
  [](float* d, const float* s, std::size_t n) __attribute__((noinline)) { lane::NAME(d, s, n); }, \
      [](double* d, const double* s, std::size_t n)                                               \
          __attribute__((noinline)) { lane::NAME(d, s, n); }

// Newton's method on erf, and near one, where erf is flat, on the logarithm of erfc.
Quad exact_erfinv(Quad x) {
  const Quad size = fabsq(x);
  if (size >= 1 || size == 0) return size > 1 ? nanq("") : x / (1 - size);
  Quad y = size < 0.9Q ? size : sqrtq(-logq(1 - size));
  for (int i = 0; i < 6; ++i) {
    const Quad slope = expq(-y * y) * M_2_SQRTPIq;
    // The logarithm of erfc is nearly a parabola, so the steps near one are good ones.
    const Quad tail = erfcq(y);
    y += size < 0.9Q ? (size - erfq(y)) / slope : (logq(tail) - logq(1 - size)) * tail / slope;
  }
  return copysignq(y, x);
}

double reference_erfinv(double x) { return double(exact_erfinv(Quad(x))); }

const std::vector<Function>& functions() {
  static const std::vector<Function> table = {
      {"exp", LOOP(exp), expq, 1.1, std::exp, {{-1, 1}, {-110, 95}, {-750, 715}}},
      {"exp2",
       LOOP(exp2),
       [](Quad x) { return exp2q(x); },
       1.1,
       std::exp2,
       {{-1, 1}, {-152, 130}, {-1080, 1030}}},
      {"expm1", LOOP(expm1), expm1q, 1.5, std::expm1, {{-1, 1}, {-40, 95}, {-1, 715}}},
      {"log", LOOP(log), logq, 1.1, std::log, {{0, 2}, {0.7, 1.5}, {0, 1e6}}},
      {"log1p", LOOP(log1p), log1pq, 1.5, std::log1p, {{-1, 1}, {-0.5, 0.5}, {0, 1e6}}},
      {"log2", LOOP(log2), log2q, 1.1, std::log2, {{0, 2}, {0.7, 1.5}, {0, 1e6}}},
      {"log10", LOOP(log10), log10q, 1.1, std::log10, {{0, 2}, {0.7, 1.5}, {0, 1e6}}},
      {"sin", OWN_LOOP(sin_loop), sinq, 1.9, std::sin, {{-4, 4}, {-1e4, 1e4}, {-1e6, 1e6}}},
      {"cos", OWN_LOOP(cos_loop), cosq, 1.9, std::cos, {{-4, 4}, {-1e4, 1e4}, {-1e6, 1e6}}},
      {"tan", OWN_LOOP(tan_loop), tanq, 3.0, std::tan, {{-4, 4}, {-1e4, 1e4}, {-1e6, 1e6}}},
      {"sinh", LOOP(sinh), sinhq, 2.0, std::sinh, {{-2, 2}, {-95, 95}, {-715, 715}}},
      {"cosh", LOOP(cosh), coshq, 2.0, std::cosh, {{-2, 2}, {-95, 95}, {-715, 715}}},
      {"tanh", LOOP(tanh), tanhq, 2.0, std::tanh, {{-2, 2}, {-25, 25}}},
      {"arcsinh", LOOP(arcsinh), asinhq, 2.0, std::asinh, {{-2, 2}, {0.4, 1}, {-100, 100}}},
      {"arccosh", LOOP(arccosh), acoshq, 2.0, std::acosh, {{1, 2}, {1, 1.01}, {1, 100}}},
      {"arctanh", LOOP(arctanh), atanhq, 2.0, std::atanh, {{-1, 1}, {-0.6, 0.6}, {0.99, 1}}},
      {"arcsin", LOOP(arcsin), asinq, 1.9, std::asin, {{-1, 1}, {0.45, 0.55}, {0.99, 1}}},
      {"arccos", LOOP(arccos), acosq, 1.9, std::acos, {{-1, 1}, {0.45, 0.55}, {0.99, 1}}},
      {"arctan", LOOP(arctan), atanq, 2.0, std::atan, {{-3, 3}, {0.4, 0.6}, {-100, 100}}},
      {"erf", LOOP(erf), erfq, 2.0, std::erf, {{-1.2, 1.2}, {-6.5, 6.5}}},
      {"erfinv",
       LOOP(erfinv),
       exact_erfinv,
       4.0,
       reference_erfinv,
       {{-1, 1}, {0.95, 1}, {0.9999, 1}}},
      {"sigmoid",
       LOOP(sigmoid),
       [](Quad x) { return 1 / (1 + expq(-x)); },
       2.5,
       [](double x) { return 1 / (1 + std::exp(-x)); },
       {{-10, 10}, {-110, 40}, {-750, 40}}},
      {"rsqrt",
       LOOP(rsqrt),
       [](Quad x) { return 1 / sqrtq(x); },
       1.6,
       [](double x) { return 1 / std::sqrt(x); },
       {{0, 4}}},
  };
  return table;
}

template <class T>
Loop<T> loop_of(const Function& function) {
  if constexpr (sizeof(T) == 4) {
    return function.loop_float;
  } else {
    return function.loop_double;
  }
}

template <class T>
std::vector<T> inputs(const Function& function, std::size_t count) {
  std::mt19937_64 random(2024);
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(random_bits<T>(random));
  for (const Range& range : function.ranges) {
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(random_between<T>(random, range.low, range.high));
    }
  }
  return values;
}

template <class T>
bool check_accuracy(const Function& function, std::size_t count) {
  const std::vector<T> x = inputs<T>(function, count);
  std::vector<T> y(x.size());
  loop_of<T>(function)(y.data(), x.data(), x.size());
  double worst = 0;
  T worst_input = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = ulp_error(y[i], function.exact(Quad(x[i])));
    if (error > worst) {
      worst = error;
      worst_input = x[i];
    }
  }
  const bool good = worst <= function.bound;
  std::printf("%-10s f%d  %8.3f ulp at %-14.8g (bound %.2f)%s\n", function.name, int(sizeof(T)) * 8,
              worst, double(worst_input), function.bound, good ? "" : "  FAILED");
  return good;
}

template <class T>
bool check_special_values(const Function& function) {
  const std::vector<T> x = special_values<T>();
  std::vector<T> y(x.size());
  loop_of<T>(function)(y.data(), x.data(), x.size());
  bool good = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T expected = T(function.reference(double(x[i])));
    const bool exact = !std::isfinite(expected) || expected == T(0);
    const bool right = exact ? identical(y[i], expected)
                             : ulp_error(y[i], Quad(expected)) <= function.bound + 1 &&
                                   std::signbit(y[i]) == std::signbit(expected);
    if (!right) {
      std::printf("%-10s f%d  special value %g gives %g, not %g  FAILED\n", function.name,
                  int(sizeof(T)) * 8, double(x[i]), double(y[i]), double(expected));
      good = false;
    }
  }
  return good;
}

template <class T>
double measure(const Function& function) {
  const std::size_t count = 4096;
  std::mt19937_64 random(7);
  std::vector<T> x(count), y(count);
  const bool inside_one = function.ranges[0].high == 1 && function.ranges[0].low == -1 &&
                          std::isnan(function.reference(2.0));
  for (T& value : x) value = random_between<T>(random, 0.1, inside_one ? 0.99 : 10.0);
  return nanoseconds_per_element([&] { loop_of<T>(function)(y.data(), x.data(), count); }, count);
}

int run(bool bench) {
  bool good = true;
  if (bench)
    std::printf("ns per element, 4096 values in [0.1, 10] (or 0.99)\n%-10s %6s %6s\n", "", "f32",
                "f64");
  for (const Function& function : functions()) {
    if (bench) {
      std::printf("%-10s %6.2f %6.2f\n", function.name, measure<float>(function),
                  measure<double>(function));
      continue;
    }
    good &= check_accuracy<float>(function, 20000);
    good &= check_accuracy<double>(function, 20000);
    good &= check_special_values<float>(function);
    good &= check_special_values<double>(function);
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace lanes_test

int main(int count, char** arguments) {
  if (lanes_test::cpu_lacks_instruction_set()) return lanes_test::skipped;
  return lanes_test::run(count > 1 && std::strcmp(arguments[1], "bench") == 0);
}
