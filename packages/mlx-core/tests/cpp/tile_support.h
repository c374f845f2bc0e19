// What the tests and benchmarks of the tile interpreter share: programs written by hand, tensors of
// any layout, and an evaluator that takes one element at a time.
#pragma once

#include <complex>
#include <cstring>
#include <random>
#include <vector>

#include "mlx/backends/cpu/isa.h"
#include "mlx/backends/cpu/tile_interpreter.h"
#include "mlx/schedule/program.h"

namespace mlx::core::testing {

using Wide = std::complex<long double>;

template <class T>
Wide to_wide(T x) {
  if constexpr (requires { x.re; }) {
    return {x.re, x.im};
  } else {
    return {static_cast<long double>(x), 0};
  }
}

// A tensor with its memory.
struct Data {
  std::vector<std::byte> bytes;
  Tensor tensor;
};

inline std::mt19937_64& generator() {
  static std::mt19937_64 engine(7);
  return engine;
}
inline std::int64_t random_integer(std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(generator());
}

template <class T>
T random_value() {
  double x = std::uniform_real_distribution<double>(-3, 3)(generator());
  if constexpr (std::is_same_v<T, bool>) {
    return x > 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(x * 20));
  } else if constexpr (requires(T t) { t.re; }) {
    using Part = decltype(T::re);
    return T{static_cast<Part>(x), static_cast<Part>(random_value<double>())};
  } else {
    return T(static_cast<float>(x));
  }
}

// Random elements; `strides` may be negative or zero, the memory is as long as they need.
inline Data random_tensor(Dtype dtype, Shape shape, Strides strides) {
  std::int64_t low = 0, high = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::int64_t reach = std::max<std::int64_t>(shape[d] - 1, 0) * strides[d];
    (reach < 0 ? low : high) += reach;
  }
  Data data;
  data.bytes.resize(static_cast<std::size_t>((high - low + 1) * size_of(dtype)));
  dispatch(dtype, [&]<class T>() {
    auto* values = reinterpret_cast<T*>(data.bytes.data());
    for (std::int64_t i = 0; i <= high - low; ++i) values[i] = random_value<T>();
  });
  data.tensor = {data.bytes.data() - low * size_of(dtype), std::move(shape), std::move(strides),
                 dtype};
  return data;
}

inline Data output_tensor(Dtype dtype, Shape shape) {
  Data data;
  data.bytes.assign(static_cast<std::size_t>(element_count(shape) * size_of(dtype)),
                    std::byte{0xA5});
  Strides strides = row_major_strides(shape);
  data.tensor = {data.bytes.data(), std::move(shape), std::move(strides), dtype};
  return data;
}

// Builds programs instruction by instruction; stores come before reductions.
class ProgramBuilder {
 public:
  TileProgram program;

  explicit ProgramBuilder(Shape dims) {
    program.reduced.assign(dims.size(), false);
    program.dims = std::move(dims);
  }
  Register add_register(Dtype dtype) {
    program.registers.push_back(dtype);
    return static_cast<Register>(program.registers.size() - 1);
  }
  Register load(const Tensor& tensor) {
    Register target = add_register(tensor.dtype);
    program.loads.push_back(
        {static_cast<std::uint32_t>(program.loads.size()), target, tensor.strides});
    return target;
  }
  Register apply(Elementwise id, Dtype from, Dtype to, std::array<Register, 3> sources) {
    Register target = add_register(to);
    program.code.push_back({Instruction::Code::elementwise, id, from, to, target, sources, 0});
    return target;
  }
  Register cast(Register source, Dtype to) {
    Register target = add_register(to);
    program.code.push_back({Instruction::Code::cast,
                            Elementwise::abs,
                            program.registers[source],
                            to,
                            target,
                            {source, 0, 0},
                            0});
    return target;
  }
  Register iota(Iota iota, Dtype to) {
    Register target = add_register(to);
    program.code.push_back({Instruction::Code::iota,
                            Elementwise::abs,
                            to,
                            to,
                            target,
                            {0, 0, 0},
                            static_cast<std::uint32_t>(program.iotas.size())});
    program.iotas.push_back(std::move(iota));
    return target;
  }
  void store(Register source) { program.stores.push_back({source, outputs_++}); }
  void reduce(ReduceKind kind, Register source) {
    Dtype dtype = program.registers[source];
    program.reductions.push_back({kind, source, dtype, dtype, outputs_++});
  }

 private:
  std::uint32_t outputs_ = 0;
};

inline Dtype result_dtype(Elementwise id, Dtype from) {
  switch (elementwise_row(id).result) {
    case Result::boolean:
      return Dtype::bool_;
    case Result::real_part:
      return real_of(from);
    case Result::same:
      return from;
  }
  __builtin_unreachable();
}

// Uninitialised outputs for a program.
inline std::vector<Data> make_outputs(const TileProgram& program) {
  std::vector<Data> outputs;
  for (const Store& store : program.stores) {
    outputs.push_back(output_tensor(program.registers[store.source], program.dims));
  }
  Shape kept;
  for (std::size_t d = 0; d < program.dims.size(); ++d) {
    if (!program.reduced[d]) kept.push_back(program.dims[d]);
  }
  for (const Reduction& reduction : program.reductions) {
    outputs.push_back(output_tensor(reduction.to, kept));
  }
  return outputs;
}

inline std::vector<Tensor> tensors_of(std::span<const Data> data) {
  std::vector<Tensor> tensors;
  for (const Data& d : data) tensors.push_back(d.tensor);
  return tensors;
}

// One element after the other, with the loops' own arithmetic; reductions in long double.
class NaiveEvaluator {
 public:
  // Of each reduction and kept element: the exact result, and the sum of magnitudes.
  struct Folded {
    Wide value;
    std::uint64_t wrapped;  // integers
    long double size;
    bool is_first;
    bool has_nan;
  };
  std::vector<std::vector<Folded>> folded;

  NaiveEvaluator(const TileProgram& program, std::span<const Tensor> inputs,
                 std::span<const Tensor> outputs)
      : program_(program), inputs_(inputs), outputs_(outputs) {
    slots_.resize(program.registers.size());
    std::int64_t kept = 1;
    for (std::size_t d = 0; d < program.dims.size(); ++d) {
      if (!program.reduced[d]) kept *= program.dims[d];
    }
    for (const Reduction& r : program.reductions) {
      bool starts_at_one = r.kind == ReduceKind::prod || r.kind == ReduceKind::all;
      Folded start{Wide(starts_at_one ? 1 : 0), starts_at_one ? 1u : 0u, 0, true, false};
      folded.emplace_back(static_cast<std::size_t>(kept), start);
    }
    run();
  }

 private:
  using Slot = std::array<std::byte, 16>;

  void run() {
    std::int64_t total = element_count(program_.dims);
    Shape position(program_.dims.size(), 0);
    for (std::int64_t i = 0; i < total; ++i) {
      element(position, i);
      for (std::size_t d = position.size(); d-- > 0;) {
        if (++position[d] < program_.dims[d]) break;
        position[d] = 0;
      }
    }
  }

  static std::int64_t dot(const Shape& position, const Strides& strides) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < position.size(); ++d) sum += position[d] * strides[d];
    return sum;
  }

  void element(const Shape& position, std::int64_t index) {
    for (const Load& load : program_.loads) {
      const Tensor& t = inputs_[load.input];
      int size = size_of(t.dtype);
      std::memcpy(slots_[load.target].data(), t.data + dot(position, load.strides) * size,
                  static_cast<std::size_t>(size));
    }
    for (const Instruction& step : program_.code) execute(step, position);
    for (const Store& store : program_.stores) {
      auto size = static_cast<std::size_t>(size_of(program_.registers[store.source]));
      std::memcpy(outputs_[store.output].data + static_cast<std::size_t>(index) * size,
                  slots_[store.source].data(), size);
    }
    std::int64_t kept = 0;
    for (std::size_t d = 0; d < position.size(); ++d) {
      if (!program_.reduced[d]) kept = kept * program_.dims[d] + position[d];
    }
    for (std::size_t r = 0; r < folded.size(); ++r) {
      fold(program_.reductions[r], folded[r][static_cast<std::size_t>(kept)]);
    }
  }

  void execute(const Instruction& step, const Shape& position) {
    const cpu::Lanes& lanes = cpu::lanes();
    Slot result{};
    const void* sources[3];
    for (int i = 0; i < 3; ++i) sources[i] = slots_[step.source[i]].data();
    if (step.code == Instruction::Code::iota) {
      const Iota& iota = program_.iotas[step.constant];
      dispatch(step.to, [&]<class T>() {
        std::int64_t at = dot(position, iota.strides);
        T value;
        if constexpr (std::is_integral_v<T>) {
          value = static_cast<T>(iota.int_start + iota.int_step * at);
        } else if constexpr (requires(T t) { t.re; }) {
          value = T{static_cast<decltype(T::re)>(iota.start + iota.step * double(at)), 0};
        } else {
          value = T(iota.start + iota.step * static_cast<double>(at));
        }
        std::memcpy(result.data(), &value, sizeof value);
      });
    } else if (step.code == Instruction::Code::cast) {
      lanes.cast(step.from, step.to)(result.data(), sources, 1);
    } else {
      lanes.of(step.id, step.from)(result.data(), sources, 1);
    }
    slots_[step.target] = result;
  }

  void fold(const Reduction& reduction, Folded& folded) {
    dispatch(reduction.from, [&]<class T>() {
      T element;
      std::memcpy(&element, slots_[reduction.source].data(), sizeof element);
      Wide x;
      if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>) {
        x = to_wide(static_cast<float>(element));
      } else {
        x = to_wide(element);
      }
      std::uint64_t bits = 0;
      if constexpr (std::is_integral_v<T>) bits = static_cast<std::uint64_t>(element);
      fold_value(reduction.kind, x, bits, folded);
    });
  }

  static void fold_value(ReduceKind kind, Wide x, std::uint64_t bits, Folded& f) {
    f.size += std::abs(x);
    switch (kind) {
      case ReduceKind::sum:
        f.value += x;
        f.wrapped += bits;
        break;
      case ReduceKind::prod:
        f.value *= x;
        f.wrapped *= bits;
        break;
      case ReduceKind::all:
        f.value = f.value != Wide(0) && x != Wide(0) ? 1 : 0;
        break;
      case ReduceKind::any:
        f.value = f.value != Wide(0) || x != Wide(0) ? 1 : 0;
        break;
      case ReduceKind::max:
      case ReduceKind::min: {
        bool is_better =
            kind == ReduceKind::max ? x.real() > f.value.real() : x.real() < f.value.real();
        f.has_nan = f.has_nan || x.real() != x.real();
        if (f.is_first || is_better) f.value = x;
        if (kind == ReduceKind::max || kind == ReduceKind::min) f.wrapped = bits;
        break;
      }
    }
    f.is_first = false;
  }

  const TileProgram& program_;
  std::span<const Tensor> inputs_, outputs_;
  std::vector<Slot> slots_;
};

}  // namespace mlx::core::testing
