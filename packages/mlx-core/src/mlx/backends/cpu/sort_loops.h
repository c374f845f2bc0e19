// The sorting of keys that each instruction set provides (lanes/sort.cpp).
#pragma once

#include <cstdint>

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

}  // namespace mlx::core::cpu
