// The thread pool: every chunk once, exceptions, nesting, several callers, interrupts, fork.
#include "mlx/backends/cpu/thread_pool.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.h"
#include "mlx/schedule/backend.h"

using namespace mlx::core;
using mlx::core::testing::finish;

namespace {

bool runs_every_chunk_once(std::int64_t chunks) {
  std::vector<std::atomic<int>> counts(static_cast<std::size_t>(chunks));
  cpu::parallel_for(chunks, [&](std::int64_t chunk) { ++counts[static_cast<std::size_t>(chunk)]; });
  for (auto& count : counts) {
    if (count.load() != 1) return false;
  }
  return true;
}

void every_chunk_runs_once() {
  for (std::int64_t chunks : {0, 1, 2, 3, 7, 64, 10000}) CHECK(runs_every_chunk_once(chunks));
  for (int i = 0; i < 3000; ++i) {
    if (!runs_every_chunk_once(i % 9)) CHECK(false);
  }
}

void ranges_cover_all() {
  std::atomic<std::int64_t> sum{0}, longest{0};
  cpu::parallel_for(1000, 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) sum += i;
    std::int64_t length = end - begin, seen = longest;
    while (seen < length && !longest.compare_exchange_weak(seen, length)) {
    }
  });
  CHECK(sum == 999 * 1000 / 2);
  CHECK(longest == 64);
}

void exceptions_reach_the_caller() {
  for (std::int64_t bad : {0, 5, 99}) {
    std::string told;
    try {
      cpu::parallel_for(100, [&](std::int64_t chunk) {
        if (chunk == bad) throw std::runtime_error("chunk " + std::to_string(chunk));
      });
    } catch (const std::runtime_error& error) {
      told = error.what();
    }
    CHECK(told == "chunk " + std::to_string(bad));
    CHECK(runs_every_chunk_once(50));
  }
}

void nested_calls_run_inline() {
  std::atomic<int> count{0}, elsewhere{0};
  cpu::parallel_for(8, [&](std::int64_t) {
    auto self = std::this_thread::get_id();
    cpu::parallel_for(16, [&](std::int64_t) {
      ++count;
      if (std::this_thread::get_id() != self) ++elsewhere;
    });
  });
  CHECK(count == 8 * 16);
  CHECK(elsewhere == 0);
}

void several_callers_at_once() {
  std::vector<std::thread> callers;
  std::atomic<int> right{0};
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int k = 0; k < 300; ++k) right += runs_every_chunk_once(20) ? 1 : 0;
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(right == 4 * 300);
}

void an_interrupt_stops_the_caller() {
  set_interrupt_check([] { throw std::logic_error("interrupted"); });
  bool stopped = false;
  std::atomic<int> done{0};
  try {
    cpu::parallel_for(100000, [&](std::int64_t) {
      ++done;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  } catch (const std::logic_error&) {
    stopped = true;
  }
  set_interrupt_check(nullptr);
  CHECK(stopped);
  CHECK(done < 10000);
}

void a_forked_child_has_threads_of_its_own() {
#if defined(__SANITIZE_THREAD__)
  return;  // the sanitizer refuses threads after a fork
#endif
  pid_t child = fork();
  if (child == 0) {
    bool right = true;
    for (int i = 0; i < 100; ++i) right = right && runs_every_chunk_once(40);
    _exit(right ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(runs_every_chunk_once(40));
}

}  // namespace

int main() {
  every_chunk_runs_once();
  ranges_cover_all();
  exceptions_reach_the_caller();
  nested_calls_run_inline();
  several_callers_at_once();
  an_interrupt_stops_the_caller();
  a_forked_child_has_threads_of_its_own();
  return finish();
}
