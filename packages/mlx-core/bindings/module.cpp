// The Python extension: names what every other file of this folder adds to it.
#include "families.h"
#include "mlx/array/build.h"
#include "support.h"

namespace mlx::core::python {
namespace {

void bind_build_info(nb::module_& m) {
  m.def(
      "build_info",
      [] {
        nb::dict facts;
        for (const auto& [name, value] : build_info()) facts[name.c_str()] = value.c_str();
        return facts;
      },
      nb::sig("def build_info() -> dict[str, str]"),
      R"(Version, compiler, instruction sets and BLAS of this build, for a bug report.

>>> sorted(mx.build_info())[0]
'blas')");
}

void bind_all(nb::module_& m) {
  // The module's dtypes and classes live as long as the process, which nanobind would call a leak.
  nb::set_leak_warnings(false);
  bind_errors(m);
  bind_build_info(m);
  bind_dtype(m);
  bind_device(m);
  bind_array(m);
  bind_scalar(m);
  bind_convert(m);
  bind_dlpack(m);
  bind_indexing(m);
  bind_print(m);
  bind_memory(m);
  bind_evaluation(m);
  bind_elementwise(m);
  bind_reduce(m);
  bind_create(m);
  bind_shape(m);
  bind_join(m);
  bind_index(m);
  bind_matmul(m);
  bind_linalg(m);
  bind_order_and_search(m);
  bind_composite(m);
  bind_placement(m);
  bind_registry(m);
  bind_fft(m);
  bind_random(m);
  bind_functional(m);
}

}  // namespace
}  // namespace mlx::core::python

NB_MODULE(_core, m) {
  // Types and functions say `mlx.core`, the package that users import them from.
  m.attr("__name__") = "mlx.core";
  mlx::core::python::bind_all(m);
}
