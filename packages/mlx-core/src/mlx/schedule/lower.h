// From a group of the plan to a tile program.
#pragma once

#include <vector>

#include "mlx/schedule/plan.h"
#include "mlx/schedule/program.h"

namespace mlx::core {

// A program, what it reads, and which nodes its outputs complete.
struct LoweredGroup {
  struct Input {
    Node* node;
    std::uint32_t output;
    std::uint32_t edges;      // from members of the group to this value
    std::uint32_t last_read;  // index of the last instruction that reads it
    bool reduced;             // a reduction reads it, after all instructions
  };
  struct Result {
    Node* node;
    std::uint32_t defined_by;  // index of the instruction; reductions: past the last
    bool is_reduction;
  };
  TileProgram program;
  std::vector<Input> inputs;
  std::vector<Result> results;  // stores first, then reductions, as program outputs are numbered
  std::vector<Tensor> tensors;  // of the inputs
  bool traced = false;          // some member keeps its inputs

  void clear();  // keeps the vectors' memory
};

void lower(Plan& plan, std::uint32_t group, LoweredGroup& out);

// One load, one store.
TileProgram copy_program(const Tensor& source);

}  // namespace mlx::core
