// Exporting: a function is traced and its graph told to a listener, event by event.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mlx/export/events.h"

namespace mlx::core {

using Keywords = std::map<std::string, array>;
using ExportedFunction = std::function<Arrays(const Arrays& positional, const Keywords& keywords)>;

// One exporter may trace several times (other shapes, dtypes or keywords): names go on from trace
// to trace, and a constant is told once.
class MLX_API Exporter {
 public:
  Exporter(std::shared_ptr<Listener> listener, ExportedFunction fun);
  ~Exporter();
  // Only shapes, dtypes and names of the arguments matter. Raises ValueError where the same kind of
  // arguments was traced before.
  void trace(const Arrays& positional, const Keywords& keywords);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// "A", "B", ..., "Z", "AA", "AB", ...
MLX_API std::string array_name(std::size_t index);

}  // namespace mlx::core
