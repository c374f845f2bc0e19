// The butterflies of an FFT on groups of lines, and the passes made of them.
#pragma once

#include "mlx/backends/cpu/fft_kernels.h"
#include "mlx/backends/cpu/lanes/fft_vector.h"

namespace mlx::core::cpu::MLX_ISA {

template <class T>
MLX_FFT_INLINE Complexes<T> operator+(Complexes<T> a, Complexes<T> b) {
  return {a.re + b.re, a.im + b.im};
}

template <class T>
MLX_FFT_INLINE Complexes<T> operator-(Complexes<T> a, Complexes<T> b) {
  return {a.re - b.re, a.im - b.im};
}

template <class T>
MLX_FFT_INLINE Complexes<T> operator*(Complexes<T> a, Complexes<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// a - i*b and a + i*b
template <class T>
MLX_FFT_INLINE Complexes<T> minus_i(Complexes<T> a, Complexes<T> b) {
  return {a.re + b.im, a.im - b.re};
}
template <class T>
MLX_FFT_INLINE Complexes<T> plus_i(Complexes<T> a, Complexes<T> b) {
  return {a.re - b.im, a.im + b.re};
}

// times the same number (re, im) in all lanes
template <class T>
MLX_FFT_INLINE Complexes<T> times(Complexes<T> a, const T* w) {
  return {a.re * w[0] - a.im * w[1], a.re * w[1] + a.im * w[0]};
}

// Groups are allocated on vector boundaries.
template <class T>
MLX_FFT_INLINE Complexes<T> element(const T* group, std::int64_t i) {
  const T* at = group + i * 2 * kLanes<T>;
  return {*reinterpret_cast<const Vector<T>*>(at),
          *reinterpret_cast<const Vector<T>*>(at + kLanes<T>)};
}

template <class T>
MLX_FFT_INLINE void set_element(T* group, std::int64_t i, Complexes<T> c) {
  T* at = group + i * 2 * kLanes<T>;
  *reinterpret_cast<Vector<T>*>(at) = c.re;
  *reinterpret_cast<Vector<T>*>(at + kLanes<T>) = c.im;
}

// x becomes its transform of length R.
template <int R>
struct Butterfly {  // odd: the terms j and R - j share the cosines, and differ in the sines' sign
  template <class T>
  MLX_FFT_INLINE static void apply(Complexes<T>* x, const T* roots) {
    constexpr int half = R / 2;
    Complexes<T> sum[half], difference[half];
    const Complexes<T> x0 = x[0];
    Complexes<T> total = x0;
    unrolled<half>([&](auto i) [[gnu::always_inline]] {
      sum[i] = x[i + 1] + x[R - 1 - i];
      difference[i] = x[i + 1] - x[R - 1 - i];
      total = total + sum[i];
    });
    x[0] = total;
    unrolled<half>([&](auto k) [[gnu::always_inline]] {
      Complexes<T> even = x0, odd = {};
      unrolled<half>([&](auto j) [[gnu::always_inline]] {
        constexpr int at = (k + 1) * (j + 1) % R;
        // Only the roots of one half circle are used: fewer constants to keep in registers.
        constexpr int near = at <= half ? at : R - at;
        const T cosine = roots[2 * near], sine = roots[2 * near + 1];
        even = {even.re + sum[j].re * cosine, even.im + sum[j].im * cosine};
        if constexpr (at <= half) {
          odd = {odd.re + difference[j].re * sine, odd.im + difference[j].im * sine};
        } else {
          odd = {odd.re - difference[j].re * sine, odd.im - difference[j].im * sine};
        }
      });
      x[k + 1] = minus_i(even, odd);
      x[R - 1 - k] = plus_i(even, odd);
    });
  }
};

template <>
struct Butterfly<2> {
  template <class T>
  MLX_FFT_INLINE static void apply(Complexes<T>* x, const T*) {
    const Complexes<T> a = x[0], b = x[1];
    x[0] = a + b;
    x[1] = a - b;
  }
};

template <>
struct Butterfly<4> {
  template <class T>
  MLX_FFT_INLINE static void apply(Complexes<T>* x, const T*) {
    const Complexes<T> a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = x[1] - x[3];
    x[0] = a + c;
    x[1] = minus_i(b, d);
    x[2] = a - c;
    x[3] = plus_i(b, d);
  }
};

template <>
struct Butterfly<8> {
  template <class T>
  MLX_FFT_INLINE static void apply(Complexes<T>* x, const T* roots) {
    Complexes<T> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    Butterfly<4>::apply(even, roots);
    Butterfly<4>::apply(odd, roots);
    const T c = roots[2];  // cos(pi/4)
    const Complexes<T> a = {odd[1].re + odd[1].im, odd[1].im - odd[1].re};
    const Complexes<T> b = {odd[3].im - odd[3].re, odd[3].im + odd[3].re};
    x[0] = even[0] + odd[0];
    x[4] = even[0] - odd[0];
    x[1] = {even[1].re + c * a.re, even[1].im + c * a.im};
    x[5] = {even[1].re - c * a.re, even[1].im - c * a.im};
    x[2] = minus_i(even[2], odd[2]);
    x[6] = plus_i(even[2], odd[2]);
    x[3] = {even[3].re + c * b.re, even[3].im - c * b.im};
    x[7] = {even[3].re - c * b.re, even[3].im + c * b.im};
  }
};

// All butterflies of one stage.
template <int R, class T>
void pass(const fft::Stage<T>& stage, std::int64_t n, T* group) {
  const std::int64_t span = stage.span;
  for (std::int64_t block = 0; block < n; block += R * span) {
    T* at = group + block * 2 * kLanes<T>;
    const T* twiddles = stage.twiddles;
    for (std::int64_t j = 0; j < span; ++j) {
      Complexes<T> x[R];
      x[0] = element(at, j);
      unrolled<R - 1>([&](auto q) [[gnu::always_inline]] {
        x[q + 1] = times(element(at, j + span * (q + 1)), twiddles + 2 * q);
      });
      Butterfly<R>::apply(x, stage.roots);
      unrolled<R>([&](auto q) [[gnu::always_inline]] { set_element(at, j + span * q, x[q]); });
      twiddles += 2 * (R - 1);
    }
  }
}

// The first stage has no twiddles.
template <int R, class T>
void first_pass(const fft::Stage<T>& stage, std::int64_t n, T* group) {
  for (std::int64_t block = 0; block < n; block += R) {
    Complexes<T> x[R];
    unrolled<R>([&](auto q) [[gnu::always_inline]] { x[q] = element(group, block + q); });
    Butterfly<R>::apply(x, stage.roots);
    unrolled<R>([&](auto q) [[gnu::always_inline]] { set_element(group, block + q, x[q]); });
  }
}

// Any odd radix; same mathematics as Butterfly<odd>.
template <class T>
void odd_butterfly(std::int64_t radix, Complexes<T>* x, const T* roots) {
  const std::int64_t half = radix / 2;
  Complexes<T> sum[fft::kLargestRadix / 2], difference[fft::kLargestRadix / 2];
  const Complexes<T> x0 = x[0];
  Complexes<T> total = x0;
  for (std::int64_t j = 0; j < half; ++j) {
    sum[j] = x[j + 1] + x[radix - 1 - j];
    difference[j] = x[j + 1] - x[radix - 1 - j];
    total = total + sum[j];
  }
  x[0] = total;
  for (std::int64_t k = 1; k <= half; ++k) {
    Complexes<T> even = x0, odd = {};
    std::int64_t at = 0;
    for (std::int64_t j = 0; j < half; ++j) {
      at += k;
      at -= at >= radix ? radix : 0;
      const T cosine = roots[2 * at], sine = roots[2 * at + 1];
      even = {even.re + sum[j].re * cosine, even.im + sum[j].im * cosine};
      odd = {odd.re + difference[j].re * sine, odd.im + difference[j].im * sine};
    }
    x[k] = minus_i(even, odd);
    x[radix - k] = plus_i(even, odd);
  }
}

template <class T>
void odd_pass(const fft::Stage<T>& stage, std::int64_t n, T* group) {
  const std::int64_t radix = stage.radix, span = stage.span;
  Complexes<T> x[fft::kLargestRadix];
  for (std::int64_t block = 0; block < n; block += radix * span) {
    T* at = group + block * 2 * kLanes<T>;
    const T* twiddles = stage.twiddles;
    for (std::int64_t j = 0; j < span; ++j, twiddles += 2 * (radix - 1)) {
      x[0] = element(at, j);
      for (std::int64_t q = 1; q < radix; ++q) {
        x[q] = times(element(at, j + span * q), twiddles + 2 * (q - 1));
      }
      odd_butterfly(radix, x, stage.roots);
      for (std::int64_t q = 0; q < radix; ++q) set_element(at, j + span * q, x[q]);
    }
  }
}

template <int R, class T>
void pass_of(const fft::Stage<T>& stage, std::int64_t n, T* group) {
  if (stage.span == 1) {
    first_pass<R>(stage, n, group);
  } else {
    pass<R>(stage, n, group);
  }
}

template <class T>
void transform(const fft::Stage<T>* stages, std::int64_t stage_count, std::int64_t n, T* group) {
  for (std::int64_t s = 0; s < stage_count; ++s) {
    const fft::Stage<T>& stage = stages[s];
    switch (stage.radix) {
      case 2:
        pass_of<2>(stage, n, group);
        break;
      case 3:
        pass_of<3>(stage, n, group);
        break;
      case 4:
        pass_of<4>(stage, n, group);
        break;
      case 5:
        pass_of<5>(stage, n, group);
        break;
      case 7:
        pass_of<7>(stage, n, group);
        break;
      case 8:
        pass_of<8>(stage, n, group);
        break;
      case 11:
        pass_of<11>(stage, n, group);
        break;
      case 13:
        pass_of<13>(stage, n, group);
        break;
      default:
        odd_pass(stage, n, group);
    }
  }
}

}  // namespace mlx::core::cpu::MLX_ISA
