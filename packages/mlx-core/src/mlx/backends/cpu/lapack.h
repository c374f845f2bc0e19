// LAPACK in one spelling for the four inexact dtypes. Matrices are column-major without gaps; all
// return LAPACK's `info`: 0, or i > 0 where step i failed.
#pragma once

#include "mlx/array/complex.h"
#include "mlx/array/dtype.h"

namespace mlx::core::cpu::lapack {

template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<Complex<T>> {
  using Type = T;
};
template <class T>
using Real = typename RealOf<T>::Type;
template <class T>
using ComplexOf = Complex<Real<T>>;

// The triangle of a becomes its Cholesky factor.
template <class T>
int cholesky(bool upper, int n, T* a);
// P a = L U in place; row i was exchanged with row pivots[i] - 1.
template <class T>
int lu(int m, int n, T* a, int* pivots);
// Solves op(a) x = b in place of b, with a factored by lu; op: 'N', 'T' or 'C'.
template <class T>
int lu_solve(char op, int n, int columns, const T* a, const int* pivots, T* b);
// The inverse in place of the factors.
template <class T>
int lu_invert(int n, T* a, const int* pivots);
// R in the upper triangle, reflectors (with `factors`, min(m, n) of them) under it.
template <class T>
int qr(int m, int n, T* a, T* factors);
// The first `columns` columns of Q from `reflectors` reflectors, in place.
template <class T>
int qr_vectors(int m, int columns, int reflectors, T* a, const T* factors);
// a = u diag(s) vt; which: 'A' (square u and vt), 'S' (min(m, n) vectors each) or 'N' (none).
template <class T>
int svd(char which, int m, int n, T* a, Real<T>* s, T* u, T* vt);
// Eigenvalues of the Hermitian matrix of which one triangle is read; vectors in place of a.
template <class T>
int eigh(bool vectors, bool upper, int n, T* a, Real<T>* values);
// Eigenvalues and, where `vectors` is not null, right eigenvectors of length 1.
template <class T>
int eig(int n, T* a, ComplexOf<T>* values, ComplexOf<T>* vectors);

}  // namespace mlx::core::cpu::lapack
