// Sort, ArgSort, Partition and ArgPartition on the CPU: radix sort of integers that are ordered as
// the elements; complex numbers are compared.
#include "mlx/ops/sort.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mlx/array/buffer.h"
#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/key_order.h"
#include "mlx/backends/cpu/lines.h"
#include "mlx/backends/cpu/sort_keys.h"
#include "mlx/backends/cpu/thread_pool.h"

namespace mlx::core::cpu {
namespace {

// Elements of one task that are worth another thread.
constexpr std::int64_t worth_splitting = 1 << 13;

// Memory for `count` items.
template <class Item>
class Items {
 public:
  explicit Items(std::int64_t count)
      : buffer_(allocate(static_cast<std::size_t>(count) * sizeof(Item))) {}
  Item* get() const { return reinterpret_cast<Item*>(buffer_->data()); }

 private:
  BufferRef buffer_;
};

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

// The items of lines [begin, end), each line arranged by `arrange(items, spare)`, which returns
// where it has left the result; and then read by `finish(items)`.
template <class T, class Item, class Make, class Arrange, class Finish>
void arrange_lines(const Lines& in, std::int64_t begin, std::int64_t end, Make make,
                   Arrange arrange, Finish finish) {
  std::int64_t n = in.length();
  Items<Item> memory((end - begin + 1) * n);
  Item* items = memory.get();
  Item* spare = items + (end - begin) * n;
  read_lines<T>(in, begin, end, [&](std::int64_t line, std::int64_t i, T value) {
    items[(line - begin) * n + i] = make(value, i);
  });
  if (end - begin == 1) return finish(arrange(begin, items, spare));
  for (std::int64_t line = begin; line < end; ++line) {
    Item* mine = items + (line - begin) * n;
    Item* arranged = arrange(line, mine, spare);
    if (arranged != mine) std::copy_n(arranged, n, mine);
  }
  finish(items);
}

// What order the kernel is asked for: a partition where kth is not negative.
struct Order {
  bool descending = false;
  std::int64_t kth = -1;
};

template <class T>
void order_values(const Lines& in, const Lines& out, Order order) {
  using K = SortKey<T>;
  using Key = typename K::Key;
  Key flip = order.descending ? Key(~Key(0)) : Key(0);
  std::int64_t n = in.length();
  auto arrange = [&](std::int64_t line, Key* keys, Key* spare) {
    if (order.kth >= 0) {
      partition_items(keys, n, order.kth);
      return keys;
    }
    Key* sorted = sort_items<0, sizeof(Key)>(keys, spare, n);
    if (K::is_floating) restore_zeros<T>(in, line, sorted, order.descending);
    return sorted;
  };
  each_group(out, [&](std::int64_t begin, std::int64_t end) {
    arrange_lines<T, Key>(
        in, begin, end, [&](T value, std::int64_t) { return Key(K::of(value) ^ flip); }, arrange,
        [&](const Key* keys) {
          write_lines<T>(out, begin, end, [&](std::int64_t line, std::int64_t i) {
            return K::value(Key(keys[(line - begin) * n + i] ^ flip));
          });
        });
  });
}

// --- indices -------------------------------------------------------------------------------------

// A key of up to 32 bits and an index of 32 are one number: keys first, equal ones by their
// indices.
template <class Key>
struct Packed {
  using Item = std::uint64_t;
  static constexpr int first_digit = 4;
  static Item make(Key key, std::int64_t index) {
    return Item{key} << 32 | static_cast<std::uint32_t>(index);
  }
  static std::int64_t index(Item item) { return static_cast<std::uint32_t>(item); }
};
// Longer ones stand side by side.
template <class Key>
struct Paired {
  using Item = KeyIndex<Key>;
  static constexpr int first_digit = 0;
  static Item make(Key key, std::int64_t index) { return {key, index}; }
  static std::int64_t index(const Item& item) { return item.index; }
};

template <class T, class Form>
void order_indices(const Lines& in, const Lines& out, Order order) {
  using K = SortKey<T>;
  using Key = typename K::Key;
  using Item = typename Form::Item;
  Key flip = order.descending ? Key(~Key(0)) : Key(0);
  std::int64_t n = in.length();
  auto make = [&](T value, std::int64_t i) {
    return Form::make(Key(K::same_zeros(K::of(value)) ^ flip), i);
  };
  auto arrange = [&](std::int64_t, Item* items, Item* spare) {
    if (order.kth < 0) return sort_items<Form::first_digit, sizeof(Key)>(items, spare, n);
    partition_items(items, n, order.kth);
    return items;
  };
  each_group(out, [&](std::int64_t begin, std::int64_t end) {
    arrange_lines<T, Item>(in, begin, end, make, arrange, [&](const Item* items) {
      write_lines<std::int64_t>(out, begin, end, [&](std::int64_t line, std::int64_t i) {
        return Form::index(items[(line - begin) * n + i]);
      });
    });
  });
}

// --- complex numbers -----------------------------------------------------------------------------

// Where NaN stands: numbers, then NaN in the imaginary part, in the real part, in both.
template <class T>
int nan_rank(Complex<T> x) {
  return (std::isnan(x.re) ? 2 : 0) + (std::isnan(x.im) ? 1 : 0);
}

template <class T>
bool comes_before(const Complex<T>& a, const Complex<T>& b) {
  int rank_a = nan_rank(a), rank_b = nan_rank(b);
  if (rank_a != rank_b) return rank_a < rank_b;
  if (a.re < b.re || b.re < a.re) return a.re < b.re;
  return a.im < b.im;
}

template <class T>
struct ComplexItem {
  T value;
  std::int64_t index;
};
template <class T, bool Indices>
void order_complex(const Lines& in, const Lines& out, Order order) {
  using Item = ComplexItem<T>;
  using Result = std::conditional_t<Indices, std::int64_t, T>;
  std::int64_t n = in.length();
  auto before = [&](const Item& a, const Item& b) {
    return order.descending ? comes_before(b.value, a.value) : comes_before(a.value, b.value);
  };
  auto arrange = [&](std::int64_t, Item* items, Item*) {
    if (order.kth >= 0) {
      std::nth_element(items, items + order.kth, items + n, before);
    } else {
      std::stable_sort(items, items + n, before);
    }
    return items;
  };
  each_group(out, [&](std::int64_t begin, std::int64_t end) {
    arrange_lines<T, Item>(
        in, begin, end, [](T value, std::int64_t i) { return Item{value, i}; }, arrange,
        [&](const Item* items) {
          write_lines<Result>(out, begin, end, [&](std::int64_t line, std::int64_t i) -> Result {
            const Item& item = items[(line - begin) * n + i];
            if constexpr (Indices) {
              return item.index;
            } else {
              return item.value;
            }
          });
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
      order_complex<T, Indices>(in, out, order);
    } else if constexpr (!Indices) {
      order_values<T>(in, out, order);
    } else {
      using Key = typename SortKey<T>::Key;
      if constexpr (sizeof(T) <= 4) {
        if (in.length() <= std::numeric_limits<std::uint32_t>::max()) {
          return order_indices<T, Packed<Key>>(in, out, order);
        }
      }
      order_indices<T, Paired<Key>>(in, out, order);
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
