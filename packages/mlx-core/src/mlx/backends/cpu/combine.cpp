// Updating elements in place: what ScatterMode means for each dtype.
#include "mlx/backends/cpu/combine.h"

namespace mlx::core::cpu {
namespace {

template <class T>
inline constexpr bool is_half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

// Integers wrap: the arithmetic is that of unsigned ones, wide enough not to be promoted to int.
template <class T>
using Wide = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
T sum(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wide<T>>(a) + static_cast<Wide<T>>(b));
  } else if constexpr (is_half<T>) {
    return T(static_cast<float>(a) + static_cast<float>(b));
  } else if constexpr (std::is_floating_point_v<T>) {
    return a + b;
  } else {
    return {a.re + b.re, a.im + b.im};
  }
}

template <class T>
T product(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a && b;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
  } else if constexpr (is_half<T>) {
    return T(static_cast<float>(a) * static_cast<float>(b));
  } else if constexpr (std::is_floating_point_v<T>) {
    return a * b;
  } else {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
}

// The larger (or smaller) one; NaN if one is.
template <bool larger, class T>
T extreme(T a, T b) {
  if constexpr (is_half<T>) {
    return T(extreme<larger>(static_cast<float>(a), static_cast<float>(b)));
  } else if constexpr (std::is_arithmetic_v<T>) {
    bool takes_b = larger ? b > a : b < a;
    return takes_b || b != b ? b : a;
  } else {
    return a;  // complex: refused when the node was made
  }
}

template <ScatterMode mode, class T>
T combined(T old, T update) {
  if constexpr (mode == ScatterMode::sum) return sum(old, update);
  if constexpr (mode == ScatterMode::prod) return product(old, update);
  if constexpr (mode == ScatterMode::max) return extreme<true>(old, update);
  if constexpr (mode == ScatterMode::min) return extreme<false>(old, update);
  return update;
}

template <ScatterMode mode, class T>
void elements(std::byte* to, const std::int64_t* at, const std::byte* updates,
              const std::int64_t* from, std::int64_t count) {
  T* target = reinterpret_cast<T*>(to);
  const T* source = reinterpret_cast<const T*>(updates);
  if (from == nullptr) {
    for (std::int64_t i = 0; i < count; ++i) {
      target[at[i]] = combined<mode>(target[at[i]], source[i]);
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      target[at[i]] = combined<mode>(target[at[i]], source[from[i]]);
    }
  }
}

template <ScatterMode mode, class T>
void run(std::byte* to, std::int64_t target_step, const std::byte* updates,
         std::int64_t source_step, std::int64_t count) {
  T* target = reinterpret_cast<T*>(to);
  const T* source = reinterpret_cast<const T*>(updates);
  if (target_step == 1 && source_step == 1) {
    for (std::int64_t i = 0; i < count; ++i) target[i] = combined<mode>(target[i], source[i]);
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      T& element = target[i * target_step];
      element = combined<mode>(element, source[i * source_step]);
    }
  }
}

template <class F>
auto with_mode(ScatterMode mode, Dtype dtype, F&& f) {
  return dispatch(dtype, [&]<class T>() {
    switch (mode) {
      case ScatterMode::sum:
        return f.template operator()<ScatterMode::sum, T>();
      case ScatterMode::prod:
        return f.template operator()<ScatterMode::prod, T>();
      case ScatterMode::max:
        return f.template operator()<ScatterMode::max, T>();
      case ScatterMode::min:
        return f.template operator()<ScatterMode::min, T>();
      case ScatterMode::none:
        return f.template operator()<ScatterMode::none, T>();
    }
    __builtin_unreachable();
  });
}

}  // namespace

UpdateElements update_elements(ScatterMode mode, Dtype dtype) {
  return with_mode(mode, dtype,
                   []<ScatterMode m, class T>() -> UpdateElements { return elements<m, T>; });
}

UpdateRun update_run(ScatterMode mode, Dtype dtype) {
  return with_mode(mode, dtype, []<ScatterMode m, class T>() -> UpdateRun { return run<m, T>; });
}

}  // namespace mlx::core::cpu
