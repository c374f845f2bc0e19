// Roots of unity, exact to the last bit of the result's precision.
#pragma once

#include <cstdint>
#include <vector>

namespace mlx::core::cpu::fft {

// exp(-2*pi*i*k/n) for many k of one n. Tables of about sqrt(n) entries make each a single product.
class Roots {
 public:
  explicit Roots(std::int64_t n);

  template <class T>
  void write(std::int64_t k, T* to) const {  // 0 <= k < n
    const Root root = at(k);
    to[0] = static_cast<T>(root.re);
    to[1] = static_cast<T>(root.im);
  }

 private:
  struct Root {
    long double re, im;
  };
  Root at(std::int64_t k) const;

  std::int64_t n_;
  int fine_bits_;
  std::vector<Root> fine_, coarse_;  // exp(2*pi*i*j/(8n)), for j and for multiples of 2^fine_bits
};

}  // namespace mlx::core::cpu::fft
