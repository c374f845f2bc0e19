// Which blocks of an array the indices of a call name.
#include "mlx/backends/cpu/indexed.h"

namespace mlx::core::cpu {

Indexed Indexed::gather(const KernelCall& call, const Tensor& a, const Axes& axes,
                        const Shape& sizes, std::size_t first) {
  Shape shape = axes.empty() ? Shape{} : call.inputs[first].shape;
  Positions starts(shape, Strides(shape.size(), 0));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    auto axis = static_cast<std::size_t>(axes[i]);
    starts.add_index(call.inputs[first + i], a.strides[axis], a.shape[axis],
                     a.shape[axis] - sizes[axis], static_cast<int>(axis));
  }
  starts.collapse();
  return {std::move(starts), std::move(shape), sizes, a.strides, call.op.name};
}

Indexed Indexed::along_axis(const KernelCall& call, const Tensor& a, std::int64_t axis,
                            std::size_t first) {
  auto at = static_cast<std::size_t>(axis);
  const Tensor& index = call.inputs[first];
  Strides strides = a.strides;
  strides[at] = 0;
  Positions starts(index.shape, std::move(strides));
  starts.add_index(index, a.strides[at], a.shape[at], a.shape[at] - 1, static_cast<int>(axis));
  auto [block, block_strides] = starts.take_block();
  Shape shape = starts.shape();
  starts.collapse();
  return {std::move(starts), std::move(shape), std::move(block), std::move(block_strides),
          call.op.name};
}

}  // namespace mlx::core::cpu
