// Shapes and strides, and the arithmetic on them that everything above shares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mlx/array/api.h"
#include "mlx/array/small_vector.h"

namespace mlx::core {

using Shape = SmallVector<std::int64_t, 4>;
// In elements, not bytes; zero repeats an element, negative walks backwards.
using Strides = SmallVector<std::int64_t, 4>;
using Axes = SmallVector<std::int64_t, 4>;

MLX_API std::string to_string(const Shape& shape);  // as Python writes a tuple: "(2, 3)", "(2,)"

// Number of elements. Raises ValueError where a size is negative, OverflowError past 2**63 - 1.
MLX_API std::int64_t element_count(const Shape& shape);

MLX_API Strides row_major_strides(const Shape& shape);
// True where the elements lie in row-major order without gaps (axes of size 1 do not matter).
MLX_API bool is_row_major(const Shape& shape, const Strides& strides);

// The common shape by the broadcasting rule; raises ValueError naming `op` and both shapes.
MLX_API Shape broadcast_shapes(std::string_view op, const Shape& a, const Shape& b);
// Strides that read `shape` as `target`. `shape` must broadcast to `target`.
MLX_API Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& target);

// An axis in [-ndim, ndim) as one in [0, ndim); raises IndexError naming `op` otherwise.
MLX_API int normalize_axis(std::string_view op, std::int64_t axis, int ndim);
// Sorted, each once; nothing given means all. Raises IndexError (range) or ValueError (repeated).
MLX_API Axes normalize_axes(std::string_view op, const std::optional<Axes>& axes, int ndim);
// The shape with `axes` (normalised) set to 1.
MLX_API Shape reduced_shape(const Shape& shape, const Axes& axes);

}  // namespace mlx::core
