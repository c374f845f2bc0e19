// The plans of a length, and the cache of the last used ones.
#include <cmath>
#include <list>
#include <mutex>

#include "mlx/backends/cpu/fft_plan.h"
#include "mlx/backends/cpu/fft_roots.h"

namespace mlx::core::cpu::fft {

template <class T>
struct Plan<T>::Parts {
  mutable std::mutex mutex;
  std::unique_ptr<LanePlan<T>> lanes;
  std::unique_ptr<LinePlan<T>> line;
  std::vector<T> half_roots;
};

template <class T>
Plan<T>::Plan(std::int64_t n, const LaneKernels<T>& kernels)
    : n_(n),
      kernels_(kernels),
      lane_cost_(lane_cost(n, machine_of(kernels))),
      line_cost_(line_cost(n, machine_of(kernels))),
      parts_(std::make_unique<Parts>()) {}

template <class T>
Plan<T>::~Plan() = default;

template <class T>
const LanePlan<T>& Plan<T>::lanes() const {
  const std::lock_guard lock(parts_->mutex);
  if (!parts_->lanes) parts_->lanes = std::make_unique<LanePlan<T>>(n_, kernels_);
  return *parts_->lanes;
}

template <class T>
const LinePlan<T>& Plan<T>::line() const {
  const std::lock_guard lock(parts_->mutex);
  if (!parts_->line) parts_->line = std::make_unique<LinePlan<T>>(n_, kernels_);
  return *parts_->line;
}

template <class T>
const T* Plan<T>::half_roots() const {
  const std::lock_guard lock(parts_->mutex);
  std::vector<T>& roots = parts_->half_roots;
  if (roots.empty()) {
    const Roots exact(2 * n_);
    std::vector<T> values(static_cast<std::size_t>(2 * (n_ / 2 + 1)));
    for (std::int64_t k = 0; k <= n_ / 2; ++k) {
      exact.write(k, &values[static_cast<std::size_t>(2 * k)]);
    }
    roots = std::move(values);
  }
  return roots.data();
}

template <class T>
bool Plan<T>::prefers_single(std::int64_t lines, int copies) const {
  // Cycles per element: to copy it between a line and memory, and between a group and memory.
  constexpr double copy = 6, adjacent = 4, transposed = 8;
  const auto n = static_cast<double>(n_);
  return static_cast<double>(lines) * (line_cost_ + copies * copy * n) <
         lane_cost_ + (copies * adjacent + (2 - copies) * transposed) * n;
}

template <class T>
std::int64_t Plan<T>::bytes() const {
  const std::lock_guard lock(parts_->mutex);
  return (parts_->lanes ? parts_->lanes->bytes() : 0) + (parts_->line ? parts_->line->bytes() : 0) +
         static_cast<std::int64_t>(parts_->half_roots.size() * sizeof(T));
}

namespace {

template <class T>
class Cache {
 public:
  std::shared_ptr<const Plan<T>> get(std::int64_t n, const LaneKernels<T>& kernels) {
    const std::lock_guard lock(mutex_);
    for (auto plan = plans_.begin(); plan != plans_.end(); ++plan) {
      if ((*plan)->length() == n && &(*plan)->kernels() == &kernels) {
        plans_.splice(plans_.begin(), plans_, plan);
        return plans_.front();
      }
    }
    plans_.push_front(std::make_shared<Plan<T>>(n, kernels));
    shrink();
    return plans_.front();
  }

 private:
  // Plans grow when they are used, so their size is looked at whenever another one comes.
  void shrink() {
    constexpr std::size_t most_plans = 64;
    constexpr std::int64_t most_bytes = std::int64_t{128} << 20;
    std::int64_t bytes = 0;
    std::size_t kept = 0;
    for (auto plan = plans_.begin(); plan != plans_.end(); ++kept) {
      bytes += (*plan)->bytes();
      const bool excess = kept > 0 && (kept >= most_plans || bytes > most_bytes);
      plan = excess ? plans_.erase(plan, plans_.end()) : std::next(plan);
    }
  }

  std::mutex mutex_;
  std::list<std::shared_ptr<const Plan<T>>> plans_;
};

}  // namespace

template <class T>
std::shared_ptr<const Plan<T>> plan_for(std::int64_t n, const LaneKernels<T>& kernels) {
  static Cache<T> cache;
  return cache.get(n, kernels);
}

template class Plan<float>;
template class Plan<double>;
template std::shared_ptr<const Plan<float>> plan_for(std::int64_t, const LaneKernels<float>&);
template std::shared_ptr<const Plan<double>> plan_for(std::int64_t, const LaneKernels<double>&);

}  // namespace mlx::core::cpu::fft
