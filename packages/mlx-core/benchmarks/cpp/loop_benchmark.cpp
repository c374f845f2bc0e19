// Times of the loops over elements, in the first-level cache: nanoseconds an element.
//
//   loop_benchmark [words of the names of ops to run]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "tile_support.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

constexpr std::int64_t count = 1024;

double best_nanoseconds(ElementLoop loop, void* target, const void* const* sources) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int i = 0; i < 50; ++i) {
    auto before = Clock::now();
    for (int k = 0; k < 4; ++k) loop(target, sources, count);
    double time = std::chrono::duration<double, std::nano>(Clock::now() - before).count();
    best = std::min(best, time / 4 / static_cast<double>(count));
  }
  return best;
}

void print(ElementLoop loop, Dtype first, Dtype rest) {
  if (loop == nullptr) {
    std::printf("%7s", "");
    return;
  }
  Data a = random_tensor(first, Shape{count}, Strides{1});
  Data b = random_tensor(rest, Shape{count}, Strides{1});
  Data c = random_tensor(rest, Shape{count}, Strides{1});
  std::vector<std::byte> target(static_cast<std::size_t>(count) * 16 + 64);
  const void* sources[] = {a.tensor.data, b.tensor.data, c.tensor.data};
  std::printf("%7.3f", best_nanoseconds(loop, target.data(), sources));
}

void print_header(const char* what) {
  std::printf("%-16s", what);
  for (const DtypeInfo& dtype : dtype_table) {
    std::printf(" %6.6s", std::string(dtype.name).c_str());
  }
  std::printf("\n");
}

bool is_wanted(std::string_view name, int words, char** word) {
  bool wanted = words < 2;
  for (int i = 1; i < words; ++i) wanted = wanted || name.find(word[i]) != std::string_view::npos;
  return wanted;
}

}  // namespace

int main(int words, char** word) {
  const cpu::Lanes& lanes = cpu::lanes();
  print_header(cpu::name_of(cpu::isa_level()).data());
  for (const ElementwiseRow& row : elementwise_rows()) {
    if (!is_wanted(row.function, words, word)) continue;
    std::printf("%-16s", std::string(row.function).c_str());
    for (int d = 0; d < dtype_count; ++d) {
      auto dtype = static_cast<Dtype>(d);
      print(lanes.of(row.id, dtype), row.id == Elementwise::select ? Dtype::bool_ : dtype, dtype);
    }
    std::printf("\n");
  }
  if (!is_wanted("cast", words, word)) return 0;
  print_header("cast from, to");
  for (int from = 0; from < dtype_count; ++from) {
    std::printf("%-16s", std::string(name_of(static_cast<Dtype>(from))).c_str());
    for (int to = 0; to < dtype_count; ++to) {
      print(lanes.casts[from][to], static_cast<Dtype>(from), static_cast<Dtype>(from));
    }
    std::printf("\n");
  }
}
