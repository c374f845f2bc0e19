// ArgReduce and SearchSorted on the CPU.
#include <algorithm>
#include <memory>
#include <vector>

#include "mlx/backends/cpu/arg_reduce_loops.h"
#include "mlx/backends/cpu/convert.h"
#include "mlx/backends/cpu/isa.h"
#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/lines.h"
#include "mlx/backends/cpu/sort_keys.h"
#include "mlx/backends/cpu/thread_pool.h"

namespace mlx::core::cpu {

MLX_PER_ISA(const ArgReduceTable&, arg_reduce_table)

namespace {

// Elements that are worth another thread.
constexpr std::int64_t worth_splitting = 1 << 15;
constexpr std::int64_t column_tile = 256;
// A line is cut so that several threads search it.
constexpr std::int64_t segment = 1 << 18;

// The index of the extreme of a long line: of the parts' extremes, found by the same loop.
template <class T>
std::int64_t long_line(const ArgReduceLoops& loops, const T* in, std::int64_t n) {
  std::int64_t count = (n + segment - 1) / segment;
  std::vector<std::int64_t> indices(static_cast<std::size_t>(count));
  parallel_for(count, [&](std::int64_t i) {
    std::int64_t start = i * segment;
    indices[static_cast<std::size_t>(i)] =
        start + loops.line(in + start, std::min(segment, n - start));
  });
  auto extremes = std::make_unique<T[]>(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    extremes[static_cast<std::size_t>(i)] = in[indices[static_cast<std::size_t>(i)]];
  }
  return indices[static_cast<std::size_t>(loops.line(extremes.get(), count))];
}

// The axis between the axes before and after it.
struct Extent {
  std::int64_t outer = 1, n = 1, inner = 1;
  Extent(const Shape& shape, std::int64_t axis) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      auto place = static_cast<std::int64_t>(i);
      (place < axis ? outer : place == axis ? n : inner) *= shape[i];
    }
  }
};

void search_lines(const ArgReduceLoops& loops, const Tensor& in, const Extent& extent,
                  std::int64_t* out) {
  int size = size_of(in.dtype);
  if (extent.n > segment) {
    dispatch(in.dtype, [&]<class T>() {
      for (std::int64_t line = 0; line < extent.outer; ++line) {
        out[line] = long_line(loops, in.as<T>() + line * extent.n, extent.n);
      }
    });
    return;
  }
  std::int64_t grain = std::max<std::int64_t>(worth_splitting / extent.n, 1);
  parallel_for(extent.outer, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t line = begin; line < end; ++line) {
      out[line] = loops.line(in.data + line * extent.n * size, extent.n);
    }
  });
}

void search_columns(const ArgReduceLoops& loops, const Tensor& in, const Extent& extent,
                    std::int64_t* out) {
  int size = size_of(in.dtype);
  std::int64_t tiles = (extent.inner + column_tile - 1) / column_tile;
  std::int64_t work = extent.n * std::min(extent.inner, column_tile);
  std::int64_t grain = std::max<std::int64_t>(worth_splitting / work, 1);
  parallel_for(extent.outer * tiles, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      std::int64_t line = task / tiles, column = task % tiles * column_tile;
      loops.columns(in.data + (line * extent.n * extent.inner + column) * size, extent.inner,
                    extent.n, std::min(column_tile, extent.inner - column),
                    out + line * extent.inner + column);
    }
  });
}

// The first place in the sorted line whose key is not before `key`; with `right`, is after it.
template <class T>
std::int64_t place_of(const T* sorted, std::int64_t stride, std::int64_t n,
                      typename SortKey<T>::Key key, bool right) {
  using K = SortKey<T>;
  std::int64_t begin = 0;
  while (n > 0) {
    std::int64_t half = n / 2;
    auto middle = K::same_zeros(K::of(sorted[(begin + half) * stride]));
    bool is_after = right ? middle <= key : middle < key;
    begin = is_after ? begin + half + 1 : begin;
    n = is_after ? n - half - 1 : half;
  }
  return begin;
}

}  // namespace

void arg_reduce(const KernelCall& call) {
  const auto& attrs = attrs_as<ArgReduceAttrs>(call.attrs);
  const Tensor& out = call.outputs[0];
  if (out.size() == 0) return;
  Held in = row_major(call.inputs[0], call.inputs[0].dtype);
  const ArgReduceLoops& loops =
      arg_reduce_table()
          .loops[static_cast<std::size_t>(attrs.op)][static_cast<std::size_t>(in.tensor.dtype)];
  Extent extent(in.tensor.shape, attrs.axis);
  auto* indices = out.as<std::int64_t>();
  if (extent.inner == 1) {
    search_lines(loops, in.tensor, extent, indices);
  } else {
    search_columns(loops, in.tensor, extent, indices);
  }
}

void search_sorted(const KernelCall& call) {
  bool right = attrs_as<SearchSortedAttrs>(call.attrs).right;
  const Tensor& out = call.outputs[0];
  if (out.size() == 0) return;
  int axis = out.ndim() - 1;
  Lines sorted(call.inputs[0], axis);
  Lines values(call.inputs[1], axis);
  std::int64_t m = values.length();
  dispatch(call.inputs[0].dtype, [&]<class T>() {
    if constexpr (kind_of(dtype_of<T>) != Kind::complex) {
      using K = SortKey<T>;
      parallel_for(out.size(), worth_splitting / 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          T value = values.at<T>(i / m)[i % m * values.stride()];
          out.as<std::int64_t>()[i] = place_of(sorted.at<T>(i / m), sorted.stride(),
                                               sorted.length(), K::same_zeros(K::of(value)), right);
        }
      });
    }
  });
}

}  // namespace mlx::core::cpu
