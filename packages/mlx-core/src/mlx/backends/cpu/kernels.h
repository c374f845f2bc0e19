// The kernels of the ops that are no tile programs: one line each, the op's name and the function
// that computes it.
#pragma once

#include <string_view>

#include "mlx/schedule/backend.h"

// clang-format off
#define MLX_CPU_KERNELS(M) \
  M(ArgPartition, argpartition) \
  M(ArgReduce, arg_reduce) \
  M(ArgSort, argsort) \
  M(Cholesky, cholesky) \
  M(Concatenate, concatenate) \
  M(Eig, eig) \
  M(Eigh, eigh) \
  M(FFT, fft_kernel) \
  M(Gather, gather) \
  M(GatherAxis, gather_axis) \
  M(Inverse, inverse) \
  M(LUF, luf) \
  M(Matmul, matmul) \
  M(Partition, partition) \
  M(QRF, qrf) \
  M(RandomBits, random_bits) \
  M(RandomIntegers, random_integers) \
  M(SVD, svd) \
  M(Scan, scan) \
  M(Scatter, scatter) \
  M(ScatterAxis, scatter_axis) \
  M(SearchSorted, search_sorted) \
  M(SliceUpdate, slice_update) \
  M(Solve, solve) \
  M(SolveTriangular, solve_triangular) \
  M(Sort, sort)
// clang-format on

namespace mlx::core::cpu {

#define MLX_DECLARE(name, function) void function(const KernelCall& call);
MLX_CPU_KERNELS(MLX_DECLARE)
#undef MLX_DECLARE

// nullptr where there is none.
Kernel kernel_named(std::string_view name);

}  // namespace mlx::core::cpu
