// The same elements elsewhere: functions composed of the views and, where they repeat, of copies.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

// Axes source[i] become axes destination[i]; the others keep their order.
MLX_API array moveaxis(const array& a, const Axes& source, const Axes& destination,
                       const StreamOrDevice& stream = {});
MLX_API array swapaxes(const array& a, std::int64_t axis1, std::int64_t axis2,
                       const StreamOrDevice& stream = {});
MLX_API array matrix_transpose(const array& a, const StreamOrDevice& stream = {});
// Backwards along the axes; without axes along all.
MLX_API array flip(const array& a, const std::optional<Axes>& axes = {},
                   const StreamOrDevice& stream = {});
// Elements move `shift` places on; what leaves at the end comes back at the start. One shift per
// axis, or one for all; without axes the flattened array is rolled.
MLX_API array roll(const array& a, const Shape& shift, const std::optional<Axes>& axes = {},
                   const StreamOrDevice& stream = {});
// The whole array, repeats[i] times along axis i (counted from the last).
MLX_API array tile(const array& a, const Shape& repeats, const StreamOrDevice& stream = {});
// Each element `repeats` times in a row; without an axis of the flattened array.
MLX_API array repeat(const array& a, std::int64_t repeats, std::optional<std::int64_t> axis = {},
                     const StreamOrDevice& stream = {});
// Each element its own number of times; evaluates `repeats`.
MLX_API array repeat(const array& a, const array& repeats, std::optional<std::int64_t> axis = {},
                     const StreamOrDevice& stream = {});
// Axes start to end become one.
MLX_API array flatten(const array& a, std::int64_t start_axis = 0, std::int64_t end_axis = -1,
                      const StreamOrDevice& stream = {});
// One axis becomes several; one of their sizes may be -1.
MLX_API array unflatten(const array& a, std::int64_t axis, const Shape& shape,
                        const StreamOrDevice& stream = {});
MLX_API array atleast_1d(const array& a, const StreamOrDevice& stream = {});
MLX_API array atleast_2d(const array& a, const StreamOrDevice& stream = {});
MLX_API array atleast_3d(const array& a, const StreamOrDevice& stream = {});
MLX_API Arrays broadcast_arrays(const Arrays& arrays, const StreamOrDevice& stream = {});
// The common shape of many.
MLX_API Shape broadcast_shapes(std::string_view op, const std::vector<Shape>& shapes);

}  // namespace mlx::core
