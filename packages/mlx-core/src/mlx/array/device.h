// Devices and streams: where an op runs, which dtypes a device has, and the thread's defaults.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "mlx/array/api.h"
#include "mlx/array/dtype.h"

namespace mlx::core {

struct Device {
  enum class Type : std::uint8_t { cpu, gpu };
  Type type = Type::cpu;
  std::int32_t index = 0;
  bool operator==(const Device&) const = default;
};

struct Stream {
  Device device;
  std::int32_t index = 0;
  bool operator==(const Stream&) const = default;
};

MLX_API std::string to_string(Device device);  // "Device(cpu, 0)"
MLX_API std::string to_string(Stream stream);  // "Stream(Device(cpu, 0), 0)"

MLX_API int device_count(Device::Type type);
MLX_API bool is_available(Device device);
// Raises ValueError, naming the devices there are, where this build has no such device.
MLX_API void require_available(Device device);

MLX_API Device default_device();
MLX_API void set_default_device(Device device);
MLX_API Stream default_stream(Device device);
MLX_API void set_default_stream(Stream stream);
MLX_API Stream new_stream(Device device);

// The dtypes a device computes in: the one table that inspection, the float64 policy and error
// messages read.
MLX_API DtypeSet supported_dtypes(Device device);
// Tests narrow the table, so that what happens on a device without float64 is tested anywhere.
MLX_API void narrow_supported_dtypes(Device device, DtypeSet dtypes);

// The `stream=` argument of every op: nothing (the default), a stream, or a device.
using StreamOrDevice = std::variant<std::monostate, Stream, Device>;
MLX_API Stream to_stream(const StreamOrDevice& where);

}  // namespace mlx::core
