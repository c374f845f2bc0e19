// The sorting of keys that each instruction set provides (lanes/sort.cpp).
#pragma once

#include <cstdint>

#include "mlx/array/dtype.h"

namespace mlx::core::cpu {

template <class Key>
struct SortLoops {
  // Ascending. Not stable, which integers do not show.
  void (*sort)(Key* keys, std::int64_t n);
  // Moves the keys below the pivot, or those up to it (`inclusive`), before the others; returns how
  // many they are.
  std::int64_t (*partition)(Key* keys, std::int64_t n, Key pivot, bool inclusive);
};

// Null where the instruction set has no vector permutations that pay.
struct SortTable {
  const SortLoops<std::uint32_t>* bits32;
  const SortLoops<std::uint64_t>* bits64;
};

// Elements of one dtype as keys (sort_keys.h) and back; `flip`: all bits inverted, so that the
// order is descending.
struct KeyLoops {
  void (*keys)(const void* elements, void* keys, std::int64_t n, bool flip);
  void (*elements)(const void* keys, void* elements, std::int64_t n, bool flip);
  // The key above the index, which is first, first + 1, ...; of dtypes up to 32 bits.
  void (*packed)(const void* elements, std::uint64_t* items, std::int64_t n, std::uint32_t first,
                 bool flip);
};

struct KeyTable {
  KeyLoops of[dtype_count];  // complex dtypes have none
  // The lower halves.
  void (*indices)(const std::uint64_t* items, std::int64_t* indices, std::int64_t n);
};

}  // namespace mlx::core::cpu
