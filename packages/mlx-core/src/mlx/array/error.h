// The exceptions the engine raises, one per Python class users expect, and how to write them.
#pragma once

#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "mlx/array/api.h"

namespace mlx::core {

#define MLX_ERROR_CLASS(Name, Base)            \
  class MLX_API Name : public std::Base {      \
   public:                                     \
    explicit Name(const std::string& message); \
    ~Name() override; /* anchors the type */   \
  }

MLX_ERROR_CLASS(ValueError, invalid_argument);
MLX_ERROR_CLASS(TypeError, invalid_argument);
MLX_ERROR_CLASS(IndexError, out_of_range);
MLX_ERROR_CLASS(OverflowError, overflow_error);
MLX_ERROR_CLASS(RuntimeError, runtime_error);
MLX_ERROR_CLASS(NotImplementedError, runtime_error);
#undef MLX_ERROR_CLASS

class MLX_API MemoryError : public std::bad_alloc {
 public:
  explicit MemoryError(std::string message) : message_(std::move(message)) {}
  ~MemoryError() override;
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// raise<ValueError>("reshape", "the size changes: got ", shape, "; expected ", n, " elements")
// The text is "[op] what was wrong: got X; expected Y". `op` comes from a record or function name.
template <class Error, class... Parts>
[[noreturn]] void raise(std::string_view op, const Parts&... parts) {
  std::ostringstream text;
  text << '[' << op << "] ";
  (text << ... << parts);
  throw Error(text.str());
}

}  // namespace mlx::core
