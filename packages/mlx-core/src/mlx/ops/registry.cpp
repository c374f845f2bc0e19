// Every op of the engine, in one list.
#include <unordered_map>

#include "mlx/ops/elementwise.h"
#include "mlx/ops/primitives.h"

namespace mlx::core {
namespace {

std::vector<const Op*> collect() {
  using namespace primitives;
  // clang-format off
  std::vector<const Op*> ops = {
      &Identity, &CustomFunction,  // identity
      &AsType,  // cast
      &Reduce,  // reduce
      &Broadcast, &ExpandDims, &Reshape, &Squeeze, &Transpose,  // shape
      &Slice, &SliceUpdate,  // slice
      &AsStrided, &Contiguous, &View,  // strided
      &Depends, &StopGradient,  // barrier
      &Arange,  // create
      &Concatenate,  // join
      &Gather, &GatherAxis, &Scatter, &ScatterAxis,  // gather, scatter
      &Matmul,  // matmul
      &Cholesky, &Eig, &Eigh, &Inverse, &LUF, &QRF, &Solve, &SolveTriangular, &SVD,  // linalg
      &ArgPartition, &ArgSort, &Partition, &Sort,  // sort
      &Scan,  // scan
      &ArgReduce, &SearchSorted,  // search
      &FFT,  // fft
      &RandomBits, &RandomIntegers,  // random
  };
  // clang-format on
  for (const ElementwiseRow& row : elementwise_rows()) ops.push_back(&elementwise_op(row.id));
  return ops;
}

}  // namespace

std::span<const Op* const> all_ops() {
  static const std::vector<const Op*> ops = collect();
  return ops;
}

const Op* find_op(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const Op*> map;
    for (const Op* op : all_ops()) map.emplace(op->name, op);
    return map;
  }();
  auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace mlx::core
