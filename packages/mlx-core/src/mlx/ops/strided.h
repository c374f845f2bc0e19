// Views of memory: by explicit strides, as another dtype, and the request for row-major order.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

// Element (i, j, ...) of the result is element offset + i * strides[0] + j * strides[1] + ... of
// the input in row-major order.
struct AsStridedAttrs {
  Shape shape;
  Strides strides;
  std::int64_t offset = 0;
  bool operator==(const AsStridedAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"shape", &AsStridedAttrs::shape},
                      Field{"strides", &AsStridedAttrs::strides},
                      Field{"offset", &AsStridedAttrs::offset}};
  }
};
struct ContiguousAttrs {
  bool allow_col_major = false;
  bool operator==(const ContiguousAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"allow_col_major", &ContiguousAttrs::allow_col_major}};
  }
};
struct ViewAttrs {
  Dtype dtype;
  bool operator==(const ViewAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"dtype", &ViewAttrs::dtype}}; }
};

// Without a shape the array's own; without strides the row-major ones of the shape. Raises
// IndexError where an element would lie outside of the array.
MLX_API array as_strided(const array& a, std::optional<Shape> shape = {},
                         std::optional<Strides> strides = {}, std::int64_t offset = 0,
                         const StreamOrDevice& stream = {});
// In memory in row-major order without gaps (or column-major, where allowed).
MLX_API array contiguous(const array& a, bool allow_col_major = false,
                         const StreamOrDevice& stream = {});
// The bytes read as another dtype; where its size differs the last axis changes.
MLX_API array view(const array& a, Dtype dtype, const StreamOrDevice& stream = {});

}  // namespace mlx::core
