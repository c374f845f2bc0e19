// A pool that lends its threads to one caller at a time; others meanwhile work alone.
#include "mlx/backends/cpu/thread_pool.h"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "mlx/schedule/backend.h"

namespace mlx::core::cpu {
namespace {

// A sleeping thread takes tens of microseconds to wake, so it first watches for work this often.
constexpr int spins = 1000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

struct Job {
  ChunkFunction function;
  void* context;
  std::int64_t chunks;
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;  // written by the thread that set `failed` first
};

thread_local bool is_inside = false;  // of a chunk
thread_local bool is_worker = false;

void work_on(Job& job) {
  bool was_inside = std::exchange(is_inside, true);
  bool is_first = true;
  while (!job.failed.load(std::memory_order_relaxed)) {
    std::int64_t chunk = job.next.fetch_add(1, std::memory_order_relaxed);
    if (chunk >= job.chunks) break;
    try {
      if (!is_worker && !is_first) check_interrupt();
      is_first = false;
      job.function(job.context, chunk);
    } catch (...) {
      if (!job.failed.exchange(true)) job.error = std::current_exception();
    }
  }
  is_inside = was_inside;
}

// Signals are the business of the threads that the user knows.
class BlockSignals {
 public:
  BlockSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous_);
  }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }

 private:
  sigset_t previous_;
};

class Pool {
 public:
  explicit Pool(int workers) {
    BlockSignals block;
    for (; workers_ < workers; ++workers_) {
      try {
        std::thread([this] { serve(); }).detach();
      } catch (const std::system_error&) {
        break;  // the system gives no more threads: work with those there are
      }
    }
  }

  int workers() const { return workers_; }

  // False: the threads are lent to another caller.
  bool try_run(Job& job) {
    std::unique_lock lent(lent_, std::try_to_lock);
    if (!lent) return false;
    {
      std::lock_guard lock(mutex_);
      job_ = &job;
      published_.fetch_add(1, std::memory_order_release);
    }
    if (job.chunks - 1 < workers_) {
      for (std::int64_t i = 1; i < job.chunks; ++i) wake_.notify_one();
    } else {
      wake_.notify_all();
    }
    work_on(job);
    withdraw();
    return true;
  }

 private:
  void serve() {
    is_worker = true;
    std::uint64_t seen = 0;
    while (true) {
      for (int i = 0; i < spins && published_.load(std::memory_order_acquire) == seen; ++i) pause();
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return published_.load(std::memory_order_relaxed) != seen; });
      seen = published_.load(std::memory_order_relaxed);
      if (job_ == nullptr) continue;
      Job& job = *job_;
      active_.fetch_add(1, std::memory_order_relaxed);
      lock.unlock();
      work_on(job);
      lock.lock();
      // Under the lock: after this the caller may take the job away.
      if (active_.fetch_sub(1, std::memory_order_release) == 1) done_.notify_one();
    }
  }

  // No thread holds the job afterwards.
  void withdraw() {
    {
      std::lock_guard lock(mutex_);
      job_ = nullptr;
    }
    for (int i = 0; i < spins && active_.load(std::memory_order_acquire) != 0; ++i) pause();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return active_.load(std::memory_order_acquire) == 0; });
  }

  std::mutex lent_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  Job* job_ = nullptr;
  std::atomic<std::uint64_t> published_{0};
  std::atomic<int> active_{0};
  int workers_ = 0;
};

int wanted_threads() {
  if (const char* text = std::getenv("MLX_NUM_THREADS")) {
    int count = std::atoi(text);
    if (count >= 1 && count <= 1024) return count;
  }
  unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : static_cast<int>(count);
}

std::atomic<Pool*> pool{nullptr};

// Never destroyed: its threads end with the process. A forked child has none of them and must not
// wait for them, so it lets go of the pool and makes another when it needs one.
Pool& shared_pool() {
  Pool* existing = pool.load(std::memory_order_acquire);
  if (existing != nullptr) return *existing;
  static std::mutex* making = new std::mutex;
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    pool.store(nullptr);
    making = new std::mutex;
  });
  static_cast<void>(registered);
  std::lock_guard lock(*making);
  existing = pool.load(std::memory_order_acquire);
  if (existing == nullptr) {
    existing = new Pool(wanted_threads() - 1);
    pool.store(existing, std::memory_order_release);
  }
  return *existing;
}

}  // namespace

int thread_count() { return shared_pool().workers() + 1; }

void run_chunks(std::int64_t chunks, ChunkFunction function, void* context) {
  if (chunks <= 0) return;
  if (chunks == 1) {
    function(context, 0);
    return;
  }
  Job job{.function = function, .context = context, .chunks = chunks, .error = nullptr};
  Pool& threads = shared_pool();
  if (is_inside || threads.workers() == 0 || !threads.try_run(job)) work_on(job);
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace mlx::core::cpu
