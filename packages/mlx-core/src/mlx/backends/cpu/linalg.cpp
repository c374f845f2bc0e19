// Factorisations and linear equations on the CPU: LAPACK for each matrix of a stack, the matrices
// split over the pool. LAPACK counts by columns: a row-major matrix is the transpose to it, which
// is used wherever the transpose has the same answer.
#include "mlx/ops/linalg.h"

#include <cmath>
#include <string>
#include <vector>

#include "mlx/array/error.h"
#include "mlx/backends/cpu/blas.h"
#include "mlx/backends/cpu/convert.h"
#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/lapack.h"
#include "mlx/backends/cpu/matrices.h"
#include "mlx/backends/cpu/scratch.h"
#include "mlx/backends/cpu/thread_pool.h"

namespace mlx::core::cpu {
namespace {

using lapack::Real;

// Multiplications of one task that are worth another thread.
constexpr std::int64_t worth_splitting = 1 << 17;
// LAPACK counts workspace in 32 bits; a matrix of this size already takes days.
constexpr std::int64_t largest_size = 30000;

template <class F>
void dispatch_inexact(Dtype dtype, F f) {
  switch (dtype) {
    case Dtype::float32:
      return f.template operator()<float>();
    case Dtype::float64:
      return f.template operator()<double>();
    case Dtype::complex64:
      return f.template operator()<complex64>();
    default:
      return f.template operator()<complex128>();
  }
}

std::string_view function_of(const KernelCall& call) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"Cholesky", "linalg.cholesky"},
      {"Eig", "linalg.eig"},
      {"Eigh", "linalg.eigh"},
      {"Inverse", "linalg.inv"},
      {"LUF", "linalg.lu"},
      {"QRF", "linalg.qr"},
      {"Solve", "linalg.solve"},
      {"SolveTriangular", "linalg.solve_triangular"},
      {"SVD", "linalg.svd"}};
  for (auto [primitive, function] : names) {
    if (primitive == call.op.name) return function;
  }
  return call.op.name;
}

int checked_size(const KernelCall& call, std::int64_t size) {
  if (size > largest_size) {
    raise<ValueError>(function_of(call), "matrix too large for LAPACK: got size ", size,
                      "; expected at most ", largest_size);
  }
  return static_cast<int>(size);
}

// Calls work(i), which returns 0 or what failed, for every matrix; `fail(i, what)` reports the
// first failure, so that the error does not depend on the threads.
template <class Work, class Fail>
void each_matrix(std::int64_t count, std::int64_t cost, Work work, Fail fail) {
  std::vector<int> outcome(static_cast<std::size_t>(count), 0);
  std::int64_t grain = std::max<std::int64_t>(worth_splitting / std::max<std::int64_t>(cost, 1), 1);
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) outcome[static_cast<std::size_t>(i)] = work(i);
  });
  for (std::int64_t i = 0; i < count; ++i) {
    if (int what = outcome[static_cast<std::size_t>(i)]; what != 0) fail(i, what);
  }
}

void never_fails(std::int64_t, int) {}

std::string place_of(std::int64_t index, std::int64_t count) {
  return count == 1 ? "the matrix" : "matrix " + std::to_string(index) + " of the batch";
}

// What each_matrix reports with: "[linalg.inv] the matrix is singular: ...".
auto failing(const KernelCall& call, std::int64_t count, std::string_view problem,
             std::string_view expected) {
  return [=, &call](std::int64_t index, int) {
    raise<ValueError>(function_of(call), place_of(index, count), " ", problem, "; expected ",
                      expected);
  };
}

template <class T>
T* matrix_at(const Tensor& stack, std::int64_t index, std::int64_t elements) {
  return stack.as<T>() + index * elements;
}

bool is_finite(float x) { return std::isfinite(x); }
bool is_finite(double x) { return std::isfinite(x); }
template <class T>
bool is_finite(Complex<T> x) {
  return std::isfinite(x.re) && std::isfinite(x.im);
}
template <class T>
bool all_finite(const T* values, std::int64_t count) {
  return std::all_of(values, values + count, [](T x) { return is_finite(x); });
}

template <class T>
T real_part(T x) {
  return x;
}
template <class T>
T real_part(Complex<T> x) {
  return x.re;
}
template <class T>
T conjugate(T x) {
  return x;
}
template <class T>
Complex<T> conjugate(Complex<T> x) {
  return {x.re, -x.im};
}

template <class T>
T one() {
  if constexpr (std::is_floating_point_v<T>) {
    return 1;
  } else {
    return {1, 0};
  }
}

// The unit matrix's first rows, or columns.
template <class T>
void store_unit(std::int64_t rows, std::int64_t columns, T* row_major) {
  std::fill_n(row_major, rows * columns, T{});
  for (std::int64_t i = 0; i < std::min(rows, columns); ++i)
    row_major[i * (columns + 1)] = one<T>();
}

// Zeros where a triangular factor has none of its elements.
template <class T>
void clear_triangle(std::int64_t rows, std::int64_t columns, bool clear_lower, T* row_major) {
  for (std::int64_t i = 0; i < rows; ++i) {
    std::int64_t begin = clear_lower ? 0 : i + 1;
    std::int64_t end = clear_lower ? std::min(i, columns) : columns;
    for (std::int64_t j = begin; j < end; ++j) row_major[i * columns + j] = T{};
  }
}

// The iterations behind svd, eigh and eig neither stop nor mean anything on NaN and infinity.
constexpr int not_finite = -1;
constexpr std::string_view finite_numbers = "finite numbers";

auto iteration_failing(const KernelCall& call, std::int64_t count) {
  return [=, &call](std::int64_t index, int what) {
    if (what == not_finite) {
      failing(call, count, "holds NaN or infinity", finite_numbers)(index, what);
    }
    failing(call, count, "does not converge", "a matrix that LAPACK's iteration can solve")(index,
                                                                                            what);
  };
}

}  // namespace

void cholesky(const KernelCall& call) {
  bool upper = attrs_as<CholeskyAttrs>(call.attrs).upper;
  Matrices a(call.inputs[0]);
  int n = checked_size(call, a.rows);
  dispatch_inexact(call.outputs[0].dtype, [&]<class T>() {
    auto factor = [&](std::int64_t i) {
      T* result = matrix_at<T>(call.outputs[0], i, a.rows * a.rows);
      copy_rows(a, i, result);
      int info = n == 0 ? 0 : lapack::cholesky(!upper, n, result);
      clear_triangle(a.rows, a.rows, upper, result);
      for (int k = 0; info == 0 && k < n; ++k) {  // LAPACK compares with 0, which NaN passes
        if (!(real_part(result[k * (n + 1ll)]) > 0)) info = k + 1;
      }
      return info;
    };
    each_matrix(a.count(), a.rows * a.rows * a.rows / 3, factor, [&](std::int64_t index, int info) {
      raise<ValueError>(function_of(call), place_of(index, a.count()),
                        " is not positive definite: its leading block of size ", info,
                        " fails; expected a positive definite matrix");
    });
  });
}

void qrf(const KernelCall& call) {
  bool complete = attrs_as<QrAttrs>(call.attrs).complete;
  Matrices a(call.inputs[0]);
  int m = checked_size(call, a.rows), n = checked_size(call, a.columns);
  int rank = std::min(m, n), columns = complete ? m : rank;
  const Tensor &q = call.outputs[0], &r = call.outputs[1];
  dispatch_inexact(q.dtype, [&]<class T>() {
    auto factor = [&](std::int64_t i) {
      std::int64_t width = std::max(n, columns);
      Scratch<T> work(a.rows * width + rank);
      T *matrix = work.get(), *factors = matrix + a.rows * width;
      copy_columns(a, i, matrix);
      if (rank > 0) lapack::qr(m, n, matrix, factors);
      T* upper = matrix_at<T>(r, i, std::int64_t{columns} * n);
      copy_matrix<T>(columns, n, matrix, 1, m, upper, n, 1);
      clear_triangle<T>(columns, n, true, upper);
      if (columns > 0) lapack::qr_vectors(m, columns, rank, matrix, factors);
      from_columns<T>(m, columns, matrix, matrix_at<T>(q, i, std::int64_t{m} * columns));
      return 0;
    };
    each_matrix(a.count(), a.rows * a.columns * rank, factor, never_fails);
  });
}

void svd(const KernelCall& call) {
  const auto& attrs = attrs_as<SvdAttrs>(call.attrs);
  Matrices a(call.inputs[0]);
  int m = checked_size(call, a.rows), n = checked_size(call, a.columns), rank = std::min(m, n);
  std::int64_t width_u = attrs.full_matrices ? m : rank, width_v = attrs.full_matrices ? n : rank;
  char which = !attrs.compute_uv ? 'N' : attrs.full_matrices ? 'A' : 'S';
  const Tensor& s = call.outputs[attrs.compute_uv ? 1 : 0];
  dispatch_inexact(call.inputs[0].dtype, [&]<class T>() {
    // The signs of the vectors are LAPACK's choice. It gets the matrix by columns, as from
    // everybody else, so that ours are the ones that users know from elsewhere.
    auto factor = [&](std::int64_t i) {
      std::int64_t size = a.rows * a.columns, size_u = m * width_u, size_v = width_v * n;
      Scratch<T> work(size), vectors(attrs.compute_uv ? size_u + size_v : 0);
      T *by_columns = vectors.get(), *vt_by_columns = by_columns + (attrs.compute_uv ? size_u : 0);
      copy_columns(a, i, work.get());
      if (!all_finite(work.get(), size)) return not_finite;
      T *u = nullptr, *vt = nullptr;
      if (attrs.compute_uv) {
        u = matrix_at<T>(call.outputs[0], i, size_u);
        vt = matrix_at<T>(call.outputs[2], i, size_v);
      }
      if (rank == 0) {  // LAPACK takes no empty matrices, and any orthonormal vectors will do
        if (attrs.compute_uv) {
          store_unit<T>(m, width_u, u);
          store_unit<T>(width_v, n, vt);
        }
        return 0;
      }
      int info = lapack::svd(which, m, n, work.get(), matrix_at<Real<T>>(s, i, rank), by_columns,
                             vt_by_columns);
      if (attrs.compute_uv) {
        from_columns<T>(m, width_u, by_columns, u);
        from_columns<T>(width_v, n, vt_by_columns, vt);
      }
      return info;
    };
    each_matrix(a.count(), 8 * a.rows * a.columns * rank, factor,
                iteration_failing(call, a.count()));
  });
}

void eigh(const KernelCall& call) {
  const auto& attrs = attrs_as<EighAttrs>(call.attrs);
  Matrices a(call.inputs[0]);
  int n = checked_size(call, a.rows);
  dispatch_inexact(call.inputs[0].dtype, [&]<class T>() {
    auto factor = [&](std::int64_t i) {
      Scratch<T> work(a.rows * a.rows);
      T* matrix = work.get();
      copy_rows(a, i, matrix);
      clear_triangle(a.rows, a.rows, attrs.upper, matrix);
      if (!all_finite(matrix, a.rows * a.rows)) return not_finite;
      Real<T>* values = matrix_at<Real<T>>(call.outputs[0], i, n);
      int info = n == 0 ? 0 : lapack::eigh(attrs.compute_vectors, !attrs.upper, n, matrix, values);
      if (!attrs.compute_vectors) return info;
      // The transpose of a Hermitian matrix is its conjugate, and so are the vectors.
      T* vectors = matrix_at<T>(call.outputs[1], i, a.rows * a.rows);
      from_columns(a.rows, a.rows, matrix, vectors);
      for (std::int64_t k = 0; k < a.rows * a.rows; ++k) vectors[k] = conjugate(vectors[k]);
      return info;
    };
    each_matrix(a.count(), 8 * a.rows * a.rows * a.rows, factor,
                iteration_failing(call, a.count()));
  });
}

void eig(const KernelCall& call) {
  bool with_vectors = attrs_as<EigAttrs>(call.attrs).compute_vectors;
  Matrices a(call.inputs[0]);
  int n = checked_size(call, a.rows);
  dispatch_inexact(call.inputs[0].dtype, [&]<class T>() {
    using C = lapack::ComplexOf<T>;
    auto factor = [&](std::int64_t i) {
      std::int64_t size = a.rows * a.rows;
      Scratch<T> work(size);
      Scratch<C> vectors(with_vectors ? size : 0);
      copy_columns(a, i, work.get());
      if (!all_finite(work.get(), size)) return not_finite;
      if (n == 0) return 0;
      int info = lapack::eig<T>(n, work.get(), matrix_at<C>(call.outputs[0], i, n),
                                with_vectors ? vectors.get() : nullptr);
      if (with_vectors) {
        from_columns(a.rows, a.rows, vectors.get(), matrix_at<C>(call.outputs[1], i, size));
      }
      return info;
    };
    each_matrix(a.count(), 20 * a.rows * a.rows * a.rows, factor,
                iteration_failing(call, a.count()));
  });
}

namespace {

// LAPACK's exchanges, counted from 1, as ours, counted from 0, and what they do to the row numbers:
// row order[i] of the product l u is row i of the matrix.
void store_exchanges(const std::vector<int>& exchanges, std::int64_t rows, std::int64_t* pivots,
                     std::int64_t* order) {
  std::vector<std::int64_t> rows_now(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < rows_now.size(); ++i) rows_now[i] = static_cast<std::int64_t>(i);
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    pivots[i] = exchanges[i] - 1;
    std::swap(rows_now[i], rows_now[static_cast<std::size_t>(pivots[i])]);
  }
  for (std::size_t i = 0; i < rows_now.size(); ++i) {
    order[rows_now[i]] = static_cast<std::int64_t>(i);
  }
}

}  // namespace

void luf(const KernelCall& call) {
  Matrices a(call.inputs[0]);
  int m = checked_size(call, a.rows), n = checked_size(call, a.columns), rank = std::min(m, n);
  dispatch_inexact(call.outputs[0].dtype, [&]<class T>() {
    auto factor = [&](std::int64_t i) {
      Scratch<T> work(a.rows * a.columns);
      copy_columns(a, i, work.get());
      std::vector<int> exchanges(static_cast<std::size_t>(rank));
      if (rank > 0) lapack::lu(m, n, work.get(), exchanges.data());
      from_columns(a.rows, a.columns, work.get(),
                   matrix_at<T>(call.outputs[0], i, a.rows * a.columns));
      store_exchanges(exchanges, a.rows, matrix_at<std::int64_t>(call.outputs[1], i, rank),
                      matrix_at<std::int64_t>(call.outputs[2], i, a.rows));
      return 0;  // a zero pivot is an answer here
    };
    each_matrix(a.count(), a.rows * a.columns * rank, factor, never_fails);
  });
}

void inverse(const KernelCall& call) {
  Matrices a(call.inputs[0]);
  int n = checked_size(call, a.rows);
  if (n == 0) return;
  dispatch_inexact(call.outputs[0].dtype, [&]<class T>() {
    auto invert = [&](std::int64_t i) {  // the transpose of the inverse is that of the transpose
      T* result = matrix_at<T>(call.outputs[0], i, a.rows * a.rows);
      copy_rows(a, i, result);
      std::vector<int> pivots(static_cast<std::size_t>(n));
      int info = lapack::lu(n, n, result, pivots.data());
      return info != 0 ? info : lapack::lu_invert(n, result, pivots.data());
    };
    each_matrix(a.count(), 2 * a.rows * a.rows * a.rows, invert,
                failing(call, a.count(), "is singular", "a matrix that has an inverse"));
  });
}

void solve(const KernelCall& call) {
  Matrices a(call.inputs[0]), b(call.inputs[1]);
  int n = checked_size(call, a.rows);
  if (n == 0 || b.columns == 0) return;
  dispatch_inexact(call.outputs[0].dtype, [&]<class T>() {
    bool by_rows = std::abs(a.column_stride) <= std::abs(a.row_stride);
    auto solve_one = [&](std::int64_t i) {
      Scratch<T> work(a.rows * (a.rows + b.columns));
      T *matrix = work.get(), *right = matrix + a.rows * a.rows;
      by_rows ? copy_rows(a, i, matrix) : copy_columns(a, i, matrix);
      copy_columns(b, i, right);
      std::vector<int> pivots(static_cast<std::size_t>(n));
      int info = lapack::lu(n, n, matrix, pivots.data());
      if (info != 0) return info;
      lapack::lu_solve(by_rows ? 'T' : 'N', n, static_cast<int>(b.columns), matrix, pivots.data(),
                       right);
      from_columns(b.rows, b.columns, right, matrix_at<T>(call.outputs[0], i, b.rows * b.columns));
      return 0;
    };
    each_matrix(a.count(), a.rows * a.rows * (a.rows + b.columns), solve_one,
                failing(call, a.count(), "is singular", "a matrix that has an inverse"));
  });
}

void solve_triangular(const KernelCall& call) {
  bool upper = attrs_as<TriangularAttrs>(call.attrs).upper;
  Matrices a(call.inputs[0]), b(call.inputs[1]);
  int n = checked_size(call, a.rows);
  if (n == 0 || b.columns == 0) return;
  dispatch_inexact(call.outputs[0].dtype, [&]<class T>() {
    auto solve_one = [&](std::int64_t i) {
      const T* diagonal = a.at<T>(i);
      for (int k = 0; k < n; ++k) {
        if (diagonal[k * (a.row_stride + a.column_stride)] == T{}) return k + 1;
      }
      Scratch<T> work(a.rows * a.rows);
      copy_rows(a, i, work.get());
      T* result = matrix_at<T>(call.outputs[0], i, b.rows * b.columns);
      copy_rows(b, i, result);
      blas::trsm<T>(upper, n, static_cast<int>(b.columns), {work.get(), n, false}, result);
      return 0;
    };
    each_matrix(a.count(), a.rows * a.rows * b.columns, solve_one,
                failing(call, a.count(), "is singular: its diagonal has a 0",
                        "a triangular matrix that has an inverse"));
  });
}

}  // namespace mlx::core::cpu
