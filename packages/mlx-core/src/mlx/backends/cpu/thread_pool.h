// The threads that share long work.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace mlx::core::cpu {

// Threads that work at once, the caller included: the machine's, or MLX_NUM_THREADS.
int thread_count();

using ChunkFunction = void (*)(void* context, std::int64_t chunk);
void run_chunks(std::int64_t chunks, ChunkFunction function, void* context);

// Calls body(chunk) for every chunk in [0, chunks), in no order, on the caller and the pool's
// threads; returns when all are done. The first exception stops it and reaches the caller. Inside
// of a chunk it runs on the calling thread alone.
template <class Body>
void parallel_for(std::int64_t chunks, Body&& body) {
  using Function = std::remove_reference_t<Body>;
  run_chunks(
      chunks, [](void* context, std::int64_t chunk) { (*static_cast<Function*>(context))(chunk); },
      const_cast<std::remove_const_t<Function>*>(std::addressof(body)));
}

// The same for ranges [begin, end) of at most `grain` out of `count`.
template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, Body&& body) {
  std::int64_t chunks = (count + grain - 1) / grain;
  parallel_for(chunks, [&](std::int64_t chunk) {
    std::int64_t begin = chunk * grain;
    body(begin, begin + grain < count ? begin + grain : count);
  });
}

}  // namespace mlx::core::cpu
