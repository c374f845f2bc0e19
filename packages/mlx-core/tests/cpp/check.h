// The few words that C++ tests need: CHECK counts, finish() prints the closing line.
#pragma once

#include <cstdio>

namespace mlx::core::testing {

inline int passed = 0, failed = 0;

#define CHECK(condition)                                \
  ((condition) ? (void)++::mlx::core::testing::passed   \
               : (void)(++::mlx::core::testing::failed, \
                        std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

inline int finish() {
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace mlx::core::testing
