// The scans of one instruction set: this file is compiled once for each.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "mlx/backends/cpu/scan_loops.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

// --- what is folded ------------------------------------------------------------------------------

template <class T>
struct AccumulatorOf {
  using Type = T;
};
template <class T>
  requires std::is_integral_v<T> && (!std::is_same_v<T, bool>)
struct AccumulatorOf<T> {
  using Type = std::make_unsigned_t<T>;  // wraps without being undefined
};
template <>
struct AccumulatorOf<float16> {
  using Type = float;
};
template <>
struct AccumulatorOf<bfloat16> {
  using Type = float;
};
template <>
struct AccumulatorOf<float> {
  using Type = double;
};
template <>
struct AccumulatorOf<complex64> {
  using Type = complex128;
};

complex128 add(complex128 a, complex128 b) { return {a.re + b.re, a.im + b.im}; }
complex128 times(complex128 a, complex128 b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
T add(T a, T b) {
  return static_cast<T>(a + b);
}
template <class T>
T times(T a, T b) {
  return static_cast<T>(a * b);
}

template <class To, class From>
To converted(From x) {
  if constexpr (std::is_same_v<From, complex64> || std::is_same_v<From, complex128>) {
    using Part = decltype(To{}.re);
    return {static_cast<Part>(x.re), static_cast<Part>(x.im)};
  } else {
    return static_cast<To>(x);
  }
}

template <class T>
struct Sum {
  using Element = T;
  using Value = typename AccumulatorOf<T>::Type;
  static Value identity() { return Value{}; }
  static Value take(Value a, T x) { return add(a, converted<Value>(x)); }
  static Value combine(Value a, Value b) { return add(a, b); }
  static T result(Value a) { return converted<T>(a); }
};

template <class T>
struct Product {
  using Element = T;
  using Value = typename AccumulatorOf<T>::Type;
  static Value identity() {
    if constexpr (std::is_same_v<Value, complex128>) {
      return {1, 0};
    } else {
      return Value(1);
    }
  }
  static Value take(Value a, T x) { return times(a, converted<Value>(x)); }
  static Value combine(Value a, Value b) { return times(a, b); }
  static T result(Value a) { return converted<T>(a); }
};

// NaN wins, and stays.
template <class T, bool Largest>
struct Extreme {
  using Element = T;
  static constexpr bool is_half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
  using Value = std::conditional_t<is_half, float, T>;
  static Value identity() {
    using Limits = std::numeric_limits<Value>;
    if constexpr (std::is_floating_point_v<Value>) {
      return Largest ? -Limits::infinity() : Limits::infinity();
    } else {
      return Largest ? Limits::lowest() : Limits::max();
    }
  }
  static Value combine(Value a, Value b) {
    bool wins = Largest ? b > a : b < a;
    if constexpr (std::is_floating_point_v<Value>) wins = wins | (b != b);
    return wins ? b : a;
  }
  static Value take(Value a, T x) { return combine(a, static_cast<Value>(x)); }
  static T result(Value a) { return static_cast<T>(a); }
};

// The sum of exponentials is exp(largest) sum.
template <class T>
struct LogSumExp {
  using Element = T;
  struct Value {
    double largest, sum;
  };
  static Value identity() { return {-std::numeric_limits<double>::infinity(), 0}; }
  static Value combine(Value a, Value b) {
    if (a.largest == b.largest) return {a.largest, a.sum + b.sum};  // infinities, too
    if (b.largest < a.largest) return {a.largest, a.sum + b.sum * std::exp(b.largest - a.largest)};
    return {b.largest, b.sum + a.sum * std::exp(a.largest - b.largest)};
  }
  static Value take(Value a, T x) {
    return combine(a, {static_cast<double>(static_cast<Wide>(x)), 1});
  }
  static T result(Value a) {
    return static_cast<T>(static_cast<Wide>(a.largest + std::log(a.sum)));
  }
  using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
};

// --- the loops -----------------------------------------------------------------------------------

template <class F>
using ValueOf = typename F::Value;
template <class F>
using ElementOf = typename F::Element;

template <class F>
void start(void* accumulators, std::int64_t count) {
  auto* values = static_cast<ValueOf<F>*>(accumulators);
  for (std::int64_t i = 0; i < count; ++i) values[i] = F::identity();
}

// Independent partial folds: one waits for no other.
template <class F>
ValueOf<F> total_of(const ElementOf<F>* in, std::int64_t step, std::int64_t n) {
  constexpr int width = 8;
  ValueOf<F> parts[width];
  for (auto& part : parts) part = F::identity();
  for (std::int64_t rest = n / width; rest > 0; --rest, in += width * step) {
    for (int k = 0; k < width; ++k) parts[k] = F::take(parts[k], in[k * step]);
  }
  ValueOf<F> all = parts[0];
  for (int k = 1; k < width; ++k) all = F::combine(all, parts[k]);
  for (std::int64_t rest = n % width; rest > 0; --rest, in += step) all = F::take(all, *in);
  return all;
}

template <class F>
void total(void* accumulator, const void* in, std::int64_t step, std::int64_t n) {
  auto* value = static_cast<ValueOf<F>*>(accumulator);
  const auto* from = static_cast<const ElementOf<F>*>(in);
  // A constant step of 1 lets the loop over neighbours vectorise.
  *value = F::combine(*value, step == 1 ? total_of<F>(from, 1, n) : total_of<F>(from, step, n));
}

template <class F>
void combine(void* accumulator, const void* next) {
  auto* value = static_cast<ValueOf<F>*>(accumulator);
  *value = F::combine(*value, *static_cast<const ValueOf<F>*>(next));
}

template <class F, bool Inclusive>
ElementOf<F> advance(ValueOf<F>& value, ElementOf<F> x) {
  ValueOf<F> before = value;
  value = F::take(value, x);
  return F::result(Inclusive ? value : before);
}

template <class F, bool Inclusive>
ValueOf<F> scan_plain(ValueOf<F> value, const ElementOf<F>* in, ElementOf<F>* out,
                      std::int64_t step, std::int64_t n) {
  for (; n > 0; --n, in += step, out += step) *out = advance<F, Inclusive>(value, *in);
  return value;
}

// Four stretches at a time: each addition waits for the one before it, but not for the other
// stretches'. Where stretches begin depends on the line alone, and so does every rounding.
template <class F>
ValueOf<F> scan_neighbours(ValueOf<F> value, const ElementOf<F>* in, ElementOf<F>* out,
                           std::int64_t n) {
  constexpr std::int64_t chains = 4, stretch = 256;
  for (; n >= chains * stretch; n -= chains * stretch) {
    ValueOf<F> values[chains];
    for (std::int64_t c = 0; c < chains; ++c) {
      values[c] = value;
      value = F::combine(value, total_of<F>(in + c * stretch, 1, stretch));
    }
    for (std::int64_t k = 0; k < stretch; ++k) {
      for (std::int64_t c = 0; c < chains; ++c) {
        out[c * stretch + k] = advance<F, true>(values[c], in[c * stretch + k]);
      }
    }
    in += chains * stretch;
    out += chains * stretch;
  }
  return scan_plain<F, true>(value, in, out, 1, n);
}

template <class F>
void line(void* accumulator, const void* in, void* out, std::int64_t step, std::int64_t n,
          bool inclusive) {
  auto* value = static_cast<ValueOf<F>*>(accumulator);
  const auto* from = static_cast<const ElementOf<F>*>(in);
  auto* to = static_cast<ElementOf<F>*>(out);
  if (!inclusive) {
    *value = scan_plain<F, false>(*value, from, to, step, n);
  } else if (step == 1) {
    *value = scan_neighbours<F>(*value, from, to, n);
  } else {
    *value = scan_plain<F, true>(*value, from, to, step, n);
  }
}

template <class F, bool Inclusive>
void scan_columns(ValueOf<F>* values, const ElementOf<F>* in, ElementOf<F>* out,
                  std::int64_t row_stride, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      out[i * row_stride + j] = advance<F, Inclusive>(values[j], in[i * row_stride + j]);
    }
  }
}

template <class F>
void columns(void* accumulators, const void* in, void* out, std::int64_t row_stride,
             std::int64_t rows, std::int64_t count, bool inclusive) {
  auto* values = static_cast<ValueOf<F>*>(accumulators);
  const auto* from = static_cast<const ElementOf<F>*>(in);
  auto* to = static_cast<ElementOf<F>*>(out);
  if (inclusive) {
    scan_columns<F, true>(values, from, to, row_stride, rows, count);
  } else {
    scan_columns<F, false>(values, from, to, row_stride, rows, count);
  }
}

// --- the table -----------------------------------------------------------------------------------

template <class F>
constexpr ScanLoops loops_of() {
  static_assert(sizeof(ValueOf<F>) <= ScanLoops::accumulator_size);
  return {start<F>, line<F>, total<F>, combine<F>, columns<F>};
}

template <class T>
constexpr void fill(ScanTable& table) {
  constexpr Dtype dtype = dtype_of<T>;
  constexpr auto d = static_cast<std::size_t>(dtype);
  auto& loops = table.loops;
  constexpr bool is_ordered = kind_of(dtype) != Kind::complex;
  if constexpr (dtype != Dtype::bool_) {
    loops[static_cast<std::size_t>(ScanKind::sum)][d] = loops_of<Sum<T>>();
    loops[static_cast<std::size_t>(ScanKind::prod)][d] = loops_of<Product<T>>();
  }
  if constexpr (is_ordered) {
    loops[static_cast<std::size_t>(ScanKind::max)][d] = loops_of<Extreme<T, true>>();
    loops[static_cast<std::size_t>(ScanKind::min)][d] = loops_of<Extreme<T, false>>();
  }
  if constexpr (is_floating(dtype)) {
    loops[static_cast<std::size_t>(ScanKind::logsumexp)][d] = loops_of<LogSumExp<T>>();
  }
}

constexpr ScanTable make_table() {
  ScanTable table{};
#define MLX_FILL(name, type) fill<type>(table);
  MLX_FOR_EACH_DTYPE(MLX_FILL)
#undef MLX_FILL
  return table;
}

constexpr ScanTable table = make_table();

}  // namespace

const ScanTable& scan_table() { return table; }

}  // namespace mlx::core::cpu::MLX_ISA
