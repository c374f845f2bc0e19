// The array: a handle to one output of a node of the lazy graph, or to data.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "mlx/array/api.h"
#include "mlx/array/buffer.h"
#include "mlx/array/device.h"
#include "mlx/array/dtype.h"
#include "mlx/array/ref.h"
#include "mlx/array/shape.h"

namespace mlx::core {

struct Op;    // ops/op.h
class Attrs;  // graph/attributes.h
struct Node;

// How an op computes an output's elements from memory: only of an evaluated array.
struct Tensor {
  std::byte* data = nullptr;  // of the first element
  Shape shape;
  Strides strides;
  Dtype dtype = Dtype::float32;

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data);
  }
  std::int64_t size() const { return element_count(shape); }
  int ndim() const { return static_cast<int>(shape.size()); }
  bool is_row_major() const { return core::is_row_major(shape, strides); }
};

class MLX_API array {
 public:
  array(Ref<Node> node, std::uint32_t output) : node_(std::move(node)), output_(output) {}
  // From host values: a scalar, or a list of values with an optional shape.
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit array(T value, Dtype dtype = dtype_of<T>) : array(scalar_of(value, dtype)) {}
  explicit array(complex128 value, Dtype dtype = Dtype::complex64);
  template <class T>
  array(std::initializer_list<T> values, Shape shape);
  template <class T>
  explicit array(std::initializer_list<T> values)
      : array(values, Shape{static_cast<std::int64_t>(values.size())}) {}
  // Row-major data that `buffer` holds from `offset` bytes on.
  array(BufferRef buffer, Shape shape, Dtype dtype, std::int64_t offset = 0);
  array(BufferRef buffer, Shape shape, Strides strides, Dtype dtype, std::int64_t offset);

  const Shape& shape() const;
  std::int64_t shape(int axis) const;  // negative counts from the end; no check
  int ndim() const { return static_cast<int>(shape().size()); }
  std::int64_t size() const { return element_count(shape()); }
  Dtype dtype() const;
  int itemsize() const { return size_of(dtype()); }
  std::int64_t nbytes() const { return size() * itemsize(); }

  // Has it been computed? If not, eval() computes it and all that it needs.
  bool is_available() const;
  void eval() const;
  // The elements in memory, evaluating first.
  Tensor tensor() const;
  // The memory itself, evaluating first.
  BufferRef buffer() const;
  template <class T>
  T item() const;  // of a one-element array; T must be the array's own type

  Node& node() const { return *node_; }
  const Ref<Node>& node_ref() const { return node_; }
  std::uint32_t output() const { return output_; }
  // Same node and output: the same value without looking at it.
  bool is_same(const array& other) const {
    return node_ == other.node_ && output_ == other.output_;
  }

 private:
  static array from_host(const void* values, Shape shape, Dtype dtype);
  static array scalar(double value, Dtype dtype);
  static array scalar(std::int64_t value, Dtype dtype);
  static array scalar(std::uint64_t value, Dtype dtype);
  template <class T>
  static array scalar_of(T value, Dtype dtype) {
    if constexpr (std::is_floating_point_v<T>) {
      return scalar(static_cast<double>(value), dtype);
    } else if constexpr (std::is_unsigned_v<T>) {
      return scalar(static_cast<std::uint64_t>(value), dtype);
    } else {
      return scalar(static_cast<std::int64_t>(value), dtype);
    }
  }
  Ref<Node> node_;
  std::uint32_t output_ = 0;
};

// Evaluates all of them; `async_eval` returns at once and lets the stream's worker do it. An error
// of an asynchronous evaluation appears at the first read.
MLX_API void eval(std::span<const array> arrays);
MLX_API void async_eval(std::vector<array> arrays);
// Waits for what async_eval has been given.
MLX_API void synchronize();

// One result of a node: what it will be, and once evaluated where it is.
struct Output {
  Shape shape;
  Dtype dtype = Dtype::float32;
  BufferRef buffer;
  std::int64_t offset = 0;  // bytes
  Strides strides;
};

// One application of an op. A node without an op is data.
struct Node {
  std::atomic<std::uint32_t> references{0};
  std::atomic<bool> available{false};
  bool traced = false;    // a transform reads its inputs later: evaluation keeps them
  bool is_root = false;   // an argument of a trace that is under way
  bool abstract = false;  // depends on a placeholder of a trace: it has no value
  // Scratch of the scheduler, valid while `epoch` is the current one; guarded by the eval lock.
  std::uint32_t uses = 0;
  std::uint64_t epoch = 0;
  std::uint32_t position = 0;
  std::uint32_t group = 0;

  Stream stream;
  const Op* op = nullptr;
  Ref<const Attrs> attrs;
  SmallVector<array, 3> inputs;
  SmallVector<Output, 1> outputs;

  // Defined in graph/node.cpp, where attributes are complete.
  MLX_API Node();
  MLX_API ~Node();
  MLX_API static void destroy(Node* node);  // iterative: a long chain does not overflow the stack
};

inline const Shape& array::shape() const { return node_->outputs[output_].shape; }
inline std::int64_t array::shape(int axis) const {
  return shape()[static_cast<std::size_t>(axis < 0 ? axis + ndim() : axis)];
}
inline Dtype array::dtype() const { return node_->outputs[output_].dtype; }
inline bool array::is_available() const { return node_->available.load(std::memory_order_acquire); }

template <class T>
array::array(std::initializer_list<T> values, Shape shape)
    : array(from_host(values.begin(), std::move(shape), dtype_of<T>)) {}

template <class T>
T array::item() const {
  return *tensor().template as<T>();
}

}  // namespace mlx::core
