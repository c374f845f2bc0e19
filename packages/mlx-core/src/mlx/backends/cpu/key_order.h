// Ordering keys: with vectors where the instruction set has what that takes, else by their digits
// or by comparing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "mlx/backends/cpu/isa.h"
#include "mlx/backends/cpu/radix_sort.h"
#include "mlx/backends/cpu/sort_loops.h"
#include "mlx/backends/cpu/thread_pool.h"

namespace mlx::core::cpu {

MLX_PER_ISA(const SortTable&, sort_table)

namespace key_order {

// Up to here comparing beats counting digits.
constexpr std::int64_t short_line = 512;
// From here on parts for several threads.
constexpr std::int64_t long_line = 1 << 16;

// Null for small keys, and where there are no loops.
template <class Key>
const SortLoops<Key>* vector_loops() {
  if constexpr (sizeof(Key) == 4) {
    return sort_table().bits32;
  } else if constexpr (sizeof(Key) == 8) {
    return sort_table().bits64;
  } else {
    return nullptr;
  }
}

template <class Key>
struct Part {
  Key* keys;
  std::int64_t size;
};

// The first part's size once it is cut in two by a key from its middle; 0 where all keys are equal.
template <class Key>
std::int64_t cut(const SortLoops<Key>& loops, Part<Key> part) {
  constexpr std::int64_t count = 63;
  Key samples[count];
  for (std::int64_t i = 0; i < count; ++i)
    samples[i] = part.keys[(2 * i + 1) * part.size / (2 * count)];
  std::nth_element(samples, samples + count / 2, samples + count);
  Key pivot = samples[count / 2];
  std::int64_t left = loops.partition(part.keys, part.size, pivot, false);
  if (left == 0) left = loops.partition(part.keys, part.size, pivot, true);
  return left == part.size ? 0 : left;
}

// Cuts the array, and the parts all at once, until there is enough for every thread.
template <class Key>
void sort_in_parts(const SortLoops<Key>& loops, Key* keys, std::int64_t n) {
  std::vector<Part<Key>> parts = {{keys, n}};
  for (int threads = thread_count(), wanted = 1; wanted < 4 * threads; wanted *= 2) {
    std::vector<std::int64_t> left(parts.size());
    parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t i) {
      auto at = static_cast<std::size_t>(i);
      left[at] = parts[at].size < long_line / 8 ? 0 : cut(loops, parts[at]);
    });
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i] == 0) continue;
      parts.push_back({parts[i].keys + left[i], parts[i].size - left[i]});
      parts[i].size = left[i];
    }
  }
  parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t i) {
    const Part<Key>& part = parts[static_cast<std::size_t>(i)];
    loops.sort(part.keys, part.size);
  });
}

}  // namespace key_order

// Sorts items by all their bits, of which only bytes First, ..., First + Digits - 1 need be looked
// at where items that agree in these stand in order already. Returns where the result is.
template <int First, int Digits, class Item>
Item* sort_items(Item* items, Item* spare, std::int64_t n) {
  using namespace key_order;
  const SortLoops<Item>* loops = vector_loops<Item>();
  if (loops != nullptr && (Digits > 2 || n <= short_line)) {
    if (n < long_line || thread_count() == 1) {
      loops->sort(items, n);
    } else {
      sort_in_parts(*loops, items, n);
    }
    return items;
  }
  if (n > short_line) return radix_sort<First, Digits>(items, spare, n);
  std::sort(items, items + n);
  return items;
}

// Moves the kth item to its place, smaller ones before it and larger ones after it.
template <class Item>
void partition_items(Item* items, std::int64_t n, std::int64_t kth) {
  using namespace key_order;
  const SortLoops<Item>* loops = vector_loops<Item>();
  while (loops != nullptr && n > short_line) {
    std::int64_t left = cut(*loops, Part<Item>{items, n});
    if (left == 0) return;
    if (kth < left) {
      n = left;
    } else {
      items += left;
      kth -= left;
      n -= left;
    }
  }
  std::nth_element(items, items + kth, items + n);
}

}  // namespace mlx::core::cpu
