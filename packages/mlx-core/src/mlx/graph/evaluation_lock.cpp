// The one lock of evaluation.
#include "mlx/graph/evaluation_lock.h"

#include <atomic>

namespace mlx::core {
namespace {

std::atomic<BlockingHook> blocking_hook{nullptr};

}  // namespace

std::mutex& eval_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

void set_blocking_hook(BlockingHook hook) { blocking_hook.store(hook); }

std::unique_lock<std::mutex> lock_evaluation() {
  std::unique_lock lock(eval_mutex(), std::try_to_lock);
  if (lock) return lock;
  auto wait = [](void* waiting) { static_cast<std::unique_lock<std::mutex>*>(waiting)->lock(); };
  if (auto hook = blocking_hook.load()) {
    hook(wait, &lock);
  } else {
    wait(&lock);
  }
  return lock;
}

}  // namespace mlx::core
