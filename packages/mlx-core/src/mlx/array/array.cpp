// Arrays from host values.
#include "mlx/array/array.h"

#include <cstring>

#include "mlx/array/error.h"

namespace mlx::core {
namespace {

Ref<Node> data_node(BufferRef buffer, Shape shape, Strides strides, Dtype dtype,
                    std::int64_t offset) {
  Ref<Node> node(new Node);
  node->outputs.push_back(
      Output{std::move(shape), dtype, std::move(buffer), offset, std::move(strides)});
  node->available.store(true, std::memory_order_release);
  return node;
}

template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, complex64> || std::is_same_v<To, complex128>) {
    using Part = decltype(To::re);
    return To{static_cast<Part>(value), Part(0)};
  } else if constexpr (std::is_same_v<To, float16> || std::is_same_v<To, bfloat16>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else {
    return static_cast<To>(value);
  }
}

template <class From>
array make_scalar(From value, Dtype dtype) {
  BufferRef buffer = allocate(static_cast<std::size_t>(size_of(dtype)));
  dispatch(dtype, [&]<class T>() { *reinterpret_cast<T*>(buffer->data()) = convert<T>(value); });
  return array(std::move(buffer), Shape{}, dtype);
}

}  // namespace

array::array(BufferRef buffer, Shape shape, Dtype dtype, std::int64_t offset) {
  Strides strides = row_major_strides(shape);
  node_ = data_node(std::move(buffer), std::move(shape), std::move(strides), dtype, offset);
}

array::array(BufferRef buffer, Shape shape, Strides strides, Dtype dtype, std::int64_t offset)
    : node_(data_node(std::move(buffer), std::move(shape), std::move(strides), dtype, offset)) {}

array::array(complex128 value, Dtype dtype) {
  BufferRef buffer = allocate(static_cast<std::size_t>(size_of(dtype)));
  if (dtype == Dtype::complex128) {
    *reinterpret_cast<complex128*>(buffer->data()) = value;
  } else if (dtype == Dtype::complex64) {
    *reinterpret_cast<complex64*>(buffer->data()) = {static_cast<float>(value.re),
                                                     static_cast<float>(value.im)};
  } else {
    raise<TypeError>("array", "a complex value in a real array: got ", name_of(dtype),
                     "; expected complex64 or complex128");
  }
  *this = array(std::move(buffer), Shape{}, dtype);
}

array array::from_host(const void* values, Shape shape, Dtype dtype) {
  auto bytes = static_cast<std::size_t>(element_count(shape) * size_of(dtype));
  BufferRef buffer = allocate(bytes);
  if (bytes > 0) std::memcpy(buffer->data(), values, bytes);
  return array(std::move(buffer), std::move(shape), dtype);
}

array array::scalar(double value, Dtype dtype) { return make_scalar(value, dtype); }
array array::scalar(std::int64_t value, Dtype dtype) { return make_scalar(value, dtype); }
array array::scalar(std::uint64_t value, Dtype dtype) { return make_scalar(value, dtype); }

void array::eval() const {
  if (!is_available()) core::eval({this, 1});
}

Tensor array::tensor() const {
  eval();
  const Output& output = node_->outputs[output_];
  return Tensor{output.buffer->data() + output.offset, output.shape, output.strides, output.dtype};
}

BufferRef array::buffer() const {
  eval();
  return node_->outputs[output_].buffer;
}

}  // namespace mlx::core
