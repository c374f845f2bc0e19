// The FFT loops of one instruction set: this file is compiled once for each.
#include "mlx/backends/cpu/lanes/fft_kernels.h"

#include "mlx/backends/cpu/lanes/fft_butterflies.h"
#include "mlx/backends/cpu/lanes/fft_memory.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

template <class T>
MLX_FFT_INLINE Complexes<T> conjugate(Complexes<T> a) {
  return {a.re, -a.im};
}

template <class T>
MLX_FFT_INLINE Complexes<T> swapped(Complexes<T> a) {
  return {a.im, a.re};
}

template <class T>
void multiply(const T* from, const T* factors, const std::int32_t* positions, std::int64_t count,
              bool swap, T* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    const Complexes<T> product = times(element(from, i), factors + 2 * i);
    set_element(to, position(positions, i), swap_if(swap, product));
  }
}

template <class T>
void swap_multiply(const T* from, const T* factors, std::int64_t count, T* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    set_element(to, i, times(swapped(element(from, i)), factors + 2 * i));
  }
}

template <class T>
void twiddle(const T* coarse, const T* fine, std::int64_t s, std::int64_t count, T* group) {
  for (std::int64_t j = 0; j < s && j < count; ++j) {  // coarse[0] is one
    set_element(group, j, element<T>(group, j) * element(fine, j));
  }
  for (std::int64_t i = s; i < count; i += s) {
    const Complexes<T> factor = element(coarse, i / s);
    const std::int64_t rows = count - i < s ? count - i : s;
    for (std::int64_t j = 0; j < rows; ++j) {
      set_element(group, i + j, element<T>(group, i + j) * (factor * element(fine, j)));
    }
  }
}

// With E and O the spectra of the even and the odd elements, z = E + iO, and the spectrum of the
// real line is E + w^k O; E and O are conjugate-symmetric.
template <class T>
MLX_FFT_INLINE void split_half_at(Complexes<T> z, Complexes<T> mirror, Complexes<T> root,
                                  Complexes<T>& low, Complexes<T>& high) {
  const Complexes<T> even = z + conjugate(mirror), difference = z - conjugate(mirror);
  const Complexes<T> odd = root * Complexes<T>{difference.im, -difference.re};
  low = even + odd;
  high = conjugate(even - odd);
}

template <class T>
MLX_FFT_INLINE void merge_half_at(Complexes<T> low, Complexes<T> high, Complexes<T> root,
                                  Complexes<T>& z, Complexes<T>& mirror) {
  const Complexes<T> even = low + conjugate(high);
  const Complexes<T> odd = conjugate(root) * (low - conjugate(high));
  z = plus_i(even, odd);
  mirror = plus_i(conjugate(even), conjugate(odd));
}

template <class T>
MLX_FFT_INLINE Complexes<T> broadcast(const T* w) {
  return {Vector<T>{} + w[0], Vector<T>{} + w[1]};
}

template <class T>
void split_half(std::int64_t h, const T* roots, T* group) {
  const Complexes<T> z = element<T>(group, 0);
  const Vector<T> first = z.re + z.im, last = z.re - z.im;
  set_element(group, 0, Complexes<T>{first + first, Vector<T>{}});
  set_element(group, h, Complexes<T>{last + last, Vector<T>{}});
  for (std::int64_t k = 1; k <= h - k; ++k) {
    Complexes<T> low, high;
    split_half_at(element<T>(group, k), element<T>(group, h - k), broadcast(roots + 2 * k), low,
                  high);
    set_element(group, h - k, high);
    set_element(group, k, low);
  }
}

template <class T>
void merge_half(std::int64_t h, const T* roots, const T* spectra, const std::int32_t* positions,
                T* group) {
  const Vector<T> first = element(spectra, 0).re, last = element(spectra, h).re;
  set_element(group, position(positions, 0), Complexes<T>{first - last, first + last});
  for (std::int64_t k = 1; k <= h - k; ++k) {
    Complexes<T> z, mirror;
    merge_half_at(element(spectra, k), element(spectra, h - k), broadcast(roots + 2 * k), z,
                  mirror);
    set_element(group, position(positions, h - k), swapped(mirror));
    set_element(group, position(positions, k), swapped(z));
  }
}

template <class T>
void split_pair(std::int64_t n, T* group) {
  const Complexes<T> z = element<T>(group, 0);
  set_element(group, 0, Complexes<T>{z.re + z.re, Vector<T>{}});
  set_element(group, n, Complexes<T>{z.im + z.im, Vector<T>{}});
  for (std::int64_t k = 1; k < n - k; ++k) {
    const Complexes<T> a = element<T>(group, k), b = conjugate(element<T>(group, n - k));
    const Complexes<T> difference = a - b;
    set_element(group, k, a + b);
    set_element(group, n - k, Complexes<T>{difference.im, -difference.re});
  }
}

template <class T>
void merge_pair(std::int64_t n, const T* first, const T* second, const std::int32_t* positions,
                T* group) {
  set_element(group, position(positions, 0),
              Complexes<T>{element(second, 0).re, element(first, 0).re});
  for (std::int64_t k = 1; k < n - k; ++k) {
    const Complexes<T> a = element(first, k), b = element(second, k);
    set_element(group, position(positions, k), swapped(plus_i(a, b)));
    set_element(group, position(positions, n - k), swapped(plus_i(conjugate(a), conjugate(b))));
  }
}

// --- contiguous lines ----------------------------------------------------------------------------

template <class T>
void line_multiply(const T* from, const T* factors, std::int64_t count, T scale, fft::Swap swap,
                   T* to) {
  constexpr int width = kLanes<T>;
  std::int64_t i = 0;
  for (; i + width <= count; i += width) {
    const Complexes<T> x = swap_if(swap.in, load_interleaved(from + 2 * i));
    const Complexes<T> y = x * load_interleaved(factors + 2 * i);
    store_interleaved(to + 2 * i, swap_if(swap.out, Complexes<T>{y.re * scale, y.im * scale}));
  }
  for (; i < count; ++i) {
    const T re = from[2 * i + swap.in], im = from[2 * i + !swap.in];
    const T* w = factors + 2 * i;
    to[2 * i + swap.out] = (re * w[0] - im * w[1]) * scale;
    to[2 * i + !swap.out] = (re * w[1] + im * w[0]) * scale;
  }
}

template <class T>
MLX_FFT_INLINE Complexes<T> load_reversed(const T* from) {
  const Complexes<T> c = load_interleaved(from);
  return {reversed<T>(c.re), reversed<T>(c.im)};
}

template <class T>
MLX_FFT_INLINE void store_reversed(T* to, Complexes<T> c) {
  store_interleaved(to, Complexes<T>{reversed<T>(c.re), reversed<T>(c.im)});
}

// Loads element k of a line into lane 0, for what is left when vectors of lanes no longer fit.
template <class T>
MLX_FFT_INLINE Complexes<T> single(const T* line, std::int64_t k) {
  Complexes<T> c = {};
  c.re[0] = line[2 * k];
  c.im[0] = line[2 * k + 1];
  return c;
}

template <class T>
MLX_FFT_INLINE void set_single(T* line, std::int64_t k, Complexes<T> c) {
  line[2 * k] = c.re[0];
  line[2 * k + 1] = c.im[0];
}

template <class T>
void line_split_half(std::int64_t h, const T* roots, T scale, T* line) {
  constexpr int width = kLanes<T>;
  const T re = line[0], im = line[1], half = scale / 2;
  std::int64_t k = 1;
  for (; 2 * k + 2 * width - 1 <= h; k += width) {  // elements k..k+width-1 and their mirrors
    const std::int64_t mirror = h - k - (width - 1);
    Complexes<T> low, high;
    split_half_at(load_interleaved<T>(line + 2 * k), load_reversed<T>(line + 2 * mirror),
                  load_interleaved(roots + 2 * k), low, high);
    store_interleaved(line + 2 * k, Complexes<T>{low.re * half, low.im * half});
    store_reversed(line + 2 * mirror, Complexes<T>{high.re * half, high.im * half});
  }
  for (; k <= h - k; ++k) {
    Complexes<T> low, high;
    split_half_at(single<T>(line, k), single<T>(line, h - k), single(roots, k), low, high);
    set_single(line, h - k, Complexes<T>{high.re * half, high.im * half});
    set_single(line, k, Complexes<T>{low.re * half, low.im * half});
  }
  line[0] = (re + im) * scale;
  line[1] = 0;
  line[2 * h] = (re - im) * scale;
  line[2 * h + 1] = 0;
}

template <class T>
void line_merge_half(std::int64_t h, const T* roots, const T* spectrum, T* line) {
  constexpr int width = kLanes<T>;
  const T first = spectrum[0], last = spectrum[2 * h];
  std::int64_t k = 1;
  for (; 2 * k + 2 * width - 1 <= h; k += width) {
    const std::int64_t at = h - k - (width - 1);
    Complexes<T> z, mirror;
    merge_half_at(load_interleaved(spectrum + 2 * k), load_reversed(spectrum + 2 * at),
                  load_interleaved(roots + 2 * k), z, mirror);
    store_interleaved(line + 2 * k, swapped(z));
    store_reversed(line + 2 * at, swapped(mirror));
  }
  for (; k <= h - k; ++k) {
    Complexes<T> z, mirror;
    merge_half_at(single(spectrum, k), single(spectrum, h - k), single(roots, k), z, mirror);
    set_single(line, h - k, swapped(mirror));
    set_single(line, k, swapped(z));
  }
  line[0] = first - last;
  line[1] = first + last;
}

template <class T>
constexpr fft::LaneKernels<T> lane_kernels = {
    .width = kLanes<T>,
    .load = load<T>,
    .store = store<T>,
    .transform = transform<T>,
    .multiply = multiply<T>,
    .swap_multiply = swap_multiply<T>,
    .twiddle = twiddle<T>,
    .regroup = regroup<T>,
    .split_half = split_half<T>,
    .merge_half = merge_half<T>,
    .split_pair = split_pair<T>,
    .merge_pair = merge_pair<T>,
    .line_multiply = line_multiply<T>,
    .line_split_half = line_split_half<T>,
    .line_merge_half = line_merge_half<T>,
};

constexpr fft::FftKernels kernels = {.f32 = lane_kernels<float>, .f64 = lane_kernels<double>};

}  // namespace

const fft::FftKernels& fft_kernels() { return kernels; }

}  // namespace mlx::core::cpu::MLX_ISA
