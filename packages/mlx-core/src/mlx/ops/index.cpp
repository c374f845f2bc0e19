// Indices that depend on values: what crosses between the graph and the host.
#include "mlx/ops/index.h"

#include <cstring>
#include <limits>

#include "mlx/ops/cast.h"
#include "mlx/ops/strided.h"

namespace mlx::core {
namespace {

// Row-major bytes, 0 or 1.
std::vector<std::int64_t> true_positions(const Tensor& mask) {
  const auto* bytes = mask.as<std::uint8_t>();
  std::int64_t size = mask.size(), count = 0;
  for (std::int64_t i = 0; i < size; ++i) count += bytes[i];
  // One more than is kept: the loop writes before it knows, so that it needs no branch.
  std::vector<std::int64_t> positions(static_cast<std::size_t>(count + 1));
  std::int64_t* next = positions.data();
  for (std::int64_t i = 0; i < size; ++i) {
    *next = i;
    next += bytes[i];
  }
  positions.resize(static_cast<std::size_t>(count));
  return positions;
}

template <class T>
array vector_of(const std::vector<std::int64_t>& values) {
  BufferRef buffer = allocate(values.size() * sizeof(T));
  T* target = reinterpret_cast<T*>(buffer->data());
  for (std::int64_t value : values) *target++ = static_cast<T>(value);
  return array(std::move(buffer), Shape{static_cast<std::int64_t>(values.size())}, dtype_of<T>);
}

}  // namespace

array from_host(const std::vector<std::int64_t>& values) {
  for (std::int64_t value : values) {
    if (!std::in_range<std::int32_t>(value)) return vector_of<std::int64_t>(values);
  }
  return vector_of<std::int32_t>(values);
}

std::vector<std::int64_t> host_integers(std::string_view op, const array& a) {
  require_concrete(op, a);
  if (!is_integer(a.dtype()) && a.dtype() != Dtype::bool_) {
    raise<TypeError>(op, "unusable dtype: got ", name_of(a.dtype()), "; expected an integer dtype");
  }
  array wide = contiguous(astype(a, Dtype::int64));
  Tensor tensor = wide.tensor();
  const auto* values = tensor.as<std::int64_t>();
  return {values, values + tensor.size()};
}

Arrays nonzero(const array& a, std::optional<Dtype> dtype) {
  require_concrete("nonzero", a);
  array mask = contiguous(astype(a, Dtype::bool_));
  std::vector<std::int64_t> positions = true_positions(mask.tensor());
  Arrays result(a.shape().size(), array(0));
  // Axis by axis from the last: what is left of each position are the indices of the axes before.
  for (std::size_t axis = a.shape().size(); axis-- > 0;) {
    std::vector<std::int64_t> indices(positions.size());
    auto size = static_cast<std::uint64_t>(a.shape()[axis]);
    for (std::size_t i = 0; axis > 0 && i < positions.size(); ++i) {
      auto position = static_cast<std::uint64_t>(positions[i]);
      indices[i] = static_cast<std::int64_t>(position % size);
      positions[i] = static_cast<std::int64_t>(position / size);
    }
    array found = from_host(axis > 0 ? indices : positions);
    result[axis] = astype(found, dtype.value_or(found.dtype()));
  }
  return result;
}

}  // namespace mlx::core
