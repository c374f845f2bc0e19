// The complex bodies against libquadmath (random arguments, branch cuts, huge and tiny parts) and
// against C99's functions where a part is zero, infinite or nan. The argument "bench" prints
// nanoseconds per element instead.
//
//   g++ -std=gnu++20 -O3 -march=x86-64-v3 -DMLX_ISA=v3 -fno-math-errno -fno-trapping-math
//       -ffp-contract=off -Isrc tests/cpp/lanes_complex_test.cpp -lquadmath -o lanes_complex_test
#include <algorithm>
#include <complex>
#include <cstring>

#include "lanes_support.h"
#include "mlx/ops/lanes/complex_arc.h"

namespace lanes_test {
namespace {

using mlx::core::Complex;
using QuadComplex = Complex<Quad>;

__complex128 to_gnu(QuadComplex z) {
  __complex128 result;
  __real__ result = z.re;
  __imag__ result = z.im;
  return result;
}
QuadComplex from_gnu(__complex128 z) { return {__real__ z, __imag__ z}; }

template <class T>
using Body = Complex<T> (*)(Complex<T>);

struct Function {
  const char* name;
  Body<float> body_float;
  Body<double> body_double;
  QuadComplex (*exact)(QuadComplex);
  std::complex<double> (*c99)(std::complex<double>);
  double whole_bound;  // error relative to the size of the result, in units of the last place
  double part_bound;   // error of each part by itself; 0: one part may cancel, not checked
};

#define BODIES(NAME) \
  [](Complex<float> z) { return lane::NAME(z); }, [](Complex<double> z) { return lane::NAME(z); }
#define QUAD(NAME) [](QuadComplex z) { return from_gnu(NAME(to_gnu(z))); }
#define C99(NAME) [](std::complex<double> z) { return std::NAME(z); }

QuadComplex exact_log(QuadComplex z) {
  const Quad larger = fmaxq(fabsq(z.re), fabsq(z.im)), smaller = fminq(fabsq(z.re), fabsq(z.im));
  Quad size = logq(hypotq(z.re, z.im));
  if (larger > 0.5Q && larger < 2)
    size = log1pq((larger - 1) * (larger + 1) + smaller * smaller) / 2;
  return {size, atan2q(z.im, z.re)};
}

QuadComplex exact_log1p(QuadComplex z) {
  const Quad larger = fmaxq(fabsq(z.re), fabsq(z.im));
  if (larger > 4 || z.re < -0.5Q) return exact_log({1 + z.re, z.im});
  return {log1pq(z.re * (2 + z.re) + z.im * z.im) / 2, atan2q(z.im, 1 + z.re)};
}

QuadComplex exact_expm1(QuadComplex z) {
  const Quad half_sine = sinq(z.im / 2);
  return {expm1q(z.re) * cosq(z.im) - 2 * half_sine * half_sine, expq(z.re) * sinq(z.im)};
}

QuadComplex scaled(QuadComplex z, Quad factor) { return {z.re * factor, z.im * factor}; }

QuadComplex exact_tanh(QuadComplex z) {
  const Quad s = sinhq(z.re), c = cosq(z.im);
  if (fabsq(z.re) > 100) {
    return {copysignq(1, z.re), 4 * sinq(z.im) * c * expq(-2 * fabsq(z.re))};
  }
  const Quad norm = s * s + c * c;
  return {s * coshq(z.re) / norm, sinq(z.im) * c / norm};
}

// Odd at zero, as the real functions are.
// The standard has expm1 of a zero as 0 with the imaginary part kept, also where the real part is
// -0.
std::complex<double> c99_expm1(std::complex<double> z) {
  return z == 0.0 ? std::complex<double>(0.0, z.imag()) : std::exp(z) - 1.0;
}
std::complex<double> c99_log1p(std::complex<double> z) {
  if (z == 0.0) return z;
  return std::log(std::complex<double>(1 + z.real(), z.imag()));
}
std::complex<double> c99_log2(std::complex<double> z) {
  const std::complex<double> result = std::log(z);
  return {result.real() / M_LN2, result.imag() / M_LN2};
}
std::complex<double> c99_log10(std::complex<double> z) {
  const std::complex<double> result = std::log(z);
  return {result.real() / M_LN10, result.imag() / M_LN10};
}

const std::vector<Function>& functions() {
  static const std::vector<Function> table = {
      {"exp", BODIES(exp), QUAD(cexpq), C99(exp), 2.5, 4},
      {"expm1", BODIES(expm1), exact_expm1, c99_expm1, 3.5, 0},
      {"log", BODIES(log), exact_log, C99(log), 2, 2.5},
      {"log2", BODIES(log2), [](QuadComplex z) { return scaled(exact_log(z), 1 / M_LN2q); },
       c99_log2, 2.5, 3},
      {"log10", BODIES(log10), [](QuadComplex z) { return scaled(exact_log(z), 1 / M_LN10q); },
       c99_log10, 2.5, 3},
      {"log1p", BODIES(log1p), exact_log1p, c99_log1p, 2, 2.5},
      {"sqrt", BODIES(sqrt), QUAD(csqrtq), C99(sqrt), 2, 2.5},
      {"sin", BODIES(sin), QUAD(csinq), C99(sin), 3, 4},
      {"cos", BODIES(cos), QUAD(ccosq), C99(cos), 3, 4},
      {"tan", BODIES(tan),
       [](QuadComplex z) {
         const QuadComplex t = exact_tanh({-z.im, z.re});
         return QuadComplex{t.im, -t.re};
       },
       C99(tan), 4.5, 6},
      {"sinh", BODIES(sinh), QUAD(csinhq), C99(sinh), 3, 4},
      {"cosh", BODIES(cosh), QUAD(ccoshq), C99(cosh), 3, 4},
      {"tanh", BODIES(tanh), exact_tanh, C99(tanh), 4.5, 6},
      {"arcsin", BODIES(arcsin), QUAD(casinq), C99(asin), 3.5, 5},
      {"arccos", BODIES(arccos), QUAD(cacosq), C99(acos), 3.5, 5},
      {"arctan", BODIES(arctan), QUAD(catanq), C99(atan), 3.5, 5},
      {"arcsinh", BODIES(arcsinh), QUAD(casinhq), C99(asinh), 3.5, 5},
      {"arccosh", BODIES(arccosh), QUAD(cacoshq), C99(acosh), 3.5, 5},
      {"arctanh", BODIES(arctanh), QUAD(catanhq), C99(atanh), 3.5, 5},
  };
  return table;
}

template <class T>
Body<T> body_of(const Function& function) {
  if constexpr (sizeof(T) == 4) {
    return function.body_float;
  } else {
    return function.body_double;
  }
}

// Random arguments: ordinary ones, of every size, near 1 and -1, near the unit circle, on the axes.
template <class T>
std::vector<Complex<T>> arguments(std::size_t count) {
  std::mt19937_64 random(42);
  std::vector<Complex<T>> values;
  for (std::size_t i = 0; i < count; ++i) {
    T x = random_between<T>(random, -3, 3), y = random_between<T>(random, -3, 3);
    const T tiny = T(std::ldexp(random_between<T>(random, -1, 1), -int(random() % 60)));
    switch (i % 8) {
      case 0:
        x = random_bits<T>(random);
        break;
      case 1:
        y = random_bits<T>(random);
        break;
      case 2:
        x = random_bits<T>(random), y = random_bits<T>(random);
        break;
      case 3:
        x = T(1 + tiny), y = T(std::ldexp(tiny, -int(random() % 20)));
        break;
      case 4:
        x = T(-1 + tiny), y = T(std::ldexp(tiny, -int(random() % 20)));
        break;
      case 5: {
        const double angle = random_between<double>(random, -4, 4);
        x = T(std::cos(angle) + tiny), y = T(std::sin(angle));
        break;
      }
      case 6:
        (random() % 2 == 0 ? x : y) = random() % 2 == 0 ? T(0) : -T(0);
        break;
      default:
        break;
    }
    values.push_back({x, y});
  }
  return values;
}

template <class T>
bool check_accuracy(const Function& function, std::size_t count) {
  double worst_whole = 0, worst_part = 0;
  Complex<T> whole_at = {0, 0}, part_at = {0, 0};
  for (Complex<T> z : arguments<T>(count)) {
    const Complex<T> got = body_of<T>(function)(z);
    const QuadComplex exact = function.exact({Quad(z.re), Quad(z.im)});
    const double re = ulp_error(got.re, exact.re), im = ulp_error(got.im, exact.im);
    if (std::max(re, im) > worst_part) worst_part = std::max(re, im), part_at = z;
    // Infinite parts were compared above; here they would give inf - inf.
    if (!std::isfinite(got.re) || !std::isfinite(got.im)) continue;
    const Quad size = hypotq(exact.re, exact.im);
    const Quad error = hypotq(Quad(got.re) - exact.re, Quad(got.im) - exact.im);
    const double whole = double(error / spacing<T>(size));
    if (whole > worst_whole) worst_whole = whole, whole_at = z;
  }
  const bool good = worst_whole <= function.whole_bound &&
                    (function.part_bound == 0 || worst_part <= function.part_bound);
  std::printf("%-8s c%-3d whole %7.3f at (%.6g, %.6g), parts %8.3g at (%.6g, %.6g)%s\n",
              function.name, int(sizeof(T)) * 16, worst_whole, double(whole_at.re),
              double(whole_at.im), worst_part, double(part_at.re), double(part_at.im),
              good ? "" : "  FAILED");
  return good;
}

// Equal, or near for finite values. An argument with an infinite or nan part leaves some signs
// open.
bool agrees(double got, double expected, bool sign_open) {
  if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
  if (sign_open && std::fabs(got) == std::fabs(expected)) return true;
  if (std::isinf(expected) || expected == 0) return identical(got, expected);
  return std::fabs(got - expected) <= 1e-14 * std::fabs(expected);
}

bool check_special_values(const Function& function) {
  const double values[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, INFINITY, -INFINITY, NAN};
  int wrong = 0;
  for (double x : values) {
    for (double y : values) {
      const Complex<double> got = function.body_double({x, y});
      const std::complex<double> expected = function.c99({x, y});
      const bool open = !std::isfinite(x) || !std::isfinite(y);
      if (agrees(got.re, expected.real(), open) && agrees(got.im, expected.imag(), open)) continue;
      if (++wrong < 12) {
        std::printf("%-8s of (%g, %g) is (%g, %g), not (%g, %g)  FAILED\n", function.name, x, y,
                    got.re, got.im, expected.real(), expected.imag());
      }
    }
  }
  return wrong == 0;
}

// f(conj z) = conj f(z), to the sign of a zero.
bool check_conjugates(const Function& function) {
  const double values[] = {0.0, -0.0, 0.3, -0.7, 1.0, -1.0, 5.0, -1e200, INFINITY, -INFINITY};
  for (double x : values) {
    for (double y : values) {
      const Complex<double> a = function.body_double({x, y}), b = function.body_double({x, -y});
      if (identical(a.re, b.re) && identical(a.im, -b.im)) continue;
      if (std::isinf(y)) continue;  // Signs left open.
      std::printf("%-8s of the conjugate of (%g, %g)  FAILED\n", function.name, x, y);
      return false;
    }
  }
  return true;
}

template <class T>
struct Worst {
  double error = 0;
  Complex<T> a{}, b{};

  void add(double value, Complex<T> first, Complex<T> second) {
    if (value > error) error = value, a = first, b = second;
  }
  bool report(const char* name, double bound) const {
    const bool good = error <= bound;
    std::printf("%-8s c%-3d %7.3f at (%.6g, %.6g), (%.6g, %.6g)%s\n", name, int(sizeof(T)) * 16,
                error, double(a.re), double(a.im), double(b.re), double(b.im),
                good ? "" : "  FAILED");
    return good;
  }
};

QuadComplex exact_divide(QuadComplex a, QuadComplex b) {
  const Quad norm = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / norm, (a.im * b.re - a.re * b.im) / norm};
}

template <class T>
double error_of_parts(Complex<T> got, QuadComplex exact) {
  return std::max(ulp_error(got.re, exact.re), ulp_error(got.im, exact.im));
}

// Relative to the size of the result: of parts that differ by hundreds of powers of ten the smaller
// may vanish.
template <class T>
double error_of_whole(Complex<T> got, QuadComplex exact) {
  const Quad top = std::numeric_limits<T>::max();
  if (fabsq(exact.re) > top || fabsq(exact.im) > top) return error_of_parts(got, exact);
  const Quad error = hypotq(Quad(got.re) - exact.re, Quad(got.im) - exact.im);
  return double(error / spacing<T>(hypotq(exact.re, exact.im)));
}

// Quotients, sizes, signs and powers.
template <class T>
bool check_arithmetic() {
  std::vector<Complex<T>> a = arguments<T>(40000), b = a;
  std::shuffle(b.begin(), b.end(), std::mt19937_64(8));
  Worst<T> divide, absolute, sign, power;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const QuadComplex x = {Quad(a[i].re), Quad(a[i].im)}, y = {Quad(b[i].re), Quad(b[i].im)};
    if (b[i].re != 0 || b[i].im != 0) {
      divide.add(error_of_whole(lane::divide(a[i], b[i]), exact_divide(x, y)), a[i], b[i]);
    }
    const Quad size = hypotq(x.re, x.im);
    absolute.add(ulp_error(lane::abs(a[i]), size), a[i], b[i]);
    if (size != 0) {
      sign.add(error_of_parts(lane::sign(a[i]), {x.re / size, x.im / size}), a[i], b[i]);
    }
    // The error of a power grows with the exponent of exp(b log(a)).
    const QuadComplex logarithm = exact_log(x);
    const QuadComplex exponent = {y.re * logarithm.re - y.im * logarithm.im,
                                  y.re * logarithm.im + y.im * logarithm.re};
    const Quad growth = 1 + hypotq(y.re, y.im) * hypotq(logarithm.re, logarithm.im);
    if (growth < 1000 && fabsq(exponent.re) < (sizeof(T) == 4 ? 80 : 600)) {
      const QuadComplex exact = from_gnu(cexpq(to_gnu(exponent)));
      const Complex<T> got = lane::power(a[i], b[i]);
      power.add(error_of_whole(got, exact) / double(growth), a[i], b[i]);
    }
  }
  return divide.report("divide", 3.5) & absolute.report("abs", 1.2) & sign.report("sign", 2.5) &
         power.report("power", 3);
}

bool check_arithmetic_special_values() {
  using Z = Complex<double>;
  const double inf = INFINITY;
  const auto same = [](Z a, Z b) { return identical(a.re, b.re) && identical(a.im, b.im); };
  const auto infinite = [](Z a) { return std::isinf(a.re) || std::isinf(a.im); };
  bool good =
      infinite(lane::divide(Z{1, 1}, Z{0, 0})) && infinite(lane::divide(Z{inf, 1}, Z{2, 0}));
  good &= same(lane::divide(Z{1, 1}, Z{inf, 1}), Z{0, 0});
  good &=
      same(lane::divide(Z{4, 2}, Z{2, 0}), Z{2, 1}) && same(lane::reciprocal(Z{0, 2}), Z{0, -0.5});
  good &= lane::abs(Z{inf, NAN}) == inf && std::isnan(lane::abs(Z{1, NAN}));
  good &= lane::abs(Complex<float>{NAN, -INFINITY}) == INFINITY;
  good &= same(lane::sign(Z{0, -0.0}), Z{0, 0}) && same(lane::sign(Z{0, -3}), Z{0, -1});
  good &= std::isnan(lane::sign(Z{1, NAN}).re) && std::isnan(lane::sign(Z{1, NAN}).im);
  good &= same(lane::power(Z{1, 2}, Z{2, 0}), Z{-3, 4}) &&
          same(lane::power(Z{NAN, 0}, Z{0, 0}), Z{1, 0});
  good &= same(lane::power(Z{0, 0}, Z{2, 1}), Z{0, 0}) && infinite(lane::power(Z{0, 0}, Z{-1, 0}));
  good &= lane::equal(Z{0, 1}, Z{-0.0, 1}) && lane::not_equal(Z{NAN, 1}, Z{NAN, 1});
  if (!good) std::printf("special values of complex arithmetic  FAILED\n");
  return good;
}

template <class T>
double measure(const Function& function) {
  std::vector<Complex<T>> x = arguments<T>(4096);
  std::mt19937_64 random(1);
  for (Complex<T>& z : x) {
    z = {random_between<T>(random, -3, 3), random_between<T>(random, -3, 3)};
  }
  std::vector<Complex<T>> y(x.size());
  return nanoseconds_per_element(
      [&] { std::transform(x.begin(), x.end(), y.begin(), body_of<T>(function)); }, x.size());
}

int run(bool bench) {
  bool good = true;
  if (bench) std::printf("ns per element\n%-8s %6s %6s\n", "", "c64", "c128");
  for (const Function& function : functions()) {
    if (bench) {
      std::printf("%-8s %6.1f %6.1f\n", function.name, measure<float>(function),
                  measure<double>(function));
      continue;
    }
    good &= check_accuracy<float>(function, 20000);
    good &= check_accuracy<double>(function, 20000);
    good &= check_special_values(function);
    good &= check_conjugates(function);
  }
  if (!bench) {
    good &= check_arithmetic<float>();
    good &= check_arithmetic<double>();
    good &= check_arithmetic_special_values();
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace lanes_test

int main(int count, char** arguments) {
  if (lanes_test::cpu_lacks_instruction_set()) return lanes_test::skipped;
  return lanes_test::run(count > 1 && std::strcmp(arguments[1], "bench") == 0);
}
