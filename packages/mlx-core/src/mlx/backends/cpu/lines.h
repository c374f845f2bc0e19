// The lines of a tensor along one axis: where they are, and moving some of them at a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "mlx/array/array.h"

namespace mlx::core::cpu {

class Lines {
 public:
  Lines(const Tensor& tensor, int axis)
      : length_(tensor.shape[static_cast<std::size_t>(axis)]),
        stride_(tensor.strides[static_cast<std::size_t>(axis)]),
        data_(tensor.data) {
    for (int i = 0; i < tensor.ndim(); ++i) {
      if (i != axis)
        add_axis(tensor.shape[static_cast<std::size_t>(i)],
                 tensor.strides[static_cast<std::size_t>(i)]);
    }
    for (std::int64_t size : shape_) count_ *= size;
  }

  std::int64_t count() const { return count_; }
  std::int64_t length() const { return length_; }
  std::int64_t stride() const { return stride_; }
  // The first element of a line; lines are numbered in row-major order of the other axes.
  template <class T>
  T* at(std::int64_t line) const {
    std::int64_t offset = 0;
    for (std::size_t i = shape_.size(); i-- > 0;) {
      offset += line % shape_[i] * strides_[i];
      line /= shape_[i];
    }
    return reinterpret_cast<T*>(data_) + offset;
  }

 private:
  // Axes that continue each other become one: fewer divisions per line.
  void add_axis(std::int64_t size, std::int64_t stride) {
    if (size == 1) return;
    if (!shape_.empty() && strides_.back() == stride * size) {
      shape_.back() *= size;
      strides_.back() = stride;
    } else {
      shape_.push_back(size);
      strides_.push_back(stride);
    }
  }

  std::int64_t length_, stride_, count_ = 1;
  std::byte* data_;
  Shape shape_;
  Strides strides_;
};

// Lines that lie side by side in memory are moved together: a cache line holds elements of several.
inline constexpr std::int64_t lines_at_once = 16;

// store(line, i, element) for every element of lines [begin, end).
template <class T, class Store>
void read_lines(const Lines& lines, std::int64_t begin, std::int64_t end, Store store) {
  for (std::int64_t start = begin; start < end; start += lines_at_once) {
    std::int64_t stop = std::min(start + lines_at_once, end);
    const T* from[lines_at_once];
    for (std::int64_t line = start; line < stop; ++line) from[line - start] = lines.at<T>(line);
    if (lines.stride() == 1) {
      for (std::int64_t line = start; line < stop; ++line) {
        for (std::int64_t i = 0; i < lines.length(); ++i) store(line, i, from[line - start][i]);
      }
    } else {
      for (std::int64_t i = 0; i < lines.length(); ++i) {
        for (std::int64_t line = start; line < stop; ++line) {
          store(line, i, from[line - start][i * lines.stride()]);
        }
      }
    }
  }
}

// The element (line, i) of lines [begin, end) becomes load(line, i).
template <class T, class Load>
void write_lines(const Lines& lines, std::int64_t begin, std::int64_t end, Load load) {
  for (std::int64_t start = begin; start < end; start += lines_at_once) {
    std::int64_t stop = std::min(start + lines_at_once, end);
    T* to[lines_at_once];
    for (std::int64_t line = start; line < stop; ++line) to[line - start] = lines.at<T>(line);
    if (lines.stride() == 1) {
      for (std::int64_t line = start; line < stop; ++line) {
        for (std::int64_t i = 0; i < lines.length(); ++i) to[line - start][i] = load(line, i);
      }
    } else {
      for (std::int64_t i = 0; i < lines.length(); ++i) {
        for (std::int64_t line = start; line < stop; ++line) {
          to[line - start][i * lines.stride()] = load(line, i);
        }
      }
    }
  }
}

}  // namespace mlx::core::cpu
