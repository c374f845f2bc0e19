// fork(): the child has only the thread that forked. The locks are taken across the fork, so that
// the child finds them free; if an evaluation was running the child says so at once.
#include <pthread.h>

#include "mlx/array/error.h"
#include "mlx/schedule/allocator.h"
#include "mlx/schedule/evaluate.h"

namespace mlx::core {
namespace {

bool locked = false;
bool is_bad_child = false;

// Waiting could deadlock: the evaluation may be waiting for a lock that the forking thread holds.
void before() {
  locked = eval_mutex().try_lock();
  if (locked) allocator_mutex().lock();
}

void release() {
  if (!locked) return;
  allocator_mutex().unlock();
  eval_mutex().unlock();
}

void in_child() {
  is_bad_child = is_bad_child || !locked;
  release();
}

[[maybe_unused]] const int registered = pthread_atfork(before, release, in_child);

}  // namespace

void refuse_after_bad_fork() {
  if (is_bad_child) {
    raise<RuntimeError>(
        "eval",
        "this process was forked while its parent was evaluating: arrays cannot be "
        "evaluated here; fork when no evaluation runs, or use the 'spawn' start method");
  }
}

}  // namespace mlx::core
