// Factors lengths and estimates what transforms of them cost.
#include "mlx/backends/cpu/fft_cost.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "mlx/backends/cpu/fft_kernels.h"

namespace mlx::core::cpu::fft {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kLoad = 4, kStore = 4, kTwiddle = 5, kRegroup = 9;  // per element of a group

// Per element, one stage.
double stage_cost(std::int64_t radix) {
  switch (radix) {
    case 2:
      return 4;
    case 3:
      return 4.5;
    case 4:
      return 4.5;
    case 5:
      return 5.5;
    case 7:
      return 7;
    case 8:
      return 6;
    case 11:
      return 11;
    case 13:
      return 13;
    default:
      return 2.5 * static_cast<double>(radix);
  }
}

// Groups that overflow a cache make each pass dearer.
double memory_factor(std::int64_t n, const Machine& machine) {
  const std::int64_t bytes = n * 2 * machine.width * machine.real_bytes;
  return bytes <= 48 << 10 ? 1 : bytes <= 512 << 10 ? 1.5 : bytes <= 2 << 20 ? 2 : 5;
}

// Calls visit(m) for all products of small primes from low up to the next power of two.
void for_each_smooth(std::int64_t low, const std::function<void(std::int64_t)>& visit) {
  std::int64_t high = 1;
  while (high < low) high *= 2;
  for (std::int64_t seven = 1; seven <= high; seven *= 7) {
    for (std::int64_t five = seven; five <= high; five *= 5) {
      for (std::int64_t three = five; three <= high; three *= 3) {
        std::int64_t m = three;
        while (m < low) m *= 2;
        if (m <= high) visit(m);
      }
    }
  }
}

Padding best_padding(std::int64_t n, const std::function<double(std::int64_t)>& cost) {
  Padding best = {0, kNever};
  for_each_smooth(2 * n - 1, [&](std::int64_t m) {
    const double total = cost(m);
    if (total < best.cost) best = {m, total};
  });
  return best;
}

// Of a length that has stages, so its primes are small.
std::vector<std::int64_t> divisors_of(std::int64_t n) {
  std::vector<std::int64_t> divisors = {1};
  for (std::int64_t p = 2; n > 1; ++p) {
    const std::size_t others = divisors.size();
    for (std::int64_t power = p; n % p == 0; power *= p, n /= p) {
      for (std::size_t i = 0; i < others; ++i) divisors.push_back(divisors[i] * power);
    }
  }
  return divisors;
}

}  // namespace

std::vector<std::int64_t> radices_of(std::int64_t n) {
  std::vector<std::int64_t> radices;
  int twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  for (std::int64_t p = 3; n > 1; p += 2) {
    if (p > kLargestRadix) return {};
    for (; n % p == 0; n /= p) radices.push_back(p);
  }
  while (twos > 0) {  // eights and fours; a two only where nothing else is left
    const int bits = twos == 4 || twos == 2 ? 2 : std::min(twos, 3);
    radices.push_back(std::int64_t{1} << bits);
    twos -= bits;
  }
  std::sort(radices.rbegin(), radices.rend());
  if (radices.empty()) radices.push_back(1);
  return radices;
}

double stages_cost(std::int64_t n, const Machine& machine) {
  const std::vector<std::int64_t> radices = radices_of(n);
  if (radices.empty()) return kNever;
  double cost = 0;
  for (const std::int64_t radix : radices) cost += stage_cost(radix);
  return cost * static_cast<double>(n) * memory_factor(n, machine);
}

Split best_split(std::int64_t n, const Machine& machine) {
  Split best = {1, n, kNever};
  if (radices_of(n).empty()) return best;
  best.cost = stages_cost(n, machine) + (kLoad + kStore) * static_cast<double>(n);
  const auto groups = [&](std::int64_t lines) {
    return (lines + machine.width - 1) / machine.width;
  };
  for (const std::int64_t rows : divisors_of(n)) {
    const std::int64_t columns = n / rows;
    if (rows == 1 || columns == 1 || rows > 128 * columns || columns > 128 * rows) continue;
    const double cost =
        static_cast<double>(groups(columns)) *
            (stages_cost(rows, machine) + (kLoad + kTwiddle) * static_cast<double>(rows)) +
        static_cast<double>(groups(rows)) *
            (stages_cost(columns, machine) + (kRegroup + kStore) * static_cast<double>(columns)) +
        100;
    if (cost < best.cost) best = {rows, columns, cost};
  }
  return best;
}

Padding lane_padding(std::int64_t n, const Machine& machine) {
  return best_padding(n, [&](std::int64_t m) {
    return 2 * stages_cost(m, machine) + 6 * static_cast<double>(m + 2 * n);
  });
}

Padding line_padding(std::int64_t n, const Machine& machine) {
  return best_padding(n, [&](std::int64_t m) {
    return 2 * best_split(m, machine).cost + static_cast<double>(m + 2 * n);
  });
}

double lane_cost(std::int64_t n, const Machine& machine) {
  const double cost = stages_cost(n, machine);
  return cost < kNever ? cost : lane_padding(n, machine).cost;
}

double line_cost(std::int64_t n, const Machine& machine) {
  const double cost = best_split(n, machine).cost;
  return cost < kNever ? cost : line_padding(n, machine).cost;
}

}  // namespace mlx::core::cpu::fft
