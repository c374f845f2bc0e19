// Kernels' operands in the dtype and layout they want, through the tile interpreter.
#include "mlx/backends/cpu/convert.h"

#include "mlx/schedule/backend.h"
#include "mlx/schedule/lower.h"

namespace mlx::core::cpu {

void convert_into(const Tensor& source, const Tensor& target) {
  if (source.size() == 0) return;
  TileProgram program = copy_program(source);
  if (source.dtype != target.dtype) {
    program.registers.push_back(target.dtype);
    Instruction cast{};
    cast.code = Instruction::Code::cast;
    cast.from = source.dtype;
    cast.to = target.dtype;
    cast.target = 1;
    program.code.push_back(cast);
    program.stores[0].source = 1;
  }
  backend_of(Device{}).run(program, {&source, 1}, {&target, 1});
}

Held allocate_tensor(Shape shape, Dtype dtype) {
  auto bytes = static_cast<std::size_t>(element_count(shape) * size_of(dtype));
  Held held{{}, allocate(bytes)};
  Strides strides = row_major_strides(shape);
  held.tensor = {held.buffer->data(), std::move(shape), std::move(strides), dtype};
  return held;
}

Held row_major(const Tensor& source, Dtype dtype) {
  if (source.dtype == dtype && source.is_row_major()) return {source, nullptr};
  Held held = allocate_tensor(source.shape, dtype);
  convert_into(source, held.tensor);
  return held;
}

}  // namespace mlx::core::cpu
