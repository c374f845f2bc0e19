// Vectors as wide as the instruction set has them.
#pragma once

#include <cstring>

#ifndef MLX_ISA
#error "a file of lanes/, compiled once per instruction set"
#endif

namespace mlx::core::cpu::MLX_ISA {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class T>
struct VectorOf {
  using Type __attribute__((vector_size(vector_bytes))) = T;
};
template <class T>
using Vector = typename VectorOf<T>::Type;

template <class T>
inline __attribute__((always_inline)) Vector<T> load_vector(const void* from) {
  Vector<T> result;
  std::memcpy(&result, from, sizeof result);
  return result;
}

}  // namespace mlx::core::cpu::MLX_ISA
