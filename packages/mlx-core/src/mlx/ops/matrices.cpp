// Matrices with a pattern, diagonals and grids, composed of Arange, comparisons and views.
#include <algorithm>
#include <cmath>

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"

namespace mlx::core {
namespace {

// Positions along an axis; small enough ones in int32, which computes twice as fast.
array positions(std::int64_t size, std::int64_t first, Stream stream) {
  constexpr std::int64_t limit = 1 << 30;
  bool is_small = size < limit && std::abs(first) < limit;
  return arange(first, first + size, 1, is_small ? Dtype::int32 : Dtype::int64, stream);
}

// Diagonals beyond the corners are all alike.
std::int64_t clamped_diagonal(std::int64_t n, std::int64_t m, std::int64_t k) {
  return std::clamp(k, -n, m);
}

// compare(row + k, column) on the grid of an n x m matrix.
array diagonal_mask(Elementwise compare, std::int64_t n, std::int64_t m, std::int64_t k,
                    Stream stream) {
  array rows = positions(n, clamped_diagonal(n, m, k), stream);
  array column = expand_dims(rows, Axes{1}, stream), row = positions(m, 0, stream);
  const array* const sides[] = {&column, &row};
  return elementwise(compare, sides, stream);
}

void check_sizes(std::string_view op, std::int64_t n, std::int64_t m) {
  if (n < 0 || m < 0) {
    raise<ValueError>(op, "negative size: got ", to_string(Shape{n, m}), "; expected at least 0");
  }
}

std::pair<std::int64_t, std::int64_t> matrix_size(std::string_view op, const array& a) {
  if (a.ndim() < 2) {
    raise<ValueError>(op, "too few dimensions: got shape ", to_string(a.shape()),
                      "; expected at least 2");
  }
  return {a.shape(-2), a.shape(-1)};
}

// The k-th diagonal of a row-major n x m matrix: every (m + 1)-th element from `start` on.
struct DiagonalPlace {
  std::int64_t start, count;
};

DiagonalPlace diagonal_place(std::int64_t n, std::int64_t m, std::int64_t k) {
  k = clamped_diagonal(n, m, k);
  std::int64_t row = std::max<std::int64_t>(-k, 0), column = std::max<std::int64_t>(k, 0);
  return {row * m + column, std::max<std::int64_t>(std::min(n - row, m - column), 0)};
}

// Start, stop and step of a diagonal in the flattened matrix.
SliceAttrs diagonal_slice(DiagonalPlace place, std::int64_t m) {
  if (place.count == 0) return {{0}, {0}, {1}};
  return {{place.start}, {place.start + (place.count - 1) * (m + 1) + 1}, {m + 1}};
}

// Axes of size 1 in front until there are `ndim`.
array with_ndim(const array& a, int ndim, Stream stream) {
  Axes axes;
  for (int axis = a.ndim(); axis < ndim; ++axis) axes.push_back(axis - a.ndim());
  return expand_dims(a, axes, stream);
}

}  // namespace

array eye(std::int64_t n, std::optional<std::int64_t> m, std::int64_t k, Dtype dtype,
          const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  check_sizes("eye", n, m.value_or(n));
  return astype(diagonal_mask(Elementwise::equal, n, m.value_or(n), k, stream), dtype, stream);
}

array identity(std::int64_t n, Dtype dtype, const StreamOrDevice& stream) {
  return eye(n, n, 0, dtype, stream);
}

array tri(std::int64_t n, std::optional<std::int64_t> m, std::int64_t k, Dtype dtype,
          const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  check_sizes("tri", n, m.value_or(n));
  return astype(diagonal_mask(Elementwise::greater_equal, n, m.value_or(n), k, stream), dtype,
                stream);
}

array tril(const array& a, std::int64_t k, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  auto [n, m] = matrix_size("tril", a);
  array keep = diagonal_mask(Elementwise::greater_equal, n, m, k, stream);
  return core::where(keep, a, array(0, a.dtype()), stream);
}

array triu(const array& a, std::int64_t k, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  auto [n, m] = matrix_size("triu", a);
  array keep = diagonal_mask(Elementwise::less_equal, n, m, k, stream);
  return core::where(keep, a, array(0, a.dtype()), stream);
}

array diag(const array& a, std::int64_t k, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (a.ndim() == 2) return diagonal(a, k, 0, 1, stream);
  if (a.ndim() != 1) {
    raise<ValueError>("diag", "wrong number of dimensions: got shape ", to_string(a.shape()),
                      "; expected 1 or 2");
  }
  std::int64_t n;
  if (__builtin_add_overflow(a.size(), k < 0 ? -(k + 1) : k, &n) ||
      __builtin_add_overflow(n, std::int64_t(k < 0), &n)) {
    raise<OverflowError>("diag", "the matrix is too large: got diagonal ", k);
  }
  element_count(Shape{n, n});
  auto [start, stop, step] = diagonal_slice(diagonal_place(n, n, k), n);
  array flat = slice_update(zeros(Shape{n * n}, a.dtype(), stream), a, start, stop, step, stream);
  return reshape(flat, Shape{n, n}, stream);
}

array diagonal(const array& a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2,
               const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  matrix_size("diagonal", a);
  int first = normalize_axis("diagonal", axis1, a.ndim());
  int second = normalize_axis("diagonal", axis2, a.ndim());
  if (first == second) {
    raise<ValueError>("diagonal", "the axes are the same: got ", axis1, " and ", axis2);
  }
  // In row-major order of the two axes as they lie, the diagonal needs no copy.
  std::int64_t k = first < second ? offset : -std::max<std::int64_t>(offset, -INT64_MAX);
  Axes order;
  for (int axis = 0; axis < a.ndim(); ++axis) {
    if (axis != first && axis != second) order.push_back(axis);
  }
  order.push_back(std::min(first, second));
  order.push_back(std::max(first, second));
  array matrices = transpose(a, order, stream);
  std::int64_t n = matrices.shape(-2), m = matrices.shape(-1);
  Shape shape(matrices.shape().begin(), matrices.shape().end() - 2);
  auto attrs = diagonal_slice(diagonal_place(n, m, k), m);
  SliceAttrs all{Shape(shape.size(), 0), shape, Shape(shape.size(), 1)};
  all.start.push_back(attrs.start[0]);
  all.stop.push_back(attrs.stop[0]);
  all.step.push_back(attrs.step[0]);
  shape.push_back(n * m);
  return slice(reshape(matrices, shape, stream), all.start, all.stop, all.step, stream);
}

array trace(const array& a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2,
            std::optional<Dtype> dtype, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array values = diagonal(a, offset, axis1, axis2, stream);
  if (dtype) values = astype(values, *dtype, stream);
  array total = sum(values, Axes{-1}, false, stream);
  return dtype ? astype(total, *dtype, stream) : total;
}

Arrays meshgrid(const Arrays& arrays, bool sparse, GridIndexing indexing,
                const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  Arrays grids;
  Shape shape;
  std::size_t ndim = arrays.size();
  for (std::size_t i = 0; i < ndim; ++i) {
    if (arrays[i].ndim() > 1) {
      raise<ValueError>("meshgrid", "an array has too many dimensions: got shape ",
                        to_string(arrays[i].shape()), "; expected 0 or 1 dimensions");
    }
    // With xy the first two axes change places.
    bool is_swapped = indexing == GridIndexing::xy && ndim > 1 && i < 2;
    Shape own(ndim, 1);
    own[is_swapped ? 1 - i : i] = arrays[i].size();
    shape = grids.empty() ? own : broadcast_shapes("meshgrid", shape, own);
    grids.push_back(reshape(arrays[i], own, stream));
  }
  if (sparse) return grids;
  for (array& grid : grids) grid = broadcast_to(grid, shape, stream);
  return grids;
}

array kron(const array& a, const array& b, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  int ndim = std::max(a.ndim(), b.ndim());
  array left = with_ndim(a, ndim, stream), right = with_ndim(b, ndim, stream);
  Shape shape;
  Axes after, before;
  for (int axis = 0; axis < ndim; ++axis) {
    shape.push_back(left.shape(axis) * right.shape(axis));
    after.push_back(2 * axis + 1);
    before.push_back(2 * axis);
  }
  array products =
      multiply(expand_dims(left, after, stream), expand_dims(right, before, stream), stream);
  return reshape(products, shape, stream);
}

}  // namespace mlx::core
