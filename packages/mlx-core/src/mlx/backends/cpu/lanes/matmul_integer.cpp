// Integer matrix products of one instruction set: this file is compiled once for each.
#include "mlx/backends/cpu/matmul_integer.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "mlx/backends/cpu/lanes/vector.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr int tile_rows = 4;
constexpr int tile_vectors = 2;
// Depth of a packed strip of b: it stays in the second-level cache.
constexpr std::int64_t strip_depth = 512;

// Small integers are multiplied in 16 bits: there is no vector product of bytes, and the low byte
// of a sum of products does not depend on the rest.
template <class T>
using Wide = std::conditional_t<sizeof(T) == 1, std::uint16_t, T>;
template <class T>
constexpr std::int64_t tile_columns =
    tile_vectors * vector_bytes / static_cast<int>(sizeof(Wide<T>));

template <class T>
void pack(const T* b, std::int64_t row_stride, std::int64_t column_stride, std::int64_t depth,
          std::int64_t columns, Wide<T>* strip) {
  for (std::int64_t p = 0; p < depth; ++p) {
    for (std::int64_t j = 0; j < columns; ++j) strip[j] = b[p * row_stride + j * column_stride];
    for (std::int64_t j = columns; j < tile_columns<T>; ++j) strip[j] = 0;
    strip += tile_columns<T>;
  }
}

// c[0..Rows) += a strip, for the columns that exist.
template <int Rows, class T>
void multiply_tile(const T* a, std::int64_t row_stride, std::int64_t column_stride,
                   const Wide<T>* strip, std::int64_t depth, bool accumulate, T* c,
                   std::int64_t leading, std::int64_t columns) {
  using V = Vector<Wide<T>>;
  V sums[Rows][tile_vectors] = {};
  const V* b = reinterpret_cast<const V*>(strip);
  for (std::int64_t p = 0; p < depth; ++p) {
    for (int i = 0; i < Rows; ++i) {
      Wide<T> factor = a[i * row_stride + p * column_stride];
      for (int v = 0; v < tile_vectors; ++v) sums[i][v] += b[p * tile_vectors + v] * factor;
    }
  }
  for (int i = 0; i < Rows; ++i) {
    const auto* row = reinterpret_cast<const Wide<T>*>(sums[i]);
    T* target = c + i * leading;
    for (std::int64_t j = 0; j < columns; ++j) {
      auto before = accumulate ? target[j] : T(0);
      target[j] = static_cast<T>(before + row[j]);
    }
  }
}

template <class T>
void multiply(const IntegerMatrix& left, const IntegerMatrix& right, std::byte* result,
              std::int64_t leading, std::int64_t m, std::int64_t n, std::int64_t k) {
  auto* a = reinterpret_cast<const T*>(left.data);
  auto* b = reinterpret_cast<const T*>(right.data);
  auto* c = reinterpret_cast<T*>(result);
  constexpr std::size_t strip_bytes = strip_depth * tile_vectors * vector_bytes;
  alignas(64) static thread_local std::array<std::byte, strip_bytes> memory;
  auto* strip = reinterpret_cast<Wide<T>*>(memory.data());
  for (std::int64_t j = 0; j < n; j += tile_columns<T>) {
    std::int64_t columns = std::min(n - j, tile_columns<T>);
    for (std::int64_t p = 0; p < k; p += strip_depth) {
      std::int64_t depth = std::min(k - p, strip_depth);
      pack(b + p * right.row_stride + j * right.column_stride, right.row_stride,
           right.column_stride, depth, columns, strip);
      const T* from = a + p * left.column_stride;
      std::int64_t i = 0;
      for (; i + tile_rows <= m; i += tile_rows) {
        multiply_tile<tile_rows>(from + i * left.row_stride, left.row_stride, left.column_stride,
                                 strip, depth, p > 0, c + i * leading + j, leading, columns);
      }
      for (; i < m; ++i) {
        multiply_tile<1>(from + i * left.row_stride, left.row_stride, left.column_stride, strip,
                         depth, p > 0, c + i * leading + j, leading, columns);
      }
    }
  }
}

constexpr IntegerProducts products = {.bits8 = multiply<std::uint8_t>,
                                      .bits16 = multiply<std::uint16_t>,
                                      .bits32 = multiply<std::uint32_t>,
                                      .bits64 = multiply<std::uint64_t>};

}  // namespace

const IntegerProducts& integer_products() { return products; }

}  // namespace mlx::core::cpu::MLX_ISA
