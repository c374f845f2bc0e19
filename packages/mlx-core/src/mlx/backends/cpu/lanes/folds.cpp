// The reductions, on the dtypes that they accept.
#include "mlx/backends/cpu/lanes/fold_loops.h"
#include "mlx/backends/cpu/lanes/parts.h"

namespace mlx::core::cpu::MLX_ISA {
namespace {

template <class Operation, int d = 0>
void install_operation(Fold (&folds)[dtype_count]) {
  if constexpr (d < dtype_count) {
    constexpr auto dtype = static_cast<Dtype>(d);
    if constexpr (Operation::accepts.contains(dtype)) {
      folds[d] = fold_of<Operation, type_of<dtype>>();
    }
    install_operation<Operation, d + 1>(folds);
  }
}

}  // namespace

void install_folds(Lanes& lanes) {
  auto of = [&](ReduceKind kind) -> auto& { return lanes.folds[static_cast<int>(kind)]; };
  install_operation<All>(of(ReduceKind::all));
  install_operation<Any>(of(ReduceKind::any));
  install_operation<Largest>(of(ReduceKind::max));
  install_operation<Smallest>(of(ReduceKind::min));
  install_operation<Product>(of(ReduceKind::prod));
  install_operation<Sum>(of(ReduceKind::sum));
}

}  // namespace mlx::core::cpu::MLX_ISA
