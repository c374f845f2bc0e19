// The searches for extremes of one instruction set: this file is compiled once for each.
#include <algorithm>
#include <type_traits>

#include "mlx/backends/cpu/arg_reduce_loops.h"
#include "mlx/backends/cpu/lanes/vector.h"
#include "mlx/ops/lanes/half_loops.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

// Halves are compared as floats.
template <class T>
using Compared =
    std::conditional_t<std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>, float, T>;

template <bool Largest, class V>
bool beats(V x, V best) {
  return Largest ? x > best : x < best;
}

constexpr std::int64_t block = 256;

// The extreme of a block, and whether there is a NaN: without branches, a vector at a time.
template <class V>
struct BlockExtreme {
  V value;
  bool has_nan;
};
template <bool Largest, class V>
BlockExtreme<V> extreme_of(const V* in, std::int64_t n) {
  using Element = std::conditional_t<std::is_same_v<V, bool>, std::uint8_t, V>;
  using Vec = Vector<Element>;
  constexpr int chains = 4;  // independent of each other
  constexpr std::int64_t width = vector_bytes / sizeof(V), stride = chains * width;
  V value = in[0];
  bool has_nan = false;
  if (n >= stride) {
    Vec best[chains];
    for (int c = 0; c < chains; ++c) best[c] = load_vector<Element>(in + c * width);
    auto unordered = best[0] != best[0];
    for (; n >= stride; n -= stride, in += stride) {
      for (int c = 0; c < chains; ++c) {
        Vec x = load_vector<Element>(in + c * width);
        if constexpr (Largest) {
          best[c] = x > best[c] ? x : best[c];
        } else {
          best[c] = x < best[c] ? x : best[c];
        }
        if constexpr (std::is_floating_point_v<V>) unordered |= x != x;
      }
    }
    for (const Vec& of_chain : best) {
      for (std::int64_t k = 0; k < width; ++k) {
        auto b = static_cast<V>(of_chain[k]);
        value = beats<Largest>(b, value) ? b : value;
        has_nan |= unordered[k] != 0;
      }
    }
  }
  for (; n > 0; --n, ++in) {
    value = beats<Largest>(*in, value) ? *in : value;
    has_nan |= *in != *in;
  }
  return {value, has_nan};
}

template <class T>
const Compared<T>* as_compared(const T* in, std::int64_t n, Compared<T>* buffer) {
  if constexpr (std::is_same_v<T, Compared<T>>) {
    return in;
  } else {
    lane::widen_loop(buffer, in, static_cast<std::size_t>(n));
    return buffer;
  }
}

template <bool Largest, class T>
std::int64_t line(const void* data, std::int64_t n) {
  using V = Compared<T>;
  const auto* in = static_cast<const T*>(data);
  V buffer[block];
  std::int64_t best_start = 0;
  V best{};
  for (std::int64_t start = 0; start < n; start += block) {
    std::int64_t size = std::min(block, n - start);
    const V* values = as_compared(in + start, size, buffer);
    auto found = extreme_of<Largest>(values, size);
    if (found.has_nan) {
      std::int64_t i = 0;
      while (values[i] == values[i]) ++i;
      return start + i;
    }
    if (start == 0 || beats<Largest>(found.value, best)) {
      best = found.value;
      best_start = start;
    }
  }
  const V* values = as_compared(in + best_start, std::min(block, n - best_start), buffer);
  std::int64_t i = 0;
  while (values[i] != best) ++i;
  return best_start + i;
}

template <bool Largest, class T>
void columns(const void* data, std::int64_t row_stride, std::int64_t rows, std::int64_t count,
             std::int64_t* indices) {
  using V = Compared<T>;
  constexpr std::int64_t tile = 64;
  const auto* in = static_cast<const T*>(data);
  for (std::int64_t first = 0; first < count; first += tile) {
    std::int64_t size = std::min(tile, count - first);
    V best[tile];
    for (std::int64_t j = 0; j < size; ++j) best[j] = static_cast<V>(in[first + j]);
    std::fill_n(indices + first, size, std::int64_t{0});
    for (std::int64_t i = 1; i < rows; ++i) {
      const T* row = in + i * row_stride + first;
      for (std::int64_t j = 0; j < size; ++j) {
        V x = static_cast<V>(row[j]);
        bool wins = beats<Largest>(x, best[j]);
        if constexpr (std::is_floating_point_v<V>) wins |= (x != x) & (best[j] == best[j]);
        best[j] = wins ? x : best[j];
        indices[first + j] = wins ? i : indices[first + j];
      }
    }
  }
}

template <class T>
constexpr void fill(ArgReduceTable& table) {
  constexpr Dtype dtype = dtype_of<T>;
  constexpr auto d = static_cast<std::size_t>(dtype);
  if constexpr (kind_of(dtype) != Kind::complex) {
    table.loops[static_cast<std::size_t>(ArgReduceKind::argmin)][d] = {line<false, T>,
                                                                       columns<false, T>};
    table.loops[static_cast<std::size_t>(ArgReduceKind::argmax)][d] = {line<true, T>,
                                                                       columns<true, T>};
  }
}

constexpr ArgReduceTable make_table() {
  ArgReduceTable table{};
#define MLX_FILL(name, type) fill<type>(table);
  MLX_FOR_EACH_DTYPE(MLX_FILL)
#undef MLX_FILL
  return table;
}

constexpr ArgReduceTable table = make_table();

}  // namespace

const ArgReduceTable& arg_reduce_table() { return table; }

}  // namespace mlx::core::cpu::MLX_ISA
