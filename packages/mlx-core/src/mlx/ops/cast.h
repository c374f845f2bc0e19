// Casts between dtypes.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

struct AsTypeAttrs {
  Dtype dtype;
  bool operator==(const AsTypeAttrs&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"dtype", &AsTypeAttrs::dtype}}; }
};

// Values as C++ converts them; complex to real drops the imaginary part; to bool: != 0; a floating
// value that an integer dtype cannot hold gives an unspecified integer, never a trap.
MLX_API array astype(const array& a, Dtype dtype, const StreamOrDevice& stream = {});

}  // namespace mlx::core
