// What the walk over a traced function tells its listeners.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "mlx/ops/op.h"

namespace mlx::core {

// An array of the graph: its name is unique in an exporter.
struct ArraySpec {
  std::string name;
  Shape shape;
  Dtype dtype;
};

struct InputsEvent {
  std::vector<ArraySpec>
      inputs;  // positional first, then the keywords' in the order of their names
};
struct KeywordInputsEvent {
  std::vector<std::pair<std::string, std::string>> keywords;  // keyword, name of the array
};
struct OutputsEvent {
  std::vector<ArraySpec> outputs;
};
struct ConstantsEvent {
  std::vector<std::pair<std::string, array>> constants;  // those not sent before
};
struct PrimitiveEvent {
  const Op* op;
  std::vector<ArraySpec> inputs;
  std::vector<ArraySpec> outputs;
  std::vector<NamedValue> arguments;
};
using Event =
    std::variant<InputsEvent, KeywordInputsEvent, OutputsEvent, ConstantsEvent, PrimitiveEvent>;

// The callback, the file writer and the DOT writer are listeners of one walk.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void on(const Event& event) = 0;
};

}  // namespace mlx::core
