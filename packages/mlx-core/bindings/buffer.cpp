// The buffer protocol of arrays: memory that others may read without a copy.
#include <memory>

#include "slots.h"

namespace mlx::core::python {
namespace {

// What one view holds: the array (its handle in Python may be given another value meanwhile), and
// the numbers that the view points to.
struct Export {
  array held;
  Tensor tensor;
  SmallVector<Py_ssize_t, 4> shape, strides;
};

const char* format_of(Dtype d) {
  switch (d) {
    case Dtype::bool_:
      return "?";
    case Dtype::uint8:
      return "B";
    case Dtype::uint16:
      return "H";
    case Dtype::uint32:
      return "I";
    case Dtype::uint64:
      return "Q";
    case Dtype::int8:
      return "b";
    case Dtype::int16:
      return "h";
    case Dtype::int32:
      return "i";
    case Dtype::int64:
      return "q";
    case Dtype::float16:
      return "e";
    case Dtype::bfloat16:
      return nullptr;
    case Dtype::float32:
      return "f";
    case Dtype::float64:
      return "d";
    case Dtype::complex64:
      return "Zf";
    case Dtype::complex128:
      return "Zd";
  }
  __builtin_unreachable();
}

int refuse(Py_buffer* view, const std::string& message) {
  view->obj = nullptr;
  PyErr_SetString(PyExc_BufferError, ("[array] " + message).c_str());
  return -1;
}

bool is_column_major(const Tensor& tensor) {
  std::int64_t expected = 1;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.shape[i] > 1 && tensor.strides[i] != expected) return false;
    expected *= tensor.shape[i];
  }
  return true;
}

std::string check_layout(const Tensor& tensor, int flags) {
  auto wants = [&](int what) { return (flags & what) == what; };
  bool rows = tensor.is_row_major(), columns = is_column_major(tensor);
  if (wants(PyBUF_C_CONTIGUOUS) && !rows) return "the memory is not row-major";
  if (wants(PyBUF_F_CONTIGUOUS) && !columns) return "the memory is not column-major";
  if (wants(PyBUF_ANY_CONTIGUOUS) && !rows && !columns) return "the memory is not contiguous";
  if (!wants(PyBUF_STRIDES) && !rows) return "the memory is not row-major, which needs strides";
  // A consumer of plain bytes would take the numbers for something else without a word.
  bool is_bytes = tensor.dtype == Dtype::uint8 && tensor.ndim() == 1;
  if (!wants(PyBUF_FORMAT) && !is_bytes) {
    return "plain bytes were asked for, which lose dtype and shape: got " +
           std::string(name_of(tensor.dtype)) + " of shape " + to_string(tensor.shape) +
           "; use bytes(x) or memoryview(x)";
  }
  return "";
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  return guarded(
      [&] {
        if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
          return refuse(view, "an array's memory is read-only; copy it first");
        }
        array held = as_array(self);
        const char* format = format_of(held.dtype());
        if (format == nullptr) {
          return refuse(view, "the buffer protocol has no bfloat16; use astype(mx.float32) before");
        }
        auto made = std::make_unique<Export>(Export{held, evaluated_tensor(held), {}, {}});
        const Tensor& tensor = made->tensor;
        std::string problem = check_layout(tensor, flags);
        if (!problem.empty()) return refuse(view, problem);
        for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
          made->shape.push_back(tensor.shape[i]);
          made->strides.push_back(tensor.strides[i] * size_of(tensor.dtype));
        }
        bool has_shape = (flags & PyBUF_ND) == PyBUF_ND;
        bool has_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
        view->buf = tensor.data;
        view->obj = Py_NewRef(self);
        view->len = held.nbytes();
        view->itemsize = held.itemsize();
        view->readonly = 1;
        view->ndim = has_shape ? tensor.ndim() : 1;
        view->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
        view->shape = has_shape ? made->shape.data() : nullptr;
        view->strides = has_strides ? made->strides.data() : nullptr;
        view->suboffsets = nullptr;
        view->internal = made.release();
        return 0;
      },
      -1);
}

void release_buffer(PyObject*, Py_buffer* view) noexcept {
  delete static_cast<Export*>(view->internal);
}

}  // namespace

void add_buffer_slots(Slots& slots) {
  add_slot(slots, Py_bf_getbuffer, get_buffer);
  add_slot(slots, Py_bf_releasebuffer, release_buffer);
}

}  // namespace mlx::core::python
