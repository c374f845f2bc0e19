// Slice and SliceUpdate.
#include "mlx/ops/slice.h"

#include <algorithm>

#include "mlx/ops/primitives.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

std::int64_t slice_size(std::int64_t start, std::int64_t stop, std::int64_t step) {
  std::int64_t count =
      step > 0 ? (stop - start + step - 1) / step : (start - stop - step - 1) / -step;
  return std::max<std::int64_t>(count, 0);
}

Shape slice_shape(std::string_view op, const Shape& in, const SliceAttrs& attrs) {
  const auto& [start, stop, step] = attrs;
  if (start.size() != in.size() || stop.size() != in.size() || step.size() != in.size()) {
    raise<ValueError>(op, "one start, stop and step per axis are needed: got ", start.size(), ", ",
                      stop.size(), ", ", step.size(), "; expected ", in.size());
  }
  Shape shape;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (step[i] == 0) raise<ValueError>(op, "the step is 0 on axis ", i);
    std::int64_t size = slice_size(start[i], stop[i], step[i]);
    std::int64_t last = start[i] + (size - 1) * step[i];
    if (size > 0 && (std::min(start[i], last) < 0 || std::max(start[i], last) >= in[i])) {
      raise<IndexError>(op, "outside the array on axis ", i, ": got [", start[i], ":", stop[i], ":",
                        step[i], "]; expected elements 0 to ", in[i] - 1);
    }
    shape.push_back(size);
  }
  return shape;
}

Specs slice_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  return {Spec{slice_shape(op.name, inputs[0].shape(), attrs_as<SliceAttrs>(attrs)),
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
  Shape shape = slice_shape(op.name, inputs[0].shape(), attrs_as<SliceAttrs>(attrs));
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
    result.strides[i] = attrs.step[i] * tensor.strides[i];
  }
  return result;
}

array slice(const array& a, Shape start, Shape stop, Shape step, const StreamOrDevice& stream) {
  SliceAttrs attrs{std::move(start), std::move(stop), std::move(step)};
  return slice_with(a, make_attrs(std::move(attrs)), to_stream(stream));
}

array slice_update(const array& a, const array& update, Shape start, Shape stop, Shape step,
                   const StreamOrDevice& stream) {
  SliceAttrs attrs{std::move(start), std::move(stop), std::move(step)};
  return update_with(a, update, make_attrs(std::move(attrs)), to_stream(stream));
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
