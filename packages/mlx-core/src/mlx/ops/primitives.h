// The records that are not rows of the elementwise family, by name. Each is defined in the file
// that the comment names; registry.cpp lists them all.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core::primitives {

// op.cpp
MLX_API extern const Op Placeholder;
// ../transforms/custom.cpp
MLX_API extern const Op CustomFunction;
// identity.cpp
MLX_API extern const Op Identity;
// cast.cpp, create.cpp, reduce.cpp
MLX_API extern const Op AsType;
MLX_API extern const Op Arange;
MLX_API extern const Op Reduce;
// slice.cpp
MLX_API extern const Op Slice;
MLX_API extern const Op SliceUpdate;
// matmul.cpp, linalg.cpp
MLX_API extern const Op Matmul;
MLX_API extern const Op Cholesky;
MLX_API extern const Op Eig;
MLX_API extern const Op Eigh;
MLX_API extern const Op Inverse;
MLX_API extern const Op LUF;
MLX_API extern const Op QRF;
MLX_API extern const Op SVD;
MLX_API extern const Op Solve;
MLX_API extern const Op SolveTriangular;
// sort.cpp
MLX_API extern const Op ArgPartition;
MLX_API extern const Op ArgSort;
MLX_API extern const Op Partition;
MLX_API extern const Op Sort;
// scan.cpp
MLX_API extern const Op Scan;
// search.cpp
MLX_API extern const Op ArgReduce;
MLX_API extern const Op SearchSorted;
// random.cpp
MLX_API extern const Op RandomBits;
MLX_API extern const Op RandomIntegers;
// shape.cpp (views)
MLX_API extern const Op Broadcast;
MLX_API extern const Op ExpandDims;
MLX_API extern const Op Reshape;
MLX_API extern const Op Squeeze;
MLX_API extern const Op Transpose;
// strided.cpp (views)
MLX_API extern const Op AsStrided;
MLX_API extern const Op Contiguous;
MLX_API extern const Op View;
// barrier.cpp
MLX_API extern const Op Depends;
MLX_API extern const Op StopGradient;
// join.cpp
MLX_API extern const Op Concatenate;
// gather.cpp, scatter.cpp
MLX_API extern const Op Gather;
MLX_API extern const Op GatherAxis;
MLX_API extern const Op Scatter;
MLX_API extern const Op ScatterAxis;
// fft.cpp
MLX_API extern const Op FFT;

}  // namespace mlx::core::primitives
