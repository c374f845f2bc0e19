// The fifteen element types: one table of facts, the promotion rule, and dispatch to C++ types.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "mlx/array/api.h"
#include "mlx/array/complex.h"
#include "mlx/array/half.h"

namespace mlx::core {

enum class Dtype : std::uint8_t {
  bool_,
  uint8,
  uint16,
  uint32,
  uint64,
  int8,
  int16,
  int32,
  int64,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128,
};
inline constexpr int dtype_count = 15;

enum class Kind : std::uint8_t { boolean, unsigned_integer, signed_integer, floating, complex };

struct DtypeInfo {
  std::string_view name;  // as Python users write it after "mlx.core."
  int size;               // bytes
  Kind kind;
  char letter;  // of the array interface protocol ("f", with the size: "f4"); 'E' is bfloat16
};

inline constexpr std::array<DtypeInfo, dtype_count> dtype_table = {{
    {"bool", 1, Kind::boolean, 'b'},
    {"uint8", 1, Kind::unsigned_integer, 'u'},
    {"uint16", 2, Kind::unsigned_integer, 'u'},
    {"uint32", 4, Kind::unsigned_integer, 'u'},
    {"uint64", 8, Kind::unsigned_integer, 'u'},
    {"int8", 1, Kind::signed_integer, 'i'},
    {"int16", 2, Kind::signed_integer, 'i'},
    {"int32", 4, Kind::signed_integer, 'i'},
    {"int64", 8, Kind::signed_integer, 'i'},
    {"float16", 2, Kind::floating, 'f'},
    {"bfloat16", 2, Kind::floating, 'E'},
    {"float32", 4, Kind::floating, 'f'},
    {"float64", 8, Kind::floating, 'f'},
    {"complex64", 8, Kind::complex, 'c'},
    {"complex128", 16, Kind::complex, 'c'},
}};

constexpr const DtypeInfo& info(Dtype d) { return dtype_table[static_cast<std::size_t>(d)]; }
constexpr std::string_view name_of(Dtype d) { return info(d).name; }
constexpr int size_of(Dtype d) { return info(d).size; }
constexpr Kind kind_of(Dtype d) { return info(d).kind; }
constexpr bool is_complex(Dtype d) { return kind_of(d) == Kind::complex; }
constexpr bool is_floating(Dtype d) { return kind_of(d) == Kind::floating; }
constexpr bool is_inexact(Dtype d) { return kind_of(d) >= Kind::floating; }
constexpr bool is_integer(Dtype d) {
  return kind_of(d) == Kind::unsigned_integer || kind_of(d) == Kind::signed_integer;
}
// The real type a complex type is made of; other types are their own.
constexpr Dtype real_of(Dtype d) {
  return d == Dtype::complex64 ? Dtype::float32 : d == Dtype::complex128 ? Dtype::float64 : d;
}
// The complex type of a real type's precision.
constexpr Dtype complex_of(Dtype d) {
  return d == Dtype::float64 || d == Dtype::complex128 ? Dtype::complex128 : Dtype::complex64;
}
// What functions with real results (exp, mean, ...) turn an integer or bool into.
constexpr Dtype inexact_of(Dtype d) { return is_inexact(d) ? d : Dtype::float32; }

// A set of dtypes as bits, so that tables can hold it.
class DtypeSet {
 public:
  constexpr DtypeSet() = default;
  constexpr DtypeSet(std::initializer_list<Dtype> members) {
    for (Dtype d : members) bits_ |= bit(d);
  }
  constexpr bool contains(Dtype d) const { return (bits_ & bit(d)) != 0; }
  constexpr DtypeSet operator|(DtypeSet other) const { return from_bits(bits_ | other.bits_); }
  constexpr DtypeSet without(DtypeSet other) const { return from_bits(bits_ & ~other.bits_); }
  constexpr bool operator==(const DtypeSet&) const = default;
  template <class Predicate>
  static constexpr DtypeSet where(Predicate keep) {
    DtypeSet set;
    for (int i = 0; i < dtype_count; ++i) {
      if (keep(static_cast<Dtype>(i))) set.bits_ |= bit(static_cast<Dtype>(i));
    }
    return set;
  }

 private:
  static constexpr std::uint32_t bit(Dtype d) { return 1u << static_cast<int>(d); }
  static constexpr DtypeSet from_bits(std::uint32_t bits) {
    DtypeSet set;
    set.bits_ = bits;
    return set;
  }
  std::uint32_t bits_ = 0;
};

namespace dtypes {
inline constexpr DtypeSet all = DtypeSet::where([](Dtype) { return true; });
inline constexpr DtypeSet boolean = {Dtype::bool_};
inline constexpr DtypeSet integers = DtypeSet::where(is_integer);
inline constexpr DtypeSet floating = DtypeSet::where(is_floating);
inline constexpr DtypeSet complex = DtypeSet::where(is_complex);
inline constexpr DtypeSet inexact = floating | complex;
inline constexpr DtypeSet real = integers | floating;  // no bool, no complex
inline constexpr DtypeSet numeric = real | complex;
}  // namespace dtypes

// The dtype that holds both, by MLX's rule, which is the standard's where the standard has one:
// within a kind the wider; signed with unsigned the next wider signed (uint64 with a signed
// integer gives float32); an integer with a floating dtype gives the floating dtype.
MLX_API Dtype promote(Dtype a, Dtype b);

// C++ type <-> Dtype.
#define MLX_FOR_EACH_DTYPE(M)                                                               \
  M(bool_, bool)                                                                            \
  M(uint8, std::uint8_t)                                                                    \
  M(uint16, std::uint16_t)                                                                  \
  M(uint32, std::uint32_t)                                                                  \
  M(uint64, std::uint64_t)                                                                  \
  M(int8, std::int8_t) M(int16, std::int16_t) M(int32, std::int32_t) M(int64, std::int64_t) \
      M(float16, ::mlx::core::float16) M(bfloat16, ::mlx::core::bfloat16) M(float32, float) \
          M(float64, double) M(complex64, ::mlx::core::complex64)                           \
              M(complex128, ::mlx::core::complex128)

template <Dtype D>
struct TypeOf;
template <class T>
struct DtypeOf;
#define MLX_MAP(name, type)                     \
  template <>                                   \
  struct TypeOf<Dtype::name> {                  \
    using Type = type;                          \
  };                                            \
  template <>                                   \
  struct DtypeOf<type> {                        \
    static constexpr Dtype value = Dtype::name; \
  };
MLX_FOR_EACH_DTYPE(MLX_MAP)
#undef MLX_MAP
template <Dtype D>
using type_of = typename TypeOf<D>::Type;
template <class T>
inline constexpr Dtype dtype_of = DtypeOf<T>::value;

// dispatch(dtype, [&]<class T>() { ... }) calls the lambda with the C++ type of `dtype`.
template <class F>
decltype(auto) dispatch(Dtype d, F&& f) {
  switch (d) {
#define MLX_CASE(name, type) \
  case Dtype::name:          \
    return f.template operator()<type>();
    MLX_FOR_EACH_DTYPE(MLX_CASE)
#undef MLX_CASE
  }
  __builtin_unreachable();
}

}  // namespace mlx::core
