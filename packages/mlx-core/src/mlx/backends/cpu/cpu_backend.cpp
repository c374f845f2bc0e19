// The CPU as a device: tile programs go to the interpreter, other ops to their kernels.
#include "mlx/backends/cpu/isa.h"
#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/tile_interpreter.h"
#include "mlx/schedule/backend.h"

namespace mlx::core::cpu {
namespace {

class CpuBackend final : public Backend {
 public:
  void run(const TileProgram& program, std::span<const Tensor> inputs,
           std::span<const Tensor> outputs) override {
    run_tiles(program, inputs, outputs);
  }
  ElementLoop element_loop(Elementwise id, Dtype dtype) override { return lanes().of(id, dtype); }
  Kernel find_kernel(const Op& op) override { return kernel_named(op.name); }
};

[[maybe_unused]] const bool registered = [] {
  static CpuBackend backend;
  register_backend(Device::Type::cpu, &backend);
  return true;
}();

}  // namespace
}  // namespace mlx::core::cpu
