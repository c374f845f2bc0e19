// Sorting, scans and searches in Python.
#include <nanobind/stl/string_view.h>

#include "docs.h"
#include "families.h"
#include "mlx/ops/scan.h"
#include "mlx/ops/search.h"
#include "mlx/ops/sort.h"
#include "support.h"

namespace mlx::core::python {
namespace {

// An axis or None.
constexpr const char* axis_doc = "    axis: The axis; None: of the flattened array.\n";
constexpr const char* order_note =
    "NaN counts as larger than every number; complex numbers are ordered by their real, then by\n"
    "their imaginary parts.";

std::string doc_of(std::string_view summary, std::string_view arguments, std::string_view raises,
                   std::string_view example) {
  std::string text(summary);
  text += "\n\nArgs:\n    a: Array or number.\n";
  text += arguments;
  text += "    stream: The stream or device to compute on; None for the default.\n\nRaises:\n";
  text += "    IndexError: The axis is out of range.\n";
  text += raises;
  text += "\n";
  return text + std::string(example);
}

// --- order ---------------------------------------------------------------------------------------

constexpr const char* ordering_doc =
    "    descending: Largest first, NaN before all; equal elements keep their order.\n"
    "    stable: The array API standard's; sorting is always stable.\n";

using Ordering = array (*)(const array&, std::optional<int>, bool, const StreamOrDevice&);

void bind_ordering(nb::module_& m, const char* name, Ordering function, const std::string& doc) {
  std::string text = "def " + std::string(name) +
                     "(a: ArrayLike, /, axis: int | None = -1, *, descending: bool = False, "
                     "stable: bool = True, stream: StreamOrDevice = None) -> array";
  m.def(
      name,
      [function, op = std::string(name)](const ArrayLike& a, std::optional<int> axis,
                                         bool descending, bool, const StreamOrDevice& stream) {
        return function(to_array(op, a), axis, descending, stream);
      },
      nb::arg().none(), nb::arg("axis").none() = -1, nb::kw_only(), nb::arg("descending") = false,
      nb::arg("stable") = true, nb::arg("stream") = nb::none(), nb::sig(text.c_str()), doc.c_str());
}

using Counted = array (*)(const array&, std::int64_t, std::optional<int>, const StreamOrDevice&);

// Partitions and topk: a number, then the axis.
void bind_counted(nb::module_& m, const char* name, const char* number, Counted function,
                  const std::string& doc) {
  std::string text = "def " + std::string(name) + "(a: ArrayLike, /, " + number +
                     ": int, axis: int | None = -1, *, stream: StreamOrDevice = None) -> array";
  m.def(
      name,
      [function, op = std::string(name)](const ArrayLike& a, std::int64_t count,
                                         std::optional<int> axis, const StreamOrDevice& stream) {
        return function(to_array(op, a), count, axis, stream);
      },
      nb::arg().none(), nb::arg(number), nb::arg("axis").none() = -1, nb::kw_only(),
      nb::arg("stream") = nb::none(), nb::sig(text.c_str()), doc.c_str());
}

void bind_order(nb::module_& m) {
  std::string stable = std::string("Stable: equal elements keep their order.\n") + order_note;
  std::string axis_and_order = std::string(axis_doc) + ordering_doc;
  bind_ordering(m, "sort", sort,
                doc_of("The elements in ascending order.\n\n" + stable, axis_and_order, "",
                       ">>> mx.sort(mx.array([3, 1, 2]))\narray([1, 2, 3], dtype=int32)"));
  bind_ordering(m, "argsort", argsort,
                doc_of("The indices (int64) that put the elements in ascending order.\n\n" + stable,
                       axis_and_order, "",
                       ">>> mx.argsort(mx.array([3, 1, 2]))\narray([1, 2, 0], dtype=int64)"));
  std::string kth =
      std::string("    kth: Which place; negative ones count from the end.\n") + axis_doc;
  std::string kth_error = "    ValueError: ``kth`` is out of range.\n";
  bind_counted(m, "partition", "kth", partition,
               doc_of(std::string("The elements with the kth in its place, those that come before "
                                  "it in order before it,\nthe others after it.\n\n") +
                          order_note,
                      kth, kth_error,
                      ">>> mx.partition(mx.array([5, 1, 4, 2]), 1)[1]\narray(2, dtype=int32)"));
  bind_counted(
      m, "argpartition", "kth", argpartition,
      doc_of(std::string("The indices (int64) by which :func:`partition` orders.\n\n") + order_note,
             kth, kth_error,
             ">>> mx.argpartition(mx.array([5, 1, 4, 2]), 1)[1]\narray(3, dtype=int64)"));
  bind_counted(
      m, "topk", "k", topk,
      doc_of(std::string("The k largest elements, in no particular order.\n\n") + order_note,
             std::string("    k: How many.\n") + axis_doc,
             "    ValueError: ``k`` is out of range.\n",
             ">>> mx.sort(mx.topk(mx.array([5, 1, 4, 2]), 2))\n"
             "array([4, 5], dtype=int32)"));
}

// --- scans ---------------------------------------------------------------------------------------

std::string scan_example(ScanKind kind) {
  switch (kind) {
    case ScanKind::sum:
      return ">>> mx.cumsum(mx.array([1, 2, 3]))\narray([1, 3, 6], dtype=int32)";
    case ScanKind::prod:
      return ">>> mx.cumprod(mx.array([1, 2, 3]), reverse=True)\narray([6, 6, 3], dtype=int32)";
    case ScanKind::max:
      return ">>> mx.cummax(mx.array([1, 3, 2]))\narray([1, 3, 3], dtype=int32)";
    case ScanKind::min:
      return ">>> mx.cummin(mx.array([2, 3, 1]))\narray([2, 2, 1], dtype=int32)";
    case ScanKind::logsumexp:
      return ">>> mx.logcumsumexp(mx.array([0.0, 0.0]))\narray([0, 0.693147], dtype=float32)";
  }
  __builtin_unreachable();
}

// Sums and products may be told the dtype to accumulate in.
void bind_scan(nb::module_& m, const ScanRow& row) {
  bool has_dtype = row.kind == ScanKind::sum || row.kind == ScanKind::prod;
  std::string name(row.function), more = has_dtype ? ", dtype: Dtype | None = None" : "";
  std::string arguments =
      std::string(axis_doc) +
      "    reverse: From the end.\n    inclusive: With the element itself; False: without it, so "
      "that the first result is the\n        identity.\n" +
      (has_dtype ? "    dtype: What is computed in; None: the array's, or 32 bits where it has "
                   "fewer.\n"
                 : "");
  std::string doc =
      doc_of(std::string(row.doc) + " Accepts " + describe(row.accepts) + ".", arguments,
             "    TypeError: An unusable dtype.\n", scan_example(row.kind));
  std::string tail = "axis: int | None = None, *, reverse: bool = False, inclusive: bool = True" +
                     more + ", stream: StreamOrDevice = None) -> array";
  auto function = [kind = row.kind, name](const ArrayLike& a, std::optional<int> axis, bool reverse,
                                          bool inclusive, std::optional<Dtype> dtype,
                                          const StreamOrDevice& stream) {
    return scan(kind, to_array(name, a), {axis, reverse, inclusive, dtype}, stream);
  };
  auto plain = [function](const ArrayLike& a, std::optional<int> axis, bool reverse, bool inclusive,
                          const StreamOrDevice& stream) {
    return function(a, axis, reverse, inclusive, {}, stream);
  };
  std::string text = "def " + name + "(a: ArrayLike, /, " + tail;
  if (has_dtype) {
    m.def(name.c_str(), function, nb::arg().none(), nb::arg("axis") = nb::none(), nb::kw_only(),
          nb::arg("reverse") = false, nb::arg("inclusive") = true, nb::arg("dtype") = nb::none(),
          nb::arg("stream") = nb::none(), nb::sig(text.c_str()), doc.c_str());
  } else {
    m.def(name.c_str(), plain, nb::arg().none(), nb::arg("axis") = nb::none(), nb::kw_only(),
          nb::arg("reverse") = false, nb::arg("inclusive") = true, nb::arg("stream") = nb::none(),
          nb::sig(text.c_str()), doc.c_str());
  }
  std::string method = "def " + name +
                       "(self, axis: int | None = None, *, reverse: bool = False, inclusive: bool "
                       "= True, stream: StreamOrDevice = None) -> array";
  array_class().def(
      name.c_str(),
      [kind = row.kind](const array& a, std::optional<int> axis, bool reverse, bool inclusive,
                        const StreamOrDevice& stream) {
        return scan(kind, a, {axis, reverse, inclusive, {}}, stream);
      },
      nb::arg("axis") = nb::none(), nb::kw_only(), nb::arg("reverse") = false,
      nb::arg("inclusive") = true, nb::arg("stream") = nb::none(), nb::sig(method.c_str()),
      ("See :func:`" + name + "`.").c_str());
}

void bind_statistics(nb::module_& m) {
  m.def(
      "diff",
      [](const ArrayLike& a, int n, int axis, const StreamOrDevice& stream) {
        return diff(to_array("diff", a), n, axis, stream);
      },
      nb::arg().none(), nb::arg("n") = 1, nb::arg("axis") = -1, nb::kw_only(),
      nb::arg("stream") = nb::none(),
      nb::sig("def diff(a: ArrayLike, /, n: int = 1, axis: int = -1, *, stream: StreamOrDevice = "
              "None) -> array"),
      doc_of("Differences of neighbours; of bools, whether they differ.",
             "    n: How many times.\n    axis: The axis.\n",
             "    ValueError: ``n`` is negative.\n",
             ">>> mx.diff(mx.array([1, 4, 9]))\narray([3, 5], dtype=int32)")
          .c_str());
  m.def(
      "median",
      [](const ArrayLike& a, const AxesArg& axis, bool keepdims, const StreamOrDevice& stream) {
        return median(to_array("median", a), axis.axes, keepdims, stream);
      },
      nb::arg().none(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, nb::kw_only(),
      nb::arg("stream") = nb::none(),
      nb::sig("def median(a: ArrayLike, /, axis: int | Sequence[int] | None = None, keepdims: bool "
              "= False, *, stream: StreamOrDevice = None) -> array"),
      doc_of("Middle element in order, or the mean of the two in the middle; NaN where there is "
             "one.",
             "    axis: The axis or axes that disappear; None for all.\n    keepdims: Keep these "
             "axes, with size 1.\n",
             "    ValueError: There is no element.\n",
             ">>> mx.median(mx.array([3.0, 1.0, 2.0, 10.0]))\narray(2.5, dtype=float32)")
          .c_str());
  m.def(
      "count_nonzero",
      [](const ArrayLike& a, const AxesArg& axis, bool keepdims, const StreamOrDevice& stream) {
        return count_nonzero(to_array("count_nonzero", a), axis.axes, keepdims, stream);
      },
      nb::arg().none(), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false,
      nb::arg("stream") = nb::none(),
      nb::sig("def count_nonzero(a: ArrayLike, /, *, axis: int | Sequence[int] | None = None, "
              "keepdims: bool = False, stream: StreamOrDevice = None) -> array"),
      doc_of("How many elements are not 0, in int64.",
             "    axis: The axis or axes that disappear; None for all.\n    keepdims: Keep these "
             "axes, with size 1.\n",
             "    ValueError: An axis is given twice.\n",
             ">>> mx.count_nonzero(mx.array([[1, 0], [2, 3]]), axis=1)\n"
             "array([1, 2], dtype=int64)")
          .c_str());
}

// --- searches ------------------------------------------------------------------------------------

void bind_arg_reduce(nb::module_& m, const char* name, Ordering function, const char* which) {
  std::string arguments =
      "axis: int | None = None, keepdims: bool = False, *, stream: StreamOrDevice = None) -> array";
  std::string text = "def " + std::string(name) + "(a: ArrayLike, /, " + arguments;
  std::string method = "def " + std::string(name) + "(self, " + arguments;
  std::string doc = doc_of(
      std::string("The index (int64) of the first of the ") + which +
          " elements, or of the first NaN.",
      std::string(axis_doc) + "    keepdims: Keep the axis, with size 1.\n",
      "    TypeError: Complex numbers have no order.\n    ValueError: There is no element.\n",
      std::string(">>> mx.") + name + "(mx.array([2, 3, 1, 3]))\narray(" +
          (std::string_view(name) == "argmin" ? "2" : "1") + ", dtype=int64)");
  m.def(
      name,
      [function, op = std::string(name)](const ArrayLike& a, std::optional<int> axis, bool keepdims,
                                         const StreamOrDevice& stream) {
        return function(to_array(op, a), axis, keepdims, stream);
      },
      nb::arg().none(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, nb::kw_only(),
      nb::arg("stream") = nb::none(), nb::sig(text.c_str()), doc.c_str());
  array_class().def(
      name,
      [function](const array& a, std::optional<int> axis, bool keepdims,
                 const StreamOrDevice& stream) { return function(a, axis, keepdims, stream); },
      nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, nb::kw_only(),
      nb::arg("stream") = nb::none(), nb::sig(method.c_str()),
      ("See :func:`" + std::string(name) + "`.").c_str());
}

bool is_right(std::string_view side) {
  if (side == "right") return true;
  if (side == "left") return false;
  raise<ValueError>("searchsorted", "unknown side: got '", side, "'; expected 'left' or 'right'");
}

constexpr const char* searchsorted_doc =
    R"(Where each value would be inserted into a sorted vector, in int64.

Args:
    sorted_sequence: Vector in ascending order; NaN comes last.
    values: Array or number.
    side: 'left': before equal elements; 'right': after them.
    stream: The stream or device to compute on; None for the default.

Raises:
    TypeError: Complex numbers have no order.
    ValueError: ``sorted_sequence`` is no vector, or the side is unknown.

>>> mx.searchsorted(mx.array([1, 3, 3, 5]), mx.array([3, 4]))
array([1, 3], dtype=int64))";

constexpr const char* unique_doc =
    R"(The distinct elements of the flattened array, in ascending order.

Every NaN is distinct. Without ``size`` the array is evaluated, as the size of the result depends on
its elements; with it the result has exactly that size, and the function can be traced.

Args:
    a: Array or number.
    size: How many values: the first so many; where there are fewer, the rest is filled.
    return_index: Also give the index of each value's first occurrence.
    return_inverse: Also give for each element, in the array's shape, the number of its value.
    return_counts: Also give how often each value occurs (0 for filled places).
    fill_value: What fills the rest; None: the smallest value.
    stream: The stream or device to compute on; None for the default.

Raises:
    ValueError: A negative size, no value to fill with, or a traced array without ``size``.

>>> mx.unique(mx.array([3, 1, 3]), return_counts=True)
(array([1, 3], dtype=int32), array([1, 2], dtype=int64)))";

struct UniqueWanted {
  bool index, inverse, counts;
};

nb::object unique_parts(const Unique& found, UniqueWanted wanted) {
  if (!wanted.index && !wanted.inverse && !wanted.counts) return nb::cast(found.values);
  nb::list parts;
  parts.append(found.values);
  if (wanted.index) parts.append(found.indices);
  if (wanted.inverse) parts.append(found.inverse);
  if (wanted.counts) parts.append(found.counts);
  return nb::tuple(parts);
}

void bind_unique(nb::module_& m) {
  m.def(
      "unique",
      [](const ArrayLike& a, std::optional<std::int64_t> size, bool index, bool inverse,
         bool counts, const ArrayLike& fill, const StreamOrDevice& stream) {
        array x = to_array("unique", a);
        if (!size) return unique_parts(unique(x, stream), {index, inverse, counts});
        std::optional<array> value;
        if (!fill.object.is_none()) value = to_array("unique", fill, x.dtype());
        return unique_parts(unique(x, *size, value, stream), {index, inverse, counts});
      },
      nb::arg().none(), nb::arg("size") = nb::none(), nb::arg("return_index") = false,
      nb::arg("return_inverse") = false, nb::arg("return_counts") = false,
      nb::arg("fill_value").none() = nb::none(), nb::kw_only(), nb::arg("stream") = nb::none(),
      nb::sig("def unique(a: ArrayLike, /, size: int | None = None, return_index: bool = False, "
              "return_inverse: bool = False, return_counts: bool = False, fill_value: ArrayLike | "
              "None = None, *, stream: StreamOrDevice = None) -> array | tuple[array, ...]"),
      unique_doc);
}

void bind_search(nb::module_& m) {
  bind_arg_reduce(m, "argmin", argmin, "smallest");
  bind_arg_reduce(m, "argmax", argmax, "largest");
  m.def(
      "searchsorted",
      [](const ArrayLike& sorted, const ArrayLike& values, std::string_view side,
         const StreamOrDevice& stream) {
        auto [x, y] = to_arrays("searchsorted", sorted, values);
        return searchsorted(x, y, is_right(side), stream);
      },
      nb::arg().none(), nb::arg().none(), nb::arg("side") = "left", nb::kw_only(),
      nb::arg("stream") = nb::none(),
      nb::sig("def searchsorted(sorted_sequence: ArrayLike, values: ArrayLike, /, side: str = "
              "'left', *, stream: StreamOrDevice = None) -> array"),
      searchsorted_doc);
  m.def(
      "isin",
      [](const ArrayLike& a, const ArrayLike& test, bool invert, const StreamOrDevice& stream) {
        auto [x, y] = to_arrays("isin", a, test);
        return isin(x, y, invert, stream);
      },
      nb::arg().none(), nb::arg().none(), nb::kw_only(), nb::arg("invert") = false,
      nb::arg("stream") = nb::none(),
      nb::sig("def isin(a: ArrayLike, test: ArrayLike, /, *, invert: bool = False, stream: "
              "StreamOrDevice = None) -> array"),
      R"(Is each element of ``a`` among those of ``test``?

Args:
    a: Array or number.
    test: Array or number.
    invert: Is it not?
    stream: The stream or device to compute on; None for the default.

>>> mx.isin(mx.array([1, 2, 3]), mx.array([3, 1]))
array([True, False, True], dtype=bool))");
  bind_unique(m);
}

}  // namespace

void bind_order_and_search(nb::module_& m) {
  bind_order(m);
  for (const ScanRow& row : scan_rows()) bind_scan(m, row);
  bind_statistics(m);
  bind_search(m);
}

}  // namespace mlx::core::python
