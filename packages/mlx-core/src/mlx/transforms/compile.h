// Compilation: a function is traced once for each kind of arguments and replayed afterwards.
#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "mlx/transforms/autodiff.h"

namespace mlx::core {

// A traced function as a list of steps, with equal steps merged and unused ones gone.
class MLX_API Tape {
 public:
  // `outputs` hang from the placeholders `arguments`.
  Tape(const Arrays& arguments, const Arrays& outputs);
  Arrays replay(const Arrays& arguments) const;
  std::size_t size() const { return steps_.size(); }

 private:
  // Slots: arguments first, then constants, then the outputs of the steps in order.
  struct Step {
    const Op* op;
    AttrsRef attrs;
    Stream stream;
    SmallVector<std::uint32_t, 3> inputs;
    Specs outputs;
    std::uint32_t first_slot;
  };
  Arrays constants_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> outputs_;
  std::size_t slots_ = 0;

  friend class TapeBuilder;
};

// What decides whether a trace serves a call.
struct Signature {
  std::vector<Shape> shapes;
  std::vector<Dtype> dtypes;
  explicit Signature(const Arrays& arguments);
  bool operator==(const Signature&) const = default;
};

// The traces of one function, the most recent first; thread safe.
class MLX_API CompileCache {
 public:
  static constexpr std::size_t bound = 128;
  // The tape for arguments of this kind; `trace` makes the outputs of placeholders if there is
  // none. An exception of `trace` leaves the cache as it was. `key` tells apart what else decides.
  std::shared_ptr<const Tape> find_or_trace(const Arrays& arguments, std::size_t key,
                                            const Function& trace);
  std::size_t size();

 private:
  struct Entry {
    Signature signature;
    std::size_t key;
    std::shared_ptr<const Tape> tape;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;
};

MLX_API Function compile(Function fun);
MLX_API void enable_compile(bool enabled);
MLX_API bool compile_is_enabled();

}  // namespace mlx::core
