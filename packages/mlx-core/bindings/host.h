// Memory of other libraries (numpy, torch, any buffer) as arrays: shared where the layout allows.
#pragma once

#include <memory>

#include "support.h"

namespace mlx::core::python {

// Somebody else's array.
struct HostArray {
  std::byte* data = nullptr;  // of the first element
  Dtype dtype = Dtype::float32;
  Shape shape;
  Strides strides;       // bytes
  bool swapped = false;  // the other byte order
  std::shared_ptr<void> owner;
};

// PEP 3118. nullopt: the object has no buffer, or one without a format of ours (the Python error is
// cleared); raises TypeError where the format is known and has no dtype.
std::optional<HostArray> host_from_buffer(std::string_view op, PyObject* object);
// numpy's __array_interface__, for what has no buffer.
std::optional<HostArray> host_from_interface(std::string_view op, PyObject* object);
// numpy's bfloat16, which only ml_dtypes knows and no buffer can carry.
std::optional<HostArray> host_from_bfloat16(std::string_view op, PyObject* object);
// __dlpack__ (dlpack.cpp). `copy` is passed on.
std::optional<HostArray> host_from_dlpack(std::string_view op, PyObject* object, Copy copy);

// The dtype of a format of the struct module or PEP 3118, and whether its bytes are swapped.
struct Format {
  Dtype dtype;
  bool swapped;
};
std::optional<Format> parse_format(const char* format, std::size_t itemsize);

// An evaluated array of ours; it must outlive the result.
HostArray as_host(const Tensor& tensor);

array import_host(std::string_view op, const HostArray& host, const ConvertOptions& options);

// Row-major copy of the elements.
void copy_elements(const HostArray& host, std::byte* target);

}  // namespace mlx::core::python
