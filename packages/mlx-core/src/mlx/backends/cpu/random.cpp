// RandomBits and RandomIntegers.
#include "mlx/ops/random.h"

#include <algorithm>
#include <cstring>

#include "mlx/backends/cpu/isa.h"
#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/thread_pool.h"
#include "mlx/backends/cpu/threefry.h"

namespace mlx::core::cpu {

MLX_PER_ISA(const ThreefryTable&, threefry_table)

namespace {

constexpr std::int64_t grain = 1 << 14;  // blocks per chunk

struct Key {
  std::uint32_t k0, k1;
};

// Key number `index` of an array of keys, whatever its strides.
Key key_at(const Tensor& keys, std::int64_t index) {
  std::int64_t offset = 0;
  for (int axis = keys.ndim() - 2; axis >= 0; --axis) {
    auto a = static_cast<std::size_t>(axis);
    offset += index % keys.shape[a] * keys.strides[a];
    index /= keys.shape[a];
  }
  auto* words = keys.as<std::uint32_t>() + offset;
  return {words[0], words[keys.strides.back()]};
}

std::int64_t key_count(const Tensor& keys) { return keys.size() / 2; }

void draw(Key key, std::uint32_t* words, std::int64_t count) {
  auto blocks = threefry_table().blocks;
  parallel_for(count / 2, grain, [&](std::int64_t begin, std::int64_t end) {
    blocks(key.k0, key.k1, static_cast<std::uint64_t>(begin), end - begin, words + 2 * begin);
  });
  if (count % 2 == 1) {
    auto last = static_cast<std::uint64_t>(count / 2);
    words[count - 1] = threefry(key.k0, key.k1, static_cast<std::uint32_t>(last),
                                static_cast<std::uint32_t>(last >> 32))
                           .x0;
  }
}

// An element's own stream of 64-bit words: the attempt is in the high bits of the counter.
std::uint64_t word(Key key, std::uint64_t element, std::uint32_t attempt) {
  auto [x0, x1] = threefry(key.k0, key.k1, static_cast<std::uint32_t>(element),
                           static_cast<std::uint32_t>(element >> 32) ^ (attempt << 16));
  return static_cast<std::uint64_t>(x1) << 32 | x0;
}

// A number below `range` (0: any 64 bits), by Lemire's multiplication with rejection: every value
// has exactly the same probability (Fast random integer generation in an interval, 2019).
std::uint64_t below(Key key, std::uint64_t element, std::uint64_t range) {
  if (range == 0) return word(key, element, 0);
  std::uint64_t threshold = (0 - range) % range;
  for (std::uint32_t attempt = 0;; ++attempt) {
    auto product = static_cast<unsigned __int128>(word(key, element, attempt)) * range;
    if (static_cast<std::uint64_t>(product) >= threshold) {
      return static_cast<std::uint64_t>(product >> 64);
    }
  }
}

// Offset of a row-major position in a strided tensor.
std::int64_t offset_of(const Tensor& tensor, std::int64_t position) {
  std::int64_t offset = 0;
  for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
    offset += position % tensor.shape[axis] * tensor.strides[axis];
    position /= tensor.shape[axis];
  }
  return offset;
}

template <class T>
void draw_integers(Key key, const Tensor& low, const Tensor& high, T* target, std::int64_t first,
                   std::int64_t count) {
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      T from = low.as<T>()[offset_of(low, first + i)];
      T to = high.as<T>()[offset_of(high, first + i)];
      if (from >= to) {
        raise<ValueError>("random.randint", "an empty range: got low ", from, " and high ", to,
                          "; expected low < high");
      }
      auto range = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
      std::uint64_t drawn = below(key, static_cast<std::uint64_t>(i), range);
      target[first + i] = static_cast<T>(static_cast<std::uint64_t>(from) + drawn);
    }
  });
}

}  // namespace

void random_bits(const KernelCall& call) {
  const Tensor& keys = call.inputs[0];
  std::int64_t count = key_count(keys);
  if (call.outputs[0].size() == 0) return;
  std::int64_t words = call.outputs[0].size() / count * size_of(call.outputs[0].dtype) / 4;
  for (std::int64_t i = 0; i < count; ++i) {
    draw(key_at(keys, i), call.outputs[0].as<std::uint32_t>() + i * words, words);
  }
}

void random_integers(const KernelCall& call) {
  const Tensor &keys = call.inputs[0], &low = call.inputs[1], &high = call.inputs[2];
  if (call.outputs[0].size() == 0) return;
  std::int64_t count = key_count(keys), each = call.outputs[0].size() / count;
  for (std::int64_t i = 0; i < count; ++i) {
    if (call.outputs[0].dtype == Dtype::int64) {
      draw_integers(key_at(keys, i), low, high, call.outputs[0].as<std::int64_t>(), i * each, each);
    } else {
      draw_integers(key_at(keys, i), low, high, call.outputs[0].as<std::uint64_t>(), i * each,
                    each);
    }
  }
}

}  // namespace mlx::core::cpu
