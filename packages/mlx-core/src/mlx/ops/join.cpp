// Concatenate, and what is composed of it and of slices.
#include "mlx/ops/join.h"

#include <algorithm>

#include "mlx/ops/cast.h"
#include "mlx/ops/index.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

std::size_t index_of(std::int64_t axis) { return static_cast<std::size_t>(axis); }

Shape concatenated_shape(std::string_view op, Inputs inputs, std::size_t axis) {
  Shape shape = inputs[0].shape();
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const Shape& other = inputs[i].shape();
    Shape expected = shape;
    bool fits = other.size() == shape.size();
    if (fits) expected[axis] = other[axis];
    if (!fits || !(other == expected)) {
      raise<ValueError>(op, "shapes differ: got ", to_string(inputs[0].shape()), " and ",
                        to_string(other), "; expected equal sizes except on axis ", axis);
    }
    if (__builtin_add_overflow(shape[axis], other[axis], &shape[axis])) {
      raise<OverflowError>(op, "too many elements along axis ", axis);
    }
  }
  return shape;
}

Specs concatenate_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  std::int64_t axis = attrs_as<ConcatenateAttrs>(attrs).axis;
  if (inputs.empty()) raise<ValueError>(op.name, "nothing to join: got no arrays");
  if (axis < 0 || axis >= inputs[0].ndim()) {
    raise<IndexError>(op.name, "axis out of range: got ", axis, " for ",
                      to_string(inputs[0].shape()));
  }
  for (const array& input : inputs) {
    if (input.dtype() != inputs[0].dtype()) {
      raise<ValueError>(op.name, "dtypes differ: got ", name_of(inputs[0].dtype()), " and ",
                        name_of(input.dtype()));
    }
  }
  return {Spec{concatenated_shape(op.name, inputs, index_of(axis)), inputs[0].dtype()}};
}

// Elements first to first + count of one axis.
array part_of(const array& a, std::int64_t axis, std::int64_t first, std::int64_t count,
              Stream stream) {
  Shape start(a.shape().size(), 0), stop = a.shape(), step(a.shape().size(), 1);
  start[index_of(axis)] = first;
  stop[index_of(axis)] = first + count;
  return slice(a, start, stop, step, stream);
}

Results concatenate_vjp(const VjpCall& call) {
  std::int64_t axis = attrs_as<ConcatenateAttrs>(call.attrs).axis;
  Results result(call.inputs.size());
  std::int64_t first = 0;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    std::int64_t count = call.inputs[i].shape()[index_of(axis)];
    if (call.wanted[i]) {
      result[i] = part_of(*call.cotangents[0], axis, first, count, stream_of(call));
    }
    first += count;
  }
  return result;
}

Results concatenate_jvp(const JvpCall& call) {
  Stream stream = stream_of(call);
  SmallVector<array, 3> tangents;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const array& x = call.inputs[i];
    tangents.push_back(call.tangents[i] ? *call.tangents[i]
                                        : broadcast_to(array(0, x.dtype()), x.shape(), stream));
  }
  return {apply(call.op, std::move(tangents), call.attrs, stream)};
}

Arrays concatenate_vmap(const VmapCall& call) {
  SmallVector<array, 3> inputs;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    inputs.push_back(move_batch_to_front(call, i));
  }
  ConcatenateAttrs attrs{attrs_as<ConcatenateAttrs>(call.attrs).axis + 1};
  return {apply(call.op, std::move(inputs), make_attrs(attrs), call.stream)};
}

Dtype common_dtype(const Arrays& arrays) {
  Dtype dtype = arrays[0].dtype();
  for (const array& a : arrays) dtype = promote(dtype, a.dtype());
  return dtype;
}

std::int64_t wrapped(std::int64_t i, std::int64_t size) { return (i % size + size) % size; }

// Which element of an axis of `size` stands at position i, outside of it too.
std::int64_t padded_source(PadMode mode, std::int64_t i, std::int64_t size) {
  switch (mode) {
    case PadMode::wrap:
      return wrapped(i, size);
    case PadMode::symmetric: {
      std::int64_t j = wrapped(i, 2 * size);
      return j < size ? j : 2 * size - 1 - j;
    }
    case PadMode::reflect: {
      if (size == 1) return 0;
      std::int64_t j = wrapped(i, 2 * size - 2);
      return j < size ? j : 2 * size - 2 - j;
    }
    case PadMode::constant:
    case PadMode::edge:
      return std::clamp<std::int64_t>(i, 0, size - 1);
  }
  __builtin_unreachable();
}

array padded_axis(const array& a, int axis, std::int64_t low, std::int64_t high, PadMode mode,
                  Stream stream) {
  if (low == 0 && high == 0) return a;
  std::int64_t size = a.shape(axis);
  if (size == 0) {
    raise<ValueError>("pad", "nothing to pad with: got size 0 on axis ", axis,
                      "; expected at least 1, or mode 'constant'");
  }
  std::vector<std::int64_t> sources;
  sources.reserve(index_of(low + size + high));
  for (std::int64_t i = -low; i < size + high; ++i) {
    sources.push_back(padded_source(mode, i, size));
  }
  return take(a, from_host(sources), axis, stream);
}

void check_pad(const array& a, const Shape& low, const Shape& high) {
  if (low.size() != a.shape().size() || high.size() != a.shape().size()) {
    raise<ValueError>("pad", "wrong number of widths: got ", low.size(), "; expected ", a.ndim(),
                      " for shape ", to_string(a.shape()));
  }
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (low[i] < 0 || high[i] < 0) {
      raise<ValueError>("pad", "negative width: got (", low[i], ", ", high[i], ") on axis ", i,
                        "; expected at least 0");
    }
  }
}

array padded_with(const array& a, const Shape& low, const Shape& high, const array& value,
                  Stream stream) {
  Shape shape, stop, step(a.shape().size(), 1);
  for (std::size_t i = 0; i < low.size(); ++i) {
    std::int64_t size;
    if (__builtin_add_overflow(low[i], a.shape()[i], &size) ||
        __builtin_add_overflow(size, high[i], &size)) {
      raise<OverflowError>("pad", "too many elements along axis ", i);
    }
    shape.push_back(size);
    stop.push_back(low[i] + a.shape()[i]);
  }
  array base = broadcast_to(astype(value, a.dtype(), stream), shape, stream);
  if (a.size() == 0) return base;
  return slice_update(base, a, low, stop, step, stream);
}

}  // namespace

array concatenate(const Arrays& arrays, std::optional<std::int64_t> axis,
                  const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (arrays.empty()) {
    raise<ValueError>("concatenate", "nothing to join: got no arrays; expected at least one");
  }
  if (!axis) {
    Arrays flat;
    for (const array& a : arrays) flat.push_back(reshape(a, Shape{a.size()}, stream));
    return concatenate(flat, 0, stream);
  }
  int along = normalize_axis("concatenate", *axis, arrays[0].ndim());
  Dtype dtype = common_dtype(arrays);
  Shape shape = concatenated_shape("concatenate", arrays, index_of(along));
  // Empty parts, which users start loops with, cost no copy.
  SmallVector<array, 3> parts;
  for (const array& a : arrays) {
    if (a.shape(along) > 0) parts.push_back(astype(a, dtype, stream));
  }
  if (parts.empty()) return astype(arrays[0], dtype, stream);
  if (parts.size() == 1) return parts[0];
  return apply(primitives::Concatenate, std::move(parts), make_attrs(ConcatenateAttrs{along}),
               stream, Spec{std::move(shape), dtype});
}

array stack(const Arrays& arrays, std::int64_t axis, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (arrays.empty()) {
    raise<ValueError>("stack", "nothing to join: got no arrays; expected at least one");
  }
  int along = normalize_axis("stack", axis, arrays[0].ndim() + 1);
  Arrays expanded;
  for (const array& a : arrays) {
    if (!(a.shape() == arrays[0].shape())) {
      raise<ValueError>("stack", "shapes differ: got ", to_string(arrays[0].shape()), " and ",
                        to_string(a.shape()), "; expected equal shapes");
    }
    expanded.push_back(expand_dims(a, Axes{along}, stream));
  }
  return concatenate(expanded, along, stream);
}

Arrays unstack(const array& a, std::int64_t axis, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (a.ndim() == 0) {
    raise<ValueError>("unstack", "no axis to take apart: got shape (); expected at least 1 axis");
  }
  int along = normalize_axis("unstack", axis, a.ndim());
  Arrays parts;
  for (std::int64_t i = 0; i < a.shape(along); ++i) {
    parts.push_back(squeeze(part_of(a, along, i, 1, stream), Axes{along}, stream));
  }
  return parts;
}

Arrays split(const array& a, std::int64_t sections, std::int64_t axis,
             const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  int along = normalize_axis("split", axis, a.ndim());
  std::int64_t size = a.shape(along);
  if (sections <= 0 || size % sections != 0) {
    raise<ValueError>("split", "no equal parts: got ", sections, " sections of axis ", along,
                      " of shape ", to_string(a.shape()), "; expected a divisor of ", size);
  }
  Arrays parts;
  for (std::int64_t i = 0; i < sections; ++i) {
    parts.push_back(part_of(a, along, i * (size / sections), size / sections, stream));
  }
  return parts;
}

Arrays split(const array& a, const Shape& indices, std::int64_t axis, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  int along = normalize_axis("split", axis, a.ndim());
  std::int64_t size = a.shape(along);
  // Positions as in slices: negative ones count from the end, all are clamped.
  auto position = [&](std::int64_t index) {
    return std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size);
  };
  Arrays parts;
  std::int64_t first = 0;
  for (std::size_t i = 0; i <= indices.size(); ++i) {
    std::int64_t last = i < indices.size() ? position(indices[i]) : size;
    parts.push_back(part_of(a, along, first, std::max<std::int64_t>(last - first, 0), stream));
    first = last;
  }
  return parts;
}

array pad(const array& a, const Shape& low, const Shape& high, PadMode mode,
          const std::optional<array>& value, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  check_pad(a, low, high);
  if (mode == PadMode::constant) {
    bool is_nothing = std::all_of(low.begin(), low.end(), [](auto w) { return w == 0; }) &&
                      std::all_of(high.begin(), high.end(), [](auto w) { return w == 0; });
    if (is_nothing) return a;
    return padded_with(a, low, high, value.value_or(array(0, a.dtype())), stream);
  }
  array result = a;
  for (int axis = 0; axis < a.ndim(); ++axis) {
    result = padded_axis(result, axis, low[index_of(axis)], high[index_of(axis)], mode, stream);
  }
  return result;
}

namespace primitives {

const Op Concatenate = {
    .name = "Concatenate",
    .inputs = {"arrays..."},
    .attrs = describe<ConcatenateAttrs>(),
    .infer = concatenate_infer,
    .gradient = {concatenate_vjp, concatenate_jvp},
    .batching = concatenate_vmap,
    .doc = "The arrays one after the other along an axis.",
};

}  // namespace primitives

}  // namespace mlx::core
