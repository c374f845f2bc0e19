// Random numbers from counters: Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror, Shaw: Parallel
// random numbers: as easy as 1, 2, 3; SC 2011). A number depends on the key and its position only:
// not on threads, devices or what was drawn before.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

struct RandomBitsAttrs {
  Shape shape;
  Dtype dtype = Dtype::uint32;  // or uint64
  bool operator==(const RandomBitsAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"shape", &RandomBitsAttrs::shape},
                      Field{"dtype", &RandomBitsAttrs::dtype}};
  }
};
struct RandomIntegersAttrs {
  Shape shape;
  bool operator==(const RandomIntegersAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"shape", &RandomIntegersAttrs::shape}}; }
};

namespace random {

// A key is an array of two uint32.
MLX_API array key(std::uint64_t seed, const StreamOrDevice& stream = {});
MLX_API array split(const array& key, std::int64_t count = 2, const StreamOrDevice& stream = {});
MLX_API array bits(const array& key, const Shape& shape, Dtype dtype = Dtype::uint32,
                   const StreamOrDevice& stream = {});

// In [low, high): high itself is never returned.
MLX_API array uniform(const array& key, const array& low, const array& high, const Shape& shape,
                      Dtype dtype = Dtype::float32, const StreamOrDevice& stream = {});
MLX_API array normal(const array& key, const Shape& shape, Dtype dtype = Dtype::float32,
                     const StreamOrDevice& stream = {});
// In [low, high), every integer with exactly the same probability. Bounds are int64, or uint64.
MLX_API array randint(const array& key, const array& low, const array& high, const Shape& shape,
                      Dtype dtype = Dtype::int32, const StreamOrDevice& stream = {});
MLX_API array bernoulli(const array& key, const array& p, const Shape& shape,
                        const StreamOrDevice& stream = {});
MLX_API array truncated_normal(const array& key, const array& lower, const array& upper,
                               const Shape& shape, Dtype dtype = Dtype::float32,
                               const StreamOrDevice& stream = {});
MLX_API array gumbel(const array& key, const Shape& shape, Dtype dtype = Dtype::float32,
                     const StreamOrDevice& stream = {});
MLX_API array laplace(const array& key, const Shape& shape, Dtype dtype = Dtype::float32,
                      const StreamOrDevice& stream = {});
// Indices along `axis`, drawn with probabilities softmax(logits); `shape` broadcasts with the other
// axes.
MLX_API array categorical(const array& key, const array& logits, int axis, const Shape& shape,
                          const StreamOrDevice& stream = {});
MLX_API array permutation(const array& key, std::int64_t count, const StreamOrDevice& stream = {});
MLX_API array multivariate_normal(const array& key, const array& mean, const array& covariance,
                                  const Shape& shape, Dtype dtype = Dtype::float32,
                                  const StreamOrDevice& stream = {});

}  // namespace random
}  // namespace mlx::core
