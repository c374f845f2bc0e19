// Strided copies of rectangles, and ramps: how registers are filled and emptied.
#include <cstring>

#include "mlx/backends/cpu/lanes/elements.h"
#include "mlx/backends/cpu/lanes/parts.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr std::int64_t absolute(std::int64_t x) { return x < 0 ? -x : x; }

template <class T>
void fill_row(T* target, T value, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) target[i] = value;
}

// Columns of the source are its runs in memory. They are fetched whole into a small block, which is
// then turned in the first-level cache.
template <class T>
void move_transposed(T* target, Pitch to, const T* source, Pitch from, Rectangle size) {
  constexpr std::int64_t block_rows = 128 / sizeof(T), block_columns = 64;
  T block[block_columns * block_rows];
  for (std::int64_t r0 = 0; r0 < size.rows; r0 += block_rows) {
    const std::int64_t rows = r0 + block_rows < size.rows ? block_rows : size.rows - r0;
    for (std::int64_t c0 = 0; c0 < size.columns; c0 += block_columns) {
      const std::int64_t columns =
          c0 + block_columns < size.columns ? block_columns : size.columns - c0;
      const T* in = source + r0 * from.row + c0 * from.column;
      T* out = target + r0 * to.row + c0 * to.column;
      for (std::int64_t c = 0; c < columns; ++c) {
        T* run = block + c * block_rows;
        if (from.row == 1) {
          std::memcpy(run, in + c * from.column, static_cast<std::size_t>(rows) * sizeof(T));
        } else {
          for (std::int64_t r = 0; r < rows; ++r) run[r] = in[c * from.column + r * from.row];
        }
      }
      for (std::int64_t c = 0; c < columns; ++c) {
        for (std::int64_t r = 0; r < rows; ++r) {
          out[r * to.row + c * to.column] = block[c * block_rows + r];
        }
      }
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
