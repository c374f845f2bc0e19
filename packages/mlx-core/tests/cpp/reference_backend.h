// A backend that runs tile programs one element at a time, in double: the oracle for evaluation
// tests. It knows float32, float64, int32, int64 and bool, and the ops that the tests use.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mlx/schedule/backend.h"

namespace mlx::core::testing {

inline double read(const Tensor& t, std::int64_t offset) {
  switch (t.dtype) {
    case Dtype::bool_:
      return t.as<bool>()[offset];
    case Dtype::int32:
      return t.as<std::int32_t>()[offset];
    case Dtype::int64:
      return static_cast<double>(t.as<std::int64_t>()[offset]);
    case Dtype::float32:
      return t.as<float>()[offset];
    case Dtype::float64:
      return t.as<double>()[offset];
    default:
      std::abort();
  }
}

inline void write(const Tensor& t, std::int64_t offset, double value) {
  switch (t.dtype) {
    case Dtype::bool_:
      t.as<bool>()[offset] = value != 0;
      return;
    case Dtype::int32:
      t.as<std::int32_t>()[offset] = static_cast<std::int32_t>(value);
      return;
    case Dtype::int64:
      t.as<std::int64_t>()[offset] = static_cast<std::int64_t>(value);
      return;
    case Dtype::float32:
      t.as<float>()[offset] = static_cast<float>(value);
      return;
    case Dtype::float64:
      t.as<double>()[offset] = value;
      return;
    default:
      std::abort();
  }
}

inline double rounded(Dtype dtype, double value) {
  return dtype == Dtype::float32 ? static_cast<float>(value) : value;
}

inline double compute(Elementwise id, double a, double b, double c) {
  using E = Elementwise;
  switch (id) {
    case E::add:
      return a + b;
    case E::subtract:
      return a - b;
    case E::multiply:
      return a * b;
    case E::divide:
      return a / b;
    case E::negative:
      return -a;
    case E::sin:
      return std::sin(a);
    case E::cos:
      return std::cos(a);
    case E::exp:
      return std::exp(a);
    case E::square:
      return a * a;
    case E::log:
      return std::log(a);
    case E::equal:
      return a == b;
    case E::select:
      return a != 0 ? b : c;
    default:
      std::abort();
  }
}

class ReferenceBackend final : public Backend {
 public:
  int runs = 0;

  void run(const TileProgram& p, std::span<const Tensor> inputs,
           std::span<const Tensor> outputs) override {
    ++runs;
    std::vector<double> accumulators;
    Shape kept;
    for (std::size_t d = 0; d < p.dims.size(); ++d) {
      if (!p.reduced[d]) kept.push_back(p.dims[d]);
    }
    std::int64_t kept_count = element_count(kept);
    std::vector<std::vector<double>> acc;
    for (const Reduction& r : p.reductions) {
      acc.emplace_back(static_cast<std::size_t>(kept_count), identity(r.kind));
    }
    std::int64_t count = element_count(p.dims);
    Strides row = row_major_strides(p.dims), kept_row = row_major_strides(kept);
    for (std::int64_t i = 0; i < count; ++i) {
      std::vector<double> reg(p.registers.size());
      std::int64_t kept_index = 0;
      std::vector<std::int64_t> at;
      std::size_t k = 0;
      for (std::size_t d = 0; d < p.dims.size(); ++d) {
        at.push_back(i / row[d] % p.dims[d]);
        if (!p.reduced[d]) kept_index += at[d] * kept_row[k++];
      }
      auto offset = [&](const Strides& strides) {
        std::int64_t sum = 0;
        for (std::size_t d = 0; d < at.size(); ++d) sum += at[d] * strides[d];
        return sum;
      };
      for (const Load& load : p.loads) {
        reg[load.target] = read(inputs[load.input], offset(load.strides));
      }
      for (const Instruction& code : p.code) {
        double value = 0;
        if (code.code == Instruction::Code::elementwise) {
          value = compute(code.id, reg[code.source[0]], reg[code.source[1]], reg[code.source[2]]);
        } else if (code.code == Instruction::Code::cast) {
          value = code.to == Dtype::bool_ ? reg[code.source[0]] != 0 : reg[code.source[0]];
        } else {
          std::abort();
        }
        reg[code.target] = rounded(code.to, value);
      }
      for (const Store& store : p.stores) write(outputs[store.output], i, reg[store.source]);
      for (std::size_t r = 0; r < p.reductions.size(); ++r) {
        double& total = acc[r][static_cast<std::size_t>(kept_index)];
        total = fold(p.reductions[r].kind, total, reg[p.reductions[r].source]);
      }
    }
    for (std::size_t r = 0; r < p.reductions.size(); ++r) {
      for (std::int64_t i = 0; i < kept_count; ++i) {
        write(outputs[p.reductions[r].output], i, acc[r][static_cast<std::size_t>(i)]);
      }
    }
  }

  Kernel find_kernel(const Op&) override { return nullptr; }

 private:
  static double identity(ReduceKind kind) {
    switch (kind) {
      case ReduceKind::all:
      case ReduceKind::prod:
        return 1;
      case ReduceKind::max:
        return -INFINITY;
      case ReduceKind::min:
        return INFINITY;
      default:
        return 0;
    }
  }
  static double fold(ReduceKind kind, double a, double b) {
    switch (kind) {
      case ReduceKind::all:
        return a != 0 && b != 0;
      case ReduceKind::any:
        return a != 0 || b != 0;
      case ReduceKind::prod:
        return a * b;
      case ReduceKind::max:
        return std::max(a, b);
      case ReduceKind::min:
        return std::min(a, b);
      default:
        return a + b;
    }
  }
};

}  // namespace mlx::core::testing
