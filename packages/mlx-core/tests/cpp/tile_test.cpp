// The tile interpreter against an evaluator that takes one element at a time: every op on every
// dtype, every layout, every pattern of reductions, and random programs.
#include <cmath>
#include <string>

#include "check.h"
#include "tile_support.h"

using namespace mlx::core;
using namespace mlx::core::testing;

namespace {

void expect(bool condition, const std::string& what) {
  ++(condition ? passed : failed);
  if (!condition && failed < 40) std::printf("wrong: %s\n", what.c_str());
}

template <class T>
bool same(T a, T b) {
  if constexpr (requires { a.re; }) {
    return same(a.re, b.re) && same(a.im, b.im);
  } else if constexpr (std::is_floating_point_v<T>) {
    return a == b || (a != a && b != b);
  } else if constexpr (requires { a.bits; }) {
    return same(static_cast<float>(a), static_cast<float>(b));
  } else {
    return a == b;
  }
}

bool same_elements(const Data& a, const Data& b) {
  return dispatch(a.tensor.dtype, [&]<class T>() {
    const auto* x = reinterpret_cast<const T*>(a.bytes.data());
    const auto* y = reinterpret_cast<const T*>(b.bytes.data());
    for (std::int64_t i = 0; i < a.tensor.size(); ++i) {
      if (!same(x[i], y[i])) return false;
    }
    return true;
  });
}

// How far a fold may be from the exact result.
template <class T>
bool close_enough(const Reduction& r, T got, const NaiveEvaluator::Folded& f) {
  if constexpr (std::is_same_v<T, bool>) {
    return got == (f.value.real() != 0);
  } else if constexpr (std::is_integral_v<T>) {
    if (r.kind == ReduceKind::sum || r.kind == ReduceKind::prod) {
      return got == static_cast<T>(f.wrapped);
    }
    return got == static_cast<T>(f.value.real());
  } else {
    Wide value;
    long double digits;
    if constexpr (requires { got.bits; }) {
      value = to_wide(static_cast<float>(got));
      digits = std::is_same_v<T, float16> ? 0x1p-11L : 0x1p-8L;
    } else {
      value = to_wide(got);
      digits = sizeof(got) == 4 || dtype_of<T> == Dtype::complex64 ? 0x1p-24L : 0x1p-53L;
    }
    if (r.kind == ReduceKind::min || r.kind == ReduceKind::max) {
      return f.has_nan ? value.real() != value.real() : value == f.value;
    }
    bool wide = r.from == Dtype::float64 || r.from == Dtype::complex128;
    long double inner = wide ? 0x1p-49L : 0x1p-45L;  // of the accumulators, per element's size
    if (r.kind == ReduceKind::prod) inner *= 64;
    long double scale = r.kind == ReduceKind::sum ? f.size : std::abs(f.value);
    long double largest = digits == 0x1p-11L ? 65504.0L : digits == 0x1p-53L ? 0x1p1023L : 0x1p127L;
    if (!std::isfinite(std::abs(value))) return std::abs(f.value) > largest;
    return std::abs(value - f.value) <= digits * std::abs(f.value) * 1.5L + inner * scale + 1e-7L;
  }
}

void check_program(const TileProgram& program, std::span<const Data> inputs,
                   const std::string& what) {
  std::vector<Tensor> in = tensors_of(inputs);
  std::vector<Data> expected = make_outputs(program), got = make_outputs(program);
  NaiveEvaluator naive(program, in, tensors_of(expected));
  cpu::run_tiles(program, in, tensors_of(got));
  for (std::size_t i = 0; i < program.stores.size(); ++i) {
    expect(same_elements(expected[i], got[i]), what + ", store " + std::to_string(i));
  }
  for (std::size_t r = 0; r < program.reductions.size(); ++r) {
    const Reduction& reduction = program.reductions[r];
    const Data& result = got[program.stores.size() + r];
    bool right = dispatch(reduction.from, [&]<class T>() {
      const auto* values = reinterpret_cast<const T*>(result.bytes.data());
      for (std::size_t i = 0; i < naive.folded[r].size(); ++i) {
        if (!close_enough(reduction, values[i], naive.folded[r][i])) {
          return false;
        }
      }
      return true;
    });
    expect(right, what + ", reduction " + std::to_string(r));
  }
}

// --- layouts ---------------------------------------------------------------------------------

struct Layout {
  const char* name;
  Shape dims;
  Strides (*strides)(const Shape& dims);
};

Strides transposed(const Shape& dims) {
  Shape turned(dims.size(), 0);
  for (std::size_t d = 0; d < dims.size(); ++d) turned[d] = dims[dims.size() - 1 - d];
  Strides row = row_major_strides(turned), result(dims.size(), 0);
  for (std::size_t d = 0; d < dims.size(); ++d) result[d] = row[dims.size() - 1 - d];
  return result;
}
Strides every_third(const Shape& dims) {
  Strides strides = row_major_strides(dims);
  for (auto& s : strides) s *= 3;
  return strides;
}
Strides backwards(const Shape& dims) {
  Strides strides = row_major_strides(dims);
  for (auto& s : strides) s = -s;
  return strides;
}
Strides one_row(const Shape& dims) {
  Strides strides(dims.size(), 0);
  strides.back() = 1;
  return strides;
}
Strides one_column(const Shape& dims) {
  Strides strides(dims.size(), 0);
  strides.front() = 1;
  return strides;
}
Strides constant(const Shape& dims) { return Strides(dims.size(), 0); }

const Layout layouts[] = {
    {"0-d", {}, row_major_strides},
    {"one", {1}, row_major_strides},
    {"short", {11}, row_major_strides},
    {"long", {10007}, row_major_strides},
    {"empty", {3, 0, 2}, row_major_strides},
    {"strided", {531}, every_third},
    {"backwards", {67, 33}, backwards},
    {"transposed", {150, 130}, transposed},
    {"transposed thin", {3, 3000}, transposed},
    {"transposed 3-D", {17, 30, 19}, transposed},
    {"row", {70, 41}, one_row},
    {"column", {41, 70}, one_column},
    {"constant", {41, 70}, constant},
    {"tiny inner dims", {300, 3, 2, 2}, every_third},
};

// Input 0 has the layout, the others are row-major: so tiles meet several layouts at once.
void every_op_on_every_layout() {
  for (const ElementwiseRow& row : elementwise_rows()) {
    for (int d = 0; d < dtype_count; ++d) {
      auto dtype = static_cast<Dtype>(d);
      bool has_loop = cpu::lanes().of(row.id, dtype) != nullptr;
      expect(has_loop == row.accepts.contains(dtype), std::string(row.function) + " of " +
                                                          std::string(name_of(dtype)) +
                                                          ": loop and row disagree");
      if (!has_loop) continue;
      for (const Layout& layout : layouts) {
        std::vector<Data> inputs;
        ProgramBuilder builder(layout.dims);
        std::array<Register, 3> sources{};
        for (int i = 0; i < row.arity; ++i) {
          Dtype of = row.id == Elementwise::select && i == 0 ? Dtype::bool_ : dtype;
          Strides strides = i == 0 ? layout.strides(layout.dims) : row_major_strides(layout.dims);
          inputs.push_back(random_tensor(of, layout.dims, strides));
          sources[static_cast<std::size_t>(i)] = builder.load(inputs.back().tensor);
        }
        builder.store(builder.apply(row.id, dtype, result_dtype(row.id, dtype), sources));
        check_program(
            builder.program, inputs,
            std::string(row.function) + " of " + std::string(name_of(dtype)) + ", " + layout.name);
      }
    }
  }
}

void every_cast_and_copy() {
  for (int from = 0; from < dtype_count; ++from) {
    for (const Layout& layout : layouts) {
      auto source = static_cast<Dtype>(from);
      Data input = random_tensor(source, layout.dims, layout.strides(layout.dims));
      for (int to = 0; to < dtype_count; ++to) {
        ProgramBuilder builder(layout.dims);
        Register x = builder.load(input.tensor);
        // To its own dtype: no instruction at all.
        builder.store(from == to ? x : builder.cast(x, static_cast<Dtype>(to)));
        check_program(builder.program, {&input, 1},
                      "cast from " + std::string(name_of(source)) + " to " +
                          std::string(name_of(static_cast<Dtype>(to))) + ", " + layout.name);
      }
    }
  }
}

// --- reductions ------------------------------------------------------------------------------

void every_reduction() {
  const Shape shapes[] = {{7},        {100000},  {300, 500},     {3, 40000},
                          {40000, 3}, {5, 6, 7}, {40, 30, 50},   {2, 3, 4, 5},
                          {0, 4},     {6, 0},    {200, 9, 3, 2}, {4, 300, 300}};
  for (const ReduceRow& row : reduce_rows()) {
    for (int d = 0; d < dtype_count; ++d) {
      auto dtype = static_cast<Dtype>(d);
      bool has_fold = cpu::lanes().fold(row.kind, dtype).accumulator_size > 0;
      expect(has_fold == row.accepts.contains(dtype), std::string(row.function) + " of " +
                                                          std::string(name_of(dtype)) +
                                                          ": fold and row disagree");
      if (!has_fold) continue;
      for (const Shape& dims : shapes) {
        for (unsigned mask = 1; mask < 1u << dims.size(); ++mask) {
          bool is_turned = mask % 2 == 1 && element_count(dims) < 50000;
          Data input =
              random_tensor(dtype, dims, is_turned ? transposed(dims) : row_major_strides(dims));
          ProgramBuilder builder(dims);
          bool is_nothing = false;
          for (std::size_t axis = 0; axis < dims.size(); ++axis) {
            builder.program.reduced[axis] = (mask >> axis & 1) != 0;
            is_nothing = is_nothing || (builder.program.reduced[axis] && dims[axis] == 0);
          }
          if (is_nothing && !row.has_identity) continue;
          builder.reduce(row.kind, builder.load(input.tensor));
          check_program(builder.program, {&input, 1},
                        std::string(row.function) + " of " + std::string(name_of(dtype)) + " " +
                            to_string(dims) + ", axes " + std::to_string(mask));
        }
      }
    }
  }
}

void nan_wins() {
  for (ReduceKind kind : {ReduceKind::min, ReduceKind::max}) {
    for (std::int64_t at : {0, 1, 63, 500, 999}) {
      for (bool by_columns : {false, true}) {
        Shape dims{1000, 5};
        Data input =
            random_tensor(Dtype::float32, dims, by_columns ? Strides{1, 1000} : Strides{5, 1});
        input.tensor.as<float>()[at * input.tensor.strides[0]] = NAN;
        ProgramBuilder builder(dims);
        builder.program.reduced[0] = true;
        builder.reduce(kind, builder.load(input.tensor));
        check_program(builder.program, {&input, 1}, "nan at " + std::to_string(at));
      }
    }
  }
}

// --- random programs -------------------------------------------------------------------------

Strides random_strides(const Shape& dims) {
  std::vector<std::size_t> order(dims.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (random_integer(0, 2) == 0) std::shuffle(order.begin(), order.end(), generator());
  Strides strides(dims.size(), 0);
  std::int64_t step = random_integer(0, 3) == 0 ? 2 : 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (random_integer(0, 5) == 0) continue;  // broadcast
    strides[order[i]] = random_integer(0, 7) == 0 ? -step : step;
    step *= dims[order[i]];
  }
  return strides;
}

void random_program(int number) {
  const Dtype dtypes[] = {Dtype::float32, Dtype::int32,   Dtype::uint8,
                          Dtype::float64, Dtype::float16, Dtype::complex128};
  Shape dims;
  for (std::int64_t i = random_integer(0, 4), room = 60000; i > 0; --i) {
    std::int64_t size = random_integer(1, std::min<std::int64_t>(room, random_integer(2, 300)));
    dims.push_back(size);
    room = std::max<std::int64_t>(1, room / size);
  }
  ProgramBuilder builder(dims);
  std::vector<Data> inputs;
  std::vector<Register> values;
  for (std::int64_t i = random_integer(1, 4); i > 0; --i) {
    Dtype dtype = dtypes[random_integer(0, 5)];
    inputs.push_back(random_tensor(dtype, dims, random_strides(dims)));
    values.push_back(builder.load(inputs.back().tensor));
  }
  auto any_value = [&] {
    return values[static_cast<std::size_t>(
        random_integer(0, static_cast<std::int64_t>(values.size()) - 1))];
  };
  std::vector<Register> computed;
  for (std::int64_t i = random_integer(0, 6); i > 0; --i) {
    Register a = any_value(), b = any_value();
    Dtype of_a = builder.program.registers[a];
    if (builder.program.registers[b] != of_a) {
      b = builder.cast(b, of_a);
      values.push_back(b);
    }
    const Elementwise ops[] = {Elementwise::add, Elementwise::multiply, Elementwise::subtract};
    Register result = random_integer(0, 6) == 0
                          ? builder.iota({1.5, 0.5, 3, -2, random_strides(dims)}, of_a)
                          : builder.apply(ops[random_integer(0, 2)], of_a, of_a, {a, b, 0});
    values.push_back(result);
    computed.push_back(result);
  }
  for (Register reg : computed) {
    if (random_integer(0, 2) == 0) builder.store(reg);
  }
  bool reduces = random_integer(0, 1) == 0;
  if (reduces) {
    for (std::size_t d = 0; d < dims.size(); ++d) {
      builder.program.reduced[d] = random_integer(0, 1) == 0;
    }
    builder.reduce(ReduceKind::sum, any_value());
  }
  if (builder.program.stores.empty() && !reduces) builder.store(any_value());
  check_program(builder.program, inputs, "random program " + std::to_string(number));
}

// --- what the scheduler relies on ------------------------------------------------------------

// The output is the memory of an input.
void donated_inputs() {
  for (const Shape& dims : {Shape{9}, Shape{100000}, Shape{200, 300}}) {
    Data x = random_tensor(Dtype::float32, dims, row_major_strides(dims));
    Data y = random_tensor(Dtype::float32, dims, transposed(dims));
    ProgramBuilder builder(dims);
    Register a = builder.load(x.tensor), b = builder.load(y.tensor);
    Register product =
        builder.apply(Elementwise::multiply, Dtype::float32, Dtype::float32, {a, b, 0});
    builder.store(builder.apply(Elementwise::add, Dtype::float32, Dtype::float32, {product, a, 0}));
    std::vector<Data> inputs{x, y};
    inputs[0].tensor.data = inputs[0].bytes.data();
    inputs[1].tensor.data = inputs[1].bytes.data();
    std::vector<Data> expected = make_outputs(builder.program);
    NaiveEvaluator naive(builder.program, tensors_of(inputs), tensors_of(expected));
    cpu::run_tiles(builder.program, tensors_of(inputs), {&inputs[0].tensor, 1});
    expect(same_elements(expected[0], inputs[0]), "donated input " + to_string(dims));
  }
}

// Results so large that they are streamed, in rows that begin anywhere in a cache line.
void large_results() {
  for (const Shape& dims : {Shape{3001, 3003}, Shape{9000001}}) {
    for (bool computes : {false, true}) {
      Data x = random_tensor(Dtype::float32, dims, transposed(dims));
      ProgramBuilder builder(dims);
      Register value = builder.load(x.tensor);
      if (computes) {
        value = builder.apply(Elementwise::negative, Dtype::float32, Dtype::float32, {value, 0, 0});
      }
      builder.store(value);
      if (computes) {
        builder.program.reduced.back() = true;
        builder.reduce(ReduceKind::max, value);
      }
      check_program(builder.program, {&x, 1}, "large result " + to_string(dims));
    }
  }
}

void results_do_not_depend_on_threads() {
  // Partitions depend on sizes only; with several threads the order of finishing changes.
  Shape dims{1000000};
  Data x = random_tensor(Dtype::float32, dims, Strides{1});
  ProgramBuilder builder(dims);
  builder.program.reduced[0] = true;
  builder.reduce(ReduceKind::sum, builder.load(x.tensor));
  float first = 0;
  for (int i = 0; i < 20; ++i) {
    std::vector<Data> out = make_outputs(builder.program);
    cpu::run_tiles(builder.program, {&x.tensor, 1}, tensors_of(out));
    float value = *out[0].tensor.as<float>();
    if (i == 0) first = value;
    CHECK(value == first);
  }
}

}  // namespace

int main() {
  std::printf("instruction set: %s\n", std::string(cpu::name_of(cpu::isa_level())).c_str());
  every_op_on_every_layout();
  every_cast_and_copy();
  every_reduction();
  nan_wins();
  for (int i = 0; i < 600; ++i) random_program(i);
  donated_inputs();
  large_results();
  results_do_not_depend_on_threads();
  return finish();
}
