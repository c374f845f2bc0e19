// float16 and bfloat16: every half, and many floats and doubles, against exact arithmetic.
//
//   g++ -std=gnu++20 -O2 -march=x86-64-v3 -DMLX_ISA=v3 -Isrc tests/cpp/lanes_halves_test.cpp
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "lanes_support.h"
#include "mlx/array/half.h"
#include "mlx/ops/lanes/half_loops.h"
#include "mlx/ops/lanes/half_steps.h"

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

// The loops give what the single conversions give, to the bit, nan included.
template <class Half>
void check_loops() {
  namespace lane = mlx::core::cpu::MLX_ISA::lane;
  std::vector<Half> halves;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    halves.push_back(Half::from_bits(std::uint16_t(bits)));
  }
  halves.push_back(Half(1.0f));  // an odd count leaves elements over for the plain loop
  std::vector<float> floats(halves.size());
  lane::widen_loop(floats.data(), halves.data(), halves.size());
  for (std::size_t i = 0; i < halves.size(); ++i) {
    expect(
        std::bit_cast<std::uint32_t>(floats[i]) == std::bit_cast<std::uint32_t>(float(halves[i])),
        "widening loop", i);
  }
  std::mt19937_64 random(3);
  for (float& value : floats) value = std::bit_cast<float>(std::uint32_t(random()));
  for (std::size_t i = 0; i < 100; ++i) {
    floats[i] = std::bit_cast<float>(std::uint32_t(0x7f800000u + (i << 12) + i));
  }
  lane::narrow_loop(halves.data(), floats.data(), floats.size());
  for (std::size_t i = 0; i < halves.size(); ++i) {
    expect(halves[i].bits == Half(floats[i]).bits, "narrowing loop", floats[i]);
  }
}

// Neighbours: no half lies between, and the way leads there and back.
template <class Half>
void check_nextafter() {
  namespace lane = mlx::core::cpu::MLX_ISA::lane;
  const Half top = Half(INFINITY), bottom = Half(-INFINITY);
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half x = Half::from_bits(std::uint16_t(bits));
    const float value = float(x);
    if (std::isnan(value)) {
      expect(std::isnan(float(lane::nextafter(x, top))), "nextafter of nan", value);
      continue;
    }
    expect(lane::nextafter(x, x).bits == x.bits, "nextafter to itself", value);
    const Half up = lane::nextafter(x, top);
    if (std::isinf(value)) continue;
    const Half middle = Half((double(float(up)) + double(value)) * 0.5);
    expect(float(up) > value, "nextafter", value);
    expect(float(middle) == value || float(middle) == float(up), "nextafter (gap)", value);
    expect(float(lane::nextafter(up, bottom)) == value, "nextafter back", value);
  }
}

}  // namespace

int main() {
  if (lanes_test::cpu_lacks_instruction_set()) return lanes_test::skipped;
  check_loops<float16>();
  check_loops<bfloat16>();
  check_nextafter<float16>();
  check_nextafter<bfloat16>();
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
