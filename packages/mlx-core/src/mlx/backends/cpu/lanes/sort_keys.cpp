// Elements as sortable keys with one instruction set: this file is compiled once for each.
#include "mlx/backends/cpu/sort_keys.h"

#include "mlx/backends/cpu/sort_loops.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

template <class T>
using KeyOf = typename SortKey<T>::Key;

template <class T>
KeyOf<T> flipping(bool flip) {
  return flip ? KeyOf<T>(~KeyOf<T>(0)) : KeyOf<T>(0);
}

template <class T>
void keys(const void* elements, void* result, std::int64_t n, bool flip) {
  const auto* from = static_cast<const T*>(elements);
  auto* to = static_cast<KeyOf<T>*>(result);
  const KeyOf<T> mask = flipping<T>(flip);
  for (std::int64_t i = 0; i < n; ++i) to[i] = KeyOf<T>(SortKey<T>::of(from[i]) ^ mask);
}

template <class T>
void elements(const void* keys, void* result, std::int64_t n, bool flip) {
  const auto* from = static_cast<const KeyOf<T>*>(keys);
  auto* to = static_cast<T*>(result);
  const KeyOf<T> mask = flipping<T>(flip);
  for (std::int64_t i = 0; i < n; ++i) to[i] = SortKey<T>::value(KeyOf<T>(from[i] ^ mask));
}

template <class T>
void packed(const void* elements, std::uint64_t* items, std::int64_t n, std::uint32_t first,
            bool flip) {
  const auto* from = static_cast<const T*>(elements);
  const KeyOf<T> mask = flipping<T>(flip);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto key = KeyOf<T>(SortKey<T>::same_zeros(SortKey<T>::of(from[i])) ^ mask);
    items[i] = std::uint64_t{key} << 32 | (first + static_cast<std::uint32_t>(i));
  }
}

void indices(const std::uint64_t* items, std::int64_t* result, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    result[i] = static_cast<std::int64_t>(items[i] & 0xffffffffu);
  }
}

template <class T>
constexpr KeyLoops loops_of() {
  if constexpr (kind_of(dtype_of<T>) == Kind::complex) {
    return {};
  } else if constexpr (sizeof(T) == 8) {
    return {keys<T>, elements<T>, nullptr};
  } else {
    return {keys<T>, elements<T>, packed<T>};
  }
}

constexpr KeyTable table = {.of =
                                {
#define MLX_ENTRY(name, type) loops_of<type>(),
                                    MLX_FOR_EACH_DTYPE(MLX_ENTRY)
#undef MLX_ENTRY
                                },
                            .indices = indices};

}  // namespace

const KeyTable& key_table() { return table; }

}  // namespace mlx::core::cpu::MLX_ISA
