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

// Halves are computed as float.
template <class Body, class T, class... Rest>
MLX_LANE auto call(Body body, T first, Rest... rest) {
  if constexpr (is_half<T>) {
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

// A body over whole arrays (Body::loop) in place of one per element; halves go through a buffer.
template <class Body, class T>
void array_loop(void* target, const void* const* sources, std::int64_t count) {
  auto* y = static_cast<T*>(target);
  const auto* x = static_cast<const T*>(sources[0]);
  if constexpr (is_half<T>) {
    constexpr std::int64_t block = 256;
    float buffer[block];
    for (std::int64_t start = 0; start < count; start += block) {
      std::int64_t size = count - start < block ? count - start : block;
      for (std::int64_t i = 0; i < size; ++i) buffer[i] = static_cast<float>(x[start + i]);
      Body::loop(buffer, buffer, static_cast<std::size_t>(size));
      for (std::int64_t i = 0; i < size; ++i) y[start + i] = T(buffer[i]);
    }
  } else {
    Body::loop(y, x, static_cast<std::size_t>(count));
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
  if constexpr (is_real && requires(float* p) { Body::loop(p, p, std::size_t(1)); }) {
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
void install(Group<ids...>, Lanes& lanes) {
  (install_dtypes<ids>(lanes), ...);
}

}  // namespace mlx::core::cpu::MLX_ISA
