// Loops over contiguous elements around the scalar bodies, and how they get into the table.
#pragma once

#include <utility>

#include "mlx/backends/cpu/lanes.h"
#include "mlx/backends/cpu/lanes/elements.h"

namespace mlx::core::cpu::MLX_ISA {

// The element that a body's value is stored as: bool, the real part's type of a complex argument,
// or the argument's own type.
template <class T, class Value>
struct ResultOf {
  using Type = std::conditional_t<std::is_same_v<Value, bool>, bool, T>;
};
template <class T>
struct ResultOf<Complex<T>, T> {
  using Type = T;
};

template <class Body, class T>
void unary_loop(void* target, const void* const* sources, std::int64_t count) {
  using R = typename ResultOf<T, decltype(Body()(T()))>::Type;
  auto* y = static_cast<Stored<R>*>(target);
  const auto* x = static_cast<const Stored<T>*>(sources[0]);
  MLX_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) y[i] = Stored<R>(Body()(load<T>(x[i])));
}

template <class Body, class T>
void binary_loop(void* target, const void* const* sources, std::int64_t count) {
  using R = typename ResultOf<T, decltype(Body()(T(), T()))>::Type;
  auto* y = static_cast<Stored<R>*>(target);
  const auto* a = static_cast<const Stored<T>*>(sources[0]);
  const auto* b = static_cast<const Stored<T>*>(sources[1]);
  MLX_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) y[i] = Stored<R>(Body()(load<T>(a[i]), load<T>(b[i])));
}

// A body over whole arrays (Body::loop).
template <class Body, class T>
void array_loop(void* target, const void* const* sources, std::int64_t count) {
  const auto size = static_cast<std::size_t>(count);
  if constexpr (Body::arity == 1) {
    Body::loop(static_cast<T*>(target), static_cast<const T*>(sources[0]), size);
  } else {
    Body::loop(static_cast<T*>(target), static_cast<const T*>(sources[0]),
               static_cast<const T*>(sources[1]), size);
  }
}

// The loop over floats, block by block.
template <class Body, class T>
void half_loop(void* target, const void* const* sources, std::int64_t count);

template <class Body, class T>
constexpr ElementLoop loop_of() {
  if constexpr (is_half<T> && !requires { Body::takes_halves; }) {
    return half_loop<Body, T>;
  } else if constexpr (std::is_floating_point_v<T> && requires { Body::has_loop; }) {
    return array_loop<Body, T>;
  } else if constexpr (Body::arity == 1) {
    return unary_loop<Body, T>;
  } else {
    return binary_loop<Body, T>;
  }
}

template <class Body>
constexpr bool gives_bool() {
  if constexpr (Body::arity == 1) {
    return std::is_same_v<decltype(Body()(0.0f)), bool>;
  } else {
    return std::is_same_v<decltype(Body()(0.0f, 0.0f)), bool>;
  }
}

template <class Body, class T>
void half_loop(void* target, const void* const* sources, std::int64_t count) {
  constexpr ElementLoop loop = loop_of<Body, float>();
  float buffers[2][half_block];
  const void* wide[] = {buffers[0], buffers[1]};
  for (std::int64_t start = 0; start < count; start += half_block) {
    const std::int64_t size = count - start < half_block ? count - start : half_block;
    for (int k = 0; k < Body::arity; ++k) {
      widen_halves(buffers[k], static_cast<const T*>(sources[k]) + start, size);
    }
    if constexpr (gives_bool<Body>()) {
      loop(static_cast<bool*>(target) + start, wide, size);
    } else {
      loop(buffers[0], wide, size);
      narrow_to_halves(static_cast<T*>(target) + start, buffers[0], size);
    }
  }
}

// Select only moves elements, so it knows their size and not their type.
template <class T>
void select_loop(void* target, const void* const* sources, std::int64_t count) {
  auto* y = static_cast<T*>(target);
  const auto* condition = static_cast<const std::uint8_t*>(sources[0]);
  const auto* a = static_cast<const T*>(sources[1]);
  const auto* b = static_cast<const T*>(sources[2]);
  MLX_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) {
    // Both are read: a choice of what to read would be a branch.
    const T x = a[i], z = b[i];
    y[i] = condition[i] != 0 ? x : z;
  }
}

// The body of an op, and the dtypes it takes. Undefined: a missing one does not compile.
template <Elementwise id>
struct Lane;

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
