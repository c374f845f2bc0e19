// Random numbers: two primitives that draw, the distributions composed of them.
#include "mlx/ops/random.h"

#include <algorithm>
#include <cmath>

#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/linalg.h"
#include "mlx/ops/matmul.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/search.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"
#include "mlx/ops/sort.h"

namespace mlx::core {
namespace {

void check_key(std::string_view op, const array& key) {
  if (key.dtype() != Dtype::uint32 || key.ndim() < 1 || key.shape(-1) != 2) {
    raise<ValueError>(op, "no key: got ", name_of(key.dtype()), " ", to_string(key.shape()),
                      "; expected uint32 (2,), as random.key makes");
  }
}

// Keys with leading axes draw one block of numbers each.
Shape drawn_shape(const array& key, const Shape& shape) {
  Shape result(key.shape().begin(), key.shape().end() - 1);
  for (std::int64_t size : shape) result.push_back(size);
  element_count(result);
  return result;
}

Specs bits_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const auto& [shape, dtype] = attrs_as<RandomBitsAttrs>(attrs);
  check_key(op.name, inputs[0]);
  if (dtype != Dtype::uint32 && dtype != Dtype::uint64) {
    raise<TypeError>(op.name, "unusable dtype: got ", name_of(dtype),
                     "; expected uint32 or uint64");
  }
  return {Spec{drawn_shape(inputs[0], shape), dtype}};
}

Specs integers_infer(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  check_key(op.name, inputs[0]);
  Dtype dtype = inputs[1].dtype();
  bool fits = (dtype == Dtype::int64 || dtype == Dtype::uint64) && inputs[2].dtype() == dtype;
  Shape shape = drawn_shape(inputs[0], attrs_as<RandomIntegersAttrs>(attrs).shape);
  if (!fits || !(inputs[1].shape() == shape) || !(inputs[2].shape() == shape)) {
    raise<ValueError>(op.name, "unusable bounds: got ", name_of(dtype), " ",
                      to_string(inputs[1].shape()), " and ", name_of(inputs[2].dtype()), " ",
                      to_string(inputs[2].shape()), "; expected int64 or uint64 ",
                      to_string(shape));
  }
  return {Spec{std::move(shape), dtype}};
}

Arrays bits_vmap(const VmapCall& call) {
  return {apply(call.op, {move_batch_to_front(call, 0)}, call.attrs, call.stream)};
}

Arrays integers_vmap(const VmapCall& call) {
  SmallVector<array, 3> inputs;
  for (std::size_t i = 0; i < 3; ++i) inputs.push_back(move_batch_to_front(call, i));
  return {apply(call.op, std::move(inputs), call.attrs, call.stream)};
}

array constant(double value, Dtype dtype) { return array(value, dtype); }

// What a distribution over the dtype is computed in.
Dtype working_dtype(std::string_view op, Dtype dtype) {
  if (dtype == Dtype::float64) return dtype;
  if (is_floating(dtype)) return Dtype::float32;
  raise<TypeError>(op, "unusable dtype: got ", name_of(dtype),
                   "; expected float16, bfloat16, float32 or float64");
}

// (k + offset) / 2**b with b bits of randomness, all values exact in the dtype: offset 0 gives
// [0, 1) with 24 (53) bits; offset 1/2 gives (0, 1) with one bit less.
array unit(const array& key, const Shape& shape, Dtype dtype, bool is_open, Stream stream) {
  bool is_double = dtype == Dtype::float64;
  int width = is_double ? 64 : 32, digits = (is_double ? 53 : 24) - (is_open ? 1 : 0);
  Dtype integer = is_double ? Dtype::uint64 : Dtype::uint32;
  array high = right_shift(random::bits(key, shape, integer, stream),
                           array(width - digits, integer), stream);
  array value = astype(high, dtype, stream);
  if (is_open) value = add(value, constant(0.5, dtype), stream);
  return multiply(value, constant(std::ldexp(1.0, -digits), dtype), stream);
}

array sqrt_two(Dtype dtype) { return constant(1.4142135623730951, dtype); }

}  // namespace

namespace random {

array key(std::uint64_t seed, const StreamOrDevice&) {
  return array({static_cast<std::uint32_t>(seed >> 32), static_cast<std::uint32_t>(seed)},
               Shape{2});
}

array split(const array& key, std::int64_t count, const StreamOrDevice& stream) {
  check_key("random.split", key);
  return bits(key, Shape{count, 2}, Dtype::uint32, stream);
}

array bits(const array& key, const Shape& shape, Dtype dtype, const StreamOrDevice& stream) {
  return apply(primitives::RandomBits, {key}, make_attrs(RandomBitsAttrs{shape, dtype}),
               to_stream(stream));
}

array uniform(const array& key, const array& low, const array& high, const Shape& shape,
              Dtype dtype, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Dtype working = working_dtype("random.uniform", dtype);
  array from = astype(low, working, stream), to = astype(high, working, stream);
  array value = unit(key, shape, working, false, stream);
  value = add(from, multiply(value, subtract(to, from, stream), stream), stream);
  if (!(value.shape() == shape)) {
    raise<ValueError>("random.uniform", "the bounds do not broadcast to the shape: got ",
                      to_string(low.shape()), " and ", to_string(high.shape()), "; expected ",
                      to_string(shape));
  }
  // Rounding may reach the upper bound: the number before it stands in.
  value = astype(value, dtype, stream);
  array last = nextafter(astype(to, dtype, stream), astype(from, dtype, stream), stream);
  return core::where(less(value, astype(to, dtype, stream), stream), value, last, stream);
}

array normal(const array& key, const Shape& shape, Dtype dtype, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Dtype working = working_dtype("random.normal", dtype);
  array u = unit(key, shape, working, true, stream);
  array symmetric =
      subtract(multiply(u, constant(2, working), stream), constant(1, working), stream);
  return astype(multiply(erfinv(symmetric, stream), sqrt_two(working), stream), dtype, stream);
}

array randint(const array& key, const array& low, const array& high, const Shape& shape,
              Dtype dtype, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (!is_integer(dtype)) {
    raise<TypeError>("random.randint", "unusable dtype: got ", name_of(dtype),
                     "; expected an integer dtype");
  }
  check_key("random.randint", key);
  bool is_unsigned = low.dtype() == Dtype::uint64 || high.dtype() == Dtype::uint64;
  Dtype wide = is_unsigned ? Dtype::uint64 : Dtype::int64;
  Shape full = drawn_shape(key, shape);
  array from = broadcast_to(astype(low, wide, stream), full, stream);
  array to = broadcast_to(astype(high, wide, stream), full, stream);
  array drawn = apply(primitives::RandomIntegers, {key, from, to},
                      make_attrs(RandomIntegersAttrs{shape}), stream);
  return astype(drawn, dtype, stream);
}

array bernoulli(const array& key, const array& p, const Shape& shape, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Dtype working = p.dtype() == Dtype::float64 ? Dtype::float64 : Dtype::float32;
  return less(unit(key, shape, working, false, stream), astype(p, working, stream), stream);
}

array truncated_normal(const array& key, const array& lower, const array& upper, const Shape& shape,
                       Dtype dtype, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Dtype working = working_dtype("random.truncated_normal", dtype);
  array low = astype(lower, working, stream), high = astype(upper, working, stream);
  array a = erf(divide(low, sqrt_two(working), stream), stream);
  array b = erf(divide(high, sqrt_two(working), stream), stream);
  array u = unit(key, shape, working, true, stream);
  array between = add(a, multiply(u, subtract(b, a, stream), stream), stream);
  array value = multiply(erfinv(between, stream), sqrt_two(working), stream);
  value = minimum(maximum(value, low, stream), high, stream);
  return astype(value, dtype, stream);
}

array gumbel(const array& key, const Shape& shape, Dtype dtype, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Dtype working = working_dtype("random.gumbel", dtype);
  array u = unit(key, shape, working, true, stream);
  return astype(negative(log(negative(log(u, stream), stream), stream), stream), dtype, stream);
}

array laplace(const array& key, const Shape& shape, Dtype dtype, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Dtype working = working_dtype("random.laplace", dtype);
  array u = unit(key, shape, working, true, stream);
  array v = subtract(multiply(u, constant(2, working), stream), constant(1, working), stream);
  array size = log1p(negative(abs(v, stream), stream), stream);
  return astype(negative(multiply(sign(v, stream), size, stream), stream), dtype, stream);
}

// The largest of logits plus Gumbel noise is distributed as the softmax.
array categorical(const array& key, const array& logits, int axis, const Shape& shape,
                  const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  axis = normalize_axis("random.categorical", axis, logits.ndim());
  Axes order;
  for (int i = 0; i < logits.ndim(); ++i) {
    if (i != axis) order.push_back(i);
  }
  order.push_back(axis);
  array last = transpose(logits, order, stream);
  Shape full = shape;
  full.push_back(logits.shape(axis));
  if (!(broadcast_shapes("random.categorical", full, last.shape()) == full)) {
    raise<ValueError>("random.categorical", "the shape does not fit the logits: got ",
                      to_string(shape), " for ", to_string(logits.shape()), " over axis ", axis);
  }
  Dtype dtype = inexact_of(logits.dtype());
  array noise = gumbel(key, full, dtype, stream);
  return argmax(add(noise, astype(last, dtype, stream), stream), -1, false, stream);
}

array permutation(const array& key, std::int64_t count, const StreamOrDevice& where) {
  return argsort(bits(key, Shape{count}, Dtype::uint64, where), 0, false, where);
}

array multivariate_normal(const array& key, const array& mean, const array& covariance,
                          const Shape& shape, Dtype dtype, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (dtype != Dtype::float32 && dtype != Dtype::float64) {
    raise<TypeError>("random.multivariate_normal", "unusable dtype: got ", name_of(dtype),
                     "; expected float32 or float64");
  }
  bool fits = mean.ndim() >= 1 && covariance.ndim() >= 2 &&
              covariance.shape(-1) == covariance.shape(-2) &&
              covariance.shape(-1) == mean.shape(-1);
  if (!fits) {
    raise<ValueError>("random.multivariate_normal", "shapes do not fit: got mean ",
                      to_string(mean.shape()), " and covariance ", to_string(covariance.shape()),
                      "; expected (..., n) and (..., n, n)");
  }
  Shape full = shape;
  full.push_back(mean.shape(-1));
  // covariance = v diag(w) v', so v sqrt(w) z has it.
  auto [w, v] = linalg::eigh(astype(covariance, dtype, stream), false, stream);
  array scale = sqrt(maximum(w, constant(0, dtype), stream), stream);
  array z = normal(key, full, dtype, stream);
  array scaled = multiply(z, scale, stream);
  array moved = squeeze(matmul(v, expand_dims(scaled, Axes{-1}, stream), stream), Axes{-1}, stream);
  return add(astype(mean, dtype, stream), moved, stream);
}

}  // namespace random

namespace primitives {

const Op RandomBits = {
    .name = "RandomBits",
    .inputs = {"key"},
    .attrs = describe<RandomBitsAttrs>(),
    .infer = bits_infer,
    .gradient = Gradient::none("random bits do not depend on the key smoothly"),
    .batching = bits_vmap,
    .doc = "Uniformly distributed bits, of each key one block.",
};

const Op RandomIntegers = {
    .name = "RandomIntegers",
    .inputs = {"key", "low", "high"},
    .attrs = describe<RandomIntegersAttrs>(),
    .infer = integers_infer,
    .gradient = Gradient::none("the result is an integer"),
    .batching = integers_vmap,
    .doc = "Integers in [low, high), each with exactly the same probability.",
};

}  // namespace primitives

}  // namespace mlx::core
