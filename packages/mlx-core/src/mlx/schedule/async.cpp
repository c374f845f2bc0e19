// async_eval: a worker that evaluates what it is given, in order.
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "mlx/array/array.h"

namespace mlx::core {
namespace {

class Worker {
 public:
  void push(std::vector<array> arrays) {
    std::lock_guard lock(mutex_);
    if (owner_ != getpid()) start();  // the first time, and in a forked child
    queue_.push_back(std::move(arrays));
    wake_.notify_one();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    if (owner_ != getpid()) return;
    idle_.wait(lock, [&] { return queue_.empty() && !busy_; });
  }

 private:
  void start() {
    owner_ = getpid();
    busy_ = false;
    std::thread([this] { loop(); }).detach();
  }

  void loop() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return !queue_.empty(); });
      {
        std::vector<array> arrays = std::move(queue_.front());
        queue_.pop_front();
        busy_ = true;
        lock.unlock();
        try {
          eval(arrays);
        } catch (...) {
          // The arrays stay lazy: whoever reads one meets the error there.
        }
      }
      lock.lock();
      busy_ = false;
      if (queue_.empty()) idle_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::deque<std::vector<array>> queue_;
  bool busy_ = false;
  pid_t owner_ = 0;
};

Worker& worker() {
  static auto* instance = new Worker;  // never destroyed: its thread runs to the end
  return *instance;
}

}  // namespace

void async_eval(std::vector<array> arrays) { worker().push(std::move(arrays)); }
void synchronize() { worker().wait(); }

}  // namespace mlx::core
