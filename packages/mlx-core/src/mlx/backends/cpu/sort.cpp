// Sort, ArgSort, Partition and ArgPartition on the CPU: elements become integers that are ordered
// as they are, and the integers are sorted.
#include "mlx/ops/sort.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/key_order.h"
#include "mlx/backends/cpu/lines.h"
#include "mlx/backends/cpu/scratch.h"
#include "mlx/backends/cpu/sort_keys.h"
#include "mlx/backends/cpu/thread_pool.h"

namespace mlx::core::cpu {

MLX_PER_ISA(const KeyTable&, key_table)

namespace {

// Elements of one task that are worth another thread.
constexpr std::int64_t worth_splitting = 1 << 13;

// Calls body(begin, end) for parts of the lines.
template <class Body>
void each_group(const Lines& lines, Body body) {
  std::int64_t length = std::max<std::int64_t>(lines.length(), 1);
  std::int64_t least = lines.stride() == 1 ? 1 : lines_at_once;  // of lines side by side
  std::int64_t grain = std::max(worth_splitting / length, least);
  parallel_for(lines.count(), grain, body);
}

// --- values --------------------------------------------------------------------------------------

// Zeros of both signs are equal, so they keep the order in which they came.
template <class T, class Key>
void restore_zeros(const Lines& in, std::int64_t line, Key* sorted, bool descending) {
  using K = SortKey<T>;
  Key flip = descending ? Key(~Key(0)) : Key(0);
  Key low = std::min(Key(K::zero ^ flip), Key(K::negative_zero ^ flip));
  Key high = Key(low + 1);
  Key* end = sorted + in.length();
  Key* zeros = std::lower_bound(sorted, end, low);
  Key* after = std::upper_bound(zeros, end, high);
  if (zeros == after || *zeros == after[-1]) return;
  const T* from = in.at<T>(line);
  for (std::int64_t i = 0; zeros != after; ++i) {
    Key key = K::of(from[i * in.stride()]);
    if (key == K::zero || key == K::negative_zero) *zeros++ = key ^ flip;
  }
}

// Calls body(begin, end) for parts of a line; a long one is shared by several threads.
template <class Body>
void each_part(std::int64_t n, Body body) {
  constexpr std::int64_t part = 1 << 15;
  parallel_for(n, part, body);
}

// Lines [begin, end) of T through items to lines of Result: load(from, items, count, first) makes
// items of elements first, first + 1, ...; arrange(line, items, spare) says where it has put them
// in order; store(items, to, count) makes results.
template <class T, class Item, class Result, class Load, class Arrange, class Store>
void arrange_lines(const Lines& in, const Lines& out, std::int64_t begin, std::int64_t end,
                   Load load, Arrange arrange, Store store) {
  std::int64_t n = in.length(), count = end - begin;
  bool gathers = in.stride() != 1, scatters = out.stride() != 1;
  Scratch<Item> memory((count + 1) * n);
  Scratch<T> gathered(gathers ? count * n : 0);
  Scratch<Result> results(scatters ? count * n : 0);
  if (gathers) {
    read_lines<T>(in, begin, end, [&](std::int64_t line, std::int64_t i, T value) {
      gathered.get()[(line - begin) * n + i] = value;
    });
  }
  for (std::int64_t k = 0; k < count; ++k) {
    const T* from = gathers ? gathered.get() + k * n : in.at<T>(begin + k);
    Result* to = scatters ? results.get() + k * n : out.at<Result>(begin + k);
    Item *items = memory.get() + k * n, *spare = memory.get() + count * n;
    each_part(n, [&](std::int64_t first, std::int64_t last) {
      load(from + first, items + first, last - first, first);
    });
    const Item* arranged = arrange(begin + k, items, spare);
    each_part(n, [&](std::int64_t first, std::int64_t last) {
      store(arranged + first, to + first, last - first);
    });
  }
  if (scatters) {
    write_lines<Result>(out, begin, end, [&](std::int64_t line, std::int64_t i) {
      return results.get()[(line - begin) * n + i];
    });
  }
}

// What order the kernel is asked for: a partition where kth is not negative.
struct Order {
  bool descending = false;
  std::int64_t kth = -1;
};

template <class T>
const KeyLoops& key_loops() {
  return key_table().of[static_cast<std::size_t>(dtype_of<T>)];
}

template <class T>
void order_values(const Lines& in, const Lines& out, Order order) {
  using Key = typename SortKey<T>::Key;
  const KeyLoops& loops = key_loops<T>();
  std::int64_t n = in.length();
  auto arrange = [&](std::int64_t line, Key* keys, Key* spare) {
    if (order.kth >= 0) {
      partition_items(keys, n, order.kth);
      return keys;
    }
    Key* sorted = sort_items<0, sizeof(Key)>(keys, spare, n);
    if (SortKey<T>::is_floating) restore_zeros<T>(in, line, sorted, order.descending);
    return sorted;
  };
  each_group(out, [&](std::int64_t begin, std::int64_t end) {
    arrange_lines<T, Key, T>(
        in, out, begin, end,
        [&](const T* from, Key* keys, std::int64_t count, std::int64_t) {
          loops.keys(from, keys, count, order.descending);
        },
        arrange,
        [&](const Key* keys, T* to, std::int64_t count) {
          loops.elements(keys, to, count, order.descending);
        });
  });
}

// --- indices -------------------------------------------------------------------------------------

// A key of up to 32 bits and an index of 32 are one number: keys first, equal ones by their
// indices.
template <class T>
void order_indices(const Lines& in, const Lines& out, Order order) {
  const KeyLoops& loops = key_loops<T>();
  std::int64_t n = in.length();
  auto arrange = [&](std::int64_t, std::uint64_t* items, std::uint64_t* spare) {
    if (order.kth < 0) return sort_items<4, sizeof(T)>(items, spare, n);
    partition_items(items, n, order.kth);
    return items;
  };
  each_group(out, [&](std::int64_t begin, std::int64_t end) {
    arrange_lines<T, std::uint64_t, std::int64_t>(
        in, out, begin, end,
        [&](const T* from, std::uint64_t* items, std::int64_t count, std::int64_t first) {
          loops.packed(from, items, count, static_cast<std::uint32_t>(first), order.descending);
        },
        arrange, key_table().indices);
  });
}

// --- by comparing: wide numbers with their indices, complex numbers ------------------------------

template <class T>
auto same_zeros_key(T x) {
  return SortKey<T>::same_zeros(SortKey<T>::of(x));
}

template <class T>
bool comes_before(T a, T b) {
  return same_zeros_key(a) < same_zeros_key(b);
}

// Where NaN stands: numbers, then NaN in the imaginary part, in the real part, in both.
template <class T>
int nan_rank(Complex<T> x) {
  return (std::isnan(x.re) ? 2 : 0) + (std::isnan(x.im) ? 1 : 0);
}
template <class T>
bool comes_before(Complex<T> a, Complex<T> b) {
  int rank_a = nan_rank(a), rank_b = nan_rank(b);
  if (rank_a != rank_b) return rank_a < rank_b;
  if (a.re < b.re || b.re < a.re) return a.re < b.re;
  return a.im < b.im;
}

// A number that never falls where the order rises; whether it rises with it is another matter.
template <class T>
std::uint64_t proxy_of(T x) {
  return same_zeros_key(x);
}
template <class T>
std::uint64_t proxy_of(Complex<T> x) {
  if (nan_rank(x) > 0) return ~std::uint64_t{0};
  if constexpr (sizeof(T) == 4) {
    return std::uint64_t{same_zeros_key(x.re)} << 32 | same_zeros_key(x.im);
  } else {
    return same_zeros_key(x.re);
  }
}

// Puts the indices of `values` into `places`, in order; `spare` has the same length.
template <class T>
class Arrangement {
 public:
  Arrangement(const T* values, std::int64_t n, Order order)
      : values_(values), n_(n), order_(order) {}

  void arrange(std::uint64_t* places, std::uint64_t* spare) const {
    auto before = [this](std::uint64_t a, std::uint64_t b) { return is_before(a, b); };
    if (order_.kth < 0 && n_ <= std::numeric_limits<std::uint32_t>::max()) {
      return sort_by_proxy(places, spare);
    }
    std::iota(places, places + n_, std::uint64_t{0});
    if (order_.kth < 0) {
      std::sort(places, places + n_, before);
    } else {
      std::nth_element(places, places + order_.kth, places + n_, before);
    }
  }

 private:
  // Equal ones by their indices.
  bool is_before(std::uint64_t a, std::uint64_t b) const {
    const T &x = values_[order_.descending ? b : a], &y = values_[order_.descending ? a : b];
    if (comes_before(x, y)) return true;
    return !comes_before(y, x) && a < b;
  }

  std::uint64_t proxy(std::int64_t i) const {
    std::uint64_t key = proxy_of(values_[i]);
    return order_.descending ? ~key : key;
  }

  // The 32 bits in which the proxies differ most, with the index in the others, are sorted as
  // numbers; what these bits do not tell apart is compared.
  void sort_by_proxy(std::uint64_t* places, std::uint64_t* spare) const {
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
    for (std::int64_t i = 0; i < n_; ++i) {
      least = std::min(least, proxy(i));
      most = std::max(most, proxy(i));
    }
    int shift = std::max(static_cast<int>(std::bit_width(most - least)) - 32, 0);
    for (std::int64_t i = 0; i < n_; ++i) {
      places[i] = ((proxy(i) - least) >> shift) << 32 | static_cast<std::uint32_t>(i);
    }
    std::uint64_t* sorted = sort_items<4, 4>(places, spare, n_);
    if (sorted != places) std::copy_n(sorted, n_, places);
    constexpr bool is_exact = std::is_arithmetic_v<T>;
    for (std::int64_t begin = 0, end; begin < n_; begin = end) {
      std::uint64_t bits = places[begin] >> 32;
      for (end = begin; end < n_ && places[end] >> 32 == bits; ++end) {
        places[end] = static_cast<std::uint32_t>(places[end]);
      }
      if (end - begin > 1 && (shift > 0 || !is_exact)) {
        std::sort(places + begin, places + end,
                  [this](std::uint64_t a, std::uint64_t b) { return is_before(a, b); });
      }
    }
  }

  const T* values_;
  std::int64_t n_;
  Order order_;
};

template <class T, bool Indices>
void order_places(const Lines& in, const Lines& out, Order order) {
  using Result = std::conditional_t<Indices, std::int64_t, T>;
  std::int64_t n = in.length();
  each_group(out, [&](std::int64_t begin, std::int64_t end) {
    Scratch<T> values((end - begin) * n);
    Scratch<std::uint64_t> places((end - begin + 1) * n);
    read_lines<T>(in, begin, end, [&](std::int64_t line, std::int64_t i, T value) {
      values.get()[(line - begin) * n + i] = value;
    });
    for (std::int64_t at = 0; at < (end - begin) * n; at += n) {
      Arrangement<T>(values.get() + at, n, order)
          .arrange(places.get() + at, places.get() + (end - begin) * n);
    }
    write_lines<Result>(out, begin, end, [&](std::int64_t line, std::int64_t i) -> Result {
      std::int64_t at = (line - begin) * n;
      std::uint64_t place = places.get()[at + i];
      if constexpr (Indices) {
        return static_cast<std::int64_t>(place);
      } else {
        return values.get()[at + static_cast<std::int64_t>(place)];
      }
    });
  });
}

template <bool Indices>
void order_lines(const KernelCall& call, std::int64_t axis, Order order) {
  const Tensor& input = call.inputs[0];
  if (input.size() == 0) return;
  Lines in(input, static_cast<int>(axis)), out(call.outputs[0], static_cast<int>(axis));
  dispatch(input.dtype, [&]<class T>() {
    if constexpr (core::is_complex(dtype_of<T>)) {
      order_places<T, Indices>(in, out, order);
    } else if constexpr (!Indices) {
      order_values<T>(in, out, order);
    } else {
      if constexpr (sizeof(T) <= 4) {
        if (in.length() <= std::numeric_limits<std::uint32_t>::max()) {
          return order_indices<T>(in, out, order);
        }
      }
      order_places<T, true>(in, out, order);
    }
  });
}

template <bool Indices>
void sort_kernel(const KernelCall& call) {
  const auto& attrs = attrs_as<SortAttrs>(call.attrs);
  order_lines<Indices>(call, attrs.axis, {.descending = attrs.descending});
}

template <bool Indices>
void partition_kernel(const KernelCall& call) {
  const auto& attrs = attrs_as<PartitionAttrs>(call.attrs);
  order_lines<Indices>(call, attrs.axis, {.kth = attrs.kth});
}

}  // namespace

void sort(const KernelCall& call) { sort_kernel<false>(call); }
void argsort(const KernelCall& call) { sort_kernel<true>(call); }
void partition(const KernelCall& call) { partition_kernel<false>(call); }
void argpartition(const KernelCall& call) { partition_kernel<true>(call); }

}  // namespace mlx::core::cpu
