// The reductions by number and name, apart so that loops and tables of them need nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mlx::core {

enum class ReduceKind : std::uint8_t { all, any, max, min, prod, sum };
inline constexpr std::array<std::string_view, 6> reduce_kind_names = {"all", "any",  "max",
                                                                      "min", "prod", "sum"};

}  // namespace mlx::core
