// Sorting keys with one instruction set: quicksort that partitions a vector at a time. This file is
// compiled once for each.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "mlx/backends/cpu/lanes/vector.h"
#include "mlx/backends/cpu/sort_loops.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace mlx::core::cpu::MLX_ISA {
namespace {

#if defined(__AVX512F__) || defined(__AVX2__)

template <class Key>
constexpr std::int64_t width = vector_bytes / static_cast<int>(sizeof(Key));

template <class Key>
inline __attribute__((always_inline)) void store(Key* to, Vector<Key> x) {
  std::memcpy(to, &x, sizeof x);
}

// A vector with its keys that belong to the left first, the others last, and how many these are.
template <class Key>
struct Split {
  Vector<Key> keys;
  int right;
};

#if defined(__AVX512F__)

template <bool Inclusive>
inline Split<std::uint32_t> split(Vector<std::uint32_t> x, std::uint32_t pivot) {
  auto keys = std::bit_cast<__m512i>(x), limit = _mm512_set1_epi32(static_cast<int>(pivot));
  __mmask16 right =
      Inclusive ? _mm512_cmpgt_epu32_mask(keys, limit) : _mm512_cmpge_epu32_mask(keys, limit);
  int count = std::popcount(static_cast<unsigned>(right));
  auto high = static_cast<__mmask16>(0xffffu << (16 - count));
  __m512i left = _mm512_maskz_compress_epi32(static_cast<__mmask16>(~right), keys);
  __m512i both = _mm512_mask_expand_epi32(left, high, _mm512_maskz_compress_epi32(right, keys));
  return {std::bit_cast<Vector<std::uint32_t>>(both), count};
}

template <bool Inclusive>
inline Split<std::uint64_t> split(Vector<std::uint64_t> x, std::uint64_t pivot) {
  auto keys = std::bit_cast<__m512i>(x), limit = _mm512_set1_epi64(static_cast<long long>(pivot));
  __mmask8 right =
      Inclusive ? _mm512_cmpgt_epu64_mask(keys, limit) : _mm512_cmpge_epu64_mask(keys, limit);
  int count = std::popcount(static_cast<unsigned>(right));
  auto high = static_cast<__mmask8>(0xffu << (8 - count));
  __m512i left = _mm512_maskz_compress_epi64(static_cast<__mmask8>(~right), keys);
  __m512i both = _mm512_mask_expand_epi64(left, high, _mm512_maskz_compress_epi64(right, keys));
  return {std::bit_cast<Vector<std::uint64_t>>(both), count};
}

#else

// For each set of lanes that belong to the right, the order that brings them last; in 32-bit lanes.
template <int Lanes>
constexpr auto make_orders() {
  std::array<std::array<std::uint32_t, 8>, 1 << Lanes> orders{};
  constexpr int parts = 8 / Lanes;  // of a lane
  for (unsigned right = 0; right < orders.size(); ++right) {
    int place = 0;
    for (unsigned side = 0; side < 2; ++side) {
      for (int lane = 0; lane < Lanes; ++lane) {
        if (((right >> lane) & 1u) != side) continue;
        for (int part = 0; part < parts; ++part) {
          orders[right][static_cast<std::size_t>(place++)] =
              static_cast<std::uint32_t>(lane * parts + part);
        }
      }
    }
  }
  return orders;
}
template <int Lanes>
alignas(32) constexpr auto orders = make_orders<Lanes>();

template <int Lanes>
inline __m256i reordered(__m256i keys, unsigned right) {
  const auto* order = reinterpret_cast<const __m256i*>(orders<Lanes>[right].data());
  return _mm256_permutevar8x32_epi32(keys, _mm256_load_si256(order));
}

template <bool Inclusive>
inline Split<std::uint32_t> split(Vector<std::uint32_t> x, std::uint32_t pivot) {
  auto mask = Inclusive ? x > pivot : x >= pivot;
  auto right = static_cast<unsigned>(_mm256_movemask_ps(std::bit_cast<__m256>(mask)));
  __m256i both = reordered<8>(std::bit_cast<__m256i>(x), right);
  return {std::bit_cast<Vector<std::uint32_t>>(both), std::popcount(right)};
}

template <bool Inclusive>
inline Split<std::uint64_t> split(Vector<std::uint64_t> x, std::uint64_t pivot) {
  auto mask = Inclusive ? x > pivot : x >= pivot;
  auto right = static_cast<unsigned>(_mm256_movemask_pd(std::bit_cast<__m256d>(mask)));
  __m256i both = reordered<4>(std::bit_cast<__m256i>(x), right);
  return {std::bit_cast<Vector<std::uint64_t>>(both), std::popcount(right)};
}

#endif

template <bool Inclusive, class Key>
bool goes_left(Key key, Key pivot) {
  return Inclusive ? key <= pivot : key < pivot;
}

// Whole vectors, in place. Some vectors at both ends are taken out, and the others are read,
// `Batch` at a time, from the side that has less room, so that both have room for a batch when it
// is written. A batch hides how long it takes to know where the next vector goes.
template <bool Inclusive, int Batch, class Key>
Key* partition_vectors(Key* begin, Key* end, Key pivot) {
  constexpr std::int64_t w = width<Key>, batch = Batch * w;
  auto write = [&](Vector<Key> x) {
    Split<Key> parts = split<Inclusive>(x, pivot);
    store(begin, parts.keys);
    store(end - w, parts.keys);
    begin += w - parts.right;
    end -= parts.right;
  };
  Vector<Key> held[3 * Batch];
  std::int64_t count = 0;
  const Key *left = begin, *right = end;
  for (std::int64_t spare = (end - begin) % batch + batch; spare > 0; spare -= w, left += w) {
    held[count++] = load_vector<Key>(left);
  }
  for (int i = 0; i < Batch; ++i) held[count++] = load_vector<Key>(right -= w);
  while (left != right) {
    bool from_left = left - begin <= end - right;
    right -= from_left ? 0 : batch;
    const Key* from = from_left ? left : right;
    left += from_left ? batch : 0;
    Vector<Key> x[Batch];
    for (int i = 0; i < Batch; ++i) x[i] = load_vector<Key>(from + i * w);
    for (int i = 0; i < Batch; ++i) write(x[i]);
  }
  for (std::int64_t i = 0; i < count; ++i) write(held[i]);
  return begin;
}

template <bool Inclusive, class Key>
Key* partition_vectors(Key* begin, Key* end, Key pivot) {
  constexpr int batch = 4;
  std::int64_t vectors = (end - begin) / width<Key>;
  if (vectors >= 2 * batch) return partition_vectors<Inclusive, batch>(begin, end, pivot);
  if (vectors >= 2) return partition_vectors<Inclusive, 1>(begin, end, pivot);
  if (vectors == 0) return begin;
  Split<Key> parts = split<Inclusive>(load_vector<Key>(begin), pivot);
  store(begin, parts.keys);
  return end - parts.right;
}

// What is less than a vector at the end changes places, one by one, with the first key of the
// right.
template <bool Inclusive, class Key>
std::int64_t partition_by(Key* keys, std::int64_t n, Key pivot) {
  Key* end = keys + n / width<Key> * width<Key>;
  Key* boundary = partition_vectors<Inclusive>(keys, end, pivot);
  for (Key* rest = end; rest != keys + n; ++rest) {
    Key key = *rest, other = *boundary;
    bool left = goes_left<Inclusive>(key, pivot);
    *rest = left ? other : key;
    *boundary = left ? key : other;
    boundary += left;
  }
  return boundary - keys;
}

template <class Key>
std::int64_t partition(Key* keys, std::int64_t n, Key pivot, bool inclusive) {
  return inclusive ? partition_by<true>(keys, n, pivot) : partition_by<false>(keys, n, pivot);
}

// --- a few keys ----------------------------------------------------------------------------------

// Each key's place is the number of keys before it in order: all are compared with all.
constexpr int very_few_vectors = 2;
template <class Key>
constexpr std::int64_t very_few = very_few_vectors * width<Key>;

template <class Key>
void sort_by_rank(Key* keys, std::int64_t n) {
  alignas(64) Key all[very_few<Key>], ranks[very_few<Key>];
  std::copy_n(keys, n, all);
  std::fill(all + n, all + very_few<Key>, std::numeric_limits<Key>::max());
  Vector<Key> x[very_few_vectors], lane[very_few_vectors], rank[very_few_vectors] = {};
  for (int v = 0; v < very_few_vectors; ++v) {
    x[v] = load_vector<Key>(all + v * width<Key>);
    for (int i = 0; i < width<Key>; ++i) lane[v][i] = static_cast<Key>(v * width<Key> + i);
  }
  for (std::int64_t j = 0; j < n; ++j) {
    const Key key = all[j], place = static_cast<Key>(j);
    for (int v = 0; v < very_few_vectors; ++v) {
      auto after = (x[v] > key) | ((x[v] == key) & (lane[v] > place));
      rank[v] -= std::bit_cast<Vector<Key>>(after);  // true is -1
    }
  }
  for (int v = 0; v < very_few_vectors; ++v) store(ranks + v * width<Key>, rank[v]);
  for (std::int64_t i = 0; i < n; ++i) keys[ranks[i]] = all[i];
}

// A sorting network of eight vectors. They are rows, their lanes columns. Every column is sorted
// first; then neighbouring columns are merged to sorted sequences (column after column) of two,
// four, ... columns, by Batcher's bitonic merge.

constexpr int rows = 8;
template <class Key>
constexpr std::int64_t few = rows * width<Key>;

template <class Key>
void order(Vector<Key>& a, Vector<Key>& b) {
  Vector<Key> low = a < b ? a : b;
  b = a < b ? b : a;
  a = low;
}

template <class Key, int... Lane>
Vector<Key> permuted(Vector<Key> x, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(x, x, Lane...);
}
template <int Group, int... Lane>
constexpr auto reversing(std::integer_sequence<int, Lane...>) {
  return std::integer_sequence<int, (Lane / Group * Group + Group - 1 - Lane % Group)...>{};
}
template <int Distance, int... Lane>
constexpr auto exchanging(std::integer_sequence<int, Lane...>) {
  return std::integer_sequence<int, (Lane ^ Distance)...>{};
}
template <class Key>
using Lanes = std::make_integer_sequence<int, static_cast<int>(width<Key>)>;

// All bits set in the lanes whose number has the bit `Distance`.
template <class Key, int Distance>
constexpr auto upper_lanes() {
  Vector<std::make_signed_t<Key>> mask{};
  for (int lane = 0; lane < width<Key>; ++lane) mask[lane] = (lane & Distance) != 0 ? -1 : 0;
  return mask;
}

template <class Key>
Vector<Key> larger_where(decltype(Vector<Key>() < Vector<Key>()) upper, Vector<Key> a,
                         Vector<Key> b) {
  return upper ? (a < b ? b : a) : (a < b ? a : b);
}

// Columns that are bitonic become sorted.
template <class Key>
void merge_columns(Vector<Key>* x) {
  for (int distance = rows / 2; distance > 0; distance /= 2) {
    for (int i = 0; i < rows; ++i) {
      if ((i & distance) == 0) order<Key>(x[i], x[i + distance]);
    }
  }
}

// The smaller keys of two neighbouring groups of `Distance` columns move to the first one.
template <class Key, int Distance>
void merge_lanes(Vector<Key>* x) {
  if constexpr (Distance > 0) {
    const auto upper = upper_lanes<Key, Distance>();
    for (int i = 0; i < rows; ++i) {
      x[i] =
          larger_where<Key>(upper, x[i], permuted<Key>(x[i], exchanging<Distance>(Lanes<Key>())));
    }
    merge_lanes<Key, Distance / 2>(x);
  }
}

// Sorted groups of Group / 2 columns become sorted groups of Group.
template <class Key, int Group>
void merge_groups(Vector<Key>* x) {
  if constexpr (Group <= width<Key>) {
    const auto upper = upper_lanes<Key, Group / 2>();
    for (int i = 0; i < rows / 2; ++i) {
      Vector<Key> a = x[i], b = x[rows - 1 - i];
      x[i] = larger_where<Key>(upper, a, permuted<Key>(b, reversing<Group>(Lanes<Key>())));
      x[rows - 1 - i] =
          larger_where<Key>(upper, b, permuted<Key>(a, reversing<Group>(Lanes<Key>())));
    }
    merge_lanes<Key, Group / 4>(x);
    merge_columns<Key>(x);
    merge_groups<Key, 2 * Group>(x);
  }
}

// Knuth's network for eight keys, with 19 comparisons.
constexpr std::array<std::array<int, 2>, 19> network = {{{0, 2},
                                                         {1, 3},
                                                         {4, 6},
                                                         {5, 7},
                                                         {0, 4},
                                                         {1, 5},
                                                         {2, 6},
                                                         {3, 7},
                                                         {0, 1},
                                                         {2, 3},
                                                         {4, 5},
                                                         {6, 7},
                                                         {2, 4},
                                                         {3, 5},
                                                         {1, 4},
                                                         {3, 6},
                                                         {1, 2},
                                                         {3, 4},
                                                         {5, 6}}};

template <class Key>
void sort_few(Key* keys, std::int64_t n) {
  alignas(64) Key all[few<Key>];
  std::copy_n(keys, n, all);
  std::fill(all + n, all + few<Key>, std::numeric_limits<Key>::max());
  Vector<Key> x[rows];
  for (int i = 0; i < rows; ++i) x[i] = load_vector<Key>(all + i * width<Key>);
#pragma GCC unroll 19
  for (auto [a, b] : network) order<Key>(x[a], x[b]);
  merge_groups<Key, 2>(x);
  for (int i = 0; i < rows; ++i) store(all + i * width<Key>, x[i]);
  for (std::int64_t i = 0; i < n; ++i) keys[i] = all[i % rows * width<Key> + i / rows];
}

template <class Key>
Key median(Key a, Key b, Key c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// The median of nine keys spread over the array, as medians of three.
template <class Key>
Key pivot_of(const Key* keys, std::int64_t n) {
  std::int64_t step = n / 9;
  Key medians[3];
  for (std::int64_t i = 0; i < 3; ++i) {
    const Key* from = keys + 3 * i * step + step / 2;
    medians[i] = median(from[0], from[step], from[2 * step]);
  }
  return median(medians[0], medians[1], medians[2]);
}

template <class Key>
void sort_parts(Key* keys, std::int64_t n, int depth) {
  while (n > few<Key>) {
    if (--depth < 0) {  // an adversary's array
      std::make_heap(keys, keys + n);
      std::sort_heap(keys, keys + n);
      return;
    }
    Key pivot = pivot_of(keys, n);
    std::int64_t left = partition_by<false>(keys, n, pivot);
    if (left == 0) {  // the pivot is the smallest: all that equal it are in place
      left = partition_by<true>(keys, n, pivot);
      keys += left;
      n -= left;
    } else if (left < n - left) {
      sort_parts(keys, left, depth);
      keys += left;
      n -= left;
    } else {
      sort_parts(keys + left, n - left, depth);
      n = left;
    }
  }
  sort_few(keys, n);
}

template <class Key>
void sort(Key* keys, std::int64_t n) {
  if (n <= very_few<Key>) return sort_by_rank(keys, n);
  int levels = std::bit_width(static_cast<std::uint64_t>(n));
  sort_parts(keys, n, 2 * levels + 4);
}

constexpr SortLoops<std::uint32_t> loops32 = {.sort = sort, .partition = partition};
constexpr SortLoops<std::uint64_t> loops64 = {.sort = sort, .partition = partition};
constexpr SortTable table = {.bits32 = &loops32, .bits64 = &loops64};

#else

constexpr SortTable table = {.bits32 = nullptr, .bits64 = nullptr};

#endif

}  // namespace

const SortTable& sort_table() { return table; }

}  // namespace mlx::core::cpu::MLX_ISA
