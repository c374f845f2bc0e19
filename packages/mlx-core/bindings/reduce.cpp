// The reduce family in Python: functions and methods from the rows, and the statistics.
#include "mlx/ops/reduce.h"

#include "docs.h"
#include "families.h"
#include "mlx/ops/cast.h"
#include "support.h"

namespace mlx::core::python {
namespace {

// What stands in every signature of the family, after the array.
constexpr std::string_view reduce_arguments =
    "axis: int | Sequence[int] | None = None, keepdims: bool = False";

// np.sum(x) and the like call the method of an array that is not numpy's, with these keywords.
constexpr std::string_view numpy_arguments = "dtype: Dtype | None = None, out: None = None, ";

std::string signature(std::string_view name, bool is_method, std::string_view more = "") {
  return "def " + std::string(name) + (is_method ? "(self, " : "(a: ArrayLike, /, ") +
         std::string(reduce_arguments) + std::string(more) + ", *, " +
         std::string(is_method ? numpy_arguments : "") + std::string(stream_argument) +
         ") -> array";
}

array for_numpy(std::string_view op, const array& a, nb::handle dtype, nb::handle out) {
  if (!out.is_none()) {
    raise<TypeError>(op, "results are new arrays: got out=", nb::inst_name(out).c_str(),
                     "; expected None, or numpy's arrays: np.", op, "(np.asarray(x), out=...)");
  }
  if (dtype.is_none()) return a;
  Dtype* ours = nullptr;
  if (!nb::try_cast(dtype, ours, false)) {
    raise<TypeError>(op, "no dtype of mlx.core: got dtype=", nb::repr(dtype).c_str(),
                     "; expected one, or numpy's arrays: np.", op, "(np.asarray(x), dtype=...)");
  }
  return astype(a, *ours);
}

using Reduce = array (*)(const array&, const MaybeAxes&, bool, const StreamOrDevice&);
using Spread = array (*)(const array&, const MaybeAxes&, bool, double, const StreamOrDevice&);

void bind_function(nb::module_& m, const char* name, Reduce function, const std::string& doc) {
  std::string op = name;
  m.def(
      name,
      [function, op](const ArrayLike& a, const AxesArg& axis, bool keepdims,
                     const StreamOrDevice& stream) {
        return function(to_array(op, a), axis.axes, keepdims, stream);
      },
      nb::arg().none(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, nb::kw_only(),
      nb::arg("stream") = nb::none(), nb::sig(signature(name, false).c_str()), doc.c_str());
  array_class().def(
      name,
      [function, op](const array& a, const AxesArg& axis, bool keepdims, nb::handle dtype,
                     nb::handle out, const StreamOrDevice& stream) {
        return function(for_numpy(op, a, dtype, out), axis.axes, keepdims, stream);
      },
      nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, nb::kw_only(),
      nb::arg("dtype") = nb::none(), nb::arg("out") = nb::none(), nb::arg("stream") = nb::none(),
      nb::sig(signature(name, true).c_str()), ("See :func:`" + op + "`.").c_str());
}

constexpr const char* spread_arguments = R"(

Args:
    a: Array or number; integers are computed in float32, float16 and bfloat16 too.
    axis: The axis or axes that disappear; None for all.
    keepdims: Keep these axes, with size 1.
    ddof: What is subtracted from the number of elements.
    correction: Another name for it, the array API standard's; only one of them may be given.
    stream: The stream or device to compute on; None for the default.

Raises:
    IndexError: An axis is out of range.
    ValueError: An axis is given twice, or both ``ddof`` and ``correction`` are.
)";

double correction_of(std::string_view op, double ddof, std::optional<double> correction) {
  if (correction && ddof != 0) {
    raise<ValueError>(op, "two corrections: got ddof=", ddof, " and correction=", *correction,
                      "; expected one of them");
  }
  return correction.value_or(ddof);
}

void bind_spread(nb::module_& m, const char* name, Spread function, const std::string& doc) {
  std::string op = name;
  std::string_view more = ", ddof: float = 0";
  std::string arguments = signature(name, false, more), method = signature(name, true, more);
  for (std::string* text : {&arguments, &method}) {
    text->insert(text->find("stream:"), "correction: float | None = None, ");
  }
  m.def(
      name,
      [function, op](const ArrayLike& a, const AxesArg& axis, bool keepdims, double ddof,
                     std::optional<double> correction, const StreamOrDevice& stream) {
        double divisor = correction_of(op, ddof, correction);
        return function(to_array(op, a), axis.axes, keepdims, divisor, stream);
      },
      nb::arg().none(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false,
      nb::arg("ddof") = 0.0, nb::kw_only(), nb::arg("correction") = nb::none(),
      nb::arg("stream") = nb::none(), nb::sig(arguments.c_str()), doc.c_str());
  array_class().def(
      name,
      [function, op](const array& a, const AxesArg& axis, bool keepdims, double ddof,
                     std::optional<double> correction, nb::handle dtype, nb::handle out,
                     const StreamOrDevice& stream) {
        return function(for_numpy(op, a, dtype, out), axis.axes, keepdims,
                        correction_of(op, ddof, correction), stream);
      },
      nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, nb::arg("ddof") = 0.0,
      nb::kw_only(), nb::arg("correction") = nb::none(), nb::arg("dtype") = nb::none(),
      nb::arg("out") = nb::none(), nb::arg("stream") = nb::none(), nb::sig(method.c_str()),
      ("See :func:`" + op + "`.").c_str());
}

constexpr const char* mean_doc =
    R"(Mean; integers are computed in float32, float16 and bfloat16 too.

Args:
    a: Array or number.
    axis: The axis or axes that disappear; None for all.
    keepdims: Keep these axes, with size 1.
    stream: The stream or device to compute on; None for the default.

Raises:
    IndexError: An axis is out of range.
    ValueError: An axis is given twice.

>>> mx.mean(mx.array([[1, 2], [3, 4]]), axis=0)
array([2, 3], dtype=float32))";

constexpr const char* logsumexp_doc = R"(Logarithm of the sum of exponentials, without overflow.

Args:
    a: Array or number; integers become float32.
    axis: The axis or axes that disappear; None for all.
    keepdims: Keep these axes, with size 1.
    stream: The stream or device to compute on; None for the default.

Raises:
    IndexError: An axis is out of range.
    ValueError: An axis is given twice, or nothing is there to sum.

>>> mx.logsumexp(mx.array([1000.0, 1000.0]))
array(1000.69, dtype=float32))";

}  // namespace

void bind_reduce(nb::module_& m) {
  constexpr Reduce functions[] = {all, any, max, min, prod, sum};  // in the order of ReduceKind
  for (const ReduceRow& row : reduce_rows()) {
    bind_function(m, std::string(row.function).c_str(),
                  functions[static_cast<std::size_t>(row.kind)], reduce_doc(row));
  }
  bind_function(m, "mean", mean, mean_doc);
  bind_function(m, "logsumexp", logsumexp, logsumexp_doc);
  bind_spread(m, "var", var,
              std::string("Variance: the mean square of the distance from the mean.") +
                  spread_arguments +
                  "\n>>> mx.var(mx.array([1.0, 3.0]))\n"
                  "array(1, dtype=float32)");
  bind_spread(m, "std", std,
              std::string("Standard deviation: the square root of the variance.") +
                  spread_arguments +
                  "\n>>> mx.std(mx.array([1.0, 3.0]))\n"
                  "array(1, dtype=float32)");
}

}  // namespace mlx::core::python
