// Roots of unity by symmetry, so that only the first eighth of the circle is ever computed.
#include "mlx/backends/cpu/fft_roots.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace mlx::core::cpu::fft {

Roots::Roots(std::int64_t n) : n_(n) {
  fine_bits_ = std::bit_width(static_cast<std::uint64_t>(n)) / 2;
  const long double unit = 2 * std::numbers::pi_v<long double> / (8 * static_cast<long double>(n));
  const auto root = [&](std::int64_t j) {
    const long double angle = unit * static_cast<long double>(j);
    return Root{std::cos(angle), std::sin(angle)};
  };
  for (std::int64_t j = 0; j < std::int64_t{1} << fine_bits_; ++j) fine_.push_back(root(j));
  for (std::int64_t j = 0; j <= n; j += std::int64_t{1} << fine_bits_) coarse_.push_back(root(j));
}

Roots::Root Roots::at(std::int64_t k) const {
  // The circle has 8n units; every reflection is exact.
  std::int64_t t = 8 * k;
  const bool lower = t > 4 * n_;
  if (lower) t = 8 * n_ - t;
  const bool left = t > 2 * n_;
  if (left) t = 4 * n_ - t;
  const bool steep = t > n_;
  if (steep) t = 2 * n_ - t;
  const Root& a = coarse_[static_cast<std::size_t>(t >> fine_bits_)];
  const Root& b = fine_[static_cast<std::size_t>(t & ((std::int64_t{1} << fine_bits_) - 1))];
  Root root = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  if (steep) std::swap(root.re, root.im);
  if (left) root.re = -root.re;
  if (!lower) root.im = -root.im;
  return root;
}

}  // namespace mlx::core::cpu::fft
