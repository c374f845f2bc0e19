// Nested Python sequences of numbers as arrays: one walk to learn shape and dtype, one to fill.
#include "sequence.h"

#include "mlx/ops/cast.h"
#include "mlx/ops/join.h"
#include "number.h"

namespace mlx::core::python {
namespace {

constexpr std::size_t max_depth = 64;

// Strings are sequences of strings; they are refused as elements instead.
bool is_sequence(PyObject* object) {
  if (PyList_Check(object) || PyTuple_Check(object)) return true;
  return PySequence_Check(object) && !PyUnicode_Check(object) && !PyBytes_Check(object) &&
         !PyDict_Check(object) && !PyObject_CheckBuffer(object) && !is_array(object) &&
         !is_numpy_scalar(object) && !nb::hasattr(object, "__dlpack__") &&
         !nb::hasattr(object, "__array__");
}

// The items of a sequence, as a list or tuple that lives as long as this.
class Items {
 public:
  explicit Items(PyObject* sequence)
      : held_(nb::steal(PySequence_Fast(sequence, "expected a sequence"))) {
    if (!held_.is_valid()) throw nb::python_error();
    is_list_ = PyList_Check(held_.ptr());
  }
  std::size_t size() const {
    return static_cast<std::size_t>(is_list_ ? PyList_Size(held_.ptr())
                                             : PyTuple_Size(held_.ptr()));
  }
  // Borrowed. Raises if the list has become shorter meanwhile.
  PyObject* operator[](std::size_t i) const {
    auto index = static_cast<Py_ssize_t>(i);
    PyObject* item =
        is_list_ ? PyList_GetItem(held_.ptr(), index) : PyTuple_GetItem(held_.ptr(), index);
    if (item == nullptr) throw nb::python_error();
    return item;
  }

 private:
  nb::object held_;
  bool is_list_;
};

class Scanner {
 public:
  Scanner(std::string_view op, PyObject* root) : op_(op) { scan(root, 0); }

  const Shape& shape() const { return shape_; }
  bool has_arrays() const { return has_arrays_; }
  Dtype dtype() const {
    std::optional<Dtype> result = strong_;
    if (weak_ != Weak::none) {
      Dtype weak = widest_integer_ != nullptr && weak_ == Weak::integer
                       ? weak_dtype(op_, widest_integer_, weak_, strong_)
                       : weak_dtype(op_, Py_False, weak_, strong_);
      result = result ? promote(*result, weak) : weak;
    }
    return result.value_or(Dtype::float32);  // an empty list
  }

 private:
  void scan(PyObject* sequence, std::size_t depth) {
    if (depth == max_depth) {
      raise<ValueError>(op_, "too many nested sequences: got more than ", max_depth, " levels");
    }
    Items items(sequence);
    check_length(depth, items.size());
    path_.push_back(0);
    for (std::size_t i = 0; i < items.size(); ++i) {
      path_.back() = static_cast<std::int64_t>(i);
      PyObject* item = items[i];
      Weak weak = weak_kind(item);
      if (weak != Weak::none) {
        add_number(item, weak, depth + 1);
      } else if (is_sequence(item)) {
        if (depth + 1 == leaf_depth_) refuse_depth(item, true);
        scan(item, depth + 1);
      } else {
        add_other(item, depth + 1);
      }
    }
    path_.pop_back();
  }

  void check_length(std::size_t depth, std::size_t size) {
    auto length = static_cast<std::int64_t>(size);
    if (depth < shape_.size()) {
      if (shape_[depth] == length) return;
      // Lists of different lengths may still hold arrays that fit; those are stacked one by one.
      raise<ValueError>(op_, "a ragged sequence: got length ", length, " at ", where(depth),
                        "; expected ", shape_[depth], ", the length of the first sequence there");
    }
    if (leaf_depth_ != 0 && depth >= leaf_depth_) return;
    shape_.push_back(length);
    if (length == 0 && leaf_depth_ == 0) leaf_depth_ = depth + 1;
  }

  void set_leaf_depth(PyObject* item, std::size_t depth) {
    if (leaf_depth_ == 0) leaf_depth_ = depth;
    if (leaf_depth_ != depth) refuse_depth(item, false);
  }

  void add_number(PyObject* item, Weak weak, std::size_t depth) {
    if (depth != leaf_depth_) set_leaf_depth(item, depth);
    if (weak > weak_) weak_ = weak;
    if (weak == Weak::integer) note_integer(item);
  }

  void note_integer(PyObject* item) {
    Integer value = read_integer(item);
    bool fits = value.fit == Integer::Fit::int64;
    if (fits && std::in_range<std::int32_t>(value.low)) {
      if (widest_integer_ == nullptr) widest_integer_ = item;
      return;
    }
    // One beyond int64 decides; negative ones beside it are refused when they are stored.
    if (!fits || widest_integer_ == nullptr || fits_int32(widest_integer_)) widest_integer_ = item;
  }

  static bool fits_int32(PyObject* item) {
    Integer value = read_integer(item);
    return value.fit == Integer::Fit::int64 && std::in_range<std::int32_t>(value.low);
  }

  void add_other(PyObject* item, std::size_t depth) {
    if (Py_TYPE(item) == known_scalar_ || is_numpy_scalar(item)) {
      set_leaf_depth(item, depth);
      if (Py_TYPE(item) == known_scalar_) return;
      known_scalar_ = Py_TYPE(item);
      Dtype dtype = convert(op_, item).dtype();
      strong_ = strong_ ? promote(*strong_, dtype) : dtype;
      return;
    }
    bool is_text = PyUnicode_Check(item) || PyBytes_Check(item);
    if (is_text || item == Py_None) refuse_element(item);
    has_arrays_ = true;
  }

  [[noreturn]] void refuse_element(PyObject* item) const {
    raise<TypeError>(op_, "no number at ", where(path_.size()), ": got ",
                     nb::inst_name(item).c_str(), "; expected a number, a sequence or an array");
  }

  [[noreturn]] void refuse_depth(PyObject* item, bool is_deeper) const {
    raise<ValueError>(op_, "a ragged sequence: got ", nb::inst_name(item).c_str(), " at ",
                      where(path_.size()), "; expected a ", is_deeper ? "number" : "sequence",
                      ", as at the first place there");
  }

  // "[0][2]", or what stands for the whole.
  std::string where(std::size_t depth) const {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += '[' + std::to_string(path_[i]) + ']';
    return text.empty() ? "the top" : text;
  }

  std::string_view op_;
  Shape shape_;
  std::size_t leaf_depth_ = 0;  // 0: not known yet
  SmallVector<std::int64_t, 4> path_;
  Weak weak_ = Weak::none;
  std::optional<Dtype> strong_;
  PyTypeObject* known_scalar_ = nullptr;  // the class of numpy's whose dtype has been noted last
  PyObject* widest_integer_ = nullptr;    // borrowed: the sequence holds it
  bool has_arrays_ = false;
};

// A scalar of numpy's as a number of Python's.
nb::object python_number(std::string_view op, PyObject* scalar) {
  // Most sequences hold scalars of one class; asking numpy for each would take half a microsecond.
  thread_local PyTypeObject* known = nullptr;
  thread_local Kind kind = Kind::boolean;
  if (Py_TYPE(scalar) != known) {
    kind = kind_of(convert(op, scalar).dtype());
    known = Py_TYPE(scalar);
  }
  nb::object number;
  if (kind == Kind::floating) {
    number = nb::steal(PyNumber_Float(scalar));
  } else if (kind == Kind::signed_integer || kind == Kind::unsigned_integer) {
    number = nb::steal(PyNumber_Index(scalar));
  } else {
    number = nb::handle(scalar).attr("item")();
  }
  if (!number.is_valid()) throw nb::python_error();
  return number;
}

template <class T>
T element_of(std::string_view op, PyObject* item) {
  Weak weak = weak_kind(item);
  if (weak != Weak::none) return element_from<T>(op, item, weak);
  nb::object number = python_number(op, item);
  return element_from<T>(op, number.ptr(), weak_kind(number.ptr()));
}

template <class T>
T* fill(std::string_view op, PyObject* sequence, std::span<const std::int64_t> shape, T* out) {
  Items items(sequence);
  // Conversions may run Python code, which may change the lists.
  auto count = static_cast<std::size_t>(shape[0]);
  if (items.size() != count) {
    raise<RuntimeError>(op, "a sequence changed its length while it was read");
  }
  if (shape.size() == 1) {
    for (std::size_t i = 0; i < count; ++i) *out++ = element_of<T>(op, items[i]);
  } else {
    for (std::size_t i = 0; i < count; ++i) out = fill(op, items[i], shape.subspan(1), out);
  }
  return out;
}

// Sequences with arrays in them: the items are stacked, so that derivatives flow to the arrays.
array stack_items(std::string_view op, PyObject* sequence) {
  Items items(sequence);
  std::optional<Dtype> strong;
  std::vector<std::optional<array>> converted(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (weak_kind(items[i]) != Weak::none) continue;
    converted[i] = convert(op, items[i]);
    strong = strong ? promote(*strong, converted[i]->dtype()) : converted[i]->dtype();
  }
  Arrays parts;
  for (std::size_t i = 0; i < converted.size(); ++i) {
    if (!converted[i]) {
      Weak weak = weak_kind(items[i]);
      Dtype dtype = weak_dtype(op, items[i], weak, strong);
      converted[i] = number_array(op, items[i], weak, dtype);
    }
    if (!(converted[i]->shape() == converted[0]->shape())) {
      raise<ValueError>(op, "a ragged sequence: got shape ", to_string(converted[i]->shape()),
                        " at [", i, "]; expected ", to_string(converted[0]->shape()),
                        ", the shape at [0]");
    }
    parts.push_back(*converted[i]);
  }
  return stack(parts);
}

}  // namespace

array array_from_sequence(std::string_view op, PyObject* object, std::optional<Dtype> dtype) {
  Scanner scanner(op, object);
  if (scanner.has_arrays()) {
    array stacked = stack_items(op, object);
    return dtype ? astype(stacked, *dtype) : stacked;
  }
  Dtype result = dtype ? *dtype : scanner.dtype();
  const Shape& shape = scanner.shape();
  std::int64_t count = element_count(shape);
  BufferRef buffer = allocate(static_cast<std::size_t>(count * size_of(result)));
  if (count > 0) {
    dispatch(result, [&]<class T>() {
      fill(op, object, std::span<const std::int64_t>(shape), reinterpret_cast<T*>(buffer->data()));
    });
  }
  return array(std::move(buffer), shape, result);
}

}  // namespace mlx::core::python
