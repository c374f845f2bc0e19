// Chooses the instruction set by what the processor says.
#include "mlx/backends/cpu/isa.h"

#include <algorithm>
#include <cstdlib>

namespace mlx::core::cpu {

MLX_PER_ISA(const Lanes&, lanes_table)

namespace {

#if defined(__x86_64__)
Isa detect() {
  __builtin_cpu_init();
  bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2");
  bool has_v4 = has_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl");
  return has_v4 ? Isa::v4 : has_v3 ? Isa::v3 : Isa::v2;
}

Isa choose() {
  Isa best = detect();
  const char* wish = std::getenv("MLX_CPU_ISA");
  if (wish == nullptr) return best;
  for (Isa isa : {Isa::v2, Isa::v3, Isa::v4}) {
    if (name_of(isa) == wish) return std::min(isa, best);
  }
  return best;
}
#else
Isa choose() { return Isa::native; }
#endif

}  // namespace

Isa isa_level() {
  static const Isa isa = choose();
  return isa;
}

std::string_view name_of(Isa isa) {
#if defined(__x86_64__)
  constexpr std::string_view names[] = {"v2", "v3", "v4"};
#else
  constexpr std::string_view names[] = {"native"};
#endif
  return names[static_cast<int>(isa)];
}

const Lanes& lanes() {
  static const Lanes& table = lanes_table();
  return table;
}

}  // namespace mlx::core::cpu
