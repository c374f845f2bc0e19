// Exported functions as files: the graphs are JSON in the metadata of a safetensors container, the
// constants are its tensors. FORMAT.md describes every field.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mlx/export/container.h"
#include "mlx/export/exporter.h"

namespace mlx::core {

inline constexpr int format_version = 1;

// Collects the events of an exporter; finish() writes the file. Until then there is no file.
class MLX_API FileListener final : public Listener {
 public:
  FileListener(std::string path, Metadata metadata);
  ~FileListener() override;
  void on(const Event& event) override;
  // How the outputs of the trace that comes next are packed, for the language that imports it.
  void set_structure(std::string structure);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A function from a file. Calling it builds the graph of the trace that fits the arguments.
class MLX_API ImportedFunction {
 public:
  // Raises ValueError where the file is damaged, is of a newer version, or holds a graph that this
  // engine does not accept.
  static ImportedFunction open(const std::string& path);

  struct Result {
    Arrays outputs;
    std::string structure;
  };
  // Raises ValueError, listing what the file's traces expect, where no trace fits.
  Result operator()(const Arrays& positional, const Keywords& keywords) const;
  const Metadata& metadata() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace mlx::core
