// The kernel of the FFT op: one transform along each axis, the scale in the last of them.
#include <cmath>
#include <cstring>
#include <functional>

#include "mlx/backends/cpu/fft_isa.h"
#include "mlx/backends/cpu/fft_transform.h"
#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/thread_pool.h"
#include "mlx/ops/fft.h"

namespace mlx::core::cpu {
namespace {

fft::Parallel pool() {
  return {.threads = thread_count(),
          .run = [](std::int64_t chunks, const std::function<void(std::int64_t)>& body) {
            parallel_for(chunks, body);
          }};
}

double scale_of(const FFTAttrs& attrs) {
  double n = 1;
  for (std::int64_t size : attrs.n) n *= static_cast<double>(size);
  if (attrs.norm == FFTNorm::ortho) return 1 / std::sqrt(n);
  return attrs.inverse == (attrs.norm == FFTNorm::backward) ? 1 / n : 1;
}

// A real axis counts its reals in the attributes, not its elements, so sizes come from there.
fft::Task task_of(fft::Kind kind, const FFTAttrs& attrs, std::size_t i, const Tensor& in,
                  const Tensor& out) {
  auto along = static_cast<std::size_t>(attrs.axes[i]);
  fft::Task task = {.kind = kind,
                    .backward = attrs.inverse,
                    .axis = {attrs.n[i], in.strides[along], out.strides[along]},
                    .batch = {}};
  for (std::size_t axis = 0; axis < in.shape.size(); ++axis) {
    if (axis == along) continue;
    task.batch.push_back({in.shape[axis], in.strides[axis], out.strides[axis]});
  }
  return task;
}

template <class T>
void run(const fft::Task& task, const Tensor& in, const Tensor& out) {
  const fft::LaneKernels<T>& kernels = fft_kernels_of(isa_level()).of<T>();
  fft::Transform<T>(task, kernels).run(in.as<T>(), out.as<T>(), pool());
}

// A row-major tensor like `like`, in memory of its own.
Tensor temporary(const Tensor& like, BufferRef& memory) {
  memory = allocate(static_cast<std::size_t>(like.size() * size_of(like.dtype)));
  return {memory->data(), like.shape, row_major_strides(like.shape), like.dtype};
}

// From the input along the first axis, then in place along the others.
template <class T>
void complex_axes(const FFTAttrs& attrs, std::size_t count, double scale, const Tensor& in,
                  const Tensor& out) {
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor& from = i == 0 ? in : out;
    fft::Task task = task_of(fft::Kind::complex_to_complex, attrs, i, from, out);
    if (i + 1 == count) task.scale = scale;
    run<T>(task, from, out);
  }
}

// Whether results would be written over elements that are still to be read: a donated input may be
// a view. The same elements in the same places are no harm.
bool overlaps(const Tensor& in, const Tensor& out) {
  if (in.data == out.data && in.strides == out.strides) return false;
  std::int64_t low = 0, high = size_of(in.dtype);
  for (std::size_t axis = 0; axis < in.shape.size(); ++axis) {
    std::int64_t reach = (in.shape[axis] - 1) * in.strides[axis] * size_of(in.dtype);
    (reach < 0 ? low : high) += reach;
  }
  std::less<const std::byte*> before;
  const std::byte* end = out.data + out.size() * size_of(out.dtype);
  return before(in.data + low, end) && before(out.data, in.data + high);
}

template <class T>
void complex_transform(const FFTAttrs& attrs, const Tensor& in, const Tensor& out) {
  bool needs_room = overlaps(in, out);
  BufferRef memory;
  Tensor target = needs_room ? temporary(out, memory) : out;
  complex_axes<T>(attrs, attrs.axes.size(), scale_of(attrs), in, target);
  if (needs_room) {
    std::memcpy(out.data, target.data, static_cast<std::size_t>(out.size() * size_of(out.dtype)));
  }
}

template <class T>
void real_forward(const FFTAttrs& attrs, const Tensor& in, const Tensor& out) {
  std::size_t others = attrs.axes.size() - 1;
  fft::Task task = task_of(fft::Kind::real_to_complex, attrs, others, in, out);
  if (others == 0) task.scale = scale_of(attrs);
  run<T>(task, in, out);
  complex_axes<T>(attrs, others, scale_of(attrs), out, out);
}

template <class T>
void real_inverse(const FFTAttrs& attrs, const Tensor& in, const Tensor& out) {
  std::size_t others = attrs.axes.size() - 1;
  BufferRef memory;
  Tensor from = others > 0 ? temporary(in, memory) : in;
  complex_axes<T>(attrs, others, 1, in, from);
  fft::Task task = task_of(fft::Kind::complex_to_real, attrs, others, from, out);
  task.scale = scale_of(attrs);
  run<T>(task, from, out);
}

template <class T>
void transform(const FFTAttrs& attrs, const Tensor& in, const Tensor& out) {
  if (!attrs.real) {
    complex_transform<T>(attrs, in, out);
  } else if (attrs.inverse) {
    real_inverse<T>(attrs, in, out);
  } else {
    real_forward<T>(attrs, in, out);
  }
}

}  // namespace

void fft_kernel(const KernelCall& call) {
  const auto& attrs = attrs_as<FFTAttrs>(call.attrs);
  const Tensor &in = call.inputs[0], &out = call.outputs[0];
  if (out.size() == 0) return;
  if (real_of(in.dtype) == Dtype::float64) {
    transform<double>(attrs, in, out);
  } else {
    transform<float>(attrs, in, out);
  }
}

}  // namespace mlx::core::cpu
