// The FFT record and the functions that prepare its input.
#include "mlx/ops/fft.h"

#include <algorithm>
#include <cmath>

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/join.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

std::size_t index_of(std::int64_t axis) { return static_cast<std::size_t>(axis); }

// --- the record ----------------------------------------------------------------------------------

// What the input's size must be along axis i of the attributes.
std::int64_t input_size(const FFTAttrs& attrs, std::size_t i) {
  bool is_half = attrs.real && attrs.inverse && i + 1 == attrs.axes.size();
  return is_half ? attrs.n[i] / 2 + 1 : attrs.n[i];
}

void check_sizes(std::string_view op, const FFTAttrs& attrs, const Shape& shape) {
  if (attrs.axes.empty() || attrs.axes.size() != attrs.n.size()) {
    raise<ValueError>(op, "axes and lengths do not fit: got ", attrs.axes.size(), " axes and ",
                      attrs.n.size(), " lengths; expected as many, and at least one");
  }
  std::vector<bool> seen(shape.size());
  for (std::size_t i = 0; i < attrs.axes.size(); ++i) {
    int axis = normalize_axis(op, attrs.axes[i], static_cast<int>(shape.size()));
    if (attrs.axes[i] < 0 || seen[index_of(axis)]) {
      raise<ValueError>(op, "bad axes: got ", to_string(attrs.axes),
                        "; expected each once, and none negative");
    }
    seen[index_of(axis)] = true;
    if (attrs.n[i] < 1 || shape[index_of(axis)] != input_size(attrs, i)) {
      raise<ValueError>(op, "wrong length: got ", attrs.n[i], " for axis ", axis, " of shape ",
                        to_string(shape));
    }
  }
}

Specs fft_infer(const Op& op, Inputs inputs, const AttrsRef& ref) {
  const auto& attrs = attrs_as<FFTAttrs>(ref);
  const array& a = inputs[0];
  bool takes_real = attrs.real && !attrs.inverse;
  DtypeSet accepted = takes_real ? DtypeSet{Dtype::float32, Dtype::float64} : dtypes::complex;
  if (!accepted.contains(a.dtype())) {
    raise<TypeError>(op.name, "wrong dtype: got ", name_of(a.dtype()), "; expected ",
                     takes_real ? "float32 or float64" : "complex64 or complex128");
  }
  check_sizes(op.name, attrs, a.shape());
  Spec spec{a.shape(), attrs.inverse && attrs.real ? real_of(a.dtype()) : complex_of(a.dtype())};
  if (attrs.real) {
    std::int64_t n = attrs.n.back();
    spec.shape[index_of(attrs.axes.back())] = attrs.inverse ? n : n / 2 + 1;
  }
  return {spec};
}

// A transform with the same scale in the other direction.
FFTNorm opposite(FFTNorm norm) {
  switch (norm) {
    case FFTNorm::backward:
      return FFTNorm::forward;
    case FFTNorm::forward:
      return FFTNorm::backward;
    case FFTNorm::ortho:
      return FFTNorm::ortho;
  }
  __builtin_unreachable();
}

// `half` is half a spectrum: the numbers that stand for two, themselves and their conjugates at the
// negative frequencies, are multiplied by `factor`.
array scale_pairs(const array& half, const FFTAttrs& attrs, double factor, Stream stream) {
  std::int64_t n = attrs.n.back(), axis = attrs.axes.back();
  Dtype real = real_of(half.dtype());
  array k = arange(std::int64_t{0}, n / 2 + 1, 1, Dtype::int64, stream);
  array is_pair = logical_and(greater(k, array(std::int64_t{0}), stream),
                              less(k, array((n + 1) / 2), stream), stream);
  array weights = where(is_pair, array(factor, real), array(1.0, real), stream);
  Axes after;
  for (std::int64_t i = axis + 1; i < half.ndim(); ++i) after.push_back(i - axis);
  return multiply(half, expand_dims(weights, after, stream), stream);
}

// The adjoint: the transform in the other direction with the same scale. Of a real transform each
// half spectrum stands for a whole one, once with and once without the other half.
Results fft_vjp(const VjpCall& call) {
  if (!call.wanted[0] || !call.cotangents[0]) return {std::nullopt};
  Stream stream = stream_of(call);
  FFTAttrs attrs = attrs_as<FFTAttrs>(call.attrs);
  array cotangent = *call.cotangents[0];
  if (attrs.real && !attrs.inverse) cotangent = scale_pairs(cotangent, attrs, 0.5, stream);
  FFTAttrs adjoint = attrs;
  adjoint.inverse = !attrs.inverse;
  adjoint.norm = opposite(attrs.norm);
  array result = apply(primitives::FFT, {cotangent}, make_attrs(adjoint), stream);
  if (attrs.real && attrs.inverse) result = scale_pairs(result, attrs, 2, stream);
  return {result};
}

Arrays fft_vmap(const VmapCall& call) {
  FFTAttrs attrs = attrs_as<FFTAttrs>(call.attrs);
  for (std::int64_t& axis : attrs.axes) ++axis;
  return {apply(call.op, {move_batch_to_front(call, 0)}, make_attrs(attrs), call.stream)};
}

// --- preparing the input -------------------------------------------------------------------------

// What one of the functions is called, and which transform it is.
struct Function {
  std::string_view name;
  bool inverse = false;
  bool real = false;
};

array with_dtype(const Function& f, const array& a, Stream stream) {
  if (f.real && !f.inverse) {
    if (is_complex(a.dtype())) {
      raise<TypeError>(f.name, "wrong dtype: got ", name_of(a.dtype()), "; expected a real dtype");
    }
    return astype(a, a.dtype() == Dtype::float64 ? Dtype::float64 : Dtype::float32, stream);
  }
  return astype(a, complex_of(a.dtype()), stream);
}

// The axes in the order given, the lengths of the signal along them.
FFTAttrs resolve(const Function& f, const array& a, const std::optional<Shape>& s,
                 const std::optional<Axes>& axes) {
  FFTAttrs attrs;
  attrs.inverse = f.inverse;
  attrs.real = f.real;
  if (axes && s && axes->size() != s->size()) {
    raise<ValueError>(f.name, "axes and lengths do not fit: got ", axes->size(), " axes and ",
                      s->size(), " lengths; expected as many");
  }
  std::size_t count = axes ? axes->size() : s ? s->size() : a.shape().size();
  if (!axes && count > a.shape().size()) {
    raise<ValueError>(f.name, "too many lengths: got ", count, " for shape ", to_string(a.shape()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t axis = axes ? (*axes)[i] : static_cast<std::int64_t>(i) - std::int64_t(count);
    axis = normalize_axis(f.name, axis, a.ndim());
    if (std::find(attrs.axes.begin(), attrs.axes.end(), axis) != attrs.axes.end()) {
      raise<ValueError>(f.name, "an axis is repeated: got ", to_string(*axes), " for shape ",
                        to_string(a.shape()));
    }
    attrs.axes.push_back(axis);
    std::int64_t own = a.shape()[index_of(axis)];
    if (f.real && f.inverse && i + 1 == count) own = 2 * (own - 1);
    attrs.n.push_back(s && (*s)[i] != -1 ? (*s)[i] : own);
    if (attrs.n.back() < 1) {
      raise<ValueError>(f.name, "not a length: got ", attrs.n.back(), " for axis ", axis,
                        " of shape ", to_string(a.shape()), "; expected at least 1");
    }
  }
  if (f.real && count == 0) {
    raise<ValueError>(f.name, "no axis to transform: got shape ", to_string(a.shape()),
                      "; expected at least 1 axis");
  }
  return attrs;
}

// Cut, or padded with zeros at the end.
array with_sizes(const array& a, const FFTAttrs& attrs, Stream stream) {
  Shape stop = a.shape(), high(a.shape().size(), 0);
  for (std::size_t i = 0; i < attrs.axes.size(); ++i) {
    std::size_t axis = index_of(attrs.axes[i]);
    std::int64_t size = input_size(attrs, i);
    high[axis] = std::max<std::int64_t>(size - stop[axis], 0);
    stop[axis] = std::min(size, stop[axis]);
  }
  Shape zero(a.shape().size(), 0), one(a.shape().size(), 1);
  array cut = stop == a.shape() ? a : slice(a, zero, stop, one, stream);
  return pad(cut, zero, high, PadMode::constant, {}, stream);
}

array transform(const Function& f, const array& a, const std::optional<Shape>& s,
                const std::optional<Axes>& axes, FFTNorm norm, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  FFTAttrs attrs = resolve(f, a, s, axes);
  attrs.norm = norm;
  array input = with_dtype(f, with_sizes(a, attrs, stream), stream);
  if (attrs.axes.empty()) return input;
  return apply(primitives::FFT, {input}, make_attrs(attrs), stream);
}

array transform(const Function& f, const array& a, std::optional<std::int64_t> n, std::int64_t axis,
                FFTNorm norm, const StreamOrDevice& stream) {
  if (n && *n < 1) {  // -1 has no meaning here
    raise<ValueError>(f.name, "not a length: got n=", *n, "; expected at least 1");
  }
  std::optional<Shape> s;
  if (n) s = Shape{*n};
  return transform(f, a, s, Axes{axis}, norm, stream);
}

Axes two_axes(std::string_view op, const Axes& axes) {
  if (axes.size() != 2) {
    raise<ValueError>(op, "wrong number of axes: got ", axes.size(), "; expected 2");
  }
  return axes;
}

double spacing(std::string_view op, std::int64_t n, double d) {
  if (n < 1) raise<ValueError>(op, "not a length: got n=", n, "; expected at least 1");
  if (d == 0) raise<ValueError>(op, "no spacing: got d=0; expected another number");
  return 1 / (static_cast<double>(n) * d);
}

array frequencies(std::string_view op, const array& k, double step, Dtype dtype, Stream stream) {
  if (!is_floating(dtype)) {
    raise<TypeError>(op, "wrong dtype: got ", name_of(dtype), "; expected a floating dtype");
  }
  return multiply(astype(k, dtype, stream), array(step, dtype), stream);
}

// Rolls by half of each axis, rounded down or, back, up.
array shifted(std::string_view op, const array& a, const std::optional<Axes>& axes, bool back,
              const StreamOrDevice& where) {
  Axes along;
  Shape shift;
  if (!axes) {
    for (int axis = 0; axis < a.ndim(); ++axis) along.push_back(axis);
  } else {
    for (std::int64_t axis : *axes) along.push_back(normalize_axis(op, axis, a.ndim()));
  }
  for (std::int64_t axis : along) {
    std::int64_t half = a.shape()[index_of(axis)] / 2;
    shift.push_back(back ? -half : half);
  }
  return along.empty() ? a : roll(a, shift, along, where);
}

}  // namespace

namespace fft {

#define MLX_ONE_AXIS(name, is_inverse, is_real)                                           \
  array name(const array& a, std::optional<std::int64_t> n, std::int64_t axis, Norm norm, \
             const StreamOrDevice& stream) {                                              \
    return transform({#name, is_inverse, is_real}, a, n, axis, norm, stream);             \
  }
#define MLX_AXES(name, is_inverse, is_real)                                                     \
  array name##n(const array& a, const std::optional<Shape>& s, const std::optional<Axes>& axes, \
                Norm norm, const StreamOrDevice& stream) {                                      \
    return transform({#name "n", is_inverse, is_real}, a, s, axes, norm, stream);               \
  }                                                                                             \
  array name##2(const array& a, const std::optional<Shape>& s, const Axes& axes, Norm norm,     \
                const StreamOrDevice& stream) {                                                 \
    Axes both = two_axes(#name "2", axes);                                                      \
    return transform({#name "2", is_inverse, is_real}, a, s, both, norm, stream);               \
  }
MLX_ONE_AXIS(fft, false, false)
MLX_ONE_AXIS(ifft, true, false)
MLX_ONE_AXIS(rfft, false, true)
MLX_ONE_AXIS(irfft, true, true)
MLX_AXES(fft, false, false)
MLX_AXES(ifft, true, false)
MLX_AXES(rfft, false, true)
MLX_AXES(irfft, true, true)
#undef MLX_ONE_AXIS
#undef MLX_AXES

array hfft(const array& a, std::optional<std::int64_t> n, std::int64_t axis, Norm norm,
           const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array conjugated = is_complex(a.dtype()) ? conjugate(a, stream) : a;
  return transform({"hfft", true, true}, conjugated, n, axis, opposite(norm), stream);
}

array ihfft(const array& a, std::optional<std::int64_t> n, std::int64_t axis, Norm norm,
            const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  return conjugate(transform({"ihfft", false, true}, a, n, axis, opposite(norm), stream), stream);
}

array fftfreq(std::int64_t n, double d, Dtype dtype, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  double step = spacing("fftfreq", n, d);
  array k = arange(std::int64_t{0}, n, 1, Dtype::int64, stream);
  array is_negative = greater_equal(k, array((n + 1) / 2), stream);
  array wrapped = core::where(is_negative, subtract(k, array(n), stream), k, stream);
  return frequencies("fftfreq", wrapped, step, dtype, stream);
}

array rfftfreq(std::int64_t n, double d, Dtype dtype, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  double step = spacing("rfftfreq", n, d);
  array k = arange(std::int64_t{0}, n / 2 + 1, 1, Dtype::int64, stream);
  return frequencies("rfftfreq", k, step, dtype, stream);
}

array fftshift(const array& a, const std::optional<Axes>& axes, const StreamOrDevice& stream) {
  return shifted("fftshift", a, axes, false, stream);
}

array ifftshift(const array& a, const std::optional<Axes>& axes, const StreamOrDevice& stream) {
  return shifted("ifftshift", a, axes, true, stream);
}

}  // namespace fft

namespace primitives {

const Op FFT = {
    .name = "FFT",
    .inputs = {"a"},
    .attrs = describe<FFTAttrs>(),
    .infer = fft_infer,
    .donates = 0,
    .gradient = {fft_vjp, linear_jvp},
    .batching = fft_vmap,
    .doc = "The discrete Fourier transform along axes.",
};

}  // namespace primitives

}  // namespace mlx::core
