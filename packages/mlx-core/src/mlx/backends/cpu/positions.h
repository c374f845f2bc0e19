// Where the elements lie that arrays of indices name.
#pragma once

#include <string_view>

#include "mlx/array/array.h"

namespace mlx::core::cpu {

// Positions in memory of the elements of a strided array, to which index arrays of the same shape
// add their value times a stride.
class Positions {
 public:
  Positions(Shape shape, Strides strides);
  // Indices along an axis of `size` elements; at most `last` is in range, -size counts from the
  // end.
  void add_index(const Tensor& index, std::int64_t stride, std::int64_t size, std::int64_t last,
                 int axis);
  // Axes that no index array walks from here on belong to the block that each position is the start
  // of: removes them from the positions and returns them.
  std::pair<Shape, Strides> take_block();
  // Joins axes that all walk as one.
  void collapse();

  std::int64_t count() const { return element_count(shape_); }
  const Shape& shape() const { return shape_; }
  const Strides& strides() const { return strides_; }
  bool has_indices() const { return !indices_.empty(); }
  // Is position i just i?
  bool is_identity() const;
  // Positions first to first + count, in elements. Raises IndexError, naming `op`.
  void fill(std::string_view op, std::int64_t first, std::int64_t count,
            std::int64_t* positions) const;

 private:
  struct Index {
    const std::byte* data;
    Dtype dtype;
    Strides strides;
    std::int64_t stride;  // of the array
    std::int64_t size, last;
    int axis;
  };
  void fill_run(std::string_view op, const Shape& start, std::int64_t count,
                std::int64_t* positions) const;

  Shape shape_;
  Strides strides_;
  std::vector<Index> indices_;
};

}  // namespace mlx::core::cpu
