// Arrays made of nothing but numbers.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

// Element i is start + i * step: of an integer dtype in the exact integers, of others in doubles.
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

}  // namespace mlx::core
