// The view primitives: Broadcast, ExpandDims, Reshape, Squeeze, Transpose.
#include "mlx/ops/shape.h"

#include <algorithm>

#include "mlx/ops/primitives.h"
#include "mlx/ops/reduce.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

// --- Broadcast ---------------------------------------------------------------------------------

Specs broadcast_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const Shape& target = attrs_as<ShapeAttrs>(attrs).shape;
  const Shape& shape = inputs[0].shape();
  element_count(target);
  bool fits = shape.size() <= target.size() && broadcast_shapes(op.name, shape, target) == target;
  if (!fits) {
    raise<ValueError>("broadcast_to", "the shape does not broadcast: got ", to_string(shape),
                      "; expected one that broadcasts to ", to_string(target));
  }
  return {Spec{target, inputs[0].dtype()}};
}

std::optional<Tensor> broadcast_view(const Tensor& in, const Spec& out, const AttrsRef&) {
  return Tensor{in.data, out.shape, broadcast_strides(in.shape, in.strides, out.shape), in.dtype};
}

// The transpose of repeating is summing.
array sum_to_shape(const array& a, const Shape& shape) {
  Axes axes;
  std::size_t extra = a.shape().size() - shape.size();
  for (std::size_t axis = 0; axis < a.shape().size(); ++axis) {
    bool repeated = axis < extra || (shape[axis - extra] == 1 && a.shape()[axis] != 1);
    if (repeated) axes.push_back(static_cast<std::int64_t>(axis));
  }
  array total = axes.empty() ? a : sum(a, axes, true);
  return reshape(total, shape);
}

Results broadcast_vjp(const VjpCall& call) {
  return {sum_to_shape(*call.cotangents[0], call.inputs[0].shape())};
}
Results broadcast_jvp(const JvpCall& call) {
  return {broadcast_to(*call.tangents[0], call.outputs[0].shape())};
}

Arrays broadcast_vmap(const VmapCall& call) {
  Shape shape = attrs_as<ShapeAttrs>(call.attrs).shape;
  array x = move_batch_to_front(call, 0);
  // Sizes of 1 between the batch axis and the input's axes, where the target has more axes.
  Shape spaced{call.size};
  for (std::size_t i = x.shape().size() - 1; i < shape.size(); ++i) spaced.push_back(1);
  for (std::size_t i = 1; i < x.shape().size(); ++i) spaced.push_back(x.shape()[i]);
  shape.insert(shape.begin(), call.size);
  return {broadcast_to(reshape(x, spaced, call.stream), shape, call.stream)};
}

// --- Reshape, ExpandDims, Squeeze ----------------------------------------------------------------

Specs reshape_infer(const Op&, Inputs inputs, const AttrsRef& attrs) {
  Shape shape = attrs_as<ShapeAttrs>(attrs).shape;
  if (std::find(shape.begin(), shape.end(), -1) != shape.end()) element_count(shape);  // raises
  return {Spec{resolve_reshape("reshape", inputs[0].shape(), shape), inputs[0].dtype()}};
}

// Strides for the new shape, found by matching runs of axes with equal products; nullopt where a
// new axis would straddle axes of the input that are not adjacent in memory.
std::optional<Strides> reshaped_strides(const Shape& from, const Strides& strides,
                                        const Shape& to) {
  Shape shape;  // the input without axes of size 1
  Strides steps;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == 1) continue;
    shape.push_back(from[i]);
    steps.push_back(strides[i]);
  }
  Strides result(to.size(), 1);
  std::size_t first = 0, target = 0;
  while (target < to.size()) {
    if (to[target] == 1) {
      ++target;
      continue;
    }
    std::size_t last = first, end = target;
    std::int64_t old_count = shape[last++], new_count = to[end++];
    while (old_count != new_count) {
      if (old_count < new_count) {
        if (steps[last - 1] != steps[last] * shape[last]) return std::nullopt;
        old_count *= shape[last++];
      } else {
        new_count *= to[end++];
      }
    }
    std::int64_t step = steps[last - 1];
    for (std::size_t i = end; i-- > target;) {
      result[i] = step;
      step *= to[i];
    }
    first = last;
    target = end;
  }
  return result;
}

std::optional<Tensor> reshape_view(const Tensor& in, const Spec& out, const AttrsRef&) {
  if (element_count(out.shape) == 0) {
    return Tensor{in.data, out.shape, row_major_strides(out.shape), in.dtype};
  }
  auto strides = reshaped_strides(in.shape, in.strides, out.shape);
  if (!strides) return std::nullopt;
  return Tensor{in.data, out.shape, std::move(*strides), in.dtype};
}

// The same for ExpandDims and Squeeze.
Results reshape_vjp(const VjpCall& call) {
  return {reshape(*call.cotangents[0], call.inputs[0].shape())};
}
Results reshape_jvp(const JvpCall& call) {
  return {reshape(*call.tangents[0], call.outputs[0].shape())};
}

Arrays reshape_vmap(const VmapCall& call) {
  Shape shape = attrs_as<ShapeAttrs>(call.attrs).shape;
  shape.insert(shape.begin(), call.size);
  return {reshape(move_batch_to_front(call, 0), shape, call.stream)};
}

Specs expand_infer(const Op&, Inputs inputs, const AttrsRef& attrs) {
  Shape shape = inputs[0].shape();
  for (std::int64_t axis : attrs_as<AxesAttrs>(attrs).axes) {
    if (axis < 0 || axis > static_cast<std::int64_t>(shape.size())) {
      raise<IndexError>("expand_dims", "axis out of range: got ", axis, " for ",
                        to_string(inputs[0].shape()));
    }
    shape.insert(shape.begin() + axis, 1);
  }
  return {Spec{std::move(shape), inputs[0].dtype()}};
}

Specs squeeze_infer(const Op&, Inputs inputs, const AttrsRef& attrs) {
  const Axes& axes = attrs_as<AxesAttrs>(attrs).axes;
  Shape shape;
  for (int axis = 0; axis < inputs[0].ndim(); ++axis) {
    std::int64_t size = inputs[0].shape(axis);
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) {
      shape.push_back(size);
    } else if (size != 1) {
      raise<ValueError>("squeeze", "axis ", axis, " has more than one element: got shape ",
                        to_string(inputs[0].shape()), "; expected size 1 there");
    }
  }
  return {Spec{std::move(shape), inputs[0].dtype()}};
}

Axes shifted(const Axes& axes) {
  Axes result;
  for (std::int64_t axis : axes) result.push_back(axis + 1);
  return result;
}

Arrays axes_vmap(const VmapCall& call) {
  AxesAttrs attrs{shifted(attrs_as<AxesAttrs>(call.attrs).axes)};
  return {apply(call.op, {move_batch_to_front(call, 0)}, make_attrs(attrs), call.stream)};
}

// --- Transpose ---------------------------------------------------------------------------------

Specs transpose_infer(const Op&, Inputs inputs, const AttrsRef& attrs) {
  const Axes& axes = attrs_as<AxesAttrs>(attrs).axes;
  Axes sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  bool is_permutation = axes.size() == inputs[0].shape().size();
  for (std::size_t i = 0; is_permutation && i < sorted.size(); ++i) {
    is_permutation = sorted[i] == static_cast<std::int64_t>(i);
  }
  if (!is_permutation) {
    raise<ValueError>("transpose", "not a permutation of the axes: got ", to_string(axes),
                      " for shape ", to_string(inputs[0].shape()));
  }
  Shape shape;
  for (std::int64_t axis : axes) shape.push_back(inputs[0].shape(static_cast<int>(axis)));
  return {Spec{std::move(shape), inputs[0].dtype()}};
}

std::optional<Tensor> transpose_view(const Tensor& in, const Spec& out, const AttrsRef& attrs) {
  Strides strides;
  for (std::int64_t axis : attrs_as<AxesAttrs>(attrs).axes) {
    strides.push_back(in.strides[static_cast<std::size_t>(axis)]);
  }
  return Tensor{in.data, out.shape, std::move(strides), in.dtype};
}

Axes inverse(const Axes& axes) {
  Axes result(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    result[static_cast<std::size_t>(axes[i])] = static_cast<std::int64_t>(i);
  }
  return result;
}

Results transpose_vjp(const VjpCall& call) {
  return {transpose(*call.cotangents[0], inverse(attrs_as<AxesAttrs>(call.attrs).axes))};
}
Results transpose_jvp(const JvpCall& call) {
  return {transpose(*call.tangents[0], attrs_as<AxesAttrs>(call.attrs).axes)};
}

Arrays transpose_vmap(const VmapCall& call) {
  Axes axes = shifted(attrs_as<AxesAttrs>(call.attrs).axes);
  axes.insert(axes.begin(), 0);
  return {transpose(move_batch_to_front(call, 0), axes, call.stream)};
}

}  // namespace

array broadcast_to(const array& a, const Shape& shape, const StreamOrDevice& stream) {
  if (a.shape() == shape) return a;
  return apply(primitives::Broadcast, {a}, make_attrs(ShapeAttrs{shape}), to_stream(stream));
}

Shape resolve_reshape(std::string_view op, const Shape& from, Shape to) {
  std::int64_t* unknown = nullptr;
  for (std::int64_t& size : to) {
    if (size == -1 && unknown == nullptr) {
      unknown = &size;
    } else if (size < 0) {
      raise<ValueError>(op, "unusable size: got ", to_string(to),
                        "; expected sizes of at least 0, and at most one -1");
    }
  }
  std::int64_t count = element_count(from);
  if (unknown != nullptr) {
    *unknown = 1;
    std::int64_t known = element_count(to);
    *unknown = -1;
    if (known == 0 || count % known != 0) {
      raise<ValueError>(op, "no size fits for -1: got ", to_string(from), " to ", to_string(to));
    }
    *unknown = count / known;
  }
  if (element_count(to) != count) {
    raise<ValueError>(op, "the number of elements changes: got ", to_string(from), " to ",
                      to_string(to), "; expected ", count, " elements");
  }
  return to;
}

array reshape(const array& a, Shape shape, const StreamOrDevice& stream) {
  if (a.shape() == shape) return a;
  shape = resolve_reshape("reshape", a.shape(), std::move(shape));
  if (a.shape() == shape) return a;
  AttrsRef attrs = make_attrs(ShapeAttrs{shape});
  return apply(primitives::Reshape, {a}, std::move(attrs), to_stream(stream),
               Spec{std::move(shape), a.dtype()});
}

array squeeze(const array& a, const std::optional<Axes>& axes, const StreamOrDevice& stream) {
  Axes normal;
  if (axes) {
    normal = normalize_axes("squeeze", axes, a.ndim());
  } else {
    for (int axis = 0; axis < a.ndim(); ++axis) {
      if (a.shape(axis) == 1) normal.push_back(axis);
    }
  }
  if (normal.empty()) return a;
  return apply(primitives::Squeeze, {a}, make_attrs(AxesAttrs{normal}), to_stream(stream));
}

array expand_dims(const array& a, const Axes& axes, const StreamOrDevice& stream) {
  if (axes.empty()) return a;
  // Axes of the result, so they are counted with the new ones.
  Axes normal = normalize_axes("expand_dims", axes, a.ndim() + static_cast<int>(axes.size()));
  return apply(primitives::ExpandDims, {a}, make_attrs(AxesAttrs{normal}), to_stream(stream));
}

array transpose(const array& a, const std::optional<Axes>& axes, const StreamOrDevice& stream) {
  Axes order;
  for (int i = 0; i < a.ndim(); ++i) {
    order.push_back(axes ? 0 : a.ndim() - 1 - i);
  }
  if (axes) {
    if (axes->size() != order.size()) {
      raise<ValueError>("transpose", "wrong number of axes: got ", to_string(*axes), " for shape ",
                        to_string(a.shape()), "; expected ", a.ndim());
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = normalize_axis("transpose", (*axes)[i], a.ndim());
    }
  }
  bool is_identity = std::is_sorted(order.begin(), order.end()) &&
                     std::adjacent_find(order.begin(), order.end()) == order.end();
  if (is_identity) return a;
  return apply(primitives::Transpose, {a}, make_attrs(AxesAttrs{order}), to_stream(stream));
}

namespace primitives {

const Op Broadcast = {
    .name = "Broadcast",
    .inputs = {"a"},
    .attrs = describe<ShapeAttrs>(),
    .evaluation = Evaluation::view,
    .infer = broadcast_infer,
    .view = broadcast_view,
    .gradient = {broadcast_vjp, broadcast_jvp},
    .batching = broadcast_vmap,
    .doc = "The array repeated along axes of size 1 and new leading axes.",
};

const Op ExpandDims = {
    .name = "ExpandDims",
    .inputs = {"a"},
    .attrs = describe<AxesAttrs>(),
    .evaluation = Evaluation::view,
    .infer = expand_infer,
    .view = reshape_view,
    .gradient = {reshape_vjp, reshape_jvp},
    .batching = axes_vmap,
    .doc = "New axes of size 1, at these places of the result.",
};

const Op Reshape = {
    .name = "Reshape",
    .inputs = {"a"},
    .attrs = describe<ShapeAttrs>(),
    .evaluation = Evaluation::view,
    .infer = reshape_infer,
    .view = reshape_view,
    .gradient = {reshape_vjp, reshape_jvp},
    .batching = reshape_vmap,
    .doc = "The elements in row-major order in another shape.",
};

const Op Squeeze = {
    .name = "Squeeze",
    .inputs = {"a"},
    .attrs = describe<AxesAttrs>(),
    .evaluation = Evaluation::view,
    .infer = squeeze_infer,
    .view = reshape_view,
    .gradient = {reshape_vjp, reshape_jvp},
    .batching = axes_vmap,
    .doc = "The array without these axes, which have size 1.",
};

const Op Transpose = {
    .name = "Transpose",
    .inputs = {"a"},
    .attrs = describe<AxesAttrs>(),
    .evaluation = Evaluation::view,
    .infer = transpose_infer,
    .view = transpose_view,
    .gradient = {transpose_vjp, transpose_jvp},
    .batching = transpose_vmap,
    .doc = "The axes in another order.",
};

}  // namespace primitives

}  // namespace mlx::core
