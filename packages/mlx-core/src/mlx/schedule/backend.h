// What a backend must provide to evaluate graphs on a device.
#pragma once

#include <span>

#include "mlx/ops/elementwise_ids.h"
#include "mlx/ops/op.h"
#include "mlx/schedule/program.h"

namespace mlx::core {

// One application of a kernel op. Outputs are allocated, row-major; output 0 may be the memory of
// the input that Op::donates names (then their data pointers are equal).
struct KernelCall {
  const Op& op;
  const AttrsRef& attrs;
  std::span<const Tensor> inputs;
  std::span<const Tensor> outputs;
};
using Kernel = void (*)(const KernelCall&);

class Backend {
 public:
  virtual ~Backend() = default;
  // Runs a tile program; loads read `inputs`, stores and reductions write `outputs` (row-major).
  virtual void run(const TileProgram& program, std::span<const Tensor> inputs,
                   std::span<const Tensor> outputs) = 0;
  // One elementwise op on host memory, for evaluating a lone small node without a program; nullptr
  // where the device does not work that way.
  virtual ElementLoop element_loop(Elementwise, Dtype) { return nullptr; }
  // nullptr where the backend has no kernel for the op.
  virtual Kernel find_kernel(const Op& op) = 0;
};

// Backends announce themselves when the library is loaded.
MLX_API void register_backend(Device::Type type, Backend* backend);
MLX_API Backend& backend_of(Device device);

// Called now and then by long evaluations on the thread that asked for them; it may throw (Ctrl-C).
MLX_API void set_interrupt_check(void (*check)());
MLX_API void check_interrupt();

}  // namespace mlx::core
