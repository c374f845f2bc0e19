// The promotion rule.
#include "mlx/array/dtype.h"

#include <algorithm>

namespace mlx::core {
namespace {

Dtype promote_integers(Dtype a, Dtype b) {
  if (kind_of(a) == kind_of(b)) return size_of(a) >= size_of(b) ? a : b;
  Dtype is_signed = kind_of(a) == Kind::signed_integer ? a : b;
  Dtype is_unsigned = kind_of(a) == Kind::signed_integer ? b : a;
  if (size_of(is_signed) > size_of(is_unsigned)) return is_signed;
  switch (size_of(is_unsigned)) {
    case 1:
      return Dtype::int16;
    case 2:
      return Dtype::int32;
    case 4:
      return Dtype::int64;
    default:
      return Dtype::float32;  // no integer dtype holds both
  }
}

Dtype promote_floating(Dtype a, Dtype b) {
  if (a == b) return a;
  // float16 and bfloat16 hold different numbers: neither holds the other.
  if (size_of(a) == size_of(b)) return Dtype::float32;
  return size_of(a) > size_of(b) ? a : b;
}

}  // namespace

Dtype promote(Dtype a, Dtype b) {
  if (a == b) return a;
  if (kind_of(a) > kind_of(b)) std::swap(a, b);
  if (a == Dtype::bool_) return b;
  if (is_complex(b)) {
    return promote_floating(is_inexact(a) ? real_of(a) : Dtype::float32, real_of(b)) ==
                   Dtype::float64
               ? Dtype::complex128
               : Dtype::complex64;
  }
  if (is_floating(a)) return promote_floating(a, b);
  if (is_floating(b)) return b;
  return promote_integers(a, b);
}

}  // namespace mlx::core
