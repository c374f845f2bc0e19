// Where elements are: extremes, places in a sorted array, sets. Indices are int64, which can name
// any element of any array.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

enum class ArgReduceKind : std::uint8_t { argmin, argmax };
inline constexpr std::array<std::string_view, 2> arg_reduce_kind_names = {"argmin", "argmax"};
template <>
inline constexpr std::span<const std::string_view> enum_names<ArgReduceKind> =
    arg_reduce_kind_names;

// The ArgReduce primitive keeps the axis with size 1; the functions squeeze it after.
struct ArgReduceAttrs {
  ArgReduceKind op = ArgReduceKind::argmin;
  std::int64_t axis = 0;
  bool operator==(const ArgReduceAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"op", &ArgReduceAttrs::op}, Field{"axis", &ArgReduceAttrs::axis}};
  }
};
struct SearchSortedAttrs {
  bool right = false;
  bool operator==(const SearchSortedAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"right", &SearchSortedAttrs::right}}; }
};

// The first of the smallest (largest) elements; the first NaN where there is one. Without an axis
// of the flattened array.
MLX_API array argmin(const array& a, std::optional<int> axis = {}, bool keepdims = false,
                     const StreamOrDevice& stream = {});
MLX_API array argmax(const array& a, std::optional<int> axis = {}, bool keepdims = false,
                     const StreamOrDevice& stream = {});
// Where each value would have to be inserted into the sorted vector: before its equals, or after
// them (`right`).
MLX_API array searchsorted(const array& sorted, const array& values, bool right = false,
                           const StreamOrDevice& stream = {});
MLX_API array count_nonzero(const array& a, const std::optional<Axes>& axes = {},
                            bool keepdims = false, const StreamOrDevice& stream = {});
// Is each element among those of `test`?
MLX_API array isin(const array& a, const array& test, bool invert = false,
                   const StreamOrDevice& stream = {});

// The distinct elements of the flattened array, sorted. Every NaN is distinct. Evaluates `a`: the
// size depends on its elements.
struct Unique {
  array values;
  array indices;  // of the first occurrence of each value
  array inverse;  // of each element of `a` (with its shape) among the values
  array counts;
};
MLX_API Unique unique(const array& a, const StreamOrDevice& stream = {});
// The same for arrays of a size known before: the first `size` values; where there are fewer, the
// rest is `fill` (the smallest value if there is none) with the first value's index and count 0.
MLX_API Unique unique(const array& a, std::int64_t size, const std::optional<array>& fill = {},
                      const StreamOrDevice& stream = {});

}  // namespace mlx::core
