// Copies between any two layouts of memory.
#include "mlx/backends/cpu/copy.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "mlx/backends/cpu/isa.h"
#include "mlx/backends/cpu/thread_pool.h"

namespace mlx::core::cpu {
namespace {

// Less is copied faster than another thread wakes.
constexpr std::int64_t shared_bytes = 1 << 18;
constexpr std::int64_t chunk_bytes = 1 << 17;

std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }

struct Dim {
  std::int64_t size, source, target;
};

// In the order of the target's memory, with dims that are one run in both memories joined.
SmallVector<Dim, 4> joined_dims(const Shape& shape, const Strides& source, const Strides& target) {
  SmallVector<Dim, 4> dims;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) dims.push_back({shape[i], source[i], target[i]});
  }
  std::stable_sort(dims.begin(), dims.end(), [](const Dim& a, const Dim& b) {
    return magnitude(a.target) > magnitude(b.target);
  });
  SmallVector<Dim, 4> joined;
  for (const Dim& dim : dims) {
    bool joins = !joined.empty() && joined.back().source == dim.source * dim.size &&
                 joined.back().target == dim.target * dim.size;
    if (joins) {
      joined.back() = {joined.back().size * dim.size, dim.source, dim.target};
    } else {
      joined.push_back(dim);
    }
  }
  return joined;
}

}  // namespace

BlockCopy::BlockCopy(const Shape& shape, const Strides& source, const Strides& target,
                     int element_size)
    : element_size_(element_size) {
  SmallVector<Dim, 4> dims = joined_dims(shape, source, target);
  bool is_one_run =
      dims.empty() || (dims.size() == 1 && dims[0].source == 1 && dims[0].target == 1);
  if (is_one_run) contiguous_bytes_ = (dims.empty() ? 1 : dims[0].size) * element_size;
  // The rows are the dim that the source walks in the smallest steps: it is read line by line then.
  if (dims.size() > 2) {
    auto rows = std::min_element(dims.begin(), dims.end() - 1, [](const Dim& a, const Dim& b) {
      return magnitude(a.source) < magnitude(b.source);
    });
    std::rotate(rows, rows + 1, dims.end() - 1);
  }
  for (std::size_t i = dims.size(); i < 2; ++i) {
    dims_.push_back(1);
    source_.push_back(0);
    target_.push_back(0);
  }
  for (const Dim& dim : dims) {
    dims_.push_back(dim.size);
    source_.push_back(dim.source);
    target_.push_back(dim.target);
  }
}

std::int64_t BlockCopy::rectangles() const {
  return std::accumulate(dims_.begin(), dims_.end() - 2, std::int64_t{1}, std::multiplies<>());
}

void BlockCopy::run(const std::byte* source, std::byte* target) const {
  if (contiguous_bytes_ > 0) {
    std::memcpy(target, source, static_cast<std::size_t>(contiguous_bytes_));
  } else {
    run(source, target, 0, rectangles() * dims_[dims_.size() - 2]);
  }
}

// Rows first to first + count, counted over all rectangles.
void BlockCopy::run(const std::byte* source, std::byte* target, std::int64_t first,
                    std::int64_t count) const {
  std::size_t row = dims_.size() - 2, column = row + 1;
  MoveLoop move = lanes().move(element_size_);
  while (count > 0) {
    std::int64_t rest = first / dims_[row], start = first % dims_[row];
    std::int64_t rows = std::min(count, dims_[row] - start);
    std::int64_t from = start * source_[row], to = start * target_[row];
    for (std::size_t i = row; i-- > 0; rest /= dims_[i]) {
      from += rest % dims_[i] * source_[i];
      to += rest % dims_[i] * target_[i];
    }
    move(target + to * element_size_, {target_[row], target_[column]},
         source + from * element_size_, {source_[row], source_[column]}, {rows, dims_[column]});
    first += rows;
    count -= rows;
  }
}

void copy_elements(const Tensor& source, const Tensor& target) {
  std::int64_t bytes = source.size() * size_of(source.dtype);
  if (bytes == 0) return;
  BlockCopy copy(source.shape, source.strides, target.strides, size_of(source.dtype));
  if (bytes < shared_bytes) {
    copy.run(source.data, target.data);
    return;
  }
  if (copy.contiguous_bytes() > 0) {
    parallel_for(bytes, chunk_bytes, [&](std::int64_t begin, std::int64_t end) {
      std::memcpy(target.data + begin, source.data + begin, static_cast<std::size_t>(end - begin));
    });
    return;
  }
  // A single row of strided elements is cut as a column of one-element rows is.
  if (copy.dims_[copy.dims_.size() - 2] == 1 && copy.rectangles() == 1) {
    std::size_t column = copy.dims_.size() - 1;
    std::swap(copy.dims_[column], copy.dims_[column - 1]);
    std::swap(copy.source_[column], copy.source_[column - 1]);
    std::swap(copy.target_[column], copy.target_[column - 1]);
  }
  std::int64_t rows = copy.rectangles() * copy.dims_[copy.dims_.size() - 2];
  // Multiples of 64 keep the lines of a transposed source together.
  std::int64_t grain = std::max<std::int64_t>(rows * chunk_bytes / bytes, 1);
  if (grain > 64) grain = grain / 64 * 64;
  parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
    copy.run(source.data, target.data, begin, end - begin);
  });
}

}  // namespace mlx::core::cpu
