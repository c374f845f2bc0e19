// The table of one instruction set.
#include "mlx/backends/cpu/lanes/lane.h"
#include "mlx/backends/cpu/lanes/parts.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

constexpr bool has_every_op() {
  for (int i = 0; i < elementwise_count; ++i) {
    auto id = static_cast<Elementwise>(i);
    if (id != Elementwise::select && !AllGroups::contains(id)) return false;
  }
  return true;
}
static_assert(has_every_op(), "an elementwise op is in no group of lane.h");

template <class... Groups>
void install_all(GroupList<Groups...>, Lanes& lanes) {
  (install(Groups{}, lanes), ...);
}

Lanes make_table() {
  Lanes lanes{};
  install_all(AllGroups{}, lanes);
  install_select(lanes);
  install_casts(lanes);
  install_moves(lanes);
  install_sums(lanes);
  install_extremes(lanes);
  return lanes;
}

}  // namespace

const Lanes& lanes_table();
const Lanes& lanes_table() {
  static const Lanes table = make_table();
  return table;
}

}  // namespace mlx::core::cpu::MLX_ISA
