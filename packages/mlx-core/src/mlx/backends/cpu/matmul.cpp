// Matmul on the CPU: BLAS for the inexact dtypes (half precision and bool through float32), the
// engine's own loops for integers, split over the pool by matrices, rows or columns.
#include <algorithm>
#include <limits>

#include "mlx/array/error.h"
#include "mlx/backends/cpu/blas.h"
#include "mlx/backends/cpu/convert.h"
#include "mlx/backends/cpu/isa.h"
#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/matmul_half.h"
#include "mlx/backends/cpu/matmul_integer.h"
#include "mlx/backends/cpu/matrices.h"
#include "mlx/backends/cpu/thread_pool.h"

namespace mlx::core::cpu {

MLX_PER_ISA(const HalfTable&, half_table)
MLX_PER_ISA(const IntegerProducts&, integer_products)

namespace {

constexpr std::int64_t int_limit = std::numeric_limits<int>::max();
// Multiplications below which handing work to another thread costs more than it saves.
constexpr std::int64_t worth_splitting = 1 << 17;
// Parts of one matrix smaller than this waste what BLAS packs per call.
constexpr std::int64_t smallest_part = 64;

// Rows (or columns) contiguous, and the other stride what BLAS calls a leading dimension.
bool is_blas_order(std::int64_t lines, std::int64_t length, std::int64_t line_stride,
                   std::int64_t stride) {
  bool contiguous = stride == 1 || length == 1;
  bool apart =
      lines == 1 || (line_stride >= std::max<std::int64_t>(length, 1) && line_stride <= int_limit);
  return contiguous && apart;
}
bool is_row_order(const Matrices& m) {
  return is_blas_order(m.rows, m.columns, m.row_stride, m.column_stride);
}
bool is_column_order(const Matrices& m) {
  return is_blas_order(m.columns, m.rows, m.column_stride, m.row_stride);
}

// Repeated matrices (stride 0) are converted once.
Tensor without_repeats(Tensor tensor) {
  for (std::size_t axis = 0; axis + 2 < tensor.shape.size(); ++axis) {
    if (tensor.strides[axis] == 0) tensor.shape[axis] = 1;
  }
  return tensor;
}

// The operand in `dtype` and an order that BLAS reads.
struct Prepared {
  Matrices matrices;
  BufferRef buffer;
};
Prepared prepare(const Tensor& tensor, Dtype dtype) {
  Matrices m(tensor);
  if (tensor.dtype == dtype && (is_row_order(m) || is_column_order(m))) return {m, nullptr};
  Held copy = row_major(without_repeats(tensor), dtype);
  Matrices packed(copy.tensor);
  for (std::size_t axis = 0; axis < m.batch.size(); ++axis) {
    if (packed.batch[axis] == 1) packed.batch_strides[axis] = 0;
  }
  packed.batch = m.batch;
  return {packed, std::move(copy.buffer)};
}

// One product: c[batch] = a[batch] b[batch], c row-major without gaps.
struct Product {
  Matrices a, b;
  std::byte* c;
  std::int64_t batches, m, n, k;
};

// (batch, m, k) @ (k, n) with the rows of all matrices equally far apart is one tall product.
void merge_batches(Product& p) {
  for (std::int64_t stride : p.b.batch_strides) {
    if (stride != 0) return;
  }
  std::int64_t rows = p.m, row_stride = p.a.row_stride;
  for (std::size_t axis = p.a.batch.size(); axis-- > 0;) {
    if (p.a.batch[axis] == 1) continue;
    if (rows == 1) row_stride = p.a.batch_strides[axis];  // one row has no stride of its own
    if (p.a.batch_strides[axis] != row_stride * rows) return;
    rows *= p.a.batch[axis];
  }
  Matrices tall = p.a;
  tall.rows = rows;
  tall.row_stride = row_stride;
  tall.batch = tall.batch_strides = {};
  if (!is_row_order(tall) && !is_column_order(tall)) return;
  p.a = std::move(tall);
  p.b.batch = p.b.batch_strides = {};
  p.m = rows;
  p.batches = 1;
}

template <class T>
blas::Operand<T> operand_at(const Matrices& m, std::int64_t offset) {
  auto* data = reinterpret_cast<const T*>(m.data) + offset;
  bool by_rows = is_row_order(m);
  std::int64_t leading = by_rows ? m.row_stride : m.column_stride;
  std::int64_t length = by_rows ? m.columns : m.rows;
  std::int64_t lines = by_rows ? m.rows : m.columns;
  if (lines == 1) leading = length;  // the stride of a single line means nothing
  return {data, static_cast<int>(std::max<std::int64_t>(leading, 1)), !by_rows};
}

// Rows [row, row + rows) and columns [column, column + columns) of one product.
struct Block {
  std::int64_t row, rows, column, columns;
};

template <class T>
void multiply_block(const Product& p, std::int64_t batch, const Block& block) {
  blas::Operand<T> a = operand_at<T>(p.a, p.a.offset_of(batch) + block.row * p.a.row_stride);
  blas::Operand<T> b = operand_at<T>(p.b, p.b.offset_of(batch) + block.column * p.b.column_stride);
  T* c = reinterpret_cast<T*>(p.c) + (batch * p.m + block.row) * p.n + block.column;
  auto rows = static_cast<int>(block.rows), columns = static_cast<int>(block.columns);
  for (std::int64_t start = 0; start < p.k; start += int_limit) {
    auto depth = static_cast<int>(std::min(p.k - start, int_limit));
    blas::Operand<T> left = a, right = b;
    left.data += start * p.a.column_stride;
    right.data += start * p.b.row_stride;
    bool more = start > 0;
    if (columns == 1 && p.n == 1) {
      int stride = right.transposed ? 1 : right.leading;
      blas::gemv<T>(rows, depth, left, right.data, stride, more, c, 1);
    } else if (rows == 1) {
      right.transposed = !right.transposed;
      int stride = left.transposed ? left.leading : 1;
      blas::gemv<T>(columns, depth, right, left.data, stride, more, c, 1);
    } else {
      blas::gemm<T>(rows, columns, depth, left, right, more, c, static_cast<int>(p.n));
    }
  }
}

// How one matrix of the product is cut: along rows or columns, in parts of `size`.
struct Cut {
  bool by_rows;
  std::int64_t size, parts;
};

Cut cut_for(const Product& p, std::int64_t threads) {
  bool by_rows = p.m >= p.n;
  std::int64_t length = by_rows ? p.m : p.n;
  std::int64_t wanted = 1;
  if (p.batches * p.m * p.n * p.k >= worth_splitting && p.batches < 4 * threads) wanted = threads;
  std::int64_t size = std::max(smallest_part, (length + wanted - 1) / wanted);
  // Whole multiples of what BLAS works on at once, and never more than it can count.
  size = std::min((size + 31) / 32 * 32, int_limit / 64 * 32);
  return {by_rows, size, (length + size - 1) / size};
}

template <class MultiplyBlock>
void multiply_all(const Product& p, MultiplyBlock multiply) {
  Cut cut = cut_for(p, thread_count());
  std::int64_t tasks = p.batches * cut.parts;
  std::int64_t work = std::max<std::int64_t>(p.m * p.n * p.k / cut.parts, 1);
  std::int64_t grain = std::max<std::int64_t>(worth_splitting / work, 1);
  parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      std::int64_t start = task % cut.parts * cut.size;
      std::int64_t length = std::min(cut.size, (cut.by_rows ? p.m : p.n) - start);
      Block block = cut.by_rows ? Block{start, length, 0, p.n} : Block{0, p.m, start, length};
      multiply(task / cut.parts, block);
    }
  });
}

Product product_of(const Matrices& a, const Matrices& b, std::byte* c) {
  return {a, b, c, a.count(), a.rows, b.columns, a.columns};
}

template <class T>
void multiply_inexact(const Tensor& a, const Tensor& b, const Tensor& c) {
  Prepared left = prepare(a, dtype_of<T>), right = prepare(b, dtype_of<T>);
  Product p = product_of(left.matrices, right.matrices, c.data);
  merge_batches(p);
  if (p.n > int_limit && p.m > 1) {
    raise<ValueError>("matmul", "rows too long for BLAS: got ", p.n, "; expected at most ",
                      int_limit, " columns");
  }
  multiply_all(p,
               [&](std::int64_t batch, const Block& block) { multiply_block<T>(p, batch, block); });
}

// Half precision and bool: in float32. Of bools the sum counts the pairs that are true.
void multiply_widened(const Tensor& a, const Tensor& b, const Tensor& c) {
  Held wide = allocate_tensor(c.shape, Dtype::float32);
  multiply_inexact<float>(a, b, wide.tensor);
  convert_into(wide.tensor, c);
}

// Halves of a matrix that meets one vector would be converted to be read once: they are multiplied
// as they are read. False: not such a product, or no axis of the matrix is contiguous.
bool multiply_half_vector(const Tensor& a, const Tensor& b, const Tensor& c) {
  Product p = product_of(Matrices(a), Matrices(b), c.data);
  merge_batches(p);
  if (p.m != 1 && p.n != 1) return false;
  bool is_left = p.n == 1;  // a is the matrix, b a column; else a is a row
  const Matrices& m = is_left ? p.a : p.b;
  std::int64_t outputs = is_left ? p.m : p.n;
  std::int64_t apart = is_left ? m.row_stride : m.column_stride;  // of what belongs to two outputs
  std::int64_t along = is_left ? m.column_stride : m.row_stride;
  if (along != 1 && apart != 1) return false;
  Prepared vector = prepare(is_left ? b : a, Dtype::float32);
  Held wide = allocate_tensor(c.shape, Dtype::float32);
  const HalfTable& table = half_table();
  const HalfProducts& products = c.dtype == Dtype::float16 ? table.float16 : table.bfloat16;
  std::int64_t grain = std::max<std::int64_t>(worth_splitting / p.k, smallest_part);
  std::int64_t parts = (outputs + grain - 1) / grain;
  parallel_for(p.batches * parts, [&](std::int64_t task) {
    std::int64_t batch = task / parts, start = task % parts * grain;
    std::int64_t size = std::min(grain, outputs - start);
    const std::byte* from = m.data + (m.offset_of(batch) + start * apart) * size_of(c.dtype);
    const float* x = vector.matrices.at<float>(batch);
    float* y = wide.tensor.as<float>() + batch * outputs + start;
    if (along == 1) {
      products.dots({from, apart, size, p.k}, x, y);
    } else {
      products.sums({from, along, p.k, size}, x, y);
    }
  });
  convert_into(wide.tensor, c);
  return true;
}

IntegerProduct integer_product(int size) {
  const IntegerProducts& products = integer_products();
  return size == 1   ? products.bits8
         : size == 2 ? products.bits16
         : size == 4 ? products.bits32
                     : products.bits64;
}

void multiply_integer(const Tensor& a, const Tensor& b, const Tensor& c) {
  Product p = product_of(Matrices(a), Matrices(b), c.data);
  merge_batches(p);
  int size = size_of(c.dtype);
  IntegerProduct kernel = integer_product(size);
  multiply_all(p, [&](std::int64_t batch, const Block& block) {
    std::int64_t at_a = p.a.offset_of(batch) + block.row * p.a.row_stride;
    std::int64_t at_b = p.b.offset_of(batch) + block.column * p.b.column_stride;
    std::int64_t at_c = (batch * p.m + block.row) * p.n + block.column;
    kernel({p.a.data + at_a * size, p.a.row_stride, p.a.column_stride},
           {p.b.data + at_b * size, p.b.row_stride, p.b.column_stride}, p.c + at_c * size, p.n,
           block.rows, block.columns, p.k);
  });
}

}  // namespace

void matmul(const KernelCall& call) {
  const Tensor &a = call.inputs[0], &b = call.inputs[1], &c = call.outputs[0];
  if (c.size() == 0) return;
  if (a.shape.back() == 0) {
    std::fill_n(c.data, c.size() * size_of(c.dtype), std::byte{0});
    return;
  }
  switch (c.dtype) {
    case Dtype::float32:
      return multiply_inexact<float>(a, b, c);
    case Dtype::float64:
      return multiply_inexact<double>(a, b, c);
    case Dtype::complex64:
      return multiply_inexact<complex64>(a, b, c);
    case Dtype::complex128:
      return multiply_inexact<complex128>(a, b, c);
    case Dtype::float16:
    case Dtype::bfloat16:
      if (multiply_half_vector(a, b, c)) return;
      [[fallthrough]];
    case Dtype::bool_:
      return multiply_widened(a, b, c);
    default:
      return multiply_integer(a, b, c);
  }
}

}  // namespace mlx::core::cpu
