// What transforms are expected to cost, by which plans choose how to split a length.
#pragma once

#include <cstdint>
#include <vector>

namespace mlx::core::cpu::fft {

// Lanes per group and bytes per real: all that costs depend on.
struct Machine {
  std::int64_t width;
  std::int64_t real_bytes;
};

// The radices of n's stages, largest first; empty where a prime factor is too large for a stage.
std::vector<std::int64_t> radices_of(std::int64_t n);

// Costs are in cycles, roughly; infinite where there is no such plan.
double stages_cost(std::int64_t n, const Machine& machine);

// How one long line is split into rows * columns; rows == 1 means not at all.
struct Split {
  std::int64_t rows;
  std::int64_t columns;
  double cost;
};
Split best_split(std::int64_t n, const Machine& machine);

// The length of the cyclic convolution in Bluestein's algorithm, in groups and for one line, and
// the cost of the whole algorithm.
struct Padding {
  std::int64_t length;
  double cost;
};
Padding lane_padding(std::int64_t n, const Machine& machine);
Padding line_padding(std::int64_t n, const Machine& machine);

// Any n: by stages where there are, else by Bluestein's algorithm.
double lane_cost(std::int64_t n, const Machine& machine);
double line_cost(std::int64_t n, const Machine& machine);

}  // namespace mlx::core::cpu::fft
