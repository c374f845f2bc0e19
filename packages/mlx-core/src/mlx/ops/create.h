// Arrays made of nothing but numbers.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

// Element i is start + i * step: of an integer dtype in the exact integers (int_start, int_step,
// modulo 2**64), of others in doubles (start, step), rounded to the dtype at the end.
struct ArangeAttrs {
  double start = 0, step = 1;
  std::int64_t int_start = 0, int_step = 1;
  std::int64_t size = 0;
  Dtype dtype = Dtype::float32;
  bool operator==(const ArangeAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{
        Field{"start", &ArangeAttrs::start},         Field{"step", &ArangeAttrs::step},
        Field{"int_start", &ArangeAttrs::int_start}, Field{"int_step", &ArangeAttrs::int_step},
        Field{"size", &ArangeAttrs::size},           Field{"dtype", &ArangeAttrs::dtype}};
  }
};

// Every element is `value` (which may be an array that broadcasts to the shape).
MLX_API array full(const Shape& shape, const array& value, std::optional<Dtype> dtype = {},
                   const StreamOrDevice& stream = {});
MLX_API array zeros(const Shape& shape, Dtype dtype = Dtype::float32,
                    const StreamOrDevice& stream = {});
MLX_API array ones(const Shape& shape, Dtype dtype = Dtype::float32,
                   const StreamOrDevice& stream = {});
MLX_API array full_like(const array& a, const array& value, std::optional<Dtype> dtype = {},
                        const StreamOrDevice& stream = {});
MLX_API array zeros_like(const array& a, std::optional<Dtype> dtype = {},
                         const StreamOrDevice& stream = {});
MLX_API array ones_like(const array& a, std::optional<Dtype> dtype = {},
                        const StreamOrDevice& stream = {});

// start, start + step, ... before stop. Of integers exactly, in int32, or int64 where int32 cannot
// hold the values; of doubles in float32.
MLX_API array arange(std::int64_t start, std::int64_t stop, std::int64_t step = 1,
                     std::optional<Dtype> dtype = {}, const StreamOrDevice& stream = {});
MLX_API array arange(double start, double stop, double step = 1, std::optional<Dtype> dtype = {},
                     const StreamOrDevice& stream = {});
// `size` numbers of uint64 from `start` on, which may be beyond int64.
MLX_API array arange_uint64(std::uint64_t start, std::int64_t step, std::int64_t size,
                            const StreamOrDevice& stream = {});
// `num` evenly spaced values; the ends are exact. Integer dtypes round down.
MLX_API array linspace(double start, double stop, std::int64_t num = 50, bool endpoint = true,
                       Dtype dtype = Dtype::float32, const StreamOrDevice& stream = {});
MLX_API array linspace(complex128 start, complex128 stop, std::int64_t num, bool endpoint,
                       Dtype dtype, const StreamOrDevice& stream = {});

// n x m with ones on the k-th diagonal; k > 0 is above the main one.
MLX_API array eye(std::int64_t n, std::optional<std::int64_t> m = {}, std::int64_t k = 0,
                  Dtype dtype = Dtype::float32, const StreamOrDevice& stream = {});
MLX_API array identity(std::int64_t n, Dtype dtype = Dtype::float32,
                       const StreamOrDevice& stream = {});
// n x m with ones on and below the k-th diagonal.
MLX_API array tri(std::int64_t n, std::optional<std::int64_t> m = {}, std::int64_t k = 0,
                  Dtype dtype = Dtype::float32, const StreamOrDevice& stream = {});
// Matrices (the last two axes) with zeros above, or below, the k-th diagonal.
MLX_API array tril(const array& a, std::int64_t k = 0, const StreamOrDevice& stream = {});
MLX_API array triu(const array& a, std::int64_t k = 0, const StreamOrDevice& stream = {});
// Of a vector the matrix with it on the k-th diagonal; of a matrix that diagonal.
MLX_API array diag(const array& a, std::int64_t k = 0, const StreamOrDevice& stream = {});
// The diagonals of the matrices in two axes, as a new last axis.
MLX_API array diagonal(const array& a, std::int64_t offset = 0, std::int64_t axis1 = 0,
                       std::int64_t axis2 = 1, const StreamOrDevice& stream = {});
MLX_API array trace(const array& a, std::int64_t offset = 0, std::int64_t axis1 = 0,
                    std::int64_t axis2 = 1, std::optional<Dtype> dtype = {},
                    const StreamOrDevice& stream = {});

enum class GridIndexing : std::uint8_t { xy, ij };
// One grid per array; with `sparse` each keeps size 1 on the others' axes.
MLX_API Arrays meshgrid(const Arrays& arrays, bool sparse = false,
                        GridIndexing indexing = GridIndexing::xy,
                        const StreamOrDevice& stream = {});
// The Kronecker product: each element of `a` times the whole of `b`.
MLX_API array kron(const array& a, const array& b, const StreamOrDevice& stream = {});

}  // namespace mlx::core
