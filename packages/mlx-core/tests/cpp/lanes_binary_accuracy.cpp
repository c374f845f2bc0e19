// Measures the real scalar bodies of two operands against __float128, as lanes_accuracy.cpp does
// for those of one operand. The argument "bench" prints nanoseconds per element instead.
//
//   g++ -std=gnu++20 -O3 -march=x86-64-v3 -DMLX_ISA=v3 -fno-math-errno -fno-trapping-math
//       -ffp-contract=off -Isrc tests/cpp/lanes_binary_accuracy.cpp -lquadmath
#include <cstring>

#include "lanes_support.h"
#include "mlx/ops/lanes/arc.h"
#include "mlx/ops/lanes/division.h"
#include "mlx/ops/lanes/power.h"

namespace lanes_test {
namespace {

template <class T>
using Loop = void (*)(T*, const T*, const T*, std::size_t);

// What the special values are compared with: C's function, or the standard's rule written out.
using Reference = double (*)(double, double);

struct Function {
  const char* name;
  Loop<float> loop_float;
  Loop<double> loop_double;
  Quad (*exact)(Quad, Quad);
  double bound;
  Reference reference;
  double low;  // Half of the operands come from here, the others from all bit patterns.
  double high;
};

#define LOOP(NAME)                                                                               \
  [](float* d, const float* a, const float* b, std::size_t n) __attribute__((noinline)) {        \
    for (std::size_t i = 0; i < n; ++i) d[i] = lane::NAME(a[i], b[i]);                           \
  },                                                                                             \
      [](double* d, const double* a, const double* b, std::size_t n) __attribute__((noinline)) { \
        for (std::size_t i = 0; i < n; ++i) d[i] = lane::NAME(a[i], b[i]);                       \
      }
#define OWN_LOOP(NAME)                                               \
  [](float* d, const float* a, const float* b, std::size_t n)        \
      __attribute__((noinline)) { lane::NAME(d, a, b, n); },         \
      [](double* d, const double* a, const double* b, std::size_t n) \
          __attribute__((noinline)) { lane::NAME(d, a, b, n); }

// Near zero the two terms of the formula cancel, so both are part of the error's scale.
Quad exact_logaddexp(Quad a, Quad b) {
  return fmaxq(a, b) + (a == b ? M_LN2q : log1pq(expq(-fabsq(a - b))));
}

Quad exact_remainder(Quad a, Quad b) {
  const Quad rest = fmodq(a, b);
  if (rest == 0) return copysignq(0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double reference_remainder(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double reference_floor_divide(double a, double b) {
  const double quotient = a / b;
  if (!std::isfinite(quotient) || std::isinf(b)) return std::floor(quotient);
  return double(floorq(Quad(a) / Quad(b)));
}

double reference_logaddexp(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : double(exact_logaddexp(Quad(a), Quad(b)));
}

double reference_minimum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : (a < b ? a : b);
}

double reference_maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : (a > b ? a : b);
}

const std::vector<Function>& functions() {
  static const std::vector<Function> table = {
      {"arctan2", LOOP(arctan2), atan2q, 2.0, std::atan2, -3, 3},
      {"power", LOOP(power), powq, 1.5, std::pow, 0.01, 20},
      {"hypot", LOOP(hypot), hypotq, 1.5, std::hypot, -3, 3},
      {"logaddexp", LOOP(logaddexp), exact_logaddexp, 2.5, reference_logaddexp, -5, 5},
      {"floor_div", LOOP(floor_divide), [](Quad a, Quad b) { return floorq(a / b); }, 0.5,
       reference_floor_divide, -50, 50},
      {"remainder", OWN_LOOP(remainder_loop), exact_remainder, 0.5, reference_remainder, -50, 50},
      {"copysign", LOOP(copysign), copysignq, 0.0, std::copysign, -2, 2},
      {"minimum", LOOP(minimum), fminq, 0.0, reference_minimum, -2, 2},
      {"maximum", LOOP(maximum), fmaxq, 0.0, reference_maximum, -2, 2},
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

// Random operands; some pairs are near each other in size, some powers are near one.
template <class T>
void fill(const Function& function, std::vector<T>& a, std::vector<T>& b, std::size_t count) {
  std::mt19937_64 random(99);
  for (std::size_t i = 0; i < count; ++i) {
    T x = random_bits<T>(random), y = random_bits<T>(random);
    if (i % 2 == 0) x = random_between<T>(random, function.low, function.high);
    if (i % 4 < 2) y = random_between<T>(random, function.low, function.high);
    if (i % 8 == 3) y = T(x * random_between<T>(random, 0.3, 3.0));
    if (i % 16 == 5) x = T(1 + random_between<T>(random, -1e-3, 1e-3));
    if (i % 16 == 7) y = T(int(random() % 9) - 4);
    a.push_back(x);
    b.push_back(y);
  }
}

template <class T>
double error_of(const Function& function, T got, T a, T b) {
  const Quad exact = function.exact(Quad(a), Quad(b));
  if (std::strcmp(function.name, "logaddexp") == 0) {
    const Quad larger = fabsq(fmaxq(Quad(a), Quad(b)));
    const Quad scale = fmaxq(larger, fabsq(exact - fmaxq(Quad(a), Quad(b))));
    return double(fabsq(Quad(got) - exact) / spacing<T>(fmaxq(scale, fabsq(exact))));
  }
  return ulp_error(got, exact);
}

template <class T>
bool check_accuracy(const Function& function, std::size_t count) {
  std::vector<T> a, b;
  fill(function, a, b, count);
  std::vector<T> y(count);
  loop_of<T>(function)(y.data(), a.data(), b.data(), count);
  double worst = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
    const double error = error_of(function, y[i], a[i], b[i]);
    if (error > worst) {
      worst = error;
      where = i;
    }
  }
  const bool good = worst <= function.bound;
  std::printf("%-10s f%d  %8.3f ulp at %.8g, %.8g (bound %.2f)%s\n", function.name,
              int(sizeof(T)) * 8, worst, double(a[where]), double(b[where]), function.bound,
              good ? "" : "  FAILED");
  return good;
}

template <class T>
bool check_special_values(const Function& function) {
  std::vector<T> a, b;
  for (T x : special_values<T>()) {
    for (T y : special_values<T>()) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  std::vector<T> result(a.size());
  loop_of<T>(function)(result.data(), a.data(), b.data(), a.size());
  int wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const T expected = T(function.reference(double(a[i]), double(b[i])));
    const bool exact = !std::isfinite(expected) || expected == T(0) || function.bound == 0;
    const bool right = exact ? identical(result[i], expected)
                             : error_of(function, result[i], a[i], b[i]) <= function.bound &&
                                   std::signbit(result[i]) == std::signbit(expected);
    if (!right && ++wrong < 8) {
      std::printf("%-10s f%d  special values %g, %g give %g, not %g  FAILED\n", function.name,
                  int(sizeof(T)) * 8, double(a[i]), double(b[i]), double(result[i]),
                  double(expected));
    }
  }
  return wrong == 0;
}

// nextafter has no reference in wider arithmetic: C's own.
template <class T>
bool check_nextafter() {
  std::vector<T> values = special_values<T>();
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) values.push_back(random_bits<T>(random));
  bool good = true;
  for (T x : values) {
    for (T y : values) {
      const T got = lane::nextafter(x, y);
      if (identical(got, std::nextafter(x, y))) continue;
      if (good)
        std::printf("nextafter of %g, %g gives %g  FAILED\n", double(x), double(y), double(got));
      good = false;
    }
  }
  return good;
}

template <class T>
double measure(const Function& function) {
  const std::size_t count = 4096;
  std::mt19937_64 random(7);
  std::vector<T> a(count), b(count), y(count);
  for (T& value : a) value = random_between<T>(random, 0.1, 10.0);
  for (T& value : b) value = random_between<T>(random, 0.1, 10.0);
  return nanoseconds_per_element([&] { loop_of<T>(function)(y.data(), a.data(), b.data(), count); },
                                 count);
}

int run(bool bench) {
  bool good = true;
  if (bench)
    std::printf("ns per element, 4096 pairs in [0.1, 10]\n%-10s %6s %6s\n", "", "f32", "f64");
  for (const Function& function : functions()) {
    if (bench) {
      std::printf("%-10s %6.2f %6.2f\n", function.name, measure<float>(function),
                  measure<double>(function));
      continue;
    }
    good &= check_accuracy<float>(function, 200000);
    good &= check_accuracy<double>(function, 200000);
    good &= check_special_values<float>(function);
    good &= check_special_values<double>(function);
  }
  good &= check_nextafter<float>() && check_nextafter<double>();
  return good ? 0 : 1;
}

}  // namespace
}  // namespace lanes_test

int main(int count, char** arguments) {
  if (lanes_test::cpu_lacks_instruction_set()) return lanes_test::skipped;
  return lanes_test::run(count > 1 && std::strcmp(arguments[1], "bench") == 0);
}
