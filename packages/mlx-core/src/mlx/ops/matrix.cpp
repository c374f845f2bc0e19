// Small steps that the rules of matrix ops share.
#include "mlx/ops/matrix.h"

#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"

namespace mlx::core::matrix {
namespace {

array part_of(const array& a, std::size_t axis, std::int64_t start, std::int64_t stop,
              const StreamOrDevice& stream) {
  Shape from(a.shape().size(), 0), to = a.shape(), step(a.shape().size(), 1);
  from[axis] = start;
  to[axis] = stop;
  return slice(a, from, to, step, stream);
}

}  // namespace

array adjoint(const array& a, const StreamOrDevice& stream) {
  array result = matrix_transpose(a, stream);
  return is_complex(a.dtype()) ? conjugate(result, stream) : result;
}

Shape with_tail(const Shape& shape, std::size_t count, std::initializer_list<std::int64_t> tail) {
  Shape result(shape.begin(), shape.end() - count);
  for (std::int64_t size : tail) result.push_back(size);
  return result;
}

array rows(const array& a, std::int64_t start, std::int64_t stop, const StreamOrDevice& stream) {
  return part_of(a, a.shape().size() - 2, start, stop, stream);
}
array columns(const array& a, std::int64_t start, std::int64_t stop, const StreamOrDevice& stream) {
  return part_of(a, a.shape().size() - 1, start, stop, stream);
}

array diagonals(const array& a, const StreamOrDevice& stream) {
  return diagonal(a, 0, -2, -1, stream);
}

array as_diagonal(const array& a, const StreamOrDevice& stream) {
  array on = eye(a.shape(-1), {}, 0, Dtype::bool_, stream);
  return where(on, expand_dims(a, Axes{-1}, stream), array(0, a.dtype()), stream);
}

}  // namespace mlx::core::matrix
