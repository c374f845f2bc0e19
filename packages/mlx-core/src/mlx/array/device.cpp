// Devices and streams of this build: the CPU.
#include "mlx/array/device.h"

#include <atomic>
#include <mutex>

#include "mlx/array/error.h"

namespace mlx::core {
namespace {

std::mutex device_mutex;
DtypeSet cpu_dtypes = dtypes::all;
std::atomic<std::int32_t> stream_count{1};
std::atomic<std::int32_t> default_stream_index{0};

}  // namespace

std::string to_string(Device device) {
  std::string type = device.type == Device::Type::cpu ? "cpu" : "gpu";
  return "Device(" + type + ", " + std::to_string(device.index) + ")";
}

std::string to_string(Stream stream) {
  return "Stream(" + to_string(stream.device) + ", " + std::to_string(stream.index) + ")";
}

int device_count(Device::Type type) { return type == Device::Type::cpu ? 1 : 0; }

bool is_available(Device device) {
  return device.index >= 0 && device.index < device_count(device.type);
}

void require_available(Device device) {
  if (!is_available(device)) {
    raise<ValueError>("device", "this build has no such device: got ", to_string(device),
                      "; expected Device(cpu, 0)");
  }
}

Device default_device() { return Device{}; }

void set_default_device(Device device) { require_available(device); }

Stream default_stream(Device device) {
  require_available(device);
  return Stream{device, default_stream_index.load(std::memory_order_relaxed)};
}

void set_default_stream(Stream stream) {
  require_available(stream.device);
  if (stream.index < 0 || stream.index >= stream_count.load()) {
    raise<ValueError>("set_default_stream", "no such stream: got ", to_string(stream));
  }
  default_stream_index.store(stream.index, std::memory_order_relaxed);
}

Stream new_stream(Device device) {
  require_available(device);
  return Stream{device, stream_count.fetch_add(1)};
}

DtypeSet supported_dtypes(Device device) {
  require_available(device);
  std::lock_guard lock(device_mutex);
  return cpu_dtypes;
}

void narrow_supported_dtypes(Device device, DtypeSet dtypes) {
  require_available(device);
  std::lock_guard lock(device_mutex);
  cpu_dtypes = dtypes;
}

Stream to_stream(const StreamOrDevice& where) {
  if (auto* stream = std::get_if<Stream>(&where)) return *stream;
  if (auto* device = std::get_if<Device>(&where)) return default_stream(*device);
  return Stream{Device{}, default_stream_index.load(std::memory_order_relaxed)};
}

}  // namespace mlx::core
