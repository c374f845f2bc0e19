// Which instruction set the loops run with.
#pragma once

#include <cstdint>
#include <string_view>

#include "mlx/backends/cpu/lanes.h"

namespace mlx::core::cpu {

#if defined(__x86_64__)
enum class Isa : std::uint8_t { v2, v3, v4 };
#else
enum class Isa : std::uint8_t { native };
#endif

// The best that this machine has. The environment variable MLX_CPU_ISA (v2, v3 or v4) lowers it,
// for tests; a level that the machine lacks, or any other word, changes nothing.
Isa isa_level();
std::string_view name_of(Isa isa);

// The loops compiled for isa_level().
const Lanes& lanes();

}  // namespace mlx::core::cpu
