// The complex element types: two reals side by side, as std::complex lays them out.
#pragma once

namespace mlx::core {

template <class T>
struct Complex {
  T re, im;
  friend constexpr bool operator==(const Complex& a, const Complex& b) = default;
};

using complex64 = Complex<float>;
using complex128 = Complex<double>;

}  // namespace mlx::core
