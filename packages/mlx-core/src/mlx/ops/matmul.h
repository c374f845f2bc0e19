// Products of matrices and vectors, and what is composed of them.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

// Matrix product over the last two axes; the axes before broadcast. A vector on the left is a row,
// on the right a column, and its axis is dropped from the result. Integers multiply exactly and
// wrap; of bools it is "some pair is true"; float16 and bfloat16 are summed in float32.
MLX_API array matmul(const array& a, const array& b, const StreamOrDevice& stream = {});
// alpha (a @ b) + beta c; c broadcasts to the product's shape.
MLX_API array addmm(const array& c, const array& a, const array& b, double alpha = 1,
                    double beta = 1, const StreamOrDevice& stream = {});
// Sum of products over pairs of axes: axes_a[i] of a with axes_b[i] of b.
MLX_API array tensordot(const array& a, const array& b, const Axes& axes_a, const Axes& axes_b,
                        const StreamOrDevice& stream = {});
// The last `axes` axes of a with the first of b.
MLX_API array tensordot(const array& a, const array& b, int axes = 2,
                        const StreamOrDevice& stream = {});
// Sum of products over the last axes; a plain product where one of them is a scalar.
MLX_API array inner(const array& a, const array& b, const StreamOrDevice& stream = {});
// Every element of a with every element of b, both flattened.
MLX_API array outer(const array& a, const array& b, const StreamOrDevice& stream = {});
// multiply, and of bools "both are true", as in a product of matrices.
array elementwise_product(const array& a, const array& b, const StreamOrDevice& stream = {});
// Sum of conj(a) b over one axis, which counts from the end; the other axes broadcast.
MLX_API array vecdot(const array& a, const array& b, int axis = -1,
                     const StreamOrDevice& stream = {});

}  // namespace mlx::core
