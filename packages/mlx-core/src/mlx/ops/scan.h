// The scan family: what has been folded so far, at every element along an axis.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

enum class ScanKind : std::uint8_t { sum, prod, max, min, logsumexp };
inline constexpr std::array<std::string_view, 5> scan_kind_names = {"sum", "prod", "max", "min",
                                                                    "logsumexp"};
template <>
inline constexpr std::span<const std::string_view> enum_names<ScanKind> = scan_kind_names;

struct ScanAttrs {
  ScanKind op = ScanKind::sum;
  std::int64_t axis = 0;
  bool reverse = false;   // from the end
  bool inclusive = true;  // with the element itself; else the first result is the identity
  bool operator==(const ScanAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"op", &ScanAttrs::op}, Field{"axis", &ScanAttrs::axis},
                      Field{"reverse", &ScanAttrs::reverse},
                      Field{"inclusive", &ScanAttrs::inclusive}};
  }
};

struct ScanRow {
  ScanKind kind;
  std::string_view function;  // "cumsum"
  DtypeSet accepts;           // of the primitive
  std::string_view doc;
};
MLX_API std::span<const ScanRow> scan_rows();

struct ScanOptions {
  std::optional<int> axis = {};  // none: the array is flattened first
  bool reverse = false;
  bool inclusive = true;
  std::optional<Dtype> dtype = {};  // what is accumulated in
};
// Sums and products of bools and of integers of fewer than 32 bits are 32 bits wide.
MLX_API array scan(ScanKind kind, const array& a, const ScanOptions& options = {},
                   const StreamOrDevice& stream = {});
inline array cumsum(const array& a, const ScanOptions& options = {},
                    const StreamOrDevice& stream = {}) {
  return scan(ScanKind::sum, a, options, stream);
}
inline array cumprod(const array& a, const ScanOptions& options = {},
                     const StreamOrDevice& stream = {}) {
  return scan(ScanKind::prod, a, options, stream);
}
inline array cummax(const array& a, const ScanOptions& options = {},
                    const StreamOrDevice& stream = {}) {
  return scan(ScanKind::max, a, options, stream);
}
inline array cummin(const array& a, const ScanOptions& options = {},
                    const StreamOrDevice& stream = {}) {
  return scan(ScanKind::min, a, options, stream);
}
inline array logcumsumexp(const array& a, const ScanOptions& options = {},
                          const StreamOrDevice& stream = {}) {
  return scan(ScanKind::logsumexp, a, options, stream);
}
// Differences of neighbours, n times.
MLX_API array diff(const array& a, int n = 1, int axis = -1, const StreamOrDevice& stream = {});

}  // namespace mlx::core
