// The reduce family: one row per reduction. Reductions end a fused region.
#pragma once

#include "mlx/ops/op.h"
#include "mlx/ops/reduce_kinds.h"

namespace mlx::core {

template <>
inline constexpr std::span<const std::string_view> enum_names<ReduceKind> = reduce_kind_names;

// The Reduce primitive keeps the reduced axes with size 1; the functions squeeze them after.
struct ReduceAttrs {
  ReduceKind op;
  Axes axes;  // sorted, not negative
  bool operator==(const ReduceAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"op", &ReduceAttrs::op}, Field{"axes", &ReduceAttrs::axes}};
  }
};

struct ReduceRow {
  ReduceKind kind;
  std::string_view function;
  DtypeSet accepts;   // of the primitive
  bool has_identity;  // min and max of nothing are errors
  std::string_view doc;
};
MLX_API std::span<const ReduceRow> reduce_rows();
// What sums and products are computed in: small integers would wrap at once, so 32 bits at least.
Dtype sum_dtype(Dtype dtype);

using MaybeAxes = std::optional<Axes>;  // nullopt: all axes
MLX_API array reduce(ReduceKind kind, const array& a, const MaybeAxes& axes = {},
                     bool keepdims = false, const StreamOrDevice& stream = {});
#define MLX_DECLARE(name)                                                               \
  MLX_API array name(const array& a, const MaybeAxes& axes = {}, bool keepdims = false, \
                     const StreamOrDevice& stream = {});
MLX_DECLARE(all)
MLX_DECLARE(any)
MLX_DECLARE(max)
MLX_DECLARE(min)
MLX_DECLARE(prod)
MLX_DECLARE(sum)
MLX_DECLARE(mean)  // integers in float32; float16 and bfloat16 are summed in float32
MLX_DECLARE(logsumexp)
#undef MLX_DECLARE
MLX_API array var(const array& a, const MaybeAxes& axes = {}, bool keepdims = false,
                  double correction = 0, const StreamOrDevice& stream = {});
MLX_API array std(const array& a, const MaybeAxes& axes = {}, bool keepdims = false,
                  double correction = 0, const StreamOrDevice& stream = {});

}  // namespace mlx::core
