// Fourier transforms along one axis of an array of any strides, whole or in part.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mlx/backends/cpu/fft_plan.h"

namespace mlx::core::cpu::fft {

enum class Kind {
  complex_to_complex,
  real_to_complex,  // forward; the first n/2 + 1 numbers of the spectrum
  complex_to_real,  // backward, from those; the imaginary parts of the ends that must be zero, are
};

// Strides count elements of the array that they belong to (a complex number is one element).
struct Dimension {
  std::int64_t size;
  std::int64_t in_stride;
  std::int64_t out_stride;
};

struct Task {
  Kind kind = Kind::complex_to_complex;
  bool backward = false;  // complex_to_complex only; the others have one direction
  Dimension axis;         // its size is n, the number of reals or of complex numbers
  std::vector<Dimension> batch;
  double scale = 1;
};

// One task, ready to run on arrays of T (float or double) and its complex numbers. Input and output
// may be the same memory when the kind is complex_to_complex and the strides agree.
template <class T>
class Transform {
 public:
  Transform(const Task& task, const LaneKernels<T>& kernels);

  // How many one-dimensional transforms there are, and a good number to do at once.
  std::int64_t lines() const { return lines_; }
  std::int64_t lines_at_once() const;

  // All, over threads: lines are shared out, and where there are too few of them, a long line is.
  void run(const T* in, T* out, const Parallel& parallel = {}) const;
  // The lines in [begin, end).
  void run_lines(const T* in, T* out, std::int64_t begin, std::int64_t end,
                 const Parallel& parallel = {}) const;

 private:
  struct Offsets;
  class Arena;

  void run_group(const T* in, T* out, std::int64_t begin, std::int64_t end, Arena& arena) const;
  void group_complex(const T* in, T* out, const Offsets& at, std::int64_t count, Arena&) const;
  void group_half_forward(const T* in, T* out, const Offsets& at, std::int64_t count, Arena&) const;
  void group_half_backward(const T* in, T* out, const Offsets& at, std::int64_t count,
                           Arena&) const;
  void group_pair_forward(const T* in, T* out, const Offsets& at, std::int64_t count, Arena&) const;
  void group_pair_backward(const T* in, T* out, const Offsets& at, std::int64_t count,
                           Arena&) const;

  void run_single(const T* in, T* out, std::int64_t begin, std::int64_t end,
                  const Parallel& parallel) const;
  void line_transform(const T* in, T* out, T* spare, const Parallel& parallel) const;

  void find_offsets(std::int64_t begin, std::int64_t count, Offsets& at) const;
  std::int64_t lines_per_group() const;
  bool prefers_single(std::int64_t lines) const;

  Kind kind_;
  bool backward_;
  Dimension axis_;
  std::vector<Dimension> batch_;  // sorted and merged, the closest lines last
  T scale_;
  std::int64_t lines_;
  bool half_;                          // an even number of reals is half as many complex numbers
  std::int64_t in_count_, out_count_;  // elements of one line
  std::int64_t in_parts_, out_parts_;  // reals of one element
  const LaneKernels<T>& kernels_;
  std::shared_ptr<const Plan<T>> plan_;
};

}  // namespace mlx::core::cpu::fft
