// Views: the same elements in another shape or order.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

struct ShapeAttrs {  // Broadcast, Reshape
  Shape shape;
  bool operator==(const ShapeAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"shape", &ShapeAttrs::shape}}; }
};
struct AxesAttrs {  // ExpandDims, Squeeze, Transpose
  Axes axes;
  bool operator==(const AxesAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"axes", &AxesAttrs::axes}}; }
};
MLX_API array broadcast_to(const array& a, const Shape& shape, const StreamOrDevice& stream = {});
// One size may be -1: it is computed.
MLX_API array reshape(const array& a, Shape shape, const StreamOrDevice& stream = {});
// The size that is -1 filled in; raises where the number of elements would change.
MLX_API Shape resolve_reshape(std::string_view op, const Shape& from, Shape to);
MLX_API array squeeze(const array& a, const std::optional<Axes>& axes = {},
                      const StreamOrDevice& stream = {});
MLX_API array expand_dims(const array& a, const Axes& axes, const StreamOrDevice& stream = {});
// Without axes: reversed.
MLX_API array transpose(const array& a, const std::optional<Axes>& axes = {},
                        const StreamOrDevice& stream = {});

}  // namespace mlx::core
