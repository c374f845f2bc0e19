// The integer matrix products that each instruction set provides (lanes/matmul_integer.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace mlx::core::cpu {

// A matrix anywhere in memory; strides in elements.
struct IntegerMatrix {
  const std::byte* data;
  std::int64_t row_stride, column_stride;
};

// c (m by n, rows `leading` apart) = a b, modulo two to the power of the element's bits: signed and
// unsigned integers give the same bits.
using IntegerProduct = void (*)(const IntegerMatrix& a, const IntegerMatrix& b, std::byte* c,
                                std::int64_t leading, std::int64_t m, std::int64_t n,
                                std::int64_t k);

struct IntegerProducts {
  IntegerProduct bits8, bits16, bits32, bits64;
};

}  // namespace mlx::core::cpu
