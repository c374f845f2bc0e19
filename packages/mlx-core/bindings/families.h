// The parts of the module, each bound in the file that the comment names.
#pragma once

#include <nanobind/nanobind.h>

namespace mlx::core::python {

void bind_errors(nanobind::module_& m);            // errors.cpp
void bind_dtype(nanobind::module_& m);             // dtype.cpp
void bind_device(nanobind::module_& m);            // device.cpp
void bind_array(nanobind::module_& m);             // array.cpp
void bind_scalar(nanobind::module_& m);            // scalar.cpp
void bind_indexing(nanobind::module_& m);          // indexing.cpp
void bind_convert(nanobind::module_& m);           // convert.cpp
void bind_dlpack(nanobind::module_& m);            // dlpack.cpp
void bind_print(nanobind::module_& m);             // print.cpp
void bind_memory(nanobind::module_& m);            // memory.cpp
void bind_evaluation(nanobind::module_& m);        // evaluation.cpp
void bind_functional(nanobind::module_& m);        // functional.cpp
void bind_elementwise(nanobind::module_& m);       // elementwise.cpp
void bind_reduce(nanobind::module_& m);            // reduce.cpp
void bind_registry(nanobind::module_& m);          // registry.cpp
void bind_create(nanobind::module_& m);            // create.cpp
void bind_shape(nanobind::module_& m);             // shape.cpp
void bind_join(nanobind::module_& m);              // join.cpp
void bind_index(nanobind::module_& m);             // index.cpp
void bind_matmul(nanobind::module_& m);            // matmul.cpp
void bind_linalg(nanobind::module_& m);            // linalg.cpp
void bind_order_and_search(nanobind::module_& m);  // order.cpp
void bind_fft(nanobind::module_& m);               // fft.cpp
void bind_random(nanobind::module_& m);            // random.cpp

}  // namespace mlx::core::python
