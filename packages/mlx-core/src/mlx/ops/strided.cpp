// AsStrided, Contiguous and View.
#include "mlx/ops/strided.h"

#include <algorithm>

#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/index.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/shape.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

// The lowest and the highest element that the strides reach.
void check_reach(std::string_view op, const AsStridedAttrs& attrs, std::int64_t size) {
  const auto& [shape, strides, offset] = attrs;
  if (shape.size() != strides.size()) {
    raise<ValueError>(op, "one stride per axis is needed: got ", strides.size(), " for shape ",
                      to_string(shape));
  }
  if (element_count(shape) == 0) return;
  std::int64_t low = offset, high = offset;
  bool overflows = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t reach;
    overflows |= __builtin_mul_overflow(strides[i], shape[i] - 1, &reach);
    if (overflows) break;
    std::int64_t& end = reach < 0 ? low : high;
    overflows |= __builtin_add_overflow(end, reach, &end);
  }
  if (overflows || low < 0 || high >= size) {
    raise<IndexError>(op, "outside the array: got shape ", to_string(shape), ", strides ",
                      to_string(strides), " and offset ", offset, "; expected elements 0 to ",
                      size - 1);
  }
}

Specs as_strided_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const auto& strided = attrs_as<AsStridedAttrs>(attrs);
  check_reach(op.name, strided, inputs[0].size());
  return {Spec{strided.shape, inputs[0].dtype()}};
}

std::optional<Tensor> as_strided_view(const Tensor& in, const Spec& out, const AttrsRef& attrs) {
  const auto& [shape, strides, offset] = attrs_as<AsStridedAttrs>(attrs);
  if (!in.is_row_major()) return std::nullopt;
  bool is_empty = element_count(shape) == 0;
  return Tensor{in.data + (is_empty ? 0 : offset * size_of(in.dtype)), shape, strides, out.dtype};
}

// Where each element of the result lies in the flattened input.
array element_positions(const AsStridedAttrs& attrs, Stream stream) {
  array positions(attrs.offset, Dtype::int64);
  for (std::size_t i = 0; i < attrs.shape.size(); ++i) {
    Shape along(attrs.shape.size(), 1);
    along[i] = attrs.shape[i];
    array steps = multiply(arange(std::int64_t{0}, attrs.shape[i], 1, Dtype::int64, stream),
                           array(attrs.strides[i], Dtype::int64), stream);
    positions = add(positions, reshape(steps, along, stream), stream);
  }
  return broadcast_to(positions, attrs.shape, stream);
}

Results as_strided_vjp(const VjpCall& call) {
  const array& x = call.inputs[0];
  Stream stream = stream_of(call);
  array positions = element_positions(attrs_as<AsStridedAttrs>(call.attrs), stream);
  array flat = put_along_axis(zeros(Shape{x.size()}, x.dtype(), stream),
                              reshape(positions, Shape{positions.size()}, stream),
                              reshape(*call.cotangents[0], Shape{positions.size()}, stream), 0,
                              ScatterMode::sum, stream);
  return {reshape(flat, x.shape(), stream)};
}

Arrays as_strided_vmap(const VmapCall& call) {
  AsStridedAttrs attrs = attrs_as<AsStridedAttrs>(call.attrs);
  array x = move_batch_to_front(call, 0);
  attrs.shape.insert(attrs.shape.begin(), call.size);
  attrs.strides.insert(attrs.strides.begin(), call.size == 0 ? 0 : x.size() / call.size);
  return {apply(call.op, {x}, make_attrs(std::move(attrs)), call.stream)};
}

Specs contiguous_infer(const Op&, Inputs inputs, const AttrsRef&) {
  return {Spec{inputs[0].shape(), inputs[0].dtype()}};
}

bool is_column_major(const Tensor& tensor) {
  Shape shape(tensor.shape);
  Strides strides(tensor.strides);
  std::reverse(shape.begin(), shape.end());
  std::reverse(strides.begin(), strides.end());
  return is_row_major(shape, strides);
}

std::optional<Tensor> contiguous_view(const Tensor& in, const Spec&, const AttrsRef& attrs) {
  if (in.is_row_major()) return in;
  bool may_be_column_major = attrs_as<ContiguousAttrs>(attrs).allow_col_major;
  if (may_be_column_major && is_column_major(in)) return in;
  return std::nullopt;
}

Results contiguous_vjp(const VjpCall& call) { return {call.cotangents[0]}; }

Arrays contiguous_vmap(const VmapCall& call) {
  return {contiguous(move_batch_to_front(call, 0), false, call.stream)};
}

Specs view_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  Dtype to = attrs_as<ViewAttrs>(attrs).dtype;
  Shape shape = inputs[0].shape();
  int from_size = size_of(inputs[0].dtype()), to_size = size_of(to);
  if (from_size == to_size) return {Spec{std::move(shape), to}};
  if (shape.empty() || (shape.back() * from_size) % to_size != 0) {
    raise<ValueError>(op.name, "the bytes of the last axis do not divide: got ",
                      name_of(inputs[0].dtype()), " ", to_string(shape), " as ", name_of(to));
  }
  shape.back() = shape.back() * from_size / to_size;
  return {Spec{std::move(shape), to}};
}

// Strides in units of the new size; nullopt where an element would begin inside another.
std::optional<Tensor> view_view(const Tensor& in, const Spec& out, const AttrsRef&) {
  Tensor result{in.data, out.shape, in.strides, out.dtype};
  std::int64_t from_size = size_of(in.dtype), to_size = size_of(out.dtype);
  if (from_size == to_size) return result;
  if (element_count(out.shape) == 0) {
    result.strides = row_major_strides(out.shape);
    return result;
  }
  if (in.shape.back() != 1 && in.strides.back() != 1) return std::nullopt;
  for (std::size_t i = 0; i + 1 < in.shape.size(); ++i) {
    std::int64_t bytes = in.shape[i] == 1 ? 0 : in.strides[i] * from_size;
    if (bytes % to_size != 0) return std::nullopt;
    result.strides[i] = bytes / to_size;
  }
  if (reinterpret_cast<std::uintptr_t>(in.data) % static_cast<std::uintptr_t>(to_size) != 0) {
    return std::nullopt;
  }
  result.strides.back() = 1;
  return result;
}

Arrays view_vmap(const VmapCall& call) {
  return {apply(call.op, {move_batch_to_front(call, 0)}, call.attrs, call.stream)};
}

}  // namespace

array as_strided(const array& a, std::optional<Shape> shape, std::optional<Strides> strides,
                 std::int64_t offset, const StreamOrDevice& stream) {
  AsStridedAttrs attrs{shape.value_or(a.shape()), {}, offset};
  attrs.strides = strides.value_or(row_major_strides(attrs.shape));
  return apply(primitives::AsStrided, {a}, make_attrs(std::move(attrs)), to_stream(stream));
}

array contiguous(const array& a, bool allow_col_major, const StreamOrDevice& stream) {
  return apply(primitives::Contiguous, {a}, make_attrs(ContiguousAttrs{allow_col_major}),
               to_stream(stream), Spec{a.shape(), a.dtype()});
}

array view(const array& a, Dtype dtype, const StreamOrDevice& stream) {
  if (a.dtype() == dtype) return a;
  return apply(primitives::View, {a}, make_attrs(ViewAttrs{dtype}), to_stream(stream));
}

namespace primitives {

const Op AsStrided = {
    .name = "AsStrided",
    .inputs = {"a"},
    .attrs = describe<AsStridedAttrs>(),
    .evaluation = Evaluation::view,
    .infer = as_strided_infer,
    .view = as_strided_view,
    .gradient = {as_strided_vjp, linear_jvp},
    .batching = as_strided_vmap,
    .doc = "Elements of the row-major array at offset plus multiples of the strides.",
};

const Op Contiguous = {
    .name = "Contiguous",
    .inputs = {"a"},
    .attrs = describe<ContiguousAttrs>(),
    .evaluation = Evaluation::view,
    .infer = contiguous_infer,
    .view = contiguous_view,
    .gradient = {contiguous_vjp, linear_jvp},
    .batching = contiguous_vmap,
    .doc = "The same array, in memory in row-major order without gaps.",
};

const Op View = {
    .name = "View",
    .inputs = {"a"},
    .attrs = describe<ViewAttrs>(),
    .evaluation = Evaluation::view,
    .infer = view_infer,
    .view = view_view,
    .gradient = Gradient::none("bytes read as another dtype are not a function of the values"),
    .batching = view_vmap,
    .doc = "The bytes of the elements read as another dtype.",
};

}  // namespace primitives

}  // namespace mlx::core
