// Gather and GatherAxis.
#include <algorithm>

#include "mlx/backends/cpu/copy.h"
#include "mlx/backends/cpu/indexed.h"
#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/thread_pool.h"
#include "mlx/ops/index.h"

namespace mlx::core::cpu {
namespace {

// Enough work for a thread to be worth waking.
constexpr std::int64_t bytes_per_chunk = 1 << 15;

template <class T>
void read_elements(const std::byte* from, const std::int64_t* positions, std::int64_t count,
                   std::byte* to) {
  const T* source = reinterpret_cast<const T*>(from);
  T* target = reinterpret_cast<T*>(to);
  for (std::int64_t i = 0; i < count; ++i) target[i] = source[positions[i]];
}

using ReadElements = void (*)(const std::byte*, const std::int64_t*, std::int64_t, std::byte*);

ReadElements read_elements_of(int size) {
  switch (size) {
    case 1:
      return read_elements<std::uint8_t>;
    case 2:
      return read_elements<std::uint16_t>;
    case 4:
      return read_elements<std::uint32_t>;
    case 8:
      return read_elements<std::uint64_t>;
    default:
      return read_elements<complex128>;
  }
}

void read(const Tensor& a, const Indexed& indexed, const Tensor& result) {
  std::int64_t starts = indexed.starts.count(), block = indexed.block_size();
  if (starts == 0) return;
  int size = size_of(a.dtype);
  std::int64_t block_bytes = block * size;
  if (block_bytes >= bytes_per_chunk && starts < 16) {
    for_each_tile(indexed, 0, starts, [&](const auto* positions, auto first, auto count) {
      for (std::int64_t i = 0; i < count; ++i) {
        Tensor from{a.data + positions[i] * size, indexed.block, indexed.block_strides, a.dtype};
        Tensor to{result.data + (first + i) * block_bytes, indexed.block,
                  row_major_strides(indexed.block), a.dtype};
        copy_elements(from, to);
      }
    });
    return;
  }
  BlockCopy copy(indexed.block, indexed.block_strides, row_major_strides(indexed.block), size);
  ReadElements read_all = read_elements_of(size);
  std::int64_t grain =
      std::max<std::int64_t>(bytes_per_chunk / std::max<std::int64_t>(block_bytes, 1), 1);
  parallel_for(starts, grain, [&](std::int64_t begin, std::int64_t end) {
    for_each_tile(indexed, begin, end, [&](const auto* positions, auto first, auto count) {
      std::byte* to = result.data + first * block_bytes;
      if (block == 1) {
        read_all(a.data, positions, count, to);
        return;
      }
      // Where the block is empty only the indices are checked.
      for (std::int64_t i = 0; i < count && block > 0; ++i, to += block_bytes) {
        copy.run(a.data + positions[i] * size, to);
      }
    });
  });
}

}  // namespace

void gather(const KernelCall& call) {
  const auto& [axes, sizes] = attrs_as<GatherAttrs>(call.attrs);
  const Tensor& a = call.inputs[0];
  read(a, Indexed::gather(call, a, axes, sizes, 1), call.outputs[0]);
}

void gather_axis(const KernelCall& call) {
  const Tensor& a = call.inputs[0];
  std::int64_t axis = attrs_as<GatherAxisAttrs>(call.attrs).axis;
  read(a, Indexed::along_axis(call, a, axis, 1), call.outputs[0]);
}

}  // namespace mlx::core::cpu
