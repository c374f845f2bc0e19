// Trees of Python containers with arrays at the leaves, as arguments and results of transforms.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "mlx/ops/op.h"

namespace mlx::core::python {

namespace nb = nanobind;

// The containers without the arrays. Lists, tuples (named ones too) and dicts are walked; anything
// else that is no array is kept as it is.
class Tree {
 public:
  // Appends the arrays of `object`, in order, to `leaves`.
  static Tree flatten(nb::handle object, Arrays& leaves);
  // The containers again, with these arrays in order; `next` moves past those it took.
  nb::object unflatten(const Arrays& leaves, std::size_t& next) const;
  nb::object unflatten(const Arrays& leaves) const {
    std::size_t next = 0;
    return unflatten(leaves, next);
  }
  // Equal for trees of the same containers, keys and constants; raises TypeError for a constant
  // that cannot be hashed.
  nb::tuple key() const;
  std::size_t leaf_count() const { return leaf_count_; }

 private:
  struct Entry {
    enum class Kind : std::uint8_t { leaf, constant, list, tuple, dict };
    Kind kind;
    nb::object detail;  // constant: itself; tuple: its type; dict: its keys
    std::size_t children;
  };
  void add(nb::handle object, Arrays& leaves, int depth);
  nb::object build(std::size_t& entry, const Arrays& leaves, std::size_t& next) const;
  std::vector<Entry> entries_;  // in preorder
  std::size_t leaf_count_ = 0;
};

}  // namespace mlx::core::python
