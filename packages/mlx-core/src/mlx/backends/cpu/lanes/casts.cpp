// Loops that change the dtype, and select, which only moves elements.
#include "mlx/backends/cpu/lanes/lane.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

template <class T>
inline constexpr bool is_complex_type = false;
template <class T>
inline constexpr bool is_complex_type<Complex<T>> = true;

// For negative numbers too, in steps that every instruction set has and whose
// results do not depend on the loop: they wrap.
template <class To, class From>
MLX_LANE To truncate_to_unsigned(From x) {
  using Signed = std::make_signed_t<To>;
  constexpr From half = From(To(1) << (8 * sizeof(To) - 1));
  const bool is_large = x >= half;
  const To low = To(Signed(is_large ? x - half : x));
  return is_large ? To(low + (To(1) << (8 * sizeof(To) - 1))) : low;
}

// Floating to integer truncates; what does not fit is unspecified, but the same everywhere in an
// array.
template <class To, class From>
MLX_LANE To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<To, bool> && is_complex_type<From>) {
    return (x.re != 0) | (x.im != 0);
  } else if constexpr (is_complex_type<To> && is_complex_type<From>) {
    using Part = decltype(To::re);
    return To{static_cast<Part>(x.re), static_cast<Part>(x.im)};
  } else if constexpr (is_complex_type<From>) {
    return convert<To>(x.re);
  } else if constexpr (is_complex_type<To>) {
    using Part = decltype(To::re);
    return To{convert<Part>(x), Part(0)};
  } else if constexpr (is_half<From>) {
    return convert<To>(static_cast<float>(x));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (is_half<To>) {
    // Integers beyond 2**24 would be rounded twice by way of float.
    if constexpr (sizeof(From) >= 4 && !std::is_same_v<From, float>) {
      return To(static_cast<double>(x));
    } else {
      return To(static_cast<float>(x));
    }
  } else if constexpr (std::is_floating_point_v<From> && std::is_unsigned_v<To> &&
                       sizeof(To) >= 4) {
    return truncate_to_unsigned<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class From, class To>
void cast_loop(void* target, const void* const* sources, std::int64_t count) {
  auto* y = static_cast<To*>(target);
  const auto* x = static_cast<const From*>(sources[0]);
  MLX_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) y[i] = convert<To>(x[i]);
}

template <Dtype from, int to = 0>
void install_casts_from(Lanes& lanes) {
  if constexpr (to < dtype_count) {
    lanes.casts[static_cast<int>(from)][to] =
        cast_loop<type_of<from>, type_of<static_cast<Dtype>(to)>>;
    install_casts_from<from, to + 1>(lanes);
  }
}

template <int from = 0>
void install_all_casts(Lanes& lanes) {
  if constexpr (from < dtype_count) {
    install_casts_from<static_cast<Dtype>(from)>(lanes);
    install_all_casts<from + 1>(lanes);
  }
}

ElementLoop select_of_size(int size) {
  switch (size) {
    case 1:
      return select_loop<std::uint8_t>;
    case 2:
      return select_loop<std::uint16_t>;
    case 4:
      return select_loop<std::uint32_t>;
    case 8:
      return select_loop<std::uint64_t>;
    default:
      return select_loop<complex128>;
  }
}

}  // namespace

void install_casts(Lanes& lanes) { install_all_casts(lanes); }

void install_select(Lanes& lanes) {
  for (int d = 0; d < dtype_count; ++d) {
    lanes.elementwise[static_cast<int>(Elementwise::select)][d] =
        select_of_size(size_of(static_cast<Dtype>(d)));
  }
}

}  // namespace mlx::core::cpu::MLX_ISA
