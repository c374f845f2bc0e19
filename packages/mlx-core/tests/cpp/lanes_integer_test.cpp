// The integer bodies against 128-bit arithmetic: every pair of 8-bit operands, corners and random
// operands of the wider types.
//
//   g++ -std=gnu++20 -O3 -march=x86-64-v3 -DMLX_ISA=v3 -fno-math-errno -fno-trapping-math
//       -ffp-contract=off -Isrc tests/cpp/lanes_integer_test.cpp -o lanes_integer_test
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "lanes_support.h"
#include "mlx/ops/lanes/integer.h"

namespace {

namespace lane = mlx::core::cpu::MLX_ISA::lane;
__extension__ typedef __int128 Wide;

int failures = 0;

Wide floor_quotient(Wide a, Wide b) {
  if (b == 0) return 0;
  const Wide quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// base**exponent modulo 2**64, the plain way for small exponents.
Wide plain_power(Wide base, Wide exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    return base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  }
  std::uint64_t result = 1;
  for (Wide i = 0; i < exponent; ++i) result *= std::uint64_t(base);
  return Wide(result);
}

template <class T>
Wide shifted(Wide x, Wide count, bool left) {
  const bool outside = count < 0 || count >= Wide(8 * sizeof(T));
  if (left) return outside ? 0 : x * (Wide(1) << count);
  return outside ? (x < 0 ? -1 : 0) : x >> count;
}

// Runs one body over the arrays, as a loop that vectorises.
template <class T, class Body, class Reference>
void check(const char* name, const std::vector<T>& a, const std::vector<T>& b, Body body,
           Reference reference) {
  std::vector<T> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = body(a[i], b[i]);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const T expected = T(reference(Wide(a[i]), Wide(b[i])));
    if (result[i] == expected) continue;
    if (++failures < 20) {
      std::printf("%s of %zu bytes: %lld, %lld gives %lld, not %lld  FAILED\n", name, sizeof(T),
                  (long long)a[i], (long long)b[i], (long long)result[i], (long long)expected);
    }
  }
}

template <class T>
void check_type() {
  std::vector<T> a, b, small;
  if constexpr (sizeof(T) == 1) {
    for (int i = 0; i < 65536; ++i) {
      a.push_back(T(i));
      b.push_back(T(i >> 8));
    }
  } else {
    using N = std::numeric_limits<T>;
    const T corners[] = {T(0),
                         T(1),
                         T(-1),
                         T(2),
                         T(-2),
                         T(3),
                         T(7),
                         N::max(),
                         T(N::max() - 1),
                         N::min(),
                         T(N::min() + 1),
                         T(N::max() / 2),
                         T(N::max() / 2 + 1),
                         T(10),
                         T(-10),
                         T(8 * sizeof(T))};
    for (T x : corners) {
      for (T y : corners) {
        a.push_back(x);
        b.push_back(y);
      }
    }
    std::mt19937_64 random(5);
    for (int i = 0; i < 300000; ++i) {
      // Operands of every size; every third time a multiple, or next to one.
      const T y = T(T(random()) >> (random() % (8 * sizeof(T))));
      T x = T(T(random()) >> (random() % (8 * sizeof(T))));
      if (i % 3 == 0) x = T(std::uint64_t(x) * std::uint64_t(y) + random() % 3 - 1);
      a.push_back(x);
      b.push_back(y);
    }
  }
  for (T y : b) small.push_back(T(y % T(100)));
  check("floor_divide", a, b, [](T x, T y) { return lane::floor_divide(x, y); }, floor_quotient);
  check(
      "remainder", a, b, [](T x, T y) { return lane::remainder(x, y); },
      [](Wide x, Wide y) { return y == 0 ? 0 : x - floor_quotient(x, y) * y; });
  check("power", a, small, [](T x, T y) { return lane::power(x, y); }, plain_power);
  check(
      "left_shift", a, small, [](T x, T y) { return lane::left_shift(x, y); },
      [](Wide x, Wide y) { return shifted<T>(x, y, true); });
  check(
      "right_shift", a, small, [](T x, T y) { return lane::right_shift(x, y); },
      [](Wide x, Wide y) { return shifted<T>(x, y, false); });
  check(
      "add", a, b, [](T x, T y) { return lane::add(x, y); }, [](Wide x, Wide y) { return x + y; });
  check(
      "multiply", a, b, [](T x, T y) { return lane::multiply(x, y); },
      [](Wide x, Wide y) { return Wide(std::uint64_t(x) * std::uint64_t(y)); });
  check(
      "abs", a, b, [](T x, T) { return lane::abs(x); },
      [](Wide x, Wide) { return x < 0 ? -x : x; });
  check(
      "negative", a, b, [](T x, T) { return lane::negative(x); }, [](Wide x, Wide) { return -x; });
  check(
      "sign", a, b, [](T x, T) { return lane::sign(x); },
      [](Wide x, Wide) { return Wide(x > 0) - Wide(x < 0); });
  check(
      "bitwise_invert", a, b, [](T x, T) { return lane::bitwise_invert(x); },
      [](Wide x, Wide) { return -1 - x; });
}

}  // namespace

int main() {
  if (lanes_test::cpu_lacks_instruction_set()) return lanes_test::skipped;
  check_type<std::int8_t>();
  check_type<std::uint8_t>();
  check_type<std::int16_t>();
  check_type<std::uint16_t>();
  check_type<std::int32_t>();
  check_type<std::uint32_t>();
  check_type<std::int64_t>();
  check_type<std::uint64_t>();
  std::printf("%s\n", failures == 0 ? "integers: all right" : "integers: FAILED");
  return failures == 0 ? 0 : 1;
}
