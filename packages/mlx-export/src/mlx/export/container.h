// The safetensors container: named tensors and a string map, in one file.
//
// Eight bytes: the size of the header, little endian. The header: a JSON object; "__metadata__"
// maps strings to strings, every other key is a tensor with "dtype", "shape" and "data_offsets"
// (from the end of the header). The tensors' bytes follow, little endian, row-major, without gaps
// or overlaps.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mlx/array/array.h"

namespace mlx::core {

using Metadata = std::map<std::string, std::string>;

// A tensor as the container knows it. Complex dtypes, which not every reader knows, are stored as
// their real dtype with a last axis of two; who writes them tells so in the metadata.
struct StoredTensor {
  std::string name;
  Dtype dtype;
  Shape shape;
  std::uint64_t begin, end;  // in the data
};

// Writes under another name, then renames: a crash or a full disk leaves no half file behind.
MLX_API void write_container(const std::string& path,
                             const std::vector<std::pair<std::string, array>>& tensors,
                             const Metadata& metadata);

// A file that is mapped, not read; its tensors are arrays over the mapping.
class MLX_API Container {
 public:
  // Raises ValueError saying what is wrong with the file, RuntimeError if it cannot be opened.
  static Container open(const std::string& path);

  const Metadata& metadata() const { return metadata_; }
  const std::vector<StoredTensor>& tensors() const { return tensors_; }
  // Without a copy; the mapping lives as long as the array does.
  array tensor(std::size_t index) const;

 private:
  std::shared_ptr<void> mapping_;
  const std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
  Metadata metadata_;
  std::vector<StoredTensor> tensors_;
};

}  // namespace mlx::core
