// How lines of an array get into groups of lanes and back.
#pragma once

#include "mlx/backends/cpu/lanes/fft_butterflies.h"

namespace mlx::core::cpu::MLX_ISA {

MLX_FFT_INLINE std::int64_t position(const std::int32_t* positions, std::int64_t i) {
  return positions ? positions[i] : i;
}

// The distance between neighbouring lanes, or 0 where it varies.
template <class T>
std::int64_t lane_step(const fft::Part<T>& part) {
  if (part.lanes < 2) return 0;
  const std::int64_t step = part.offsets[1] - part.offsets[0];
  for (std::int64_t l = 2; l < part.lanes; ++l) {
    if (part.offsets[l] - part.offsets[l - 1] != step) return 0;
  }
  return step;
}

// Interleaved complex lines, in either order of the parts.
template <class T>
bool interleaved(const fft::Lines<T>& lines) {
  const T* lower = lines.re.base < lines.im.base ? lines.re.base : lines.im.base;
  const T* upper = lines.re.base < lines.im.base ? lines.im.base : lines.re.base;
  return upper - lower == 1 && lines.re.offsets == lines.im.offsets &&
         lines.re.lanes == lines.im.lanes;
}

template <class T>
MLX_FFT_INLINE Complexes<T> swap_if(bool swap, Complexes<T> c) {
  return swap ? Complexes<T>{c.im, c.re} : c;
}

// Of `count` elements of contiguous lines, those that are best moved in transposed squares: all, or
// the whole squares if not much is left, since part of a square costs as much as a whole one.
template <class T>
std::int64_t in_squares(std::int64_t count) {
  const std::int64_t rest = count % kLanes<T>;
  return 4 * rest >= 3 * kLanes<T> ? count : count - rest;
}

// --- loads ---------------------------------------------------------------------------------------

// Neighbouring lines: an element of all lanes is contiguous.
template <class T>
void load_adjacent(const T* from, std::int64_t stride, std::int64_t lanes, bool swap,
                   std::int64_t count, const std::int32_t* positions, T* group) {
  if (lanes == kLanes<T>) {
    for (std::int64_t i = 0; i < count; ++i) {
      set_element(group, position(positions, i),
                  swap_if(swap, load_interleaved(from + i * stride)));
    }
    return;
  }
  T buffer[2 * kLanes<T>] = {};
  for (std::int64_t i = 0; i < count; ++i) {
    copy(from + i * stride, 2 * lanes, buffer);
    set_element(group, position(positions, i), swap_if(swap, load_interleaved(buffer)));
  }
}

// Contiguous lines: squares of elements times lanes are transposed.
template <class T>
void load_contiguous(const T* from, const std::int64_t* offsets, std::int64_t lanes, bool swap,
                     std::int64_t count, const std::int32_t* positions, T* group) {
  constexpr int width = kLanes<T>;
  T buffer[2 * width] = {};
  for (std::int64_t i = 0; i < count; i += width) {
    const std::int64_t tile = count - i < width ? count - i : width;
    Vector<T> re[width], im[width];
    for (int l = 0; l < width; ++l) re[l] = im[l] = Vector<T>{};
    for (std::int64_t l = 0; l < lanes; ++l) {
      const T* at = from + offsets[l] + 2 * i;
      if (tile < width) {
        copy(at, 2 * tile, buffer);
        at = buffer;
      }
      const Complexes<T> c = swap_if(swap, load_interleaved(at));
      re[l] = c.re;
      im[l] = c.im;
    }
    transpose<T>(re);
    transpose<T>(im);
    for (std::int64_t j = 0; j < tile; ++j) {
      set_element(group, position(positions, i + j), Complexes<T>{re[j], im[j]});
    }
  }
}

// One part of lines that are laid out in any other way; `to` is the group, or its imaginary parts.
template <class T>
void load_part(const fft::Part<const T>& part, std::int64_t stride, std::int64_t first,
               std::int64_t count, const std::int32_t* positions, T* to) {
  constexpr int width = kLanes<T>;
  const bool is_adjacent = part.lanes == width && lane_step(part) == 1;
  for (std::int64_t i = first; i < count; ++i) {
    T* element = to + position(positions, i) * 2 * width;
    const T* from = part.base + i * stride;
    if (is_adjacent) {
      store_vector(element, load_vector(from + part.offsets[0]));
      continue;
    }
    for (std::int64_t l = 0; l < part.lanes; ++l) element[l] = from[part.offsets[l]];
    for (std::int64_t l = part.lanes; l < width; ++l) element[l] = 0;
  }
}

// One part of contiguous real lines.
template <class T>
void load_part_contiguous(const fft::Part<const T>& part, std::int64_t count,
                          const std::int32_t* positions, T* to) {
  constexpr int width = kLanes<T>;
  T buffer[width] = {};
  for (std::int64_t i = 0; i < count; i += width) {
    const std::int64_t tile = count - i < width ? count - i : width;
    Vector<T> rows[width];
    for (int l = 0; l < width; ++l) rows[l] = Vector<T>{};
    for (std::int64_t l = 0; l < part.lanes; ++l) {
      const T* at = part.base + part.offsets[l] + i;
      if (tile < width) {
        copy(at, tile, buffer);
        at = buffer;
      }
      rows[l] = load_vector(at);
    }
    transpose<T>(rows);
    for (std::int64_t j = 0; j < tile; ++j) {
      store_vector(to + position(positions, i + j) * 2 * width, rows[j]);
    }
  }
}

template <class T>
void load(const fft::Lines<const T>& lines, std::int64_t count, const std::int32_t* positions,
          T* group) {
  const fft::Part<const T>&re = lines.re, &im = lines.im;
  const bool swap = im.base < re.base, is_complex = interleaved(lines);
  const T* from = swap ? im.base : re.base;
  if (is_complex && lane_step(re) == 2) {
    return load_adjacent(from + re.offsets[0], lines.stride, re.lanes, swap, count, positions,
                         group);
  }
  std::int64_t first = 0;
  if (is_complex && lines.stride == 2 && re.lanes > 1) {
    first = in_squares<T>(count);
    load_contiguous(from, re.offsets, re.lanes, swap, first, positions, group);
  } else if (lines.stride == 1 && re.lanes > 1) {
    first = in_squares<T>(count);
    load_part_contiguous(re, first, positions, group);
    load_part_contiguous(im, first, positions, group + kLanes<T>);
  }
  load_part(re, lines.stride, first, count, positions, group);
  load_part(im, lines.stride, first, count, positions, group + kLanes<T>);
}

// --- stores --------------------------------------------------------------------------------------

template <class T>
void store_adjacent(const T* group, std::int64_t step, std::int64_t count, T scale, bool swap,
                    std::int64_t stride, std::int64_t lanes, T* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    const Complexes<T> x = swap_if(swap, element(group, i * step));
    const Complexes<T> scaled = {x.re * scale, x.im * scale};
    if (lanes == kLanes<T>) {
      store_interleaved(to + i * stride, scaled);
    } else {
      T buffer[2 * kLanes<T>];
      store_interleaved(buffer, scaled);
      copy(buffer, 2 * lanes, to + i * stride);
    }
  }
}

template <class T>
void store_contiguous(const T* group, std::int64_t step, std::int64_t count, T scale, bool swap,
                      const std::int64_t* offsets, std::int64_t lanes, T* to) {
  constexpr int width = kLanes<T>;
  for (std::int64_t i = 0; i < count; i += width) {
    const std::int64_t tile = count - i < width ? count - i : width;
    Vector<T> re[width], im[width];
    for (std::int64_t j = 0; j < width; ++j) {
      const Complexes<T> x = element(group, (i + (j < tile ? j : 0)) * step);
      re[j] = x.re * scale;
      im[j] = x.im * scale;
    }
    transpose<T>(re);
    transpose<T>(im);
    for (std::int64_t l = 0; l < lanes; ++l) {
      T* at = to + offsets[l] + 2 * i;
      const Complexes<T> line = swap_if(swap, Complexes<T>{re[l], im[l]});
      if (tile == width) {
        store_interleaved(at, line);
      } else {
        T buffer[2 * width];
        store_interleaved(buffer, line);
        copy(buffer, 2 * tile, at);
      }
    }
  }
}

template <class T>
void store_part(const T* group, std::int64_t step, std::int64_t first, std::int64_t count, T scale,
                std::int64_t stride, const fft::Part<T>& part) {
  constexpr int width = kLanes<T>;
  const bool is_adjacent = part.lanes == width && lane_step(part) == 1;
  for (std::int64_t i = first; i < count; ++i) {
    const T* element = group + i * step * 2 * width;
    T* to = part.base + i * stride;
    if (is_adjacent) {
      store_vector(to + part.offsets[0], load_vector(element) * scale);
      continue;
    }
    for (std::int64_t l = 0; l < part.lanes; ++l) to[part.offsets[l]] = element[l] * scale;
  }
}

template <class T>
void store_part_contiguous(const T* from, std::int64_t step, std::int64_t count, T scale,
                           const fft::Part<T>& part) {
  constexpr int width = kLanes<T>;
  for (std::int64_t i = 0; i < count; i += width) {
    const std::int64_t tile = count - i < width ? count - i : width;
    Vector<T> rows[width];
    for (std::int64_t j = 0; j < width; ++j) {
      rows[j] = load_vector(from + (i + (j < tile ? j : 0)) * step * 2 * width) * scale;
    }
    transpose<T>(rows);
    for (std::int64_t l = 0; l < part.lanes; ++l) {
      T* at = part.base + part.offsets[l] + i;
      if (tile == width) {
        store_vector(at, rows[l]);
      } else {
        T buffer[width];
        store_vector(buffer, rows[l]);
        copy(buffer, tile, at);
      }
    }
  }
}

template <class T>
void store(const T* group, std::int64_t step, std::int64_t count, T scale,
           const fft::Lines<T>& lines) {
  const fft::Part<T>&re = lines.re, &im = lines.im;
  const bool swap = im.base < re.base, is_complex = interleaved(lines);
  T* to = swap ? im.base : re.base;
  if (is_complex && lane_step(re) == 2) {
    return store_adjacent(group, step, count, scale, swap, lines.stride, re.lanes,
                          to + re.offsets[0]);
  }
  std::int64_t first = 0;
  if (is_complex && lines.stride == 2 && re.lanes > 1) {
    first = in_squares<T>(count);
    store_contiguous(group, step, first, scale, swap, re.offsets, re.lanes, to);
  } else if (lines.stride == 1 && re.lanes > 1) {
    first = in_squares<T>(count);
    store_part_contiguous(group, step, first, scale, re);
    store_part_contiguous(group + kLanes<T>, step, first, scale, im);
  }
  store_part(group, step, first, count, scale, lines.stride, re);
  store_part(group + kLanes<T>, step, first, count, scale, lines.stride, im);
}

// --- between the two steps of a long transform --------------------------------------------------

template <class T>
void regroup(const T* groups, std::int64_t group_elements, std::int64_t first, std::int64_t count,
             const std::int32_t* positions, T* to) {
  constexpr int width = kLanes<T>;
  for (std::int64_t i = 0; i < count; i += width) {
    const T* from = groups + i / width * group_elements * 2 * width;
    Vector<T> re[width], im[width];
    unrolled<width>([&](auto j) [[gnu::always_inline]] {
      const Complexes<T> x = element(from, first + j);
      re[j] = x.re;
      im[j] = x.im;
    });
    transpose<T>(re);
    transpose<T>(im);
    const std::int64_t tile = count - i < width ? count - i : width;
    for (std::int64_t j = 0; j < tile; ++j) {
      set_element(to, positions[i + j], Complexes<T>{re[j], im[j]});
    }
  }
}

}  // namespace mlx::core::cpu::MLX_ISA
