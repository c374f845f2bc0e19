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

// MLX_PER_ISA(const Table&, table) declares `const Table& table()` of every instruction set's
// namespace, and defines one here that calls the chosen one's.
#if defined(__x86_64__)
#define MLX_PER_ISA(Type, function) \
  namespace v2 {                    \
  Type function();                  \
  }                                 \
  namespace v3 {                    \
  Type function();                  \
  }                                 \
  namespace v4 {                    \
  Type function();                  \
  }                                 \
  inline Type function() {          \
    switch (isa_level()) {          \
      case Isa::v2:                 \
        return v2::function();      \
      case Isa::v3:                 \
        return v3::function();      \
      case Isa::v4:                 \
        return v4::function();      \
    }                               \
    __builtin_unreachable();        \
  }
#else
#define MLX_PER_ISA(Type, function) \
  namespace native_isa {            \
  Type function();                  \
  }                                 \
  inline Type function() { return native_isa::function(); }
#endif

// The loops compiled for isa_level().
const Lanes& lanes();

}  // namespace mlx::core::cpu
