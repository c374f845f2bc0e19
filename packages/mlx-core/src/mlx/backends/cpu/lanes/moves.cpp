// Strided copies of rectangles, and ramps: how registers are filled and emptied.
#include <cstring>
#include <utility>

#include "mlx/backends/cpu/lanes/elements.h"
#include "mlx/backends/cpu/lanes/parts.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr std::int64_t absolute(std::int64_t x) { return x < 0 ? -x : x; }

template <class T>
void fill_row(T* target, T value, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) target[i] = value;
}

// A square of elements, one vector a side, is turned by interleaving its vectors again and again.
template <class T>
struct Square {
  static constexpr int side = 16 / static_cast<int>(sizeof(T));
  typedef T Line __attribute__((vector_size(16)));

  template <int half, std::size_t... i>
  MLX_LANE static Line interleave(Line a, Line b, std::index_sequence<i...>) {
    return __builtin_shufflevector(a, b, (half * side / 2 + i / 2 + (i % 2) * side)...);
  }

  MLX_LANE static void turn(T* target, std::int64_t target_pitch, const T* source,
                            std::int64_t source_pitch) {
    Line lines[side];
    for (int k = 0; k < side; ++k) {
      std::memcpy(&lines[k], source + k * source_pitch, sizeof(Line));
    }
    for (int done = 1; done < side; done *= 2) {
      Line next[side];
      for (int k = 0; k < side / 2; ++k) {
        constexpr auto all = std::make_index_sequence<side>();
        next[2 * k] = interleave<0>(lines[k], lines[k + side / 2], all);
        next[2 * k + 1] = interleave<1>(lines[k], lines[k + side / 2], all);
      }
      for (int k = 0; k < side; ++k) lines[k] = next[k];
    }
    for (int k = 0; k < side; ++k) {
      std::memcpy(target + k * target_pitch, &lines[k], sizeof(Line));
    }
  }
};

// The source's columns are its runs in memory: from each, two cache lines are taken at once, so
// that every line is fetched once. Returns how many rows and columns have been moved.
template <class T>
Rectangle move_squares(T* target, Pitch to, const T* source, Pitch from, Rectangle size) {
  constexpr std::int64_t side = Square<T>::side, run = 128 / sizeof(T);
  const Rectangle moved = {size.rows / side * side, size.columns / side * side};
  for (std::int64_t first = 0; first < moved.rows; first += run) {
    const std::int64_t last = first + run < moved.rows ? first + run : moved.rows;
    for (std::int64_t c = 0; c < moved.columns; c += side) {
      for (std::int64_t r = first; r < last; r += side) {
        Square<T>::turn(target + r * to.row + c, to.row, source + r + c * from.column, from.column);
      }
    }
  }
  return moved;
}

template <class T>
void move_transposed(T* target, Pitch to, const T* source, Pitch from, Rectangle size) {
  Rectangle moved = {0, 0};
  if constexpr (sizeof(T) < 16) {
    if (to.column == 1 && from.row == 1) moved = move_squares(target, to, source, from, size);
  }
  for (std::int64_t c = 0; c < size.columns; ++c) {
    for (std::int64_t r = c < moved.columns ? moved.rows : 0; r < size.rows; ++r) {
      target[r * to.row + c * to.column] = source[r * from.row + c * from.column];
    }
  }
}

template <class T>
void move_rows(T* target, Pitch to, const T* source, Pitch from, Rectangle size) {
  for (std::int64_t r = 0; r < size.rows; ++r) {
    T* out = target + r * to.row;
    const T* in = source + r * from.row;
    if (to.column == 1 && from.column == 1) {
      std::memcpy(out, in, static_cast<std::size_t>(size.columns) * sizeof(T));
    } else if (to.column == 1 && from.column == 0) {
      fill_row(out, *in, size.columns);
    } else if (to.column == 1) {
      for (std::int64_t c = 0; c < size.columns; ++c) out[c] = in[c * from.column];
    } else {
      for (std::int64_t c = 0; c < size.columns; ++c) out[c * to.column] = in[c * from.column];
    }
  }
}

template <class T>
void move_loop(void* target, Pitch to, const void* source, Pitch from, Rectangle size) {
  auto* out = static_cast<T*>(target);
  const auto* in = static_cast<const T*>(source);
  // Rows are what the target has in one piece.
  if (size.columns == 1 || (size.rows > 1 && absolute(to.row) < absolute(to.column))) {
    to = {to.column, to.row};
    from = {from.column, from.row};
    size = {size.columns, size.rows};
  }
  constexpr std::int64_t narrow = 16;
  bool is_transposed = from.row != 0 && absolute(from.row) < absolute(from.column);
  if (size.rows > 1 && (is_transposed || size.columns < narrow)) {
    move_transposed(out, to, in, from, size);
  } else {
    move_rows(out, to, in, from, size);
  }
}

template <class T>
void ramp_loop(void* target, const Ramp& ramp, std::int64_t first, std::int64_t stride,
               std::int64_t count) {
  auto* y = static_cast<T*>(target);
  if constexpr (std::is_floating_point_v<T> || is_half<T>) {
    for (std::int64_t i = 0; i < count; ++i) {
      y[i] = T(ramp.start + ramp.step * static_cast<double>(first + i * stride));
    }
  } else if constexpr (std::is_integral_v<T>) {
    // Unsigned, because it may wrap.
    const auto start = static_cast<std::uint64_t>(ramp.int_start);
    const auto step = static_cast<std::uint64_t>(ramp.int_step);
    for (std::int64_t i = 0; i < count; ++i) {
      y[i] = static_cast<T>(start + step * static_cast<std::uint64_t>(first + i * stride));
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      const double value = ramp.start + ramp.step * static_cast<double>(first + i * stride);
      y[i] = T{static_cast<decltype(T::re)>(value), 0};
    }
  }
}

template <int d = 0>
void install_ramps(Lanes& lanes) {
  if constexpr (d < dtype_count) {
    lanes.ramps[d] = ramp_loop<type_of<static_cast<Dtype>(d)>>;
    install_ramps<d + 1>(lanes);
  }
}

}  // namespace

void install_moves(Lanes& lanes) {
  lanes.moves[0] = move_loop<std::uint8_t>;
  lanes.moves[1] = move_loop<std::uint16_t>;
  lanes.moves[2] = move_loop<std::uint32_t>;
  lanes.moves[3] = move_loop<std::uint64_t>;
  lanes.moves[4] = move_loop<complex128>;
  install_ramps(lanes);
}

}  // namespace mlx::core::cpu::MLX_ISA
