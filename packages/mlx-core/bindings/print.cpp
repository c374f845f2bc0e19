// Arrays as text: array([1, 2, 3], dtype=int32), and how many digits.
#include <cstdio>

#include "families.h"
#include "slots.h"

namespace mlx::core::python {
namespace {

// Axes longer than this show their first and last elements only.
constexpr std::int64_t longest = 6, shown = 3;

struct PrintOptions {
  int precision = -1;  // digits after the point; -1: six significant digits
};
PrintOptions current_options;

void check_options(const PrintOptions& options) {
  if (options.precision < -1 || options.precision > 17) {
    raise<ValueError>("printoptions", "unusable precision: got ", options.precision,
                      "; expected 0 to 17, or -1 for the default");
  }
}

class Printer {
 public:
  explicit Printer(const Tensor& tensor) : tensor_(tensor) {}

  std::string print() {
    text_ = "array(";
    dispatch(tensor_.dtype, [&]<class T>() { add(tensor_.as<T>(), 0); });
    text_ += ", dtype=";
    text_ += name_of(tensor_.dtype);
    text_ += ')';
    return std::move(text_);
  }

 private:
  template <class T>
  void add(const T* data, std::size_t axis) {
    if (axis == tensor_.shape.size()) {
      add_element(*data);
      return;
    }
    std::int64_t count = tensor_.shape[axis], stride = tensor_.strides[axis];
    text_ += '[';
    for (std::int64_t i = 0; i < count; ++i) {
      if (i > 0) add_separator(axis);
      if (count > longest && i == shown) {
        text_ += "...";
        i = count - shown - 1;
        continue;
      }
      add(data + i * stride, axis + 1);
    }
    text_ += ']';
  }

  // Rows of matrices stand one below another.
  void add_separator(std::size_t axis) {
    if (axis + 1 == tensor_.shape.size()) {
      text_ += ", ";
    } else {
      text_ += ",\n" + std::string(7 + axis, ' ');
    }
  }

  void add_element(bool value) { text_ += value ? "True" : "False"; }
  template <class T>
    requires std::is_integral_v<T>
  void add_element(T value) {
    text_ += std::to_string(value);
  }
  void add_element(double value, bool with_sign = false) {
    char text[400];  // the largest float64 has 309 digits before the point
    if (current_options.precision < 0) {
      std::snprintf(text, sizeof text, with_sign ? "%+.6g" : "%.6g", value);
    } else {
      std::snprintf(text, sizeof text, with_sign ? "%+.*f" : "%.*f", current_options.precision,
                    value);
    }
    text_ += text;
  }
  void add_element(float value) { add_element(static_cast<double>(value)); }
  void add_element(float16 value) { add_element(static_cast<float>(value)); }
  void add_element(bfloat16 value) { add_element(static_cast<float>(value)); }
  template <class T>
  void add_element(Complex<T> value) {
    add_element(static_cast<double>(value.re));
    add_element(static_cast<double>(value.im), true);
    text_ += 'j';
  }

  const Tensor& tensor_;
  std::string text_;
};

PyObject* repr(PyObject* self) noexcept {
  return guarded([&] {
    array held = as_array(self);
    std::string text;
    if (held.node().abstract) {
      text = "array(<of a trace>, shape=" + to_string(held.shape()) +
             ", dtype=" + std::string(name_of(held.dtype())) + ")";
    } else {
      text = Printer(evaluated_tensor(held)).print();
    }
    return nb::str(text.data(), text.size()).release().ptr();
  });
}

// `with mx.printoptions(precision=3):`
class PrintOptionsContext {
 public:
  explicit PrintOptionsContext(PrintOptions options) : options_(options) {}
  PrintOptions enter() {
    saved_.push_back(current_options);
    return current_options = options_;
  }
  void exit() {
    if (saved_.empty()) return;
    current_options = saved_.back();
    saved_.pop_back();
  }

 private:
  PrintOptions options_;
  std::vector<PrintOptions> saved_;
};

}  // namespace

void add_print_slots(Slots& slots) {
  add_slot(slots, Py_tp_repr, repr);
  add_slot(slots, Py_tp_str, repr);
}

void bind_print(nb::module_& m) {
  nb::class_<PrintOptions>(m, "PrintOptions", "How arrays are printed.")
      .def(
          "__init__",
          [](PrintOptions* self, int precision) {
            PrintOptions options{precision};
            check_options(options);
            new (self) PrintOptions(options);
          },
          nb::arg("precision") = -1)
      .def_prop_rw(
          "precision", [](const PrintOptions& o) { return o.precision; },
          [](PrintOptions& o, int precision) {
            check_options({precision});
            o.precision = precision;
          },
          "Digits after the point; -1 for six significant digits.")
      .def("__repr__", [](const PrintOptions& o) {
        return "PrintOptions(precision=" + std::to_string(o.precision) + ")";
      });
  nb::class_<PrintOptionsContext>(m, "_PrintOptionsContext")
      .def(nb::init<PrintOptions>())
      .def("__enter__", &PrintOptionsContext::enter)
      .def("__exit__", [](PrintOptionsContext& self, const nb::args&) { self.exit(); });

  m.def(
      "set_printoptions",
      [](int precision) {
        PrintOptions options{precision};
        check_options(options);
        current_options = options;
      },
      nb::arg("precision") = -1, nb::sig("def set_printoptions(precision: int = -1) -> None"),
      R"(Sets how arrays are printed.

Args:
    precision: Digits after the point; -1 for six significant digits.

Raises:
    ValueError: The precision is not in [-1, 17].

>>> mx.set_printoptions(precision=3)
>>> mx.array(1.23456)
array(1.235, dtype=float32)
>>> mx.set_printoptions())");
  m.def(
      "get_printoptions", [] { return current_options; },
      nb::sig("def get_printoptions() -> PrintOptions"),
      R"(How arrays are printed now.

>>> mx.get_printoptions()
PrintOptions(precision=-1))");
  m.def(
      "printoptions",
      [](int precision) {
        PrintOptions options{precision};
        check_options(options);
        return PrintOptionsContext(options);
      },
      nb::arg("precision") = -1,
      nb::sig("def printoptions(precision: int = -1) -> _PrintOptionsContext"),
      R"(Sets how arrays are printed inside a ``with`` block.

Args:
    precision: Digits after the point; -1 for six significant digits.

Raises:
    ValueError: The precision is not in [-1, 17].

>>> with mx.printoptions(precision=2):
...     print(mx.array(1.23456))
array(1.23, dtype=float32))");
}

}  // namespace mlx::core::python
