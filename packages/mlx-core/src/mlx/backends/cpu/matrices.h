// Stacks of matrices in memory: the last two axes of a tensor, and the batch axes before them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "mlx/array/array.h"

namespace mlx::core::cpu {

// Batch strides may be zero; all strides are in elements.
struct Matrices {
  const std::byte* data;
  std::int64_t rows, columns;
  std::int64_t row_stride, column_stride;
  Shape batch;
  Strides batch_strides;

  explicit Matrices(const Tensor& tensor)
      : data(tensor.data),
        rows(tensor.shape.end()[-2]),
        columns(tensor.shape.end()[-1]),
        row_stride(tensor.strides.end()[-2]),
        column_stride(tensor.strides.end()[-1]),
        batch(tensor.shape.begin(), tensor.shape.end() - 2),
        batch_strides(tensor.strides.begin(), tensor.strides.end() - 2) {}

  std::int64_t count() const { return element_count(batch); }
  std::int64_t offset_of(std::int64_t index) const {
    std::int64_t offset = 0;
    for (std::size_t axis = batch.size(); axis-- > 0;) {
      offset += index % batch[axis] * batch_strides[axis];
      index /= batch[axis];
    }
    return offset;
  }
  template <class T>
  const T* at(std::int64_t index) const {
    return reinterpret_cast<const T*>(data) + offset_of(index);
  }
};

// target[i * target_row + j * target_column] = source[...], in blocks that stay in the cache when
// rows become columns.
template <class T>
void copy_matrix(std::int64_t rows, std::int64_t columns, const T* source, std::int64_t source_row,
                 std::int64_t source_column, T* target, std::int64_t target_row,
                 std::int64_t target_column) {
  constexpr std::int64_t block = 32;
  if (target_column > target_row) {  // the inner loop walks along the target
    return copy_matrix(columns, rows, source, source_column, source_row, target, target_column,
                       target_row);
  }
  for (std::int64_t i0 = 0; i0 < rows; i0 += block) {
    for (std::int64_t j0 = 0; j0 < columns; j0 += block) {
      std::int64_t i1 = std::min(i0 + block, rows), j1 = std::min(j0 + block, columns);
      for (std::int64_t i = i0; i < i1; ++i) {
        for (std::int64_t j = j0; j < j1; ++j) {
          target[i * target_row + j * target_column] = source[i * source_row + j * source_column];
        }
      }
    }
  }
}

// One matrix of a stack, gathered without gaps.
template <class T>
void copy_rows(const Matrices& m, std::int64_t index, T* row_major) {
  copy_matrix(m.rows, m.columns, m.at<T>(index), m.row_stride, m.column_stride, row_major,
              m.columns, std::int64_t{1});
}
template <class T>
void copy_columns(const Matrices& m, std::int64_t index, T* column_major) {
  copy_matrix(m.rows, m.columns, m.at<T>(index), m.row_stride, m.column_stride, column_major,
              std::int64_t{1}, m.rows);
}
// Row-major from column-major.
template <class T>
void from_columns(std::int64_t rows, std::int64_t columns, const T* column_major, T* row_major) {
  copy_matrix(rows, columns, column_major, std::int64_t{1}, rows, row_major, columns,
              std::int64_t{1});
}

}  // namespace mlx::core::cpu
