// Scan on the CPU: lines, or rows of columns side by side, over the pool; a long line in segments
// whose totals are known before they are scanned.
#include <algorithm>
#include <vector>

#include "mlx/backends/cpu/convert.h"
#include "mlx/backends/cpu/isa.h"
#include "mlx/backends/cpu/kernels.h"
#include "mlx/backends/cpu/scan_loops.h"
#include "mlx/backends/cpu/thread_pool.h"

namespace mlx::core::cpu {

MLX_PER_ISA(const ScanTable&, scan_table)

namespace {

// Where segments begin must not depend on the number of threads, for rounding does.
constexpr std::int64_t segment = 1 << 16;
constexpr std::int64_t column_tile = 256;
// Elements that are worth another thread.
constexpr std::int64_t worth_splitting = 1 << 14;

struct Accumulator {
  alignas(16) std::byte bytes[ScanLoops::accumulator_size];
};

// The scanned axis between the axes before and after it, in row-major order.
struct Job {
  const ScanLoops& loops;
  const std::byte* in;
  std::byte* out;
  std::int64_t outer, n, inner, size;  // size: bytes of an element
  bool reverse, inclusive;

  // Offset in bytes of the element at place `i` of the scan's order.
  std::int64_t offset(std::int64_t line, std::int64_t i) const {
    return (line * n + (reverse ? n - 1 - i : i)) * inner * size;
  }
  std::int64_t step() const { return reverse ? -1 : 1; }
};

void scan_short_lines(const Job& job) {
  std::int64_t grain = std::max<std::int64_t>(worth_splitting / job.n, 1);
  parallel_for(job.outer, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t line = begin; line < end; ++line) {
      Accumulator value;
      job.loops.start(&value, 1);
      std::int64_t at = job.offset(line, 0);
      job.loops.line(&value, job.in + at, job.out + at, job.step(), job.n, job.inclusive);
    }
  });
}

void scan_long_line(const Job& job, std::int64_t line) {
  std::int64_t count = (job.n + segment - 1) / segment;
  std::vector<Accumulator> values(static_cast<std::size_t>(count));
  auto length = [&](std::int64_t i) { return std::min(segment, job.n - i * segment); };
  parallel_for(count, [&](std::int64_t i) {
    Accumulator& value = values[static_cast<std::size_t>(i)];
    job.loops.start(&value, 1);
    job.loops.total(&value, job.in + job.offset(line, i * segment), job.step(), length(i));
  });
  Accumulator before;
  job.loops.start(&before, 1);
  for (Accumulator& value : values) {  // totals become what comes before each segment
    Accumulator next = before;
    job.loops.combine(&next, &value);
    value = std::exchange(before, next);
  }
  parallel_for(count, [&](std::int64_t i) {
    std::int64_t at = job.offset(line, i * segment);
    job.loops.line(&values[static_cast<std::size_t>(i)], job.in + at, job.out + at, job.step(),
                   length(i), job.inclusive);
  });
}

void scan_columns(const Job& job) {
  std::int64_t tiles = (job.inner + column_tile - 1) / column_tile;
  std::int64_t work = job.n * std::min(job.inner, column_tile);
  std::int64_t grain = std::max<std::int64_t>(worth_splitting / work, 1);
  parallel_for(job.outer * tiles, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      std::int64_t column = task % tiles * column_tile;
      std::int64_t columns = std::min(column_tile, job.inner - column);
      // As many bytes as the accumulators may need; their own size is the loops' affair.
      Accumulator values[column_tile];
      job.loops.start(values, columns);
      std::int64_t at = job.offset(task / tiles, 0) + column * job.size;
      job.loops.columns(values, job.in + at, job.out + at, job.step() * job.inner, job.n, columns,
                        job.inclusive);
    }
  });
}

}  // namespace

void scan(const KernelCall& call) {
  const auto& attrs = attrs_as<ScanAttrs>(call.attrs);
  const Tensor &in = call.inputs[0], &out = call.outputs[0];
  if (out.size() == 0) return;
  bool in_place = in.data == out.data;
  if (!in_place && !in.is_row_major()) convert_into(in, out);
  auto axis = static_cast<std::size_t>(attrs.axis);
  Job job{
      scan_table().loops[static_cast<std::size_t>(attrs.op)][static_cast<std::size_t>(out.dtype)],
      in.is_row_major() ? in.data : out.data,
      out.data,
      1,
      out.shape[axis],
      1,
      size_of(out.dtype),
      attrs.reverse,
      attrs.inclusive};
  for (std::size_t i = 0; i < out.shape.size(); ++i) {
    if (i < axis) job.outer *= out.shape[i];
    if (i > axis) job.inner *= out.shape[i];
  }
  if (job.inner > 1) {
    scan_columns(job);
  } else if (job.n <= segment) {
    scan_short_lines(job);
  } else {
    for (std::int64_t line = 0; line < job.outer; ++line) scan_long_line(job, line);
  }
}

}  // namespace mlx::core::cpu
