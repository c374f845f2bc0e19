// Times of tile programs, without graph and Python: microseconds a run, best and median of many.
//
//   tile_benchmark [words of the names of cases to run]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>

#include "mlx/array/buffer.h"
#include "mlx/backends/cpu/thread_pool.h"
#include "tile_support.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

using E = Elementwise;
constexpr Dtype f32 = Dtype::float32;
constexpr std::int64_t many = 10'000'000, side = 4096;

// Memory from the engine's allocator, as evaluation uses it.
struct Block {
  BufferRef buffer;
  Tensor tensor;
};

Block block(Dtype dtype, Shape shape, Strides strides = {}) {
  if (strides.empty()) strides = row_major_strides(shape);
  Block result;
  result.buffer = allocate(static_cast<std::size_t>(element_count(shape) * size_of(dtype)));
  result.tensor = {result.buffer->data(), std::move(shape), std::move(strides), dtype};
  return result;
}

Block filled(Dtype dtype, Shape shape) {
  Block result = block(dtype, shape);
  Data some = random_tensor(dtype, Shape{8191}, Strides{1});
  auto size = static_cast<std::size_t>(size_of(dtype));
  auto bytes = static_cast<std::size_t>(element_count(shape)) * size;
  for (std::size_t at = 0; at < bytes; at += 8191 * size) {
    std::memcpy(result.buffer->data() + at, some.bytes.data(), std::min(bytes - at, 8191 * size));
  }
  return result;
}

struct Times {
  double best, median;
};

Times measure(const std::function<void()>& run) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  auto start = Clock::now();
  while (times.size() < 5 ||
         (Clock::now() - start < std::chrono::milliseconds(500) && times.size() < 100000)) {
    auto before = Clock::now();
    run();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - before).count());
  }
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2]};
}

struct Case {
  std::string name;
  ProgramBuilder builder;
  std::vector<Block> inputs;

  Case(std::string name, Shape dims) : name(std::move(name)), builder(std::move(dims)) {}

  // Dims that the shape lacks, or has as 1, repeat.
  Register input(Dtype dtype, Shape shape, Strides strides) {
    inputs.push_back(filled(dtype, std::move(shape)));
    Tensor seen = inputs.back().tensor;
    seen.strides = std::move(strides);
    return builder.load(seen);
  }
  Register input(Dtype dtype = f32) {
    return input(dtype, builder.program.dims, row_major_strides(builder.program.dims));
  }
  Register unary(E id, Register x) {
    Dtype dtype = builder.program.registers[x];
    return builder.apply(id, dtype, result_dtype(id, dtype), {x, 0, 0});
  }
  Register binary(E id, Register a, Register b) {
    Dtype dtype = builder.program.registers[a];
    return builder.apply(id, dtype, result_dtype(id, dtype), {a, b, 0});
  }

  void run() {
    std::vector<Tensor> in, out;
    for (const Block& input : inputs) in.push_back(input.tensor);
    const TileProgram& program = builder.program;
    // As in evaluation: outputs are new each time, from the allocator's cache.
    std::vector<Block> outputs;
    auto make_outputs = [&] {
      outputs.clear();
      out.clear();
      for (const Store& store : program.stores) {
        outputs.push_back(block(program.registers[store.source], program.dims));
      }
      Shape kept;
      for (std::size_t d = 0; d < program.dims.size(); ++d) {
        if (!program.reduced[d]) kept.push_back(program.dims[d]);
      }
      for (const Reduction& r : program.reductions) outputs.push_back(block(r.to, kept));
      for (const Block& output : outputs) out.push_back(output.tensor);
    };
    bool is_small = element_count(program.dims) < 10000;
    make_outputs();
    cpu::run_tiles(program, in, out);
    int repeats = is_small ? 1000 : 1;
    Times times = measure([&] {
      if (!is_small) make_outputs();
      for (int i = 0; i < repeats; ++i) cpu::run_tiles(program, in, out);
    });
    std::printf("%-34s %12.3f %12.3f us\n", name.c_str(), times.best / repeats,
                times.median / repeats);
  }
};

using Make = std::function<void(Case&)>;
struct Entry {
  const char* name;
  Shape dims;
  Make make;
};

Make store_of(E id) {
  return [id](Case& c) {
    Register a = c.input();
    c.builder.store(elementwise_row(id).arity == 1 ? c.unary(id, a) : c.binary(id, a, c.input()));
  };
}

Make reduction_of(std::vector<bool> reduced, Dtype dtype = f32, ReduceKind kind = ReduceKind::sum) {
  return [=](Case& c) {
    c.builder.program.reduced = reduced;
    c.builder.reduce(kind, c.input(dtype));
  };
}

std::vector<Entry> entries() {
  const Shape line{many}, square{side, side};
  return {
      {"add_10", {10}, store_of(E::add)},
      {"add_1000", {1000}, store_of(E::add)},
      {"sum_10", {10}, reduction_of({true})},
      {"x+y 1e5", {100000}, store_of(E::add)},
      {"x+y 1e7", line, store_of(E::add)},
      {"x*2.5 1e7", line,
       [](Case& c) {
         Register x = c.input();
         c.builder.store(c.binary(E::multiply, x, c.input(f32, {1}, {0})));
       }},
      {"int32 x*3+1 1e7", line,
       [](Case& c) {
         Register x = c.input(Dtype::int32);
         Register y = c.binary(E::multiply, x, c.input(Dtype::int32, {1}, {0}));
         c.builder.store(c.binary(E::add, y, c.input(Dtype::int32, {1}, {0})));
       }},
      {"exp 1e7", line, store_of(E::exp)},
      {"sin 1e7", line, store_of(E::sin)},
      {"tanh 1e7", line, store_of(E::tanh)},
      {"fused chain 1e7", line,
       [](Case& c) {
         Register x = c.input(), y = c.input(), two = c.input(f32, {1}, {0});
         Register a = c.binary(E::multiply, c.unary(E::sin, x), two);
         Register b = c.unary(E::exp, c.unary(E::negative, c.binary(E::multiply, x, x)));
         c.builder.store(c.binary(E::add, a, c.binary(E::multiply, b, y)));
       }},
      {"fused sum((x-y)^2) 1e7", line,
       [](Case& c) {
         c.builder.program.reduced[0] = true;
         Register x = c.input();
         c.builder.reduce(ReduceKind::sum, c.unary(E::square, c.binary(E::subtract, x, c.input())));
       }},
      {"where 1e7", line,
       [](Case& c) {
         Register condition = c.input(Dtype::bool_), x = c.input(), y = c.input();
         c.builder.store(c.builder.apply(E::select, f32, f32, {condition, x, y}));
       }},
      {"compare x>y 1e7", line, store_of(E::greater)},
      {"astype f32->f16 1e7", line,
       [](Case& c) { c.builder.store(c.builder.cast(c.input(), Dtype::float16)); }},
      {"astype f16->f32 1e7", line,
       [](Case& c) { c.builder.store(c.builder.cast(c.input(Dtype::float16), f32)); }},
      {"astype f32->i32 1e7", line,
       [](Case& c) { c.builder.store(c.builder.cast(c.input(), Dtype::int32)); }},
      {"f16 x+y 1e7", line,
       [](Case& c) {
         Register x = c.input(Dtype::float16);
         c.builder.store(c.binary(E::add, x, c.input(Dtype::float16)));
       }},
      {"broadcast (4096,1)+(1,4096)", square,
       [](Case& c) {
         Register column = c.input(f32, {side}, {1, 0});
         c.builder.store(c.binary(E::add, column, c.input(f32, {side}, {0, 1})));
       }},
      {"sum all 1e7", line, reduction_of({true})},
      {"sum all 4096^2", {side * side}, reduction_of({true})},
      {"sum axis0 4096^2", square, reduction_of({true, false})},
      {"sum axis1 4096^2", square, reduction_of({false, true})},
      {"max axis0 4096^2", square, reduction_of({true, false}, f32, ReduceKind::max)},
      {"max axis1 4096^2", square, reduction_of({false, true}, f32, ReduceKind::max)},
      {"sum axis0 of (1e6, 3)", {1000000, 3}, reduction_of({true, false})},
      {"sum axis1 of (1e6, 3)", {1000000, 3}, reduction_of({false, true})},
      {"sum f64 all 1e7", line, reduction_of({true}, Dtype::float64)},
      {"sum f16 all 1e7", line, reduction_of({true}, Dtype::float16)},
      {"any 1e7", line, reduction_of({true}, Dtype::bool_, ReduceKind::any)},
      {"copy 1e7", line, [](Case& c) { c.builder.store(c.input()); }},
      {"copy every second 1e7", line,
       [](Case& c) { c.builder.store(c.input(f32, {2 * many}, {2})); }},
      {"transpose copy 4096^2", square,
       [](Case& c) { c.builder.store(c.input(f32, {side, side}, {1, side})); }},
      {"transpose copy f64 4096^2", square,
       [](Case& c) { c.builder.store(c.input(Dtype::float64, {side, side}, {1, side})); }},
      {"transpose copy u8 4096^2", square,
       [](Case& c) { c.builder.store(c.input(Dtype::uint8, {side, side}, {1, side})); }},
      {"x + y.T 4096^2", square,
       [](Case& c) {
         Register x = c.input();
         c.builder.store(c.binary(E::add, x, c.input(f32, {side, side}, {1, side})));
       }},
      {"permute (2,0,1) of 256^3",
       {256, 256, 256},
       [](Case& c) { c.builder.store(c.input(f32, {256, 256, 256}, {1, 65536, 256})); }},
      {"x(1e6,3) + y(3)",
       {1000000, 3},
       [](Case& c) {
         Register x = c.input();
         c.builder.store(c.binary(E::add, x, c.input(f32, {3}, {0, 1})));
       }},
      {"x.T(3,1e6) copy to (1e6,3)",
       {1000000, 3},
       [](Case& c) { c.builder.store(c.input(f32, {3, 1000000}, {1, 1000000})); }},
  };
}

}  // namespace

int main(int count, char** words) {
  std::printf("instruction set %s, %d threads\n", cpu::name_of(cpu::isa_level()).data(),
              cpu::thread_count());
  for (const Entry& entry : entries()) {
    bool wanted = count < 2;
    for (int i = 1; i < count; ++i) wanted = wanted || std::strstr(entry.name, words[i]) != nullptr;
    if (!wanted) continue;
    Case one(entry.name, entry.dims);
    entry.make(one);
    one.run();
  }
}
