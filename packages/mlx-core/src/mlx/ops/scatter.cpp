// Scatter and ScatterAxis: writing at arrays of indices.
#include <algorithm>

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/gather_shapes.h"
#include "mlx/ops/index.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

void check_updates(std::string_view op, const array& a, const array& updates, ScatterMode mode) {
  if (updates.dtype() != a.dtype()) {
    raise<ValueError>(op, "dtypes differ: got ", name_of(a.dtype()), " and updates of ",
                      name_of(updates.dtype()));
  }
  bool is_ordered = mode != ScatterMode::max && mode != ScatterMode::min;
  if (is_complex(a.dtype()) && !is_ordered) {
    raise<TypeError>(op, "complex numbers have no order: got ", name_of(a.dtype()),
                     "; expected a real dtype");
  }
}

Specs scatter_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const auto& [axes, mode] = attrs_as<ScatterAttrs>(attrs);
  if (inputs.size() < 2) raise<ValueError>(op.name, "no updates: got ", inputs.size(), " inputs");
  const array &a = inputs[0], &updates = inputs[1];
  check_updates(op.name, a, updates, mode);
  Inputs indices = inputs.subspan(2);
  Shape leading = indices.empty() ? Shape{} : indices[0].shape();
  std::size_t ndim = leading.size();
  if (updates.shape().size() != ndim + a.shape().size() ||
      !std::equal(leading.begin(), leading.end(), updates.shape().begin())) {
    raise<ValueError>(op.name, "the updates do not fit: got ", to_string(updates.shape()),
                      "; expected the indices' shape ", to_string(leading),
                      " followed by a block of ", to_string(a.shape()));
  }
  Shape sizes(updates.shape().begin() + static_cast<std::ptrdiff_t>(ndim), updates.shape().end());
  check_gather(op.name, a.shape(), indices, axes, sizes);
  return {Spec{a.shape(), a.dtype()}};
}

// How the derivative rules read and write where a node of either op does.
struct Places {
  const array& a;
  Arrays indices;
  const array& updates;
  ScatterMode mode;
  Axes axes;
  bool is_along_axis;
  Stream stream;

  array read(const array& from) const {
    if (is_along_axis) {
      return apply(primitives::GatherAxis, {from, indices[0]}, make_attrs(GatherAxisAttrs{axes[0]}),
                   stream);
    }
    auto block = static_cast<std::ptrdiff_t>(updates.ndim() - a.ndim());
    Shape sizes(updates.shape().begin() + block, updates.shape().end());
    return gather(from, indices, axes, sizes, stream);
  }
  array write(const array& to, const array& values, ScatterMode how) const {
    array cast = broadcast_to(astype(values, to.dtype(), stream), updates.shape(), stream);
    if (is_along_axis) {
      return apply(primitives::ScatterAxis, {to, cast, indices[0]},
                   make_attrs(ScatterAxisAttrs{axes[0], how}), stream);
    }
    return scatter(to, indices, cast, axes, how, stream);
  }
};

Places places_of(const Op& op, Inputs inputs, const AttrsRef& attrs, Stream stream) {
  Arrays indices(inputs.begin() + 2, inputs.end());
  if (&op == &primitives::ScatterAxis) {
    const auto& [axis, mode] = attrs_as<ScatterAxisAttrs>(attrs);
    return {inputs[0], std::move(indices), inputs[1], mode, Axes{axis}, true, stream};
  }
  const auto& [axes, mode] = attrs_as<ScatterAttrs>(attrs);
  return {inputs[0], std::move(indices), inputs[1], mode, axes, false, stream};
}

array number(double value, const array& like) { return array(value, like.dtype()); }

// Of several updates of one element the last one stays: true for those.
array winners(const Places& at) {
  std::int64_t count = at.updates.size();
  array ids = reshape(arange(std::int64_t{0}, count, 1, Dtype::int64, at.stream),
                      at.updates.shape(), at.stream);
  array last = at.write(zeros(at.a.shape(), Dtype::int64, at.stream), ids, ScatterMode::none);
  return equal(at.read(last), ids, at.stream);
}

struct Pulled {
  std::optional<array> a, updates;
};

Pulled pull_none(const Places& at, const array& dy) {
  array zero = number(0, dy);
  return {at.write(dy, zero, ScatterMode::none), where(winners(at), at.read(dy), zero, at.stream)};
}

// Equal extremes share the derivative, as in the max and min reductions.
Pulled pull_extreme(const Places& at, const array& y, const array& dy) {
  array old_hit = astype(equal(at.a, y, at.stream), dy.dtype(), at.stream);
  array hit = astype(equal(at.updates, at.read(y), at.stream), dy.dtype(), at.stream);
  array share = divide(dy, at.write(old_hit, hit, ScatterMode::sum), at.stream);
  return {multiply(share, old_hit, at.stream), multiply(at.read(share), hit, at.stream)};
}

// The product of all other factors, without dividing by zero: where one factor is zero only its own
// derivative remains, where two are none does.
Pulled pull_prod(const Places& at, const array& dy) {
  const Stream& stream = at.stream;
  array one = number(1, dy), zero = number(0, dy);
  array flow = is_complex(dy.dtype()) ? conjugate(dy, stream) : dy;
  array of_updates =
      at.write(broadcast_to(one, at.a.shape(), stream), at.updates, ScatterMode::prod);
  array is_zero = equal(at.updates, zero, stream);
  array zeros =
      at.write(core::zeros(at.a.shape(), Dtype::int32, stream), is_zero, ScatterMode::sum);
  array nonzero = where(is_zero, one, at.updates, stream);
  array rest = at.read(multiply(flow, at.write(at.a, nonzero, ScatterMode::prod), stream));
  array count = at.read(zeros);
  array own = where(
      is_zero, where(equal(count, array(1), stream), rest, zero, stream),
      where(equal(count, array(0), stream), divide(rest, nonzero, stream), zero, stream), stream);
  array old = multiply(flow, of_updates, stream);
  if (!is_complex(dy.dtype())) return {old, own};
  return {conjugate(old, stream), conjugate(own, stream)};
}

Results scatter_vjp(const VjpCall& call) {
  Places at = places_of(call.op, call.inputs, call.attrs, stream_of(call));
  const array& dy = *call.cotangents[0];
  Pulled pulled = [&]() -> Pulled {
    switch (at.mode) {
      case ScatterMode::none:
        return pull_none(at, dy);
      case ScatterMode::sum:
        return {dy, at.read(dy)};
      case ScatterMode::prod:
        return pull_prod(at, dy);
      case ScatterMode::max:
      case ScatterMode::min:
        return pull_extreme(at, call.outputs[0], dy);
    }
    __builtin_unreachable();
  }();
  Results result(call.inputs.size());
  if (call.wanted[0]) result[0] = pulled.a;
  if (call.wanted[1]) result[1] = pulled.updates;
  return result;
}

Arrays scatter_vmap(const VmapCall& call) {
  const auto& attrs = attrs_as<ScatterAttrs>(call.attrs);
  BatchedIndices batched = batch_indices(call, 2);
  array a = move_batch_to_front(call, 0);
  array updates = move_batch_to_front(call, 1);
  Axes axes;
  for (std::int64_t axis : attrs.axes) axes.push_back(axis + 1);
  int leading = batched.indices.empty() ? 0 : batched.indices[0].ndim() - batched.is_batched;
  if (!batched.is_batched) {
    updates = moveaxis(updates, Axes{0}, Axes{leading}, call.stream);
    return {scatter(a, batched.indices, updates, axes, attrs.mode, call.stream)};
  }
  axes.insert(axes.begin(), 0);
  batched.indices.insert(batched.indices.begin(), batched.examples(call));
  updates = expand_dims(updates, Axes{leading + 1}, call.stream);
  return {scatter(a, batched.indices, updates, axes, attrs.mode, call.stream)};
}

Specs scatter_axis_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const auto& [axis, mode] = attrs_as<ScatterAxisAttrs>(attrs);
  check_updates(op.name, inputs[0], inputs[1], mode);
  check_along_axis(op.name, inputs[0].shape(), inputs[2], axis);
  if (!(inputs[1].shape() == inputs[2].shape())) {
    raise<ValueError>(op.name, "the updates do not fit: got ", to_string(inputs[1].shape()),
                      "; expected ", to_string(inputs[2].shape()));
  }
  return {Spec{inputs[0].shape(), inputs[0].dtype()}};
}

Arrays scatter_axis_vmap(const VmapCall& call) {
  auto attrs = attrs_as<ScatterAxisAttrs>(call.attrs);
  ++attrs.axis;
  return {apply(
      call.op,
      {move_batch_to_front(call, 0), move_batch_to_front(call, 1), move_batch_to_front(call, 2)},
      make_attrs(attrs), call.stream)};
}

}  // namespace

array scatter(const array& a, const Arrays& indices, const array& updates, const Axes& axes,
              ScatterMode mode, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  SmallVector<array, 3> inputs{a, astype(updates, a.dtype(), stream)};
  for (array& index : common_indices("scatter", indices, stream)) {
    inputs.push_back(std::move(index));
  }
  return apply(primitives::Scatter, std::move(inputs), make_attrs(ScatterAttrs{axes, mode}),
               stream);
}

array put(const array& a, const array& indices, const array& updates, std::int64_t axis,
          ScatterMode mode, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  int along = normalize_axis("put", axis, a.ndim());
  check_index_dtype("put", indices);
  array values = broadcast_to(astype(updates, a.dtype(), stream),
                              taken_shape(a.shape(), indices.shape(), along), stream);
  if (along == 0) {
    array blocks = expand_dims(values, Axes{indices.ndim()}, stream);
    return scatter(a, {indices}, blocks, Axes{0}, mode, stream);
  }
  // As in take: the axes before and after are one each, and the indices are repeated over them.
  std::int64_t before = 1, after = 1, count = indices.size();
  for (int i = 0; i < along; ++i) before *= a.shape(i);
  for (int i = along + 1; i < a.ndim(); ++i) after *= a.shape(i);
  Shape shape{before, count, after};
  array positions = broadcast_to(reshape(indices, Shape{1, count, 1}, stream), shape, stream);
  array flat = apply(primitives::ScatterAxis,
                     {reshape(a, Shape{before, a.shape(along), after}, stream),
                      reshape(values, shape, stream), positions},
                     make_attrs(ScatterAxisAttrs{1, mode}), stream);
  return reshape(flat, a.shape(), stream);
}

array put_along_axis(const array& a, const array& indices, const array& values,
                     std::optional<std::int64_t> axis, ScatterMode mode,
                     const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (!axis) {
    array flat = put_along_axis(reshape(a, Shape{a.size()}, stream),
                                reshape(indices, Shape{indices.size()}, stream),
                                reshape(values, Shape{values.size()}, stream), 0, mode, stream);
    return reshape(flat, a.shape(), stream);
  }
  auto [target, positions, along] = along_axis("put_along_axis", a, indices, *axis, stream);
  if (!(target.shape() == a.shape())) {
    raise<ValueError>("put_along_axis", "the indices do not fit: got ", to_string(indices.shape()),
                      " for ", to_string(a.shape()));
  }
  array updates = broadcast_to(astype(values, a.dtype(), stream), positions.shape(), stream);
  return apply(primitives::ScatterAxis, {a, updates, positions},
               make_attrs(ScatterAxisAttrs{along, mode}), stream);
}

array slice_update(const array& a, const array& update, const array& start, const Axes& axes,
                   const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  auto [starts, normal] = start_indices("slice_update", a, start, axes, stream);
  return scatter(a, starts, update, normal, ScatterMode::none, stream);
}

array combine(ScatterMode mode, const array& old, const array& update, Stream stream) {
  switch (mode) {
    case ScatterMode::none:
      return update;
    case ScatterMode::sum:
      return add(old, update, stream);
    case ScatterMode::prod:
      return multiply(old, update, stream);
    case ScatterMode::max:
      return maximum(old, update, stream);
    case ScatterMode::min:
      return minimum(old, update, stream);
  }
  __builtin_unreachable();
}

namespace primitives {

const Op Scatter = {
    .name = "Scatter",
    .inputs = {"a", "updates", "indices..."},
    .attrs = describe<ScatterAttrs>(),
    .infer = scatter_infer,
    .donates = 0,
    .gradient = {scatter_vjp},
    .batching = scatter_vmap,
    .doc = "The array with the blocks that begin at the indices replaced, or combined by the mode.",
};

const Op ScatterAxis = {
    .name = "ScatterAxis",
    .inputs = {"a", "updates", "indices"},
    .attrs = describe<ScatterAxisAttrs>(),
    .infer = scatter_axis_infer,
    .donates = 0,
    .gradient = {scatter_vjp},
    .batching = scatter_axis_vmap,
    .doc = "The array with elements along one axis replaced, or combined by the mode.",
};

}  // namespace primitives

}  // namespace mlx::core
