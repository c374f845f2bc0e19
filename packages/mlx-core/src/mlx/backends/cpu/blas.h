// BLAS in one spelling for the four inexact dtypes. Every call runs on the calling thread: kernels
// split the work over the engine's own pool.
#pragma once

#include "mlx/array/complex.h"

namespace mlx::core::cpu::blas {

// A matrix in memory: element (i, j) of `data` at i * leading + j, or of its transpose.
template <class T>
struct Operand {
  const T* data;
  int leading;
  bool transposed;
};

// c (m by n, row-major with row stride `leading_c`) = a (m by k) times b (k by n), plus c where
// `accumulate`.
template <class T>
void gemm(int m, int n, int k, const Operand<T>& a, const Operand<T>& b, bool accumulate, T* c,
          int leading_c);
// y = matrix (rows by columns) times x.
template <class T>
void gemv(int rows, int columns, const Operand<T>& matrix, const T* x, int stride_x,
          bool accumulate, T* y, int stride_y);
// Solves a x = b in place of b (n by columns, row-major without gaps); a is n by n, of which the
// `upper` or lower triangle is read.
template <class T>
void trsm(bool upper, int n, int columns, const Operand<T>& a, T* b);

}  // namespace mlx::core::cpu::blas
