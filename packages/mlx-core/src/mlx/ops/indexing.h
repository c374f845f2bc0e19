// What x[...] means: integers, slices, new axes, ellipses, index arrays and masks in any mixture,
// by NumPy's rules, for reading and for writing.
#pragma once

#include "mlx/ops/index.h"

namespace mlx::core {

// One part between the commas.
struct IndexItem {
  enum class Kind : std::uint8_t { integer, slice, new_axis, ellipsis, array };
  Kind kind;
  std::int64_t integer = 0;
  std::optional<std::int64_t> start = {}, stop = {}, step = {};  // of a slice
  std::optional<core::array> indices = {};                       // integers, or a mask (bool)

  static IndexItem at(std::int64_t i) { return {.kind = Kind::integer, .integer = i}; }
  static IndexItem range(std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                         std::optional<std::int64_t> step = {}) {
    return {.kind = Kind::slice, .start = start, .stop = stop, .step = step};
  }
  static IndexItem new_axis() { return {.kind = Kind::new_axis}; }
  static IndexItem ellipsis() { return {.kind = Kind::ellipsis}; }
  static IndexItem of(core::array indices) {
    return {.kind = Kind::array, .indices = std::move(indices)};
  }
};

// a[items]. A mask is evaluated: the result's shape depends on it.
MLX_API array index(const array& a, std::span<const IndexItem> items,
                    const StreamOrDevice& stream = {});
// A copy of `a` in which the elements of a[items] are replaced by `value`, or combined with it; an
// element that is named several times is combined as often. The value broadcasts, and is cast to
// the dtype of `a`. A mask is evaluated only where the value has an element for each that it
// selects.
MLX_API array index_update(const array& a, std::span<const IndexItem> items, const array& value,
                           ScatterMode mode = ScatterMode::none, const StreamOrDevice& stream = {});
// The same, divided by the values.
MLX_API array index_divide(const array& a, std::span<const IndexItem> items, const array& value,
                           const StreamOrDevice& stream = {});

}  // namespace mlx::core
