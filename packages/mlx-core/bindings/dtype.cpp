// Dtypes as Python objects, their categories, and the questions one asks about them.
#include <array>

#include "families.h"
#include "support.h"

namespace mlx::core::python {
namespace {

// numpy's hierarchy: bool is generic and nothing else.
enum class Category : std::uint8_t {
  complexfloating,
  floating,
  inexact,
  signedinteger,
  unsignedinteger,
  integer,
  number,
  generic,
};

std::optional<Category> category_of(Dtype d) {
  switch (kind_of(d)) {
    case Kind::boolean:
      return std::nullopt;
    case Kind::unsigned_integer:
      return Category::unsignedinteger;
    case Kind::signed_integer:
      return Category::signedinteger;
    case Kind::floating:
      return Category::floating;
    case Kind::complex:
      return Category::complexfloating;
  }
  __builtin_unreachable();
}

std::optional<Category> parent_of(Category c) {
  switch (c) {
    case Category::complexfloating:
    case Category::floating:
      return Category::inexact;
    case Category::signedinteger:
    case Category::unsignedinteger:
      return Category::integer;
    case Category::inexact:
    case Category::integer:
      return Category::number;
    case Category::number:
      return Category::generic;
    case Category::generic:
      return std::nullopt;
  }
  __builtin_unreachable();
}

bool is_within(std::optional<Category> c, Category ancestor) {
  if (ancestor == Category::generic) return true;
  for (; c; c = parent_of(*c)) {
    if (*c == ancestor) return true;
  }
  return false;
}

bool is_subdtype(nb::handle a, nb::handle b) {
  const Dtype* dtype_a = instance_of<Dtype>(a);
  const Dtype* dtype_b = instance_of<Dtype>(b);
  Category category_a, category_b;
  if (dtype_a == nullptr && !nb::try_cast(a, category_a, false)) {
    raise<TypeError>("issubdtype", "unusable first argument: got ", nb::inst_name(a).c_str(),
                     "; expected a Dtype or a DtypeCategory");
  }
  if (dtype_b != nullptr) return dtype_a != nullptr && *dtype_a == *dtype_b;
  if (!nb::try_cast(b, category_b, false)) {
    raise<TypeError>("issubdtype", "unusable second argument: got ", nb::inst_name(b).c_str(),
                     "; expected a Dtype or a DtypeCategory");
  }
  return is_within(dtype_a != nullptr ? category_of(*dtype_a) : category_a, category_b);
}

struct StandardKind {
  std::string_view name;
  DtypeSet members;
};
constexpr StandardKind standard_kinds[] = {
    {"bool", dtypes::boolean},
    {"signed integer", DtypeSet::where([](Dtype d) { return kind_of(d) == Kind::signed_integer; })},
    {"unsigned integer",
     DtypeSet::where([](Dtype d) { return kind_of(d) == Kind::unsigned_integer; })},
    {"integral", dtypes::integers},
    {"real floating", dtypes::floating},
    {"complex floating", dtypes::complex},
    {"numeric", dtypes::numeric},
};

bool is_dtype(Dtype d, nb::handle kind) {
  if (nb::isinstance<nb::tuple>(kind)) {
    for (nb::handle item : nb::borrow<nb::tuple>(kind)) {
      if (is_dtype(d, item)) return true;
    }
    return false;
  }
  if (auto* other = instance_of<Dtype>(kind)) return d == *other;
  if (!nb::isinstance<nb::str>(kind)) {
    raise<TypeError>("isdtype", "unusable kind: got ", nb::inst_name(kind).c_str(),
                     "; expected a Dtype, the name of a kind, or a tuple of these");
  }
  std::string name = nb::cast<std::string>(kind);
  for (const StandardKind& known : standard_kinds) {
    if (known.name == name) return known.members.contains(d);
  }
  std::string names;
  for (const StandardKind& known : standard_kinds) {
    names += (names.empty() ? "'" : ", '") + std::string(known.name) + "'";
  }
  raise<ValueError>("isdtype", "no such kind: got '", name, "'; expected one of ", names);
}

// The dtype of an argument that is a Dtype or an array of ours or of numpy's.
std::optional<Dtype> strong_dtype(std::string_view op, nb::handle object) {
  if (auto* dtype = instance_of<Dtype>(object)) return *dtype;
  if (is_array(object.ptr())) return as_array(object.ptr()).dtype();
  if (weak_kind(object.ptr()) != Weak::none) return std::nullopt;
  return convert(op, object).dtype();
}

Dtype result_type(const nb::args& arguments) {
  if (arguments.size() == 0) {
    raise<ValueError>("result_type", "nothing to combine: got no argument; expected at least one");
  }
  std::optional<Dtype> strong;
  for (nb::handle argument : arguments) {
    auto dtype = strong_dtype("result_type", argument);
    if (dtype) strong = strong ? promote(*strong, *dtype) : *dtype;
  }
  std::optional<Dtype> result = strong;
  for (nb::handle argument : arguments) {
    Weak weak = weak_kind(argument.ptr());
    if (weak == Weak::none) continue;
    Dtype dtype = weak_dtype("result_type", argument.ptr(), weak, strong);
    result = result ? promote(*result, dtype) : dtype;
  }
  return *result;
}

// numpy's dtype of the same name, for np.dtype(mx.float32): numpy looks for this attribute.
nb::object numpy_dtype(Dtype d) {
  if (d == Dtype::bfloat16) {
    raise<TypeError>("Dtype", "numpy has no bfloat16; use astype(mx.float32) before");
  }
  return nb::module_::import_("numpy").attr("dtype")(std::string(name_of(d)));
}

std::array<PyObject*, dtype_count> dtype_objects{};

void bind_dtype_class(nb::module_& m) {
  nb::class_<Dtype>(m, "Dtype",
                    "The type of an array's elements.\n\n"
                    ">>> mx.array([1.5]).dtype\nmlx.core.float32\n"
                    ">>> mx.float32.size\n4")
      .def_prop_ro(
          "size", [](Dtype d) { return size_of(d); }, "Bytes of one element.")
      .def_prop_ro(
          "itemsize", [](Dtype d) { return size_of(d); }, "Bytes of one element, by numpy's name.")
      .def_prop_ro(
          "name", [](Dtype d) { return std::string(name_of(d)); },
          "As one writes it after ``mx.``: ``'float32'``.")
      .def_prop_ro(
          "kind",
          [](Dtype d) { return std::string(1, d == Dtype::bfloat16 ? 'f' : info(d).letter); },
          "numpy's letter: ``'b'``, ``'i'``, ``'u'``, ``'f'`` or ``'c'``.")
      .def_prop_ro("dtype", &numpy_dtype,
                   "numpy's dtype of the same name, so that ``np.dtype(mx.float32)`` works.")
      .def("__repr__", [](Dtype d) { return "mlx.core." + std::string(name_of(d)); })
      .def(
          "__eq__", [](Dtype a, Dtype b) { return a == b; }, nb::is_operator(), nb::arg("other"),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](Dtype d) { return static_cast<Py_hash_t>(d) + 1; })
      .def("__reduce__", [](Dtype d) { return std::string(name_of(d)); });

  for (int i = 0; i < dtype_count; ++i) {
    auto d = static_cast<Dtype>(i);
    dtype_objects[static_cast<std::size_t>(i)] = nb::cast(d).release().ptr();
    m.attr(std::string(name_of(d)).c_str()) = dtype_object(d);
  }
  // The name that does not hide Python's own type after `from mlx.core import *`.
  m.attr("bool_") = dtype_object(Dtype::bool_);
}

}  // namespace

nb::object dtype_object(Dtype dtype) {
  return nb::borrow(dtype_objects[static_cast<std::size_t>(dtype)]);
}

void bind_dtype(nb::module_& m) {
  bind_dtype_class(m);
  nb::enum_<Category>(m, "DtypeCategory",
                      "A kind of dtypes, for :func:`issubdtype`.\n\n"
                      ">>> mx.issubdtype(mx.float32, mx.floating)\nTrue")
      .value("complexfloating", Category::complexfloating)
      .value("floating", Category::floating)
      .value("inexact", Category::inexact)
      .value("signedinteger", Category::signedinteger)
      .value("unsignedinteger", Category::unsignedinteger)
      .value("integer", Category::integer)
      .value("number", Category::number)
      .value("generic", Category::generic)
      .export_values();

  m.def("issubdtype", &is_subdtype, nb::arg("arg1"), nb::arg("arg2"),
        nb::sig("def issubdtype(arg1: Dtype | DtypeCategory, arg2: Dtype | DtypeCategory) -> bool"),
        R"(Is a dtype or category within another?

Args:
    arg1: The dtype or category in question.
    arg2: What it may be within; a dtype is within itself only.

Raises:
    TypeError: An argument is neither a dtype nor a category.

>>> mx.issubdtype(mx.int8, mx.integer), mx.issubdtype(mx.bool_, mx.number)
(True, False))");
  m.def("isdtype", &is_dtype, nb::arg("dtype"), nb::arg("kind"),
        nb::sig("def isdtype(dtype: Dtype, kind: Dtype | str | tuple[Dtype | str, ...]) -> bool"),
        R"(Is the dtype of a kind that the array API standard names?

Args:
    dtype: The dtype in question.
    kind: A dtype, ``'bool'``, ``'signed integer'``, ``'unsigned integer'``, ``'integral'``,
        ``'real floating'``, ``'complex floating'``, ``'numeric'``, or a tuple of these.

Raises:
    ValueError: There is no kind of that name.

>>> mx.isdtype(mx.float16, ('bool', 'real floating'))
True)");
  m.def(
      "can_cast",
      [](nb::handle from, Dtype to) {
        auto dtype = strong_dtype("can_cast", from);
        if (!dtype) {
          raise<TypeError>("can_cast", "unusable first argument: got a Python number; expected a ",
                           "Dtype or an array");
        }
        return promote(*dtype, to) == to;
      },
      nb::arg("from_"), nb::arg("to"),
      nb::sig("def can_cast(from_: Dtype | array, to: Dtype) -> bool"),
      R"(Does a dtype hold what another has, by the rules of promotion?

Args:
    from_: A dtype or an array.
    to: The dtype that would take its values.

>>> mx.can_cast(mx.int8, mx.int32), mx.can_cast(mx.float32, mx.float16)
(True, False))");
  m.def(
      "result_type", [](const nb::args& args) { return dtype_object(result_type(args)); },
      nb::sig("def result_type(*arrays_and_dtypes: Dtype | array | bool | int | float | complex) "
              "-> Dtype"),
      R"(The dtype of what an operation makes of these.

Args:
    *arrays_and_dtypes: Arrays, dtypes and Python numbers; a number takes the dtype of the others
        where it can.

Raises:
    ValueError: Nothing is given.

>>> mx.result_type(mx.int32, mx.float16), mx.result_type(mx.float16, 1.5)
(mlx.core.float16, mlx.core.float16))");
}

}  // namespace mlx::core::python
