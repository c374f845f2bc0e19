// Arguments that many functions have, spelled short.
#pragma once

#include "support.h"

namespace mlx::core::python {

using A = const ArrayLike&;
using S = const StreamOrDevice&;
using MaybeDtype = std::optional<Dtype>;

inline auto stream_arg() { return nb::arg("stream") = nb::none(); }
inline auto dtype_arg() { return nb::arg("dtype") = nb::none(); }

// An axis argument that must be there.
inline Axes axes_of(std::string_view op, const AxesArg& axes) {
  if (!axes.axes) raise<TypeError>(op, "no axis: got None; expected an integer or integers");
  return *axes.axes;
}

}  // namespace mlx::core::python
