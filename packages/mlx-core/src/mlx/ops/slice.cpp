// Slice and SliceUpdate.
#include "mlx/ops/slice.h"

#include <algorithm>

#include "mlx/ops/cast.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

// Differences are taken modulo 2**64, where none overflows.
std::uint64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

std::uint64_t slice_size(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step > 0 ? stop <= start : stop >= start) return 0;
  if (step > 0) return (difference(stop, start) - 1) / difference(step, 0) + 1;
  return (difference(start, stop) - 1) / difference(0, step) + 1;
}

// How many steps lead from `start` to other elements of the axis.
std::uint64_t room(std::int64_t start, std::int64_t step, std::int64_t size) {
  if (step > 0) return difference(size - 1, start) / difference(step, 0);
  return difference(start, 0) / difference(0, step);
}

}  // namespace

Shape sliced_shape(std::string_view op, const Shape& in, const SliceAttrs& attrs) {
  const auto& [start, stop, step] = attrs;
  if (start.size() != in.size() || stop.size() != in.size() || step.size() != in.size()) {
    raise<ValueError>(op, "one start, stop and step per axis are needed: got ", start.size(), ", ",
                      stop.size(), ", ", step.size(), "; expected ", in.size());
  }
  Shape shape;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (step[i] == 0) raise<ValueError>(op, "the step is 0 on axis ", i);
    std::uint64_t size = slice_size(start[i], stop[i], step[i]);
    bool inside = start[i] >= 0 && start[i] < in[i] && size - 1 <= room(start[i], step[i], in[i]);
    if (size > 0 && !inside) {
      raise<IndexError>(op, "outside the array on axis ", i, ": got [", start[i], ":", stop[i], ":",
                        step[i], "]; expected elements 0 to ", in[i] - 1);
    }
    shape.push_back(static_cast<std::int64_t>(size));
  }
  return shape;
}

namespace {

Specs slice_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  return {Spec{sliced_shape(op.name, inputs[0].shape(), attrs_as<SliceAttrs>(attrs)),
               inputs[0].dtype()}};
}

std::optional<Tensor> slice_view(const Tensor& in, const Spec& out, const AttrsRef& attrs) {
  return sliced(in, attrs_as<SliceAttrs>(attrs), out.shape);
}

array zeros_like(const array& a) { return broadcast_to(array(0, a.dtype()), a.shape()); }

array update_with(const array& a, const array& update, const AttrsRef& attrs, Stream stream) {
  return apply(primitives::SliceUpdate, {a, update}, attrs, stream);
}
array slice_with(const array& a, const AttrsRef& attrs, Stream stream) {
  return apply(primitives::Slice, {a}, attrs, stream);
}

Results slice_vjp(const VjpCall& call) {
  const array& dy = *call.cotangents[0];
  return {update_with(zeros_like(call.inputs[0]), dy, call.attrs, dy.node().stream)};
}
Results slice_jvp(const JvpCall& call) {
  return {slice_with(*call.tangents[0], call.attrs, call.outputs[0].node().stream)};
}

AttrsRef batched(const VmapCall& call) {
  SliceAttrs attrs = attrs_as<SliceAttrs>(call.attrs);
  attrs.start.insert(attrs.start.begin(), 0);
  attrs.stop.insert(attrs.stop.begin(), call.size);
  attrs.step.insert(attrs.step.begin(), 1);
  return make_attrs(std::move(attrs));
}

Arrays slice_vmap(const VmapCall& call) {
  return {slice_with(move_batch_to_front(call, 0), batched(call), call.stream)};
}

Specs update_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  Shape shape = sliced_shape(op.name, inputs[0].shape(), attrs_as<SliceAttrs>(attrs));
  if (!(inputs[1].shape() == shape) || inputs[1].dtype() != inputs[0].dtype()) {
    raise<ValueError>(op.name, "the update does not fit: got ", name_of(inputs[1].dtype()), " ",
                      to_string(inputs[1].shape()), "; expected ", name_of(inputs[0].dtype()), " ",
                      to_string(shape));
  }
  return {Spec{inputs[0].shape(), inputs[0].dtype()}};
}

Results update_vjp(const VjpCall& call) {
  const array& dy = *call.cotangents[0];
  Stream stream = dy.node().stream;
  Results result(2);
  if (call.wanted[0]) {
    result[0] = update_with(dy, zeros_like(call.inputs[1]), call.attrs, stream);
  }
  if (call.wanted[1]) result[1] = slice_with(dy, call.attrs, stream);
  return result;
}
Results update_jvp(const JvpCall& call) {
  array da = call.tangents[0].value_or(zeros_like(call.inputs[0]));
  array du = call.tangents[1].value_or(zeros_like(call.inputs[1]));
  return {update_with(da, du, call.attrs, call.outputs[0].node().stream)};
}
Arrays update_vmap(const VmapCall& call) {
  return {update_with(move_batch_to_front(call, 0), move_batch_to_front(call, 1), batched(call),
                      call.stream)};
}

}  // namespace

Tensor sliced(const Tensor& tensor, const SliceAttrs& attrs, const Shape& shape) {
  Tensor result{tensor.data, shape, Strides(shape.size(), 0), tensor.dtype};
  bool is_empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  for (std::size_t i = 0; i < shape.size() && !is_empty; ++i) {
    result.data += attrs.start[i] * tensor.strides[i] * size_of(tensor.dtype);
    // The step past an only element is not taken; it may be so large that this would overflow.
    if (shape[i] > 1) result.strides[i] = attrs.step[i] * tensor.strides[i];
  }
  return result;
}

SliceAttrs resolve_slice(std::string_view op, const Shape& shape, Shape start, Shape stop,
                         Shape step) {
  if (start.size() != shape.size() || stop.size() != shape.size() || step.size() != shape.size()) {
    raise<ValueError>(op, "one start, stop and step per axis are needed: got ", start.size(), ", ",
                      stop.size(), ", ", step.size(), "; expected ", shape.size());
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (step[i] == 0) raise<ValueError>(op, "the step is 0 on axis ", i);
    std::int64_t first = step[i] > 0 ? 0 : -1, last = step[i] > 0 ? shape[i] : shape[i] - 1;
    for (std::int64_t* end : {&start[i], &stop[i]}) {
      if (*end < 0) *end += shape[i];
      *end = std::clamp(*end, first, last);
    }
    if (step[i] > 0 ? stop[i] <= start[i] : stop[i] >= start[i]) {
      start[i] = stop[i] = 0;
      step[i] = 1;
    }
  }
  return {std::move(start), std::move(stop), std::move(step)};
}

bool selects_all(const SliceAttrs& attrs, const Shape& shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (attrs.start[i] != 0 || attrs.stop[i] < shape[i] || attrs.step[i] != 1) return false;
  }
  return true;
}

array slice(const array& a, Shape start, Shape stop, Shape step, const StreamOrDevice& stream) {
  return slice(a, SliceAttrs{std::move(start), std::move(stop), std::move(step)}, stream);
}

array slice(const array& a, SliceAttrs attrs, const StreamOrDevice& stream) {
  Shape shape = sliced_shape("slice", a.shape(), attrs);
  if (selects_all(attrs, a.shape())) return a;
  return apply(primitives::Slice, {a}, make_attrs(std::move(attrs)), to_stream(stream),
               Spec{std::move(shape), a.dtype()});
}

array slice_update(const array& a, const array& update, Shape start, Shape stop, Shape step,
                   const StreamOrDevice& stream) {
  return slice_update(a, update, SliceAttrs{std::move(start), std::move(stop), std::move(step)},
                      stream);
}

array slice_update(const array& a, const array& update, SliceAttrs attrs,
                   const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Shape shape = sliced_shape("slice_update", a.shape(), attrs);
  array value = broadcast_to(astype(update, a.dtype(), stream), shape, stream);
  if (selects_all(attrs, a.shape())) return value;
  return update_with(a, value, make_attrs(std::move(attrs)), stream);
}

namespace primitives {

const Op Slice = {
    .name = "Slice",
    .inputs = {"a"},
    .attrs = describe<SliceAttrs>(),
    .evaluation = Evaluation::view,
    .infer = slice_infer,
    .view = slice_view,
    .gradient = {slice_vjp, slice_jvp},
    .batching = slice_vmap,
    .doc = "Every step-th element from start on, before stop, along each axis.",
};

const Op SliceUpdate = {
    .name = "SliceUpdate",
    .inputs = {"a", "update"},
    .attrs = describe<SliceAttrs>(),
    .evaluation = Evaluation::kernel,
    .infer = update_infer,
    .donates = 0,
    .gradient = {update_vjp, update_jvp},
    .batching = update_vmap,
    .doc = "The array with the elements of a slice replaced.",
};

}  // namespace primitives

}  // namespace mlx::core
