// LAPACK in one spelling for the four inexact dtypes.
#include "mlx/backends/cpu/lapack.h"

#include <algorithm>
#include <vector>

#ifdef MLX_ACCELERATE
#include <Accelerate/Accelerate.h>
#define MLX_LAPACK(name) name##_
#define MLX_LAPACK_TEXT(name) name##_
#else
// The header leaves the symbols' spelling and the complex types to us.
#define LAPACK_GLOBAL(lower, upper) scipy_##lower##_
#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float ::mlx::core::complex64
#define lapack_complex_double ::mlx::core::complex128
#include <lapack.h>
#define MLX_LAPACK(name) LAPACK_##name
#define MLX_LAPACK_TEXT(name) scipy_LAPACK_##name  // of routines with character arguments
#endif

namespace mlx::core::cpu::lapack {
namespace {

#ifdef MLX_ACCELERATE
auto* as_lapack(float* p) { return p; }
auto* as_lapack(double* p) { return p; }
auto* as_lapack(complex64* p) { return reinterpret_cast<__LAPACK_float_complex*>(p); }
auto* as_lapack(complex128* p) { return reinterpret_cast<__LAPACK_double_complex*>(p); }
template <class T>
auto* as_lapack(const T* p) {
  return as_lapack(const_cast<T*>(p));
}
#else
template <class T>
T* as_lapack(T* p) {
  return p;
}
#endif

// The answer to a workspace query, which comes as a number of the matrix's type.
template <class T>
int length_of(T answer) {
  return std::max(1, static_cast<int>(answer));
}
template <class T>
int length_of(Complex<T> answer) {
  return length_of(answer.re);
}

// Calls `routine(work, length)` twice: to ask how much memory it wants, and with that memory.
template <class T, class Routine>
void with_workspace(Routine routine) {
  T answer{};
  routine(&answer, -1);
  int length = length_of(answer);
  std::vector<T> work(static_cast<std::size_t>(length));
  routine(work.data(), length);
}

// Room for one more complex number is never asked for, but vectors of length 0 have no address.
template <class T>
std::vector<T> scratch(std::int64_t length) {
  return std::vector<T>(static_cast<std::size_t>(std::max<std::int64_t>(length, 1)));
}

// LAPACK gives the pair x + iy, x - iy of a real matrix as the columns x and y.
template <class T>
void unpack_vectors(int n, const T* packed, const Complex<T>* values, Complex<T>* vectors) {
  std::int64_t size = n;
  for (std::int64_t j = 0; j < size; ++j) {
    const T* re = packed + j * size;
    if (values[j].im == 0) {
      for (std::int64_t i = 0; i < size; ++i) vectors[j * size + i] = {re[i], 0};
      continue;
    }
    for (std::int64_t i = 0; i < size; ++i) {
      vectors[j * size + i] = {re[i], re[size + i]};
      vectors[(j + 1) * size + i] = {re[i], -re[size + i]};
    }
    ++j;
  }
}

}  // namespace

#define MLX_DEFINE(T, letter)                                                                 \
  template <>                                                                                 \
  int cholesky<T>(bool upper, int n, T* a) {                                                  \
    char triangle = upper ? 'U' : 'L';                                                        \
    int info = 0;                                                                             \
    MLX_LAPACK_TEXT(letter##potrf)(&triangle, &n, as_lapack(a), &n, &info);                   \
    return info;                                                                              \
  }                                                                                           \
  template <>                                                                                 \
  int lu<T>(int m, int n, T* a, int* pivots) {                                                \
    int info = 0;                                                                             \
    MLX_LAPACK(letter##getrf)(&m, &n, as_lapack(a), &m, pivots, &info);                       \
    return info;                                                                              \
  }                                                                                           \
  template <>                                                                                 \
  int lu_solve<T>(char op, int n, int columns, const T* a, const int* pivots, T* b) {         \
    int info = 0;                                                                             \
    MLX_LAPACK_TEXT(letter##getrs)                                                            \
    (&op, &n, &columns, as_lapack(a), &n, const_cast<int*>(pivots), as_lapack(b), &n, &info); \
    return info;                                                                              \
  }                                                                                           \
  template <>                                                                                 \
  int lu_invert<T>(int n, T* a, const int* pivots) {                                          \
    int info = 0;                                                                             \
    with_workspace<T>([&](T* work, int length) {                                              \
      MLX_LAPACK(letter##getri)                                                               \
      (&n, as_lapack(a), &n, const_cast<int*>(pivots), as_lapack(work), &length, &info);      \
    });                                                                                       \
    return info;                                                                              \
  }                                                                                           \
  template <>                                                                                 \
  int qr<T>(int m, int n, T* a, T* factors) {                                                 \
    int info = 0;                                                                             \
    with_workspace<T>([&](T* work, int length) {                                              \
      MLX_LAPACK(letter##geqrf)                                                               \
      (&m, &n, as_lapack(a), &m, as_lapack(factors), as_lapack(work), &length, &info);        \
    });                                                                                       \
    return info;                                                                              \
  }
MLX_DEFINE(float, s)
MLX_DEFINE(double, d)
MLX_DEFINE(complex64, c)
MLX_DEFINE(complex128, z)
#undef MLX_DEFINE

#define MLX_DEFINE_REAL(T, letter)                                                                \
  template <>                                                                                     \
  int qr_vectors<T>(int m, int columns, int reflectors, T* a, const T* factors) {                 \
    int info = 0;                                                                                 \
    with_workspace<T>([&](T* work, int length) {                                                  \
      MLX_LAPACK(letter##orgqr)(&m, &columns, &reflectors, a, &m, factors, work, &length, &info); \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int svd<T>(char which, int m, int n, T* a, T* s, T* u, T* vt) {                                 \
    int info = 0, rank = std::min(m, n);                                                          \
    int rows_vt = which == 'A' ? n : std::max(rank, 1);                                           \
    auto integers = scratch<int>(8ll * rank);                                                     \
    with_workspace<T>([&](T* work, int length) {                                                  \
      MLX_LAPACK_TEXT(letter##gesdd)                                                              \
      (&which, &m, &n, a, &m, s, u, &m, vt, &rows_vt, work, &length, integers.data(), &info);     \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int eigh<T>(bool vectors, bool upper, int n, T* a, T* values) {                                 \
    char job = vectors ? 'V' : 'N', triangle = upper ? 'U' : 'L';                                 \
    int info = 0, integer_length = vectors ? 3 + 5 * n : 1;                                       \
    auto integers = scratch<int>(integer_length);                                                 \
    with_workspace<T>([&](T* work, int length) {                                                  \
      MLX_LAPACK_TEXT(letter##syevd)                                                              \
      (&job, &triangle, &n, a, &n, values, work, &length, integers.data(), &integer_length,       \
       &info);                                                                                    \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int eig<T>(int n, T* a, Complex<T>* values, Complex<T>* vectors) {                              \
    char left = 'N', right = vectors != nullptr ? 'V' : 'N';                                      \
    int info = 0, one = 1;                                                                        \
    auto re = scratch<T>(n), im = scratch<T>(n);                                                  \
    auto packed = scratch<T>(vectors != nullptr ? std::int64_t{n} * n : 1);                       \
    with_workspace<T>([&](T* work, int length) {                                                  \
      MLX_LAPACK_TEXT(letter##geev)                                                               \
      (&left, &right, &n, a, &n, re.data(), im.data(), nullptr, &one, packed.data(), &n, work,    \
       &length, &info);                                                                           \
    });                                                                                           \
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) values[i] = {re[i], im[i]};     \
    if (vectors != nullptr) unpack_vectors(n, packed.data(), values, vectors);                    \
    return info;                                                                                  \
  }
MLX_DEFINE_REAL(float, s)
MLX_DEFINE_REAL(double, d)
#undef MLX_DEFINE_REAL

#define MLX_DEFINE_COMPLEX(T, letter, hermitian)                                                  \
  template <>                                                                                     \
  int qr_vectors<T>(int m, int columns, int reflectors, T* a, const T* factors) {                 \
    int info = 0;                                                                                 \
    with_workspace<T>([&](T* work, int length) {                                                  \
      MLX_LAPACK(letter##ungqr)                                                                   \
      (&m, &columns, &reflectors, as_lapack(a), &m, as_lapack(factors), as_lapack(work), &length, \
       &info);                                                                                    \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int svd<T>(char which, int m, int n, T* a, Real<T>* s, T* u, T* vt) {                           \
    int info = 0, rank = std::min(m, n);                                                          \
    int rows_vt = which == 'A' ? n : std::max(rank, 1);                                           \
    std::int64_t small = rank, large = std::max(m, n);                                            \
    auto integers = scratch<int>(8 * small);                                                      \
    auto reals = scratch<Real<T>>(                                                                \
        which == 'N' ? 7 * small : small * std::max(5 * small + 7, 2 * large + 2 * small + 1));   \
    with_workspace<T>([&](T* work, int length) {                                                  \
      MLX_LAPACK_TEXT(letter##gesdd)                                                              \
      (&which, &m, &n, as_lapack(a), &m, s, as_lapack(u), &m, as_lapack(vt), &rows_vt,            \
       as_lapack(work), &length, reals.data(), integers.data(), &info);                           \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int eigh<T>(bool vectors, bool upper, int n, T* a, Real<T>* values) {                           \
    char job = vectors ? 'V' : 'N', triangle = upper ? 'U' : 'L';                                 \
    std::int64_t size = n, real_count = vectors ? 1 + 5 * size + 2 * size * size : size;          \
    int info = 0, integer_length = vectors ? 3 + 5 * n : 1;                                       \
    int real_length = static_cast<int>(std::max<std::int64_t>(real_count, 1));                    \
    auto integers = scratch<int>(integer_length);                                                 \
    auto reals = scratch<Real<T>>(real_length);                                                   \
    with_workspace<T>([&](T* work, int length) {                                                  \
      MLX_LAPACK_TEXT(hermitian)                                                                  \
      (&job, &triangle, &n, as_lapack(a), &n, values, as_lapack(work), &length, reals.data(),     \
       &real_length, integers.data(), &integer_length, &info);                                    \
    });                                                                                           \
    return info;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  int eig<T>(int n, T* a, T* values, T* vectors) {                                                \
    char left = 'N', right = vectors != nullptr ? 'V' : 'N';                                      \
    int info = 0, one = 1;                                                                        \
    auto reals = scratch<Real<T>>(2ll * n);                                                       \
    T* no_vectors = nullptr;                                                                      \
    with_workspace<T>([&](T* work, int length) {                                                  \
      MLX_LAPACK_TEXT(letter##geev)                                                               \
      (&left, &right, &n, as_lapack(a), &n, as_lapack(values), as_lapack(no_vectors), &one,       \
       as_lapack(vectors), &n, as_lapack(work), &length, reals.data(), &info);                    \
    });                                                                                           \
    return info;                                                                                  \
  }
MLX_DEFINE_COMPLEX(complex64, c, cheevd)
MLX_DEFINE_COMPLEX(complex128, z, zheevd)
#undef MLX_DEFINE_COMPLEX

}  // namespace mlx::core::cpu::lapack
