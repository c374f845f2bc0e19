// Non-temporal stores where the processor has them, plain copies elsewhere.
#include "mlx/backends/cpu/stream.h"

#include <cstddef>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace mlx::core::cpu {

#if defined(__SSE2__)
void stream_bytes(void* target, const void* source, std::int64_t bytes) {
  constexpr std::int64_t line = 64;
  auto* to = static_cast<std::byte*>(target);
  const auto* from = static_cast<const std::byte*>(source);
  // Lines that are not written whole are left to the caches.
  std::int64_t head =
      (line - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % line)) % line;
  head = head < bytes ? head : bytes;
  std::memcpy(to, from, static_cast<std::size_t>(head));
  std::int64_t at = head;
  for (; at + line <= bytes; at += line) {
    for (std::int64_t part = at; part < at + line; part += 16) {
      const __m128i value = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + part));
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + part), value);
    }
  }
  std::memcpy(to + at, from + at, static_cast<std::size_t>(bytes - at));
}

void stream_fence() { _mm_sfence(); }
#else
void stream_bytes(void* target, const void* source, std::int64_t bytes) {
  std::memcpy(target, source, static_cast<std::size_t>(bytes));
}

void stream_fence() {}
#endif

}  // namespace mlx::core::cpu
