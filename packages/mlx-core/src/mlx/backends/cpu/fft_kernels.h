// The table of FFT loops that each instruction set provides (lanes/fft_*.cpp).
//
// The loops work on a *group*: `width` lines side by side, one per vector lane. Element i of a
// group is `width` real parts followed by `width` imaginary parts, so one butterfly transforms all
// lines of the group at once and needs no shuffle. Only loads and stores know how lines lie in
// memory. All transforms here are forward (exp(-2*pi*i*j*k/n)); a backward one swaps the real and
// the imaginary parts on the way in and on the way out, which costs nothing.
#pragma once

#include <cstdint>

namespace mlx::core::cpu::fft {

// Larger primes go through Bluestein's algorithm.
inline constexpr std::int64_t kLargestRadix = 61;

// One step of a decimation-in-time transform: `radix` finished transforms of length `span` become
// one of length radix * span.
template <class T>
struct Stage {
  std::int64_t radix;
  std::int64_t span;
  const T*
      twiddles;    // (re, im) of w^(j*q) for j < span, 1 <= q < radix; w is of order radix * span
  const T* roots;  // cos and sin of 2*pi*q/radix for q < radix
};

// The real or the imaginary parts of up to `width` lines in memory.
template <class T>
struct Part {
  T* base;
  const std::int64_t* offsets;  // of each lane's first element, from base
  std::int64_t lanes;
};

// The parts of interleaved complex lines share their offsets and lie one element apart. All strides
// and offsets count reals.
template <class T>
struct Lines {
  Part<T> re, im;
  std::int64_t stride;  // between the elements of a line
};

// Real and imaginary parts change places on the way in or out.
struct Swap {
  bool in = false;
  bool out = false;
};

template <class T>
struct LaneKernels {
  std::int64_t width;
  // Element i of the lines becomes element positions[i] of the group, or i where positions is null.
  // Lanes without a line become zero.
  void (*load)(const Lines<const T>& lines, std::int64_t count, const std::int32_t* positions,
               T* group);
  // Element i * step of the group, times scale, becomes element i of the lines.
  void (*store)(const T* group, std::int64_t step, std::int64_t count, T scale,
                const Lines<T>& lines);
  // The transform itself, in place; input in the order of the plan's positions.
  void (*transform)(const Stage<T>* stages, std::int64_t stage_count, std::int64_t n, T* group);
  // to[positions[i]] = from[i] * factors[i], in all lanes; swapped on the way out where asked.
  void (*multiply)(const T* from, const T* factors, const std::int32_t* positions,
                   std::int64_t count, bool swap, T* to);
  // to[i] = swapped from[i] * factors[i]: the end of an inverse transform.
  void (*swap_multiply)(const T* from, const T* factors, std::int64_t count, T* to);
  // Element s*i + j of the group, j < s, is multiplied lane by lane by coarse[i] * fine[j].
  void (*twiddle)(const T* coarse, const T* fine, std::int64_t s, std::int64_t count, T* group);
  // The transpose between the two steps of a long transform: lane j of element i of source group g
  // becomes lane i - first of element positions[g * width + j], for first <= i < first + width.
  void (*regroup)(const T* groups, std::int64_t group_elements, std::int64_t first,
                  std::int64_t count, const std::int32_t* positions, T* to);

  // Real transforms, on groups. `half`: n = 2h reals are h complex numbers; elements 0..h of the
  // group hold twice the spectrum (h + 1 numbers); roots are w^k of order n.
  // The merged group is swapped, as its transform is a backward one, and in the order of positions.
  void (*split_half)(std::int64_t h, const T* roots, T* group);
  void (*merge_half)(std::int64_t h, const T* roots, const T* spectra,
                     const std::int32_t* positions, T* group);
  // `pair`: the real and the imaginary part are two real lines of odd length n. Twice the first
  // one's spectrum is in elements 0.., that of the second in elements n, n - 1, ...
  void (*split_pair)(std::int64_t n, T* group);
  void (*merge_pair)(std::int64_t n, const T* first, const T* second, const std::int32_t* positions,
                     T* group);

  // The same on one contiguous line of (re, im).
  void (*line_multiply)(const T* from, const T* factors, std::int64_t count, T scale, Swap swap,
                        T* to);
  void (*line_split_half)(std::int64_t h, const T* roots, T scale, T* line);
  void (*line_merge_half)(std::int64_t h, const T* roots, const T* spectrum, T* line);
};

struct FftKernels {
  LaneKernels<float> f32;
  LaneKernels<double> f64;

  template <class T>
  const LaneKernels<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return f32;
    } else {
      return f64;
    }
  }
};

}  // namespace mlx::core::cpu::fft
