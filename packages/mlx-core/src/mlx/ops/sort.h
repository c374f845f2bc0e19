// Order along an axis. NaN counts as larger than every number; complex numbers are ordered by their
// real parts, then by their imaginary parts, and after all others where one of them is NaN. Indices
// are int64, which can name any element of any array.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

struct SortAttrs {  // Sort, ArgSort
  std::int64_t axis = -1;
  bool descending = false;
  bool operator==(const SortAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"axis", &SortAttrs::axis}, Field{"descending", &SortAttrs::descending}};
  }
};
struct PartitionAttrs {  // Partition, ArgPartition
  std::int64_t kth = 0;
  std::int64_t axis = -1;
  bool operator==(const PartitionAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"kth", &PartitionAttrs::kth}, Field{"axis", &PartitionAttrs::axis}};
  }
};

// Without an axis the array is flattened first. Both are stable: equal elements keep their order,
// descending too.
MLX_API array sort(const array& a, std::optional<int> axis = -1, bool descending = false,
                   const StreamOrDevice& stream = {});
MLX_API array argsort(const array& a, std::optional<int> axis = -1, bool descending = false,
                      const StreamOrDevice& stream = {});
// Element kth is where sorting would put it; smaller (and equal) ones are before it, larger (and
// equal) ones after it, in no particular order.
MLX_API array partition(const array& a, std::int64_t kth, std::optional<int> axis = -1,
                        const StreamOrDevice& stream = {});
MLX_API array argpartition(const array& a, std::int64_t kth, std::optional<int> axis = -1,
                           const StreamOrDevice& stream = {});
// The k largest elements, in no particular order.
MLX_API array topk(const array& a, std::int64_t k, std::optional<int> axis = -1,
                   const StreamOrDevice& stream = {});
MLX_API array median(const array& a, const std::optional<Axes>& axes = {}, bool keepdims = false,
                     const StreamOrDevice& stream = {});

}  // namespace mlx::core
