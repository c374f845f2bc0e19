// What reading and writing at indices share: checks, and indices brought to one shape.
#pragma once

#include "mlx/ops/index.h"

namespace mlx::core {

void check_index_dtype(std::string_view op, const array& indices);
// Raises where the indices, axes and block sizes do not fit the array.
void check_gather(std::string_view op, const Shape& shape, Inputs indices, const Axes& axes,
                  const Shape& sizes);
void check_along_axis(std::string_view op, const Shape& shape, const array& indices,
                      std::int64_t axis);

// Broadcast against each other.
Arrays common_indices(std::string_view op, const Arrays& indices, Stream stream);

// The array and the indices with equal sizes on all axes but one.
struct AlongAxis {
  array source;
  array positions;
  std::int64_t axis;
};
AlongAxis along_axis(std::string_view op, const array& a, const array& indices, std::int64_t axis,
                     Stream stream);

// A vector of starts as one index of shape () per axis.
struct StartIndices {
  Arrays starts;
  Axes axes;
};
StartIndices start_indices(std::string_view op, const array& a, const array& start,
                           const Axes& axes, Stream stream);

// What `take` makes of a shape.
Shape taken_shape(const Shape& shape, const Shape& indices, int axis);

// vmap: the inputs from `first` on are indices: all with the batch at axis 0 if one of them has it.
struct BatchedIndices {
  Arrays indices;
  bool is_batched = false;
  // The number of each example, of the indices' shape: an index for the batch axis.
  array examples(const VmapCall& call) const;
};
BatchedIndices batch_indices(const VmapCall& call, std::size_t first);

}  // namespace mlx::core
