// Loops that change the dtype, and select, which only moves elements.
#include "mlx/backends/cpu/lanes/loops.h"
#include "mlx/backends/cpu/lanes/parts.h"

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
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (is_half<To>) {
    return To(static_cast<double>(x));
  } else if constexpr (std::is_floating_point_v<From> && std::is_unsigned_v<To> &&
                       sizeof(To) >= 4) {
    return truncate_to_unsigned<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class From, class To>
void cast_loop(void* target, const void* const* sources, std::int64_t count) {
  auto* y = static_cast<Stored<To>*>(target);
  const auto* x = static_cast<const Stored<From>*>(sources[0]);
  // A bool is its byte, 0 or 1.
  MLX_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) y[i] = Stored<To>(convert<To>(x[i]));
}

template <class From, class To>
void cast_from_half(void* target, const void* const* sources, std::int64_t count) {
  float buffer[half_block];
  const void* wide[] = {buffer};
  for (std::int64_t start = 0; start < count; start += half_block) {
    const std::int64_t size = count - start < half_block ? count - start : half_block;
    widen_halves(buffer, static_cast<const From*>(sources[0]) + start, size);
    cast_loop<float, To>(static_cast<To*>(target) + start, wide, size);
  }
}

template <class From, class To>
void cast_to_half(void* target, const void* const* sources, std::int64_t count) {
  float buffer[half_block];
  for (std::int64_t start = 0; start < count; start += half_block) {
    const std::int64_t size = count - start < half_block ? count - start : half_block;
    const void* source[] = {static_cast<const From*>(sources[0]) + start};
    if constexpr (is_half<From>) {
      widen_halves(buffer, static_cast<const From*>(source[0]), size);
    } else {
      cast_loop<From, float>(buffer, source, size);
    }
    narrow_to_halves(static_cast<To*>(target) + start, buffer, size);
  }
}

// Are all its values floats? If not, a half by way of float would be rounded twice.
template <class T>
constexpr bool fits_float() {
  return is_half<T> || std::is_same_v<T, float> || std::is_same_v<T, complex64> || sizeof(T) < 4;
}

template <class From, class To>
constexpr ElementLoop cast_of() {
  if constexpr (is_half<To> && fits_float<From>() && !std::is_same_v<From, To>) {
    return cast_to_half<From, To>;
  } else if constexpr (is_half<From> && !std::is_same_v<From, To>) {
    return cast_from_half<From, To>;
  } else {
    return cast_loop<From, To>;
  }
}

template <Dtype from, int to = 0>
void install_casts_from(Lanes& lanes) {
  if constexpr (to < dtype_count) {
    lanes.casts[static_cast<int>(from)][to] =
        cast_of<type_of<from>, type_of<static_cast<Dtype>(to)>>();
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
