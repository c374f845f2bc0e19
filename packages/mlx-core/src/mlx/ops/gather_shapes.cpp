// Checks of indices, and indices brought to one shape.
#include "mlx/ops/gather_shapes.h"

#include <algorithm>

#include "mlx/ops/create.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/shape.h"

namespace mlx::core {

void check_index_dtype(std::string_view op, const array& indices) {
  if (!is_integer(indices.dtype())) {
    raise<TypeError>(op, "unusable indices: got ", name_of(indices.dtype()),
                     "; expected an integer dtype");
  }
}

void check_gather(std::string_view op, const Shape& shape, Inputs indices, const Axes& axes,
                  const Shape& sizes) {
  if (indices.size() != axes.size()) {
    raise<ValueError>(op, "one index array per axis is needed: got ", indices.size(), " for axes ",
                      to_string(axes));
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    check_index_dtype(op, indices[i]);
    if (!(indices[i].shape() == indices[0].shape())) {
      raise<ValueError>(op, "index arrays differ: got shapes ", to_string(indices[0].shape()),
                        " and ", to_string(indices[i].shape()));
    }
    bool is_new = std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(i), axes[i]) ==
                  axes.begin() + static_cast<std::ptrdiff_t>(i);
    if (axes[i] < 0 || axes[i] >= static_cast<std::int64_t>(shape.size()) || !is_new) {
      raise<IndexError>(op, "unusable axes: got ", to_string(axes), "; expected axes of shape ",
                        to_string(shape), ", each once");
    }
  }
  // Where an indexed axis has no elements every index is out of range, which the kernel tells.
  Shape room = shape;
  for (std::int64_t axis : axes) {
    auto& size = room[static_cast<std::size_t>(axis)];
    size = std::max<std::int64_t>(size, 1);
  }
  bool fits = sizes.size() == shape.size();
  for (std::size_t i = 0; fits && i < sizes.size(); ++i) {
    fits = sizes[i] >= 0 && sizes[i] <= room[i];
  }
  if (!fits) {
    raise<ValueError>(op, "the block does not fit: got ", to_string(sizes),
                      "; expected at most the shape ", to_string(shape));
  }
}

void check_along_axis(std::string_view op, const Shape& shape, const array& indices,
                      std::int64_t axis) {
  check_index_dtype(op, indices);
  if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size())) {
    raise<IndexError>(op, "axis out of range: got ", axis, " for ", to_string(shape));
  }
  Shape expected = indices.shape();
  if (expected.size() == shape.size()) {
    expected[static_cast<std::size_t>(axis)] = shape[static_cast<std::size_t>(axis)];
  }
  if (!(expected == shape)) {
    raise<ValueError>(op, "the indices do not fit: got ", to_string(indices.shape()), " for ",
                      to_string(shape), "; expected equal sizes except on axis ", axis);
  }
}

Arrays common_indices(std::string_view op, const Arrays& indices, Stream stream) {
  std::vector<Shape> shapes;
  for (const array& index : indices) {
    check_index_dtype(op, index);
    shapes.push_back(index.shape());
  }
  Shape shape = broadcast_shapes(op, shapes);
  Arrays result;
  for (const array& index : indices) result.push_back(broadcast_to(index, shape, stream));
  return result;
}

AlongAxis along_axis(std::string_view op, const array& a, const array& indices, std::int64_t axis,
                     Stream stream) {
  int along = normalize_axis(op, axis, a.ndim());
  check_index_dtype(op, indices);
  if (indices.ndim() != a.ndim()) {
    raise<ValueError>(op, "the indices have another number of dimensions: got ",
                      to_string(indices.shape()), " for ", to_string(a.shape()));
  }
  auto at = static_cast<std::size_t>(along);
  Shape from = a.shape(), to = indices.shape();
  from[at] = to[at] = 1;
  Shape common = broadcast_shapes(op, from, to);
  from = to = common;
  from[at] = a.shape(along);
  to[at] = indices.shape(along);
  return {broadcast_to(a, from, stream), broadcast_to(indices, to, stream), along};
}

StartIndices start_indices(std::string_view op, const array& a, const array& start,
                           const Axes& axes, Stream stream) {
  check_index_dtype(op, start);
  if (start.ndim() > 1 || start.size() != static_cast<std::int64_t>(axes.size())) {
    raise<ValueError>(op, "one start per axis is needed: got starts of shape ",
                      to_string(start.shape()), " for axes ", to_string(axes));
  }
  StartIndices result;
  array flat = reshape(start, Shape{start.size()}, stream);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    result.axes.push_back(normalize_axis(op, axes[i], a.ndim()));
    auto at = static_cast<std::int64_t>(i);
    array one = slice(flat, Shape{at}, Shape{at + 1}, Shape{1}, stream);
    result.starts.push_back(reshape(one, Shape{}, stream));
  }
  return result;
}

array BatchedIndices::examples(const VmapCall& call) const {
  const array& like = indices[0];
  Shape shape(like.shape().size(), 1);
  shape[0] = call.size;
  array numbers = arange(std::int64_t{0}, call.size, 1, {}, call.stream);
  return broadcast_to(reshape(numbers, shape, call.stream), like.shape(), call.stream);
}

BatchedIndices batch_indices(const VmapCall& call, std::size_t first) {
  BatchedIndices result;
  for (std::size_t i = first; i < call.inputs.size(); ++i) result.is_batched |= call.axes[i] >= 0;
  for (std::size_t i = first; i < call.inputs.size(); ++i) {
    result.indices.push_back(result.is_batched ? move_batch_to_front(call, i) : call.inputs[i]);
  }
  return result;
}

}  // namespace mlx::core
