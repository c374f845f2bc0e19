// Threefry-2x32 with 20 rounds on many counters at once.
#pragma once

#include <cstdint>

namespace mlx::core::cpu {

// words[2 * i] and words[2 * i + 1] are the block of counter first + i, for i < count.
using ThreefryLoop = void (*)(std::uint32_t key0, std::uint32_t key1, std::uint64_t first,
                              std::int64_t count, std::uint32_t* words);

struct ThreefryTable {
  ThreefryLoop blocks;
};

// One block. The rotation constants and the parity word are those of the paper.
struct ThreefryBlock {
  std::uint32_t x0, x1;
};
inline ThreefryBlock threefry(std::uint32_t key0, std::uint32_t key1, std::uint32_t x0,
                              std::uint32_t x1) {
  const std::uint32_t keys[3] = {key0, key1, key0 ^ key1 ^ 0x1BD11BDAu};
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  x0 += keys[0];
  x1 += keys[1];
  for (int group = 0; group < 5; ++group) {
    for (int rotation : rotations[group % 2]) {
      x0 += x1;
      x1 = (x1 << rotation | x1 >> (32 - rotation)) ^ x0;
    }
    x0 += keys[(group + 1) % 3];
    x1 += keys[(group + 2) % 3] + static_cast<std::uint32_t>(group + 1);
  }
  return {x0, x1};
}

}  // namespace mlx::core::cpu
