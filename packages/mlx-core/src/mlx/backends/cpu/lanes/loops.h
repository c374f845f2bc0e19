// Loops over contiguous elements around the scalar bodies, and how they get into the table.
#pragma once

#include <utility>

#include "mlx/backends/cpu/lanes.h"
#include "mlx/ops/lanes/support.h"

// The target may be a source, element by element; no loop carries anything from one to the next.
#if defined(__clang__)
#define MLX_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define MLX_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace mlx::core::cpu::MLX_ISA {

template <class T>
inline constexpr bool is_half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

// Halves are computed as float, unless the body knows them.
template <class Body, class T, class... Rest>
MLX_LANE auto call(Body body, T first, Rest... rest) {
  if constexpr (is_half<T> && !requires { Body::takes_halves; }) {
    return body(static_cast<float>(first), static_cast<float>(rest)...);
  } else {
    return body(first, rest...);
  }
}

// The element that a body's value is stored as: bool, the real part's type of a complex argument,
// or the argument's own type.
template <class T, class Value>
struct StoredAs {
  using Type = std::conditional_t<std::is_same_v<Value, bool>, bool, T>;
};
template <class T>
struct StoredAs<Complex<T>, T> {
  using Type = T;
};

template <class Body, class T>
void unary_loop(void* target, const void* const* sources, std::int64_t count) {
  using Value = decltype(call(Body(), T()));
  using R = typename StoredAs<T, Value>::Type;
  auto* y = static_cast<R*>(target);
  const auto* x = static_cast<const T*>(sources[0]);
  MLX_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) y[i] = R(call(Body(), x[i]));
}

template <class Body, class T>
void binary_loop(void* target, const void* const* sources, std::int64_t count) {
  using Value = decltype(call(Body(), T(), T()));
  using R = typename StoredAs<T, Value>::Type;
  auto* y = static_cast<R*>(target);
  const auto* a = static_cast<const T*>(sources[0]);
  const auto* b = static_cast<const T*>(sources[1]);
  MLX_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) y[i] = R(call(Body(), a[i], b[i]));
}

template <class Body, class T>
MLX_LANE void call_loop(T* target, const T* a, const T* b, std::int64_t count) {
  if constexpr (Body::arity == 1) {
    Body::loop(target, a, static_cast<std::size_t>(count));
  } else {
    Body::loop(target, a, b, static_cast<std::size_t>(count));
  }
}

// A body over whole arrays (Body::loop); halves go through buffers.
template <class Body, class T>
void array_loop(void* target, const void* const* sources, std::int64_t count) {
  if constexpr (is_half<T>) {
    constexpr std::int64_t block = 256;
    float buffers[2][block];
    auto* y = static_cast<T*>(target);
    for (std::int64_t start = 0; start < count; start += block) {
      const std::int64_t size = count - start < block ? count - start : block;
      for (int k = 0; k < Body::arity; ++k) {
        const auto* x = static_cast<const T*>(sources[k]) + start;
        for (std::int64_t i = 0; i < size; ++i) buffers[k][i] = static_cast<float>(x[i]);
      }
      call_loop<Body>(buffers[0], buffers[0], buffers[1], size);
      for (std::int64_t i = 0; i < size; ++i) y[start + i] = T(buffers[0][i]);
    }
  } else {
    call_loop<Body>(static_cast<T*>(target), static_cast<const T*>(sources[0]),
                    static_cast<const T*>(sources[1]), count);
  }
}

// Select only moves elements, so it knows their size and not their type.
template <class T>
void select_loop(void* target, const void* const* sources, std::int64_t count) {
  auto* y = static_cast<T*>(target);
  const auto* condition = static_cast<const bool*>(sources[0]);
  const auto* a = static_cast<const T*>(sources[1]);
  const auto* b = static_cast<const T*>(sources[2]);
  MLX_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) y[i] = condition[i] ? a[i] : b[i];
}

// The body of an op, and the dtypes it takes. Undefined: a missing one does not compile.
template <Elementwise id>
struct Lane;

template <class Body, class T>
constexpr ElementLoop loop_of() {
  constexpr bool is_real = std::is_floating_point_v<T> || is_half<T>;
  if constexpr (is_real && requires { Body::has_loop; }) {
    return array_loop<Body, T>;
  } else if constexpr (Body::arity == 1) {
    return unary_loop<Body, T>;
  } else {
    return binary_loop<Body, T>;
  }
}

template <Elementwise id, int d = 0>
void install_dtypes(Lanes& lanes) {
  if constexpr (d < dtype_count) {
    constexpr auto dtype = static_cast<Dtype>(d);
    if constexpr (Lane<id>::accepts.contains(dtype)) {
      lanes.elementwise[static_cast<int>(id)][d] = loop_of<Lane<id>, type_of<dtype>>();
    }
    install_dtypes<id, d + 1>(lanes);
  }
}

// The ops of one source file.
template <Elementwise... ids>
struct Group {
  static constexpr bool contains(Elementwise id) { return ((ids == id) || ...); }
};

template <Elementwise... ids>
void install_group(Group<ids...>, Lanes& lanes) {
  (install_dtypes<ids>(lanes), ...);
}

}  // namespace mlx::core::cpu::MLX_ISA
