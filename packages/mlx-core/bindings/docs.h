// Docstrings of families of functions, made from their records.
#pragma once

#include <string>
#include <string_view>

#include "mlx/ops/elementwise.h"
#include "mlx/ops/reduce.h"

namespace mlx::core::python {

inline constexpr std::string_view stream_argument = "stream: StreamOrDevice = None";
inline constexpr std::string_view stream_doc =
    "    stream: The stream or device to compute on; None for the default.\n";

// "bool, int32" or what the set is called: "any dtype", "any real dtype".
std::string describe(DtypeSet dtypes);
// A doctest, "" for functions that have none in the table.
std::string example_of(std::string_view function);

std::string elementwise_doc(const ElementwiseRow& row);
std::string reduce_doc(const ReduceRow& row);

}  // namespace mlx::core::python
