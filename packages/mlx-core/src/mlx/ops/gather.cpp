// Gather and GatherAxis: reading at arrays of indices.
#include <algorithm>

#include "mlx/ops/create.h"
#include "mlx/ops/gather_shapes.h"
#include "mlx/ops/index.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

Specs gather_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const auto& [axes, sizes] = attrs_as<GatherAttrs>(attrs);
  const array& a = inputs[0];
  check_gather(op.name, a.shape(), inputs.subspan(1), axes, sizes);
  Shape shape = inputs.size() > 1 ? inputs[1].shape() : Shape{};
  for (std::int64_t size : sizes) shape.push_back(size);
  element_count(shape);
  return {Spec{std::move(shape), a.dtype()}};
}

Arrays rest_of(Inputs inputs) { return Arrays(inputs.begin() + 1, inputs.end()); }

Results gather_vjp(const VjpCall& call) {
  Results result(call.inputs.size());
  if (!call.wanted[0]) return result;
  const auto& attrs = attrs_as<GatherAttrs>(call.attrs);
  Stream stream = stream_of(call);
  result[0] = scatter(zeros_like(call.inputs[0], {}, stream), rest_of(call.inputs),
                      *call.cotangents[0], attrs.axes, ScatterMode::sum, stream);
  return result;
}

// Linear in the array, whose indices stay. Gather and GatherAxis.
Results gather_jvp(const JvpCall& call) {
  if (!call.tangents[0]) return {std::nullopt};
  SmallVector<array, 3> inputs(call.inputs.begin(), call.inputs.end());
  inputs[0] = *call.tangents[0];
  return {apply(call.op, std::move(inputs), call.attrs, stream_of(call))};
}

Arrays gather_vmap(const VmapCall& call) {
  const auto& attrs = attrs_as<GatherAttrs>(call.attrs);
  BatchedIndices batched = batch_indices(call, 1);
  if (call.axes[0] < 0) {  // the indices' first axis is the batch, and so is the result's
    return {gather(call.inputs[0], batched.indices, attrs.axes, attrs.slice_sizes, call.stream)};
  }
  array a = move_batch_to_front(call, 0);
  Axes axes;
  for (std::int64_t axis : attrs.axes) axes.push_back(axis + 1);
  Shape sizes = attrs.slice_sizes;
  if (!batched.is_batched) {
    sizes.insert(sizes.begin(), call.size);
    array result = gather(a, batched.indices, axes, sizes, call.stream);
    int batch = result.ndim() - static_cast<int>(sizes.size());
    return {moveaxis(result, Axes{batch}, Axes{0}, call.stream)};
  }
  axes.insert(axes.begin(), 0);
  sizes.insert(sizes.begin(), 1);
  batched.indices.insert(batched.indices.begin(), batched.examples(call));
  array result = gather(a, batched.indices, axes, sizes, call.stream);
  return {squeeze(result, Axes{result.ndim() - static_cast<int>(sizes.size())}, call.stream)};
}

Specs gather_axis_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  check_along_axis(op.name, inputs[0].shape(), inputs[1], attrs_as<GatherAxisAttrs>(attrs).axis);
  return {Spec{inputs[1].shape(), inputs[0].dtype()}};
}

Results gather_axis_vjp(const VjpCall& call) {
  Results result(2);
  if (!call.wanted[0]) return result;
  Stream stream = stream_of(call);
  result[0] =
      put_along_axis(zeros_like(call.inputs[0], {}, stream), call.inputs[1], *call.cotangents[0],
                     attrs_as<GatherAxisAttrs>(call.attrs).axis, ScatterMode::sum, stream);
  return result;
}

Arrays gather_axis_vmap(const VmapCall& call) {
  GatherAxisAttrs attrs{attrs_as<GatherAxisAttrs>(call.attrs).axis + 1};
  return {apply(call.op, {move_batch_to_front(call, 0), move_batch_to_front(call, 1)},
                make_attrs(attrs), call.stream)};
}

// Any other axis than the first is read in place: the indices are repeated (a view) over the axes
// before and after it.
array take_inside(const array& a, const array& indices, int axis, Stream stream) {
  std::int64_t before = 1, after = 1, size = a.shape(axis);
  for (int i = 0; i < axis; ++i) before *= a.shape(i);
  for (int i = axis + 1; i < a.ndim(); ++i) after *= a.shape(i);
  array flat = reshape(a, Shape{before, size, after}, stream);
  array positions = broadcast_to(reshape(indices, Shape{1, indices.size(), 1}, stream),
                                 Shape{before, indices.size(), after}, stream);
  array taken =
      apply(primitives::GatherAxis, {flat, positions}, make_attrs(GatherAxisAttrs{1}), stream);
  return reshape(taken, taken_shape(a.shape(), indices.shape(), axis), stream);
}

}  // namespace

Shape taken_shape(const Shape& shape, const Shape& indices, int axis) {
  Shape result(shape.begin(), shape.begin() + axis);
  for (std::int64_t size : indices) result.push_back(size);
  for (auto it = shape.begin() + axis + 1; it != shape.end(); ++it) result.push_back(*it);
  return result;
}

array gather(const array& a, const Arrays& indices, const Axes& axes, const Shape& slice_sizes,
             const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  SmallVector<array, 3> inputs{a};
  for (array& index : common_indices("gather", indices, stream)) inputs.push_back(std::move(index));
  return apply(primitives::Gather, std::move(inputs), make_attrs(GatherAttrs{axes, slice_sizes}),
               stream);
}

array take(const array& a, const array& indices, std::optional<std::int64_t> axis,
           const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (!axis) return take(reshape(a, Shape{a.size()}, stream), indices, 0, stream);
  int along = normalize_axis("take", *axis, a.ndim());
  check_index_dtype("take", indices);
  if (along > 0) return take_inside(a, indices, along, stream);
  Shape sizes = a.shape();
  sizes[0] = 1;
  array blocks = gather(a, {indices}, Axes{0}, sizes, stream);
  return squeeze(blocks, Axes{indices.ndim()}, stream);
}

array take_along_axis(const array& a, const array& indices, std::optional<std::int64_t> axis,
                      const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (!axis) return take(a, reshape(indices, Shape{indices.size()}, stream), {}, stream);
  auto [source, positions, along] = along_axis("take_along_axis", a, indices, *axis, stream);
  return apply(primitives::GatherAxis, {source, positions}, make_attrs(GatherAxisAttrs{along}),
               stream);
}

array slice(const array& a, const array& start, const Axes& axes, const Shape& slice_sizes,
            const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  auto [starts, normal] = start_indices("slice", a, start, axes, stream);
  return gather(a, starts, normal, slice_sizes, stream);
}

namespace primitives {

const Op Gather = {
    .name = "Gather",
    .inputs = {"a", "indices..."},
    .attrs = describe<GatherAttrs>(),
    .infer = gather_infer,
    .gradient = {gather_vjp, gather_jvp},
    .batching = gather_vmap,
    .doc = "Blocks of slice_sizes that begin at the indices, one index array per axis.",
};

const Op GatherAxis = {
    .name = "GatherAxis",
    .inputs = {"a", "indices"},
    .attrs = describe<GatherAxisAttrs>(),
    .infer = gather_axis_infer,
    .gradient = {gather_axis_vjp, gather_jvp},
    .batching = gather_axis_vmap,
    .doc = "Elements chosen along one axis by an array of indices of the result's shape.",
};

}  // namespace primitives

}  // namespace mlx::core
