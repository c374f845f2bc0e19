// The elementwise family in Python: functions and methods from the rows, and other names for them.
#include "mlx/ops/elementwise.h"

#include <algorithm>
#include <cmath>

#include "docs.h"
#include "families.h"
#include "mlx/ops/cast.h"
#include "support.h"

namespace mlx::core::python {
namespace {

// Functions whose arguments may be given by keyword, and the stream by position.
constexpr std::string_view keyword_functions[] = {
    "add",       "bitwise_and",  "bitwise_invert", "bitwise_or",    "bitwise_xor", "divide",
    "equal",     "floor_divide", "greater",        "greater_equal", "isfinite",    "isinf",
    "isnan",     "left_shift",   "less",           "less_equal",    "multiply",    "not_equal",
    "remainder", "right_shift",  "subtract"};

// Functions that are methods too.
constexpr std::string_view methods[] = {"abs",  "cos",   "exp", "log",  "log10",  "log1p",
                                        "log2", "rsqrt", "sin", "sqrt", "square", "reciprocal"};

struct OtherName {
  const char *name, *function;
};
// The array API standard's names, and numpy's.
constexpr OtherName other_names[] = {{"acos", "arccos"},
                                     {"acosh", "arccosh"},
                                     {"asin", "arcsin"},
                                     {"asinh", "arcsinh"},
                                     {"atan", "arctan"},
                                     {"atan2", "arctan2"},
                                     {"atanh", "arctanh"},
                                     {"bitwise_left_shift", "left_shift"},
                                     {"bitwise_right_shift", "right_shift"},
                                     {"conj", "conjugate"},
                                     {"pow", "power"}};

template <std::size_t N>
bool contains(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The array inside the object, or one that is made of it and put into `made`.
const array* find_or_make(std::string_view op, const ArrayLike& a, std::optional<array>& made) {
  if (is_array(a.object.ptr())) return &as_array(a.object.ptr());
  return &made.emplace(to_array(op, a));
}

array apply_unary(const ElementwiseRow& row, const ArrayLike& a, const StreamOrDevice& stream) {
  std::optional<array> made;
  const array* const inputs[] = {find_or_make(row.function, a, made)};
  return elementwise(row.id, inputs, stream);
}

array apply_two(const ElementwiseRow& row, const ArrayLike& a, const ArrayLike& b,
                const StreamOrDevice& stream) {
  if (is_array(a.object.ptr()) && is_array(b.object.ptr())) {
    const array* const inputs[] = {&as_array(a.object.ptr()), &as_array(b.object.ptr())};
    return elementwise(row.id, inputs, stream);
  }
  auto [x, y] = to_arrays(row.function, a, b);
  const array* const inputs[] = {&x, &y};
  return elementwise(row.id, inputs, stream);
}

// "def sin(a: ArrayLike, /, *, stream: StreamOrDevice = None) -> array"; `separator` is what stands
// between the arrays and the stream.
std::string signature(const ElementwiseRow& row, std::string_view separator) {
  std::string text = "def " + std::string(row.function) + "(";
  for (int i = 0; i < row.arity; ++i) text += std::string(row.inputs[i]) + ": ArrayLike, ";
  return text + std::string(separator) + std::string(stream_argument) + ") -> array";
}

void bind_unary(nb::module_& m, const ElementwiseRow& row) {
  std::string name(row.function), doc = elementwise_doc(row);
  auto function = [&row](const ArrayLike& a, const StreamOrDevice& stream) {
    return apply_unary(row, a, stream);
  };
  if (contains(keyword_functions, row.function)) {
    m.def(name.c_str(), function, nb::arg("a").none(), nb::arg("stream") = nb::none(),
          nb::sig(signature(row, "").c_str()), doc.c_str());
  } else if (row.id == Elementwise::conjugate) {
    m.def(name.c_str(), function, nb::arg("a").none(), nb::kw_only(),
          nb::arg("stream") = nb::none(), nb::sig(signature(row, "*, ").c_str()), doc.c_str());
  } else {
    m.def(name.c_str(), function, nb::arg().none(), nb::kw_only(), nb::arg("stream") = nb::none(),
          nb::sig(signature(row, "/, *, ").c_str()), doc.c_str());
  }
}

void bind_binary(nb::module_& m, const ElementwiseRow& row) {
  std::string name(row.function), doc = elementwise_doc(row);
  auto function = [&row](const ArrayLike& a, const ArrayLike& b, const StreamOrDevice& stream) {
    return apply_two(row, a, b, stream);
  };
  if (contains(keyword_functions, row.function)) {
    m.def(name.c_str(), function, nb::arg("a").none(), nb::arg("b").none(),
          nb::arg("stream") = nb::none(), nb::sig(signature(row, "").c_str()), doc.c_str());
  } else {
    m.def(name.c_str(), function, nb::arg().none(), nb::arg().none(), nb::kw_only(),
          nb::arg("stream") = nb::none(), nb::sig(signature(row, "/, *, ").c_str()), doc.c_str());
  }
}

void bind_where(nb::module_& m, const ElementwiseRow& row) {
  m.def(
      "where",
      [](const ArrayLike& condition, const ArrayLike& x, const ArrayLike& y,
         const StreamOrDevice& stream) {
        auto [a, b] = to_arrays("where", x, y);
        return where(to_array("where", condition), a, b, stream);
      },
      nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::kw_only(),
      nb::arg("stream") = nb::none(), nb::sig(signature(row, "/, *, ").c_str()),
      elementwise_doc(row).c_str());
}

// The nearest multiple of 10**-decimals, halves to even.
array round_to(const array& a, int decimals, const StreamOrDevice& stream) {
  if (decimals == 0 || (decimals > 0 && is_integer(a.dtype()))) return round(a, stream);
  array scale(std::pow(10.0, std::abs(decimals)), inexact_of(a.dtype()));
  if (decimals > 0) return divide(round(multiply(a, scale, stream), stream), scale, stream);
  array rounded = multiply(round(divide(a, scale, stream), stream), scale, stream);
  return astype(rounded, a.dtype(), stream);
}

constexpr const char* round_doc = R"(Nearest number of some decimals, halves to even.

Args:
    a: Array or number of any dtype but bool.
    decimals: How many digits after the point; negative ones round to tens, hundreds, ...
    stream: The stream or device to compute on; None for the default.

Returns:
    An array of the input's dtype.

Raises:
    TypeError: The argument is bool or no array.

>>> mx.round(mx.array([1.25, 2.5]), decimals=1)
array([1.2, 2.5], dtype=float32))";

void bind_round(nb::module_& m) {
  m.def(
      "round",
      [](const ArrayLike& a, int decimals, const StreamOrDevice& stream) {
        return round_to(to_array("round", a), decimals, stream);
      },
      nb::arg().none(), nb::arg("decimals") = 0, nb::arg("stream") = nb::none(),
      nb::sig("def round(a: ArrayLike, /, decimals: int = 0, stream: StreamOrDevice = None) -> "
              "array"),
      round_doc);
  ArrayClass cls = array_class();
  cls.def("round", &round_to, nb::arg("decimals") = 0, nb::kw_only(),
          nb::arg("stream") = nb::none(),
          nb::sig("def round(self, decimals: int = 0, *, stream: StreamOrDevice = None) -> array"),
          "See :func:`round`.");
  cls.def(
      "__round__",
      [](const array& a, std::optional<int> decimals) {
        return round_to(a, decimals.value_or(0), {});
      },
      nb::arg("ndigits") = nb::none(),
      nb::sig("def __round__(self, ndigits: int | None = None, /) -> array"),
      "An array, rounded to so many decimals.");
}

void bind_method(const char* name, const ElementwiseRow& row) {
  std::string text =
      "def " + std::string(name) + "(self, *, " + std::string(stream_argument) + ") -> array";
  std::string doc = "See :func:`" + std::string(name) + "`.";
  array_class().def(
      name,
      [&row](const array& a, const StreamOrDevice& stream) {
        const array* const inputs[] = {&a};
        return elementwise(row.id, inputs, stream);
      },
      nb::kw_only(), nb::arg("stream") = nb::none(), nb::sig(text.c_str()), doc.c_str());
}

void bind_astype(nb::module_& m) {
  constexpr const char* doc = R"(The array in another dtype.

Values are converted as C++ does; complex numbers lose their imaginary part, and a number is True
where it is not 0.

Args:
    a: Array or number.
    dtype: The dtype of the result.
    stream: The stream or device to compute on; None for the default.

Raises:
    TypeError: ``dtype`` is no dtype of mlx.core, or ``a`` no array.

>>> mx.astype(mx.array([1.7, -1.7]), mx.int32)
array([1, -1], dtype=int32))";
  m.def(
      "astype",
      [](const ArrayLike& a, Dtype dtype, const StreamOrDevice& stream) {
        return astype(to_array("astype", a), dtype, stream);
      },
      nb::arg().none(), nb::arg(), nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def astype(a: ArrayLike, dtype: Dtype, /, *, stream: StreamOrDevice = None) -> "
              "array"),
      doc);
  array_class().def(
      "astype", &astype, nb::arg("dtype"), nb::arg("stream") = nb::none(),
      nb::sig("def astype(self, dtype: Dtype, stream: StreamOrDevice = None) -> array"),
      "The array in another dtype; see :func:`astype`.");
}

}  // namespace

void bind_elementwise(nb::module_& m) {
  for (const ElementwiseRow& row : elementwise_rows()) {
    if (row.id == Elementwise::select) {
      bind_where(m, row);
    } else if (row.id == Elementwise::round) {
      bind_round(m);
    } else if (row.arity == 1) {
      bind_unary(m, row);
    } else {
      bind_binary(m, row);
    }
    if (contains(methods, row.function)) bind_method(std::string(row.function).c_str(), row);
  }
  bind_method("conj", elementwise_row(Elementwise::conjugate));
  for (const OtherName& other : other_names) m.attr(other.name) = m.attr(other.function);
  bind_astype(m);
}

}  // namespace mlx::core::python
