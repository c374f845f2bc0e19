// Threefry blocks, one counter per vector lane.
#include "mlx/backends/cpu/threefry.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr std::int64_t width = 64;

// The rounds as loops over lanes, so that each is a few vector instructions.
inline void rotate_add(std::uint32_t* x0, std::uint32_t* x1, int rotation) {
  for (std::int64_t i = 0; i < width; ++i) {
    x0[i] += x1[i];
    x1[i] = (x1[i] << rotation | x1[i] >> (32 - rotation)) ^ x0[i];
  }
}

inline void add_key(std::uint32_t* x, std::uint32_t key) {
  for (std::int64_t i = 0; i < width; ++i) x[i] += key;
}

void run(std::uint32_t key0, std::uint32_t key1, std::uint64_t first, std::int64_t count,
         std::uint32_t* words) {
  const std::uint32_t keys[3] = {key0, key1, key0 ^ key1 ^ 0x1BD11BDAu};
  alignas(64) std::uint32_t x0[width], x1[width];
  for (std::int64_t begin = 0; begin < count; begin += width) {
    for (std::int64_t i = 0; i < width; ++i) {
      std::uint64_t counter = first + static_cast<std::uint64_t>(begin + i);
      x0[i] = static_cast<std::uint32_t>(counter);
      x1[i] = static_cast<std::uint32_t>(counter >> 32);
    }
    add_key(x0, keys[0]);
    add_key(x1, keys[1]);
    for (int group = 0; group < 5; ++group) {
      const bool is_odd = group % 2 == 1;
      rotate_add(x0, x1, is_odd ? 17 : 13);
      rotate_add(x0, x1, is_odd ? 29 : 15);
      rotate_add(x0, x1, is_odd ? 16 : 26);
      rotate_add(x0, x1, is_odd ? 24 : 6);
      add_key(x0, keys[(group + 1) % 3]);
      add_key(x1, keys[(group + 2) % 3] + static_cast<std::uint32_t>(group + 1));
    }
    const std::int64_t here = count - begin < width ? count - begin : width;
    for (std::int64_t i = 0; i < here; ++i) {
      words[2 * (begin + i)] = x0[i];
      words[2 * (begin + i) + 1] = x1[i];
    }
  }
}

}  // namespace

const ThreefryTable& threefry_table() {
  static const ThreefryTable table = {run};
  return table;
}

}  // namespace mlx::core::cpu::MLX_ISA
