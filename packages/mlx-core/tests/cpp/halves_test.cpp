// float16 and bfloat16: every half, and many floats and doubles, against exact arithmetic.
//
//   g++ -std=gnu++20 -O2 -Isrc tests/cpp/halves_test.cpp -o halves_test
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>

#include "mlx/array/half.h"

namespace {

using mlx::core::bfloat16;
using mlx::core::float16;

int failures = 0;

void expect(bool condition, const char* what, double input) {
  if (condition) return;
  ++failures;
  if (failures < 20) std::printf("%s is wrong for %a  FAILED\n", what, input);
}

// The value of a 16-bit pattern from the definition of the format.
double value_of(std::uint16_t bits, int mantissa_bits, int bias) {
  const int exponent_bits = 15 - mantissa_bits;
  const int exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return mantissa != 0 ? NAN : sign * INFINITY;
  const int whole = exponent == 0 ? mantissa : mantissa + (1 << mantissa_bits);
  return sign * std::ldexp(whole, (exponent == 0 ? 1 : exponent) - bias - mantissa_bits);
}

// The bits of the nearest value, ties to even, from the definition.
std::uint16_t nearest(double x, int mantissa_bits, int bias) {
  const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const double size = std::fabs(x);
  int exponent = 1;
  if (size > 0) exponent = std::max(std::ilogb(size) + bias, 1);
  const double units = std::nearbyint(std::ldexp(size, bias + mantissa_bits - exponent));
  // A carry out of the mantissa moves to the exponent by itself.
  const double pattern = units + std::ldexp(exponent - 1, mantissa_bits);
  const double top = std::ldexp((1 << (15 - mantissa_bits)) - 1, mantissa_bits);
  return std::uint16_t(sign | std::uint16_t(pattern < top ? pattern : top));
}

template <class Half>
void check_half(int mantissa_bits, int bias) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half = Half::from_bits(std::uint16_t(bits));
    const double expected = value_of(std::uint16_t(bits), mantissa_bits, bias);
    const float wide = float(half);
    if (std::isnan(expected)) {
      expect(std::isnan(wide) && std::isnan(float(Half(wide))), "nan", expected);
      expect(std::signbit(wide) == (bits >> 15 != 0), "sign of nan", expected);
      continue;
    }
    expect(double(wide) == expected && std::signbit(wide) == std::signbit(expected), "widening",
           expected);
    expect(Half(wide).bits == bits, "round trip", expected);
  }
}

template <class Half>
void check_rounding(double x, int mantissa_bits, int bias) {
  expect(Half(x).bits == nearest(x, mantissa_bits, bias), "rounding of a double", x);
  const float narrow = float(x);
  expect(Half(narrow).bits == nearest(double(narrow), mantissa_bits, bias), "rounding of a float",
         narrow);
}

}  // namespace

int main() {
  check_half<float16>(10, 15);
  check_half<bfloat16>(7, 127);
  std::mt19937_64 random(11);
  for (int i = 0; i < 3000000; ++i) {
    // Random exponents around the range of the format, and often within a bit of a tie.
    const int exponent = int(random() % 300) - 150;
    double x = std::ldexp(1.0 + double(random() >> 12) * 0x1p-52, exponent);
    if (random() % 2 == 0) {
      const float wide = float(float16::from_bits(std::uint16_t(random() & 0x7fff)));
      if (std::isfinite(wide)) {
        x = (1 + (random() % 3 - 1.0) * 0x1p-50) *
            (double(wide) + std::ldexp(1, std::max(std::ilogb(wide), -14) - 11));
      }
    }
    if (random() % 2 == 0) x = -x;
    check_rounding<float16>(x, 10, 15);
    check_rounding<bfloat16>(x, 7, 127);
  }
  for (double x : {0.0, -0.0, 1e300, -1e300, 1e-300, -1e-300, 65519.99, 65520.0, 3.4e38, 0x1p-25}) {
    check_rounding<float16>(x, 10, 15);
    check_rounding<bfloat16>(x, 7, 127);
  }
  std::printf("%s\n", failures == 0 ? "halves: all right" : "halves: FAILED");
  return failures == 0 ? 0 : 1;
}
