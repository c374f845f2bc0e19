// Small steps that the rules of matrix ops share.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core::matrix {

// The last two axes exchanged, and conjugated where complex.
array adjoint(const array& a, const StreamOrDevice& stream = {});
// The shape with its last `count` sizes replaced.
Shape with_tail(const Shape& shape, std::size_t count, std::initializer_list<std::int64_t> tail);
// Rows, or columns, [start, stop) of every matrix.
array rows(const array& a, std::int64_t start, std::int64_t stop,
           const StreamOrDevice& stream = {});
array columns(const array& a, std::int64_t start, std::int64_t stop,
              const StreamOrDevice& stream = {});
// (..., n, n) to its diagonals (..., n), and back with 0 elsewhere.
array diagonals(const array& a, const StreamOrDevice& stream = {});
array as_diagonal(const array& a, const StreamOrDevice& stream = {});

}  // namespace mlx::core::matrix
