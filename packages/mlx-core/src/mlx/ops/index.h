// Reading and writing at arrays of indices. A negative index counts from the end; one out of range
// raises IndexError when the op is computed, for reads and writes alike.
#pragma once

#include "mlx/ops/op.h"
#include "mlx/ops/slice.h"

namespace mlx::core {

// Gather: indices of equal shape, one per axis of `axes`, say where a block of `slice_sizes` begins
// (at 0 on the other axes). The result's shape is the indices' followed by slice_sizes.
struct GatherAttrs {
  Axes axes;
  Shape slice_sizes;
  bool operator==(const GatherAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"axes", &GatherAttrs::axes},
                      Field{"slice_sizes", &GatherAttrs::slice_sizes}};
  }
};

// What becomes of an element that is written: the update (the last one where there are several), or
// all of them and the old value added, multiplied, or the largest or smallest of them.
enum class ScatterMode : std::uint8_t { none, sum, prod, max, min };
inline constexpr std::array<std::string_view, 5> scatter_mode_names = {"none", "sum", "prod", "max",
                                                                       "min"};
template <>
inline constexpr std::span<const std::string_view> enum_names<ScatterMode> = scatter_mode_names;

// Scatter: the blocks that Gather reads are written; updates are laid out as Gather's result.
struct ScatterAttrs {
  Axes axes;
  ScatterMode mode = ScatterMode::none;
  bool operator==(const ScatterAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"axes", &ScatterAttrs::axes}, Field{"mode", &ScatterAttrs::mode}};
  }
};

// GatherAxis: the array and the indices have equal shapes but for one axis, along which the indices
// choose.
struct GatherAxisAttrs {
  std::int64_t axis = 0;
  bool operator==(const GatherAxisAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"axis", &GatherAxisAttrs::axis}}; }
};
struct ScatterAxisAttrs {
  std::int64_t axis = 0;
  ScatterMode mode = ScatterMode::none;
  bool operator==(const ScatterAxisAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"axis", &ScatterAxisAttrs::axis},
                      Field{"mode", &ScatterAxisAttrs::mode}};
  }
};

// The slices at these indices along an axis; without an axis elements of the flattened array. The
// indices' axes stand where the axis was.
MLX_API array take(const array& a, const array& indices, std::optional<std::int64_t> axis = {},
                   const StreamOrDevice& stream = {});
// A copy of `a` in which the slices that take() would read are replaced or combined; the updates
// are laid out as its result.
MLX_API array put(const array& a, const array& indices, const array& updates, std::int64_t axis,
                  ScatterMode mode = ScatterMode::none, const StreamOrDevice& stream = {});
// result[i, j, ...] = a[..., indices[i, j, ...], ...]; other axes broadcast.
MLX_API array take_along_axis(const array& a, const array& indices,
                              std::optional<std::int64_t> axis = -1,
                              const StreamOrDevice& stream = {});
// A copy in which the elements that take_along_axis would read are replaced or combined.
MLX_API array put_along_axis(const array& a, const array& indices, const array& values,
                             std::optional<std::int64_t> axis = {},
                             ScatterMode mode = ScatterMode::none,
                             const StreamOrDevice& stream = {});
MLX_API array gather(const array& a, const Arrays& indices, const Axes& axes,
                     const Shape& slice_sizes, const StreamOrDevice& stream = {});
MLX_API array scatter(const array& a, const Arrays& indices, const array& updates, const Axes& axes,
                      ScatterMode mode = ScatterMode::none, const StreamOrDevice& stream = {});
// The block of `slice_sizes` that begins at start[i] on axis axes[i], and writing it.
MLX_API array slice(const array& a, const array& start, const Axes& axes, const Shape& slice_sizes,
                    const StreamOrDevice& stream = {});
MLX_API array slice_update(const array& a, const array& update, const array& start,
                           const Axes& axes, const StreamOrDevice& stream = {});
// The indices of the elements that are not zero, an array per axis; evaluates `a`. Without a dtype
// int32, or int64 where an index needs it.
MLX_API Arrays nonzero(const array& a, std::optional<Dtype> dtype = Dtype::int64);

// What two writes to one element make of it.
array combine(ScatterMode mode, const array& old, const array& update, Stream stream);

// The elements in host memory; evaluates `a`, which holds integers or bools.
std::vector<std::int64_t> host_integers(std::string_view op, const array& a);
// A vector of int32, or int64 where a value needs it.
array from_host(const std::vector<std::int64_t>& values);

}  // namespace mlx::core
