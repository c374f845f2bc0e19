// Anchors the exception types in the library, so that every extension module sees the same ones.
#include "mlx/array/error.h"

namespace mlx::core {

#define MLX_ERROR_CLASS(Name, Base)                         \
  Name::Name(const std::string& message) : Base(message) {} \
  Name::~Name() = default
MLX_ERROR_CLASS(ValueError, invalid_argument);
MLX_ERROR_CLASS(TypeError, invalid_argument);
MLX_ERROR_CLASS(IndexError, out_of_range);
MLX_ERROR_CLASS(OverflowError, overflow_error);
MLX_ERROR_CLASS(RuntimeError, runtime_error);
MLX_ERROR_CLASS(NotImplementedError, runtime_error);
#undef MLX_ERROR_CLASS

MemoryError::~MemoryError() = default;

}  // namespace mlx::core
