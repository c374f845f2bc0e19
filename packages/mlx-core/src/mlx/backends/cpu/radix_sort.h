// A stable radix sort, byte by byte from the lowest, with the elements split over the pool.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "mlx/backends/cpu/thread_pool.h"

namespace mlx::core::cpu {

namespace radix {

using Counts = std::array<std::int64_t, 256>;

template <class Key>
unsigned digit_of(Key key, int digit) {
  return static_cast<unsigned>(key >> (8 * digit)) & 255u;
}

// From here on a part for each thread.
constexpr std::int64_t many = 1 << 16;

// counts[d]: how often each value of digit first + d occurs.
template <int Digits, class Key>
void count_digits(const Key* keys, std::int64_t n, int first, Counts* counts) {
  for (int d = 0; d < Digits; ++d) counts[d].fill(0);
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < n; ++i) {
#pragma GCC unroll 8
    for (int d = 0; d < Digits; ++d) ++counts[d][digit_of(keys[i], first + d)];
  }
}

template <class Key>
void scatter(const Key* __restrict from, Key* __restrict to, std::int64_t n, int digit,
             Counts next) {
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < n; ++i) to[next[digit_of(from[i], digit)]++] = from[i];
}

// Counts become positions: all of value 0, part after part, then all of value 1, ... False: there
// is only one value, so nothing would move.
template <std::size_t Digits>
bool to_positions(std::vector<std::array<Counts, Digits>>& counts, std::size_t digit,
                  std::int64_t n) {
  std::int64_t position = 0, most = 0;
  for (std::size_t value = 0; value < 256; ++value) {
    std::int64_t before = position;
    for (auto& of_part : counts) position += std::exchange(of_part[digit][value], position);
    most = std::max(most, position - before);
  }
  return most != n;
}

}  // namespace radix

// Sorts `keys` by bytes First, ..., First + Digits - 1 with the help of `scratch` of
// the same length; returns which of the two holds the result.
template <int First, int Digits, class Key>
Key* radix_sort(Key* keys, Key* scratch, std::int64_t n) {
  using namespace radix;
  std::int64_t parts = n >= many ? thread_count() : 1, part = (n + parts - 1) / parts;
  std::vector<std::array<Counts, Digits>> counts(static_cast<std::size_t>(parts));
  auto each_part = [&](auto body) {
    parallel_for(parts, [&](std::int64_t p) {
      std::int64_t begin = std::min(p * part, n), end = std::min(begin + part, n);
      body(counts[static_cast<std::size_t>(p)].data(), begin, end - begin);
    });
  };
  each_part([&](Counts* mine, std::int64_t begin, std::int64_t size) {
    count_digits<Digits>(keys + begin, size, First, mine);
  });
  bool has_moved = false;
  for (int d = 0; d < Digits; ++d) {
    if (has_moved && parts > 1) {  // the parts hold other elements by now
      each_part([&](Counts* mine, std::int64_t begin, std::int64_t size) {
        count_digits<1>(keys + begin, size, First + d, mine + d);
      });
    }
    if (!to_positions(counts, static_cast<std::size_t>(d), n)) continue;
    each_part([&](Counts* mine, std::int64_t begin, std::int64_t size) {
      scatter(keys + begin, scratch, size, First + d, mine[d]);
    });
    std::swap(keys, scratch);
    has_moved = true;
  }
  return keys;
}

}  // namespace mlx::core::cpu
