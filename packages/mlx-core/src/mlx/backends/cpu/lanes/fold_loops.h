// The loops of reductions, for any operation and dtype.
#pragma once

#include <cstring>
#include <limits>

#include "mlx/backends/cpu/lanes.h"
#include "mlx/backends/cpu/lanes/elements.h"

namespace mlx::core::cpu::MLX_ISA {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class T, int count>
struct VectorOf {
  typedef T Type __attribute__((vector_size(count * sizeof(T))));
};
template <class T, int count>
using Vector = typename VectorOf<T, count>::Type;

// Operations: of scalars and of vectors alike.
struct Sum {
  static constexpr DtypeSet accepts = dtypes::numeric;
  template <class A>
  static constexpr A identity() {
    return A{};
  }
  template <class A>
  MLX_LANE static A join(A a, A b) {
    if constexpr (requires { a + b; }) {
      return static_cast<A>(a + b);
    } else {
      return A{a.re + b.re, a.im + b.im};
    }
  }
};

struct Product {
  static constexpr DtypeSet accepts = dtypes::numeric;
  template <class A>
  static constexpr A identity() {
    A one{};
    if constexpr (std::is_arithmetic_v<A>) {
      one = 1;
    } else {
      one.re = 1;
    }
    return one;
  }
  template <class A>
  MLX_LANE static A join(A a, A b) {
    if constexpr (requires { a * b; }) {
      return static_cast<A>(a * b);
    } else {
      return A{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
  }
};

// Scalars and vectors alike.
template <class A>
constexpr bool has_nan() {
  if constexpr (std::is_arithmetic_v<A>) {
    return std::is_floating_point_v<A>;
  } else {
    return has_nan<std::remove_cvref_t<decltype(A{}[0])>>();
  }
}

// A nan is never smaller nor larger than anything, so it stays once it is taken.
struct Smallest {
  static constexpr DtypeSet accepts = dtypes::real | dtypes::boolean;
  template <class A>
  static constexpr A identity() {
    return has_nan<A>() ? std::numeric_limits<A>::infinity() : std::numeric_limits<A>::max();
  }
  template <class A>
  MLX_LANE static A join(A a, A b) {
    if constexpr (has_nan<A>()) {
      return (b < a) | (b != b) ? b : a;
    } else {
      return b < a ? b : a;
    }
  }
};

struct Largest {
  static constexpr DtypeSet accepts = dtypes::real | dtypes::boolean;
  template <class A>
  static constexpr A identity() {
    return has_nan<A>() ? -std::numeric_limits<A>::infinity() : std::numeric_limits<A>::lowest();
  }
  template <class A>
  MLX_LANE static A join(A a, A b) {
    if constexpr (has_nan<A>()) {
      return (b > a) | (b != b) ? b : a;
    } else {
      return b > a ? b : a;
    }
  }
};

// What elements are accumulated as.
template <class Operation, class T>
struct Accumulator {
  static constexpr bool adds = std::is_same_v<Operation, Sum> || std::is_same_v<Operation, Product>;
  static constexpr auto choose() {
    if constexpr (std::is_same_v<T, bool>) {
      return std::uint8_t();
    } else if constexpr (std::is_integral_v<T>) {
      return T();
    } else if constexpr (!std::is_floating_point_v<T> && !is_half<T>) {
      return complex128();
    } else if constexpr (adds) {
      return double();
    } else if constexpr (is_half<T>) {
      return float();
    } else {
      return T();
    }
  }
  using Type = decltype(choose());
};

template <class A, class T>
MLX_LANE A widen(T x) {
  if constexpr (is_half<T>) {
    return static_cast<A>(static_cast<float>(x));
  } else if constexpr (requires { x.re; }) {
    return A{x.re, x.im};
  } else {
    return static_cast<A>(x);
  }
}

// Folds elements i, i + lanes, i + 2 lanes, ... into result[i]; returns how many it took.
template <class Operation, class A, class S>
MLX_LANE std::int64_t fold_vectors(A* result, const S* source, std::int64_t count) {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(A));
  // Several, because one operation waits for the one before.
  constexpr int chains = 4;
  using Source = Vector<S, lanes>;
  using Sums = Vector<A, lanes>;
  auto load = [&](std::int64_t at) {
    Source x;
    std::memcpy(&x, source + at, sizeof x);
    return __builtin_convertvector(x, Sums);
  };
  Sums sums[chains];
  for (int k = 0; k < chains; ++k) sums[k] = load(k * lanes);
  std::int64_t i = chains * lanes;
  for (; i + chains * lanes <= count; i += chains * lanes) {
    for (int k = 0; k < chains; ++k) sums[k] = Operation::join(sums[k], load(i + k * lanes));
  }
  for (; i + lanes <= count; i += lanes) sums[0] = Operation::join(sums[0], load(i));
  sums[0] = Operation::join(Operation::join(sums[0], sums[1]), Operation::join(sums[2], sums[3]));
  std::memcpy(result, &sums[0], sizeof(Sums));
  return i;
}

// Folds elements i, i + parts, i + 2 parts, ... into result[i]. Complex numbers are two parts.
template <class Operation, int parts, class A, class S>
MLX_LANE void fold_line(A* result, const S* source, std::int64_t count) {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(A));
  static_assert(lanes % parts == 0);
  std::int64_t i = 0;
  if (count >= 4 * lanes) {
    A folded[lanes];
    i = fold_vectors<Operation>(folded, source, count);
    for (int width = lanes / 2; width >= parts; width /= 2) {
      for (int k = 0; k < width; ++k) folded[k] = Operation::join(folded[k], folded[k + width]);
    }
    for (int k = 0; k < parts; ++k) result[k] = Operation::join(result[k], folded[k]);
  }
  for (; i < count; i += parts) {
    for (int k = 0; k < parts; ++k) {
      result[k] = Operation::join(result[k], widen<A>(source[i + k]));
    }
  }
}

// Halves are widened block by block: the vectors know only what the compiler has.
template <class Operation, class A, class T>
MLX_LANE void fold_line_of_halves(A* result, const T* source, std::int64_t count) {
  float wide[half_block];
  for (std::int64_t start = 0; start < count; start += half_block) {
    const std::int64_t size = count - start < half_block ? count - start : half_block;
    widen_halves(wide, source + start, size);
    fold_line<Operation, 1>(result, wide, size);
  }
}

template <class Operation, class A, class T>
MLX_LANE void fold_any_line(A* result, const T* source, std::int64_t count) {
  if constexpr (is_half<T>) {
    fold_line_of_halves<Operation>(result, source, count);
  } else if constexpr (std::is_same_v<T, bool>) {
    fold_line<Operation, 1>(result, reinterpret_cast<const std::uint8_t*>(source), count);
  } else if constexpr (!std::is_same_v<A, complex128>) {
    fold_line<Operation, 1>(result, source, count);
  } else if constexpr (std::is_same_v<Operation, Sum>) {
    using Part = decltype(T::re);
    fold_line<Operation, 2>(reinterpret_cast<double*>(result),
                            reinterpret_cast<const Part*>(source), 2 * count);
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      *result = Operation::join(*result, widen<A>(source[i]));
    }
  }
}

template <class Operation, class T>
void fold_columns(void* accumulators, const void* source, Rectangle size) {
  using A = typename Accumulator<Operation, T>::Type;
  auto* result = static_cast<A*>(accumulators);
  const auto* line = static_cast<const T*>(source);
  for (std::int64_t r = 0; r < size.rows; ++r, line += size.columns) {
    fold_any_line<Operation>(result + r, line, size.columns);
  }
}

template <class Operation, class A, class T>
MLX_LANE void fold_wide_rows(A* __restrict result, const T* __restrict source, Rectangle size) {
  const std::int64_t n = size.columns;
  std::int64_t r = 0;
  // Four rows in one go load and store the accumulators once.
  for (; r + 4 <= size.rows; r += 4, source += 4 * n) {
    for (std::int64_t c = 0; c < n; ++c) {
      A first = Operation::join(widen<A>(source[c]), widen<A>(source[c + n]));
      A second = Operation::join(widen<A>(source[c + 2 * n]), widen<A>(source[c + 3 * n]));
      result[c] = Operation::join(result[c], Operation::join(first, second));
    }
  }
  for (; r < size.rows; ++r, source += n) {
    for (std::int64_t c = 0; c < n; ++c) {
      result[c] = Operation::join(result[c], widen<A>(source[c]));
    }
  }
}

template <class Operation, class T>
void fold_rows(void* accumulators, const void* source, Rectangle size) {
  using A = typename Accumulator<Operation, T>::Type;
  auto* result = static_cast<A*>(accumulators);
  const auto* rows = static_cast<const T*>(source);
  constexpr std::int64_t wide = 128;
  // Few columns make no vector: several rows side by side do.
  const std::int64_t group = wide / size.columns;
  const std::int64_t groups = group > 2 ? size.rows / group : 0;
  if (groups > 1) {
    A sums[wide];
    for (std::int64_t i = 0; i < group * size.columns; ++i) {
      sums[i] = Operation::template identity<A>();
    }
    fold_wide_rows<Operation>(sums, rows, Rectangle{groups, group * size.columns});
    fold_wide_rows<Operation>(result, sums, Rectangle{group, size.columns});
    rows += groups * group * size.columns;
    size.rows -= groups * group;
  }
  fold_wide_rows<Operation>(result, rows, size);
}

template <class Operation, class A>
void start_fold(void* accumulators, std::int64_t count) {
  auto* result = static_cast<A*>(accumulators);
  for (std::int64_t i = 0; i < count; ++i) result[i] = Operation::template identity<A>();
}

template <class Operation, class A>
void merge_folds(void* accumulators, const void* others, std::int64_t count) {
  auto* result = static_cast<A*>(accumulators);
  const auto* other = static_cast<const A*>(others);
  for (std::int64_t i = 0; i < count; ++i) result[i] = Operation::join(result[i], other[i]);
}

template <class A, class T>
void finish_fold(void* target, const void* accumulators, std::int64_t count) {
  auto* y = static_cast<T*>(target);
  const auto* result = static_cast<const A*>(accumulators);
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (requires { result[i].re; }) {
      using Part = decltype(T::re);
      y[i] = T{static_cast<Part>(result[i].re), static_cast<Part>(result[i].im)};
    } else if constexpr (std::is_same_v<T, bool>) {
      y[i] = result[i] != 0;
    } else {
      y[i] = T(result[i]);
    }
  }
}

// Integers wrap, so their own width is enough, and sums and products need no sign.
template <class Operation, class T>
struct FoldedAs {
  using Type = T;
};
template <class Operation, class T>
  requires std::is_integral_v<T> && (!std::is_same_v<T, bool>) &&
           (std::is_same_v<Operation, Sum> || std::is_same_v<Operation, Product>)
struct FoldedAs<Operation, T> {
  using Type = std::make_unsigned_t<T>;
};

template <class Operation, class Element>
constexpr Fold fold_of() {
  using T = typename FoldedAs<Operation, Element>::Type;
  using A = typename Accumulator<Operation, T>::Type;
  return {static_cast<int>(sizeof(A)), start_fold<Operation, A>,  fold_columns<Operation, T>,
          fold_rows<Operation, T>,     merge_folds<Operation, A>, finish_fold<A, T>};
}

template <class Operation, int d = 0>
void install_operation(Fold (&folds)[dtype_count]) {
  if constexpr (d < dtype_count) {
    constexpr auto dtype = static_cast<Dtype>(d);
    if constexpr (Operation::accepts.contains(dtype)) {
      folds[d] = fold_of<Operation, type_of<dtype>>();
    }
    install_operation<Operation, d + 1>(folds);
  }
}

}  // namespace mlx::core::cpu::MLX_ISA
