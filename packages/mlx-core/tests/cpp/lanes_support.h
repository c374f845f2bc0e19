// What the programs that measure the scalar bodies share: random inputs, ULP distance, timing.
#pragma once

#include <quadmath.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "mlx/ops/lanes/support.h"

namespace lanes_test {

__extension__ typedef __float128 Quad;
namespace lane = mlx::core::cpu::MLX_ISA::lane;

// What ctest takes for "not run": a program built for an instruction set that the machine lacks.
inline constexpr int skipped = 77;
inline bool cpu_lacks_instruction_set() {
#if defined(__AVX512F__)
  return !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
  return !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma");
#else
  return false;
#endif
}

// The distance between neighbouring values of T at `exact`.
template <class T>
Quad spacing(Quad exact) {
  int exponent = 0;
  frexpq(exact, &exponent);
  constexpr int lowest = std::numeric_limits<T>::min_exponent;
  if (exponent < lowest || exact == 0) exponent = lowest;
  return ldexpq(Quad(1), exponent - std::numeric_limits<T>::digits);
}

// Error of `got` in units of the last place; infinity counts as the first power of two too large.
template <class T>
double ulp_error(T got, Quad exact) {
  const Quad top = ldexpq(Quad(1), std::numeric_limits<T>::max_exponent);
  if (isnanq(exact)) return std::isnan(got) ? 0.0 : 1e30;
  if (std::isnan(got)) return 1e30;
  Quad value = Quad(got);
  if (std::isinf(got)) value = got > 0 ? top : -top;
  if (exact > top) exact = top;
  if (exact < -top) exact = -top;
  return double(fabsq(value - exact) / spacing<T>(exact));
}

// Same value, same sign of zero, nan equal to nan.
template <class T>
bool identical(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

template <class T>
std::vector<T> special_values() {
  using N = std::numeric_limits<T>;
  std::vector<T> values;
  for (T x : {T(0),
              N::denorm_min(),
              N::min() / 2,
              N::min(),
              N::epsilon(),
              T(0.25),
              T(0.5),
              T(1),
              T(1) + N::epsilon(),
              T(1) - N::epsilon() / 2,
              T(1.5),
              T(2),
              T(2.5),
              T(3),
              T(10),
              T(1000),
              T(1e10),
              N::max(),
              N::infinity(),
              N::quiet_NaN()}) {
    values.push_back(x);
    values.push_back(-x);
  }
  return values;
}

// Every bit pattern equally likely, so every exponent, without infinity and nan.
template <class T>
T random_bits(std::mt19937_64& random) {
  for (;;) {
    const T x = lane::from_bits(lane::BitsOf<T>(random()));
    if (std::isfinite(x)) return x;
  }
}

template <class T>
T random_between(std::mt19937_64& random, double low, double high) {
  return T(std::uniform_real_distribution<double>(low, high)(random));
}

// The best of several runs, in nanoseconds per element.
template <class Run>
double nanoseconds_per_element(Run run, std::size_t count) {
  double best = 1e30;
  for (int attempt = 0; attempt < 7; ++attempt) {
    const int repeats = 40;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) {
      run();
      asm volatile("" ::: "memory");
    }
    const std::chrono::duration<double, std::nano> elapsed =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count() / double(repeats) / double(count));
  }
  return best;
}

}  // namespace lanes_test
