// BLAS in one spelling for the four inexact dtypes.
#include "mlx/backends/cpu/blas.h"

#ifdef MLX_ACCELERATE
#include <Accelerate/Accelerate.h>
#define MLX_CBLAS(name) cblas_##name
#else
#include <cblas.h>
#define MLX_CBLAS(name) scipy_cblas_##name
#endif

namespace mlx::core::cpu::blas {
namespace {

#ifndef MLX_ACCELERATE
// Its own threads wait for a contended core; ours are given what there is.
[[maybe_unused]] const bool single_threaded = (scipy_openblas_set_num_threads(1), true);
#endif

// BLAS takes real factors by value and complex ones by address.
float factor(const float& value) { return value; }
double factor(const double& value) { return value; }
const void* factor(const complex64& value) { return &value; }
const void* factor(const complex128& value) { return &value; }

template <class T>
const T one = T(1);
template <class T>
const T zero = T(0);
template <>
const complex64 one<complex64> = {1, 0};
template <>
const complex64 zero<complex64> = {0, 0};
template <>
const complex128 one<complex128> = {1, 0};
template <>
const complex128 zero<complex128> = {0, 0};

auto order(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }
auto triangle(bool upper) { return upper ? CblasUpper : CblasLower; }

}  // namespace

#define MLX_DEFINE(T, letter)                                                                      \
  template <>                                                                                      \
  void gemm<T>(int m, int n, int k, const Operand<T>& a, const Operand<T>& b, bool accumulate,     \
               T* c, int leading_c) {                                                              \
    MLX_CBLAS(letter##gemm)(CblasRowMajor, order(a.transposed), order(b.transposed), m, n, k,      \
                            factor(one<T>), a.data, a.leading, b.data, b.leading,                  \
                            factor(accumulate ? one<T> : zero<T>), c, leading_c);                  \
  }                                                                                                \
  template <>                                                                                      \
  void gemv<T>(int rows, int columns, const Operand<T>& a, const T* x, int stride_x,               \
               bool accumulate, T* y, int stride_y) {                                              \
    MLX_CBLAS(letter##gemv)(CblasRowMajor, order(a.transposed), a.transposed ? columns : rows,     \
                            a.transposed ? rows : columns, factor(one<T>), a.data, a.leading, x,   \
                            stride_x, factor(accumulate ? one<T> : zero<T>), y, stride_y);         \
  }                                                                                                \
  template <>                                                                                      \
  void trsm<T>(bool upper, int n, int columns, const Operand<T>& a, T* b) {                        \
    MLX_CBLAS(letter##trsm)(CblasRowMajor, CblasLeft, triangle(upper != a.transposed),             \
                            order(a.transposed), CblasNonUnit, n, columns, factor(one<T>), a.data, \
                            a.leading, b, columns);                                                \
  }
MLX_DEFINE(float, s)
MLX_DEFINE(double, d)
MLX_DEFINE(complex64, c)
MLX_DEFINE(complex128, z)
#undef MLX_DEFINE

}  // namespace mlx::core::cpu::blas
