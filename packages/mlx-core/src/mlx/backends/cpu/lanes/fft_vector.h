// Vectors of the widest kind of the instruction set, and the shuffles that FFT loads and stores
// use.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

namespace mlx::core::cpu::MLX_ISA {

#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

#define MLX_FFT_INLINE [[gnu::always_inline]] inline

template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(kVectorBytes)));
};
template <class T>
using Vector = typename VectorOf<T>::type;

template <class T>
inline constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

template <class T>
MLX_FFT_INLINE Vector<T> load_vector(const T* from) {
  Vector<T> v;
  std::memcpy(&v, from, sizeof(v));
  return v;
}

template <class T>
MLX_FFT_INLINE void store_vector(T* to, Vector<T> v) {
  std::memcpy(to, &v, sizeof(v));
}

// For what is less than a vector.
template <class T>
MLX_FFT_INLINE void copy(const T* from, std::int64_t count, T* to) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
}

template <class T>
struct Complexes {
  Vector<T> re, im;
};

// Calls f(0), ..., f(N - 1) with compile-time arguments.
template <int N, class F>
MLX_FFT_INLINE void unrolled(F&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) [[gnu::always_inline]] {
    (f(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, N>{});
}

// The source lane, among those of two vectors, of lane i of each kind of result.
enum class Shuffle { even, odd, zip_low, zip_high, zip_blocks_low, zip_blocks_high, reverse };

template <Shuffle kind, int lanes, int block>
constexpr int source_lane(int i) {
  switch (kind) {
    case Shuffle::even:
      return 2 * i;
    case Shuffle::odd:
      return 2 * i + 1;
    case Shuffle::zip_low:
    case Shuffle::zip_high: {  // within each block
      const int base = i / block * block + (kind == Shuffle::zip_high ? block / 2 : 0);
      return base + i % block / 2 + (i % 2 ? lanes : 0);
    }
    case Shuffle::zip_blocks_low:
    case Shuffle::zip_blocks_high: {  // of whole blocks
      const int from = i / block + (kind == Shuffle::zip_blocks_high ? lanes / block : 0);
      return from / 2 * block + i % block + (from % 2 ? lanes : 0);
    }
    case Shuffle::reverse:
      return lanes - 1 - i;
  }
  return i;
}

template <Shuffle kind, class T, int block = kLanes<T>>
MLX_FFT_INLINE Vector<T> shuffle(Vector<T> a, Vector<T> b) {
  return [&]<int... I>(std::integer_sequence<int, I...>) [[gnu::always_inline]] {
    return __builtin_shufflevector(a, b, source_lane<kind, kLanes<T>, block>(I)...);
  }(std::make_integer_sequence<int, kLanes<T>>{});
}

template <class T>
MLX_FFT_INLINE Complexes<T> load_interleaved(const T* from) {
  const Vector<T> a = load_vector(from), b = load_vector(from + kLanes<T>);
  return {shuffle<Shuffle::even, T>(a, b), shuffle<Shuffle::odd, T>(a, b)};
}

template <class T>
MLX_FFT_INLINE void store_interleaved(T* to, Complexes<T> c) {
  store_vector(to, shuffle<Shuffle::zip_low, T>(c.re, c.im));
  store_vector(to + kLanes<T>, shuffle<Shuffle::zip_high, T>(c.re, c.im));
}

template <class T>
MLX_FFT_INLINE Vector<T> reversed(Vector<T> v) {
  return shuffle<Shuffle::reverse, T>(v, v);
}

constexpr int log2(int n) { return n <= 1 ? 0 : 1 + log2(n / 2); }

// Transposes a square of vectors. Shuffles within 128 bits are the cheap ones, so those come first;
// whole blocks of 128 bits are then moved.
template <class T>
MLX_FFT_INLINE void transpose(Vector<T>* rows) {
  constexpr int lanes = kLanes<T>, block = 16 / static_cast<int>(sizeof(T));
  constexpr int blocks = lanes / block;
  Vector<T> next[lanes];
  unrolled<log2(block)>([&](auto) [[gnu::always_inline]] {
    unrolled<lanes / 2>([&](auto i) [[gnu::always_inline]] {
      constexpr int group = i / (block / 2) * block, j = i % (block / 2);
      const Vector<T> a = rows[group + j], b = rows[group + j + block / 2];
      next[group + 2 * j] = shuffle<Shuffle::zip_low, T, block>(a, b);
      next[group + 2 * j + 1] = shuffle<Shuffle::zip_high, T, block>(a, b);
    });
    unrolled<lanes>([&](auto i) [[gnu::always_inline]] { rows[i] = next[i]; });
  });
  // Now rows[q * block + i], block l, holds column l * block + i of rows q * block...
  unrolled<log2(blocks)>([&](auto) [[gnu::always_inline]] {
    unrolled<lanes / 2>([&](auto i) [[gnu::always_inline]] {
      constexpr int row = i % block, j = i / block;
      const Vector<T> a = rows[j * block + row], b = rows[(j + blocks / 2) * block + row];
      next[2 * j * block + row] = shuffle<Shuffle::zip_blocks_low, T, block>(a, b);
      next[(2 * j + 1) * block + row] = shuffle<Shuffle::zip_blocks_high, T, block>(a, b);
    });
    unrolled<lanes>([&](auto i) [[gnu::always_inline]] { rows[i] = next[i]; });
  });
}

}  // namespace mlx::core::cpu::MLX_ISA
