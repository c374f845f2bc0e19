// The tile program: the form in which a fused region of the graph reaches a backend.
//
// A program runs over an iteration space `dims`. The last two dims are cut into 2-D tiles; each
// register holds one tile of one dtype. Loads fill registers from strided memory, instructions
// compute register to register (target and source may be the same register where the dtypes have
// the same size). A register that is loaded, stored or reduced is written once and never reused;
// the others are scratch. Stores write registers to row-major outputs, reductions fold them. The
// CPU interprets it tile by tile; a GPU backend prints it as one kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "mlx/array/array.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/reduce.h"

namespace mlx::core {

using Register = std::uint16_t;

struct Instruction {
  enum class Code : std::uint8_t { elementwise, cast, iota };
  Code code;
  Elementwise id;  // code == elementwise
  Dtype from;      // of the sources (select: of x and y; its condition is bool)
  Dtype to;        // of the result
  Register target;
  std::array<Register, 3> source;
  // iota: value = start + step * index, index = the position along dim `axis_stride` describes.
  std::uint32_t constant = 0;  // index into TileProgram::iotas
};

struct Iota {
  double start, step;                // floating dtypes
  std::int64_t int_start, int_step;  // integer dtypes
  Strides strides;                   // index = sum(position * strides)
};

struct Load {
  std::uint32_t input;  // which of the tensors handed to run()
  Register target;
  Strides strides;  // over dims, elements
};

struct Store {
  Register source;
  std::uint32_t output;
};

struct Reduction {
  ReduceKind kind;
  Register source;
  Dtype from;
  Dtype to;
  std::uint32_t output;
};

struct TileProgram {
  Shape dims;                    // collapsed
  std::vector<bool> reduced;     // per dim; all false without reductions
  std::vector<Dtype> registers;  // dtype of each
  std::vector<Load> loads;
  std::vector<Instruction> code;
  std::vector<Iota> iotas;
  std::vector<Store> stores;          // element outputs: row-major over all dims
  std::vector<Reduction> reductions;  // row-major over the dims that are kept

  void clear() {
    dims.clear();
    reduced.clear();
    registers.clear();
    loads.clear();
    code.clear();
    iotas.clear();
    stores.clear();
    reductions.clear();
  }
};

}  // namespace mlx::core
