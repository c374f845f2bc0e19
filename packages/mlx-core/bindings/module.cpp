// The Python extension: names what every other file of this folder adds to it.
#include <nanobind/nanobind.h>

#include "mlx/array/build.h"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  // Types and functions say `mlx.core`, the package that users import them from.
  m.attr("__name__") = "mlx.core";
  m.def(
      "build_info",
      [] {
        nb::dict facts;
        for (const auto& [name, value] : mlx::core::build_info()) facts[name.c_str()] = value.c_str();
        return facts;
      },
      nb::sig("def build_info() -> dict[str, str]"),
      "Version, compiler, instruction sets and BLAS of this build, for a bug report.\n\n"
      ">>> mx.build_info()['blas']\n"
      "'OpenBLAS, scipy-openblas32 0.3.34'");
}
