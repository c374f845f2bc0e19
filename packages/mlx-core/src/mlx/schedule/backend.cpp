// The backends of this build, and the interrupt check.
#include "mlx/schedule/backend.h"

#include <atomic>
#include <chrono>

namespace mlx::core {
namespace {

Backend* backends[2] = {nullptr, nullptr};
std::atomic<void (*)()> interrupt_check{nullptr};

}  // namespace

void register_backend(Device::Type type, Backend* backend) {
  backends[static_cast<int>(type)] = backend;
}

Backend& backend_of(Device device) {
  Backend* backend = backends[static_cast<int>(device.type)];
  if (backend == nullptr) require_available(device);
  return *backend;
}

void set_interrupt_check(void (*check)()) { interrupt_check.store(check); }

void check_interrupt() {
  using Clock = std::chrono::steady_clock;
  thread_local Clock::time_point last = Clock::now();
  auto check = interrupt_check.load(std::memory_order_relaxed);
  if (check == nullptr) return;
  auto now = Clock::now();
  if (now - last < std::chrono::milliseconds(50)) return;
  last = now;
  check();
}

}  // namespace mlx::core
