// The plan of one evaluation: which nodes there are to compute, which of them share a tile program,
// and in what order the groups run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mlx/array/array.h"

namespace mlx::core {

struct Group {
  enum class Kind : std::uint8_t { tiles, kernel, view };
  Kind kind = Kind::tiles;
  bool reduces = false;
  std::uint32_t parent = 0;               // of the union-find forest; itself where the group stands
  std::uint32_t level = 0;                // groups of equal level do not depend on each other
  Shape dims;                             // tiles: the iteration space
  Axes axes;                              // tiles: what the reductions reduce
  SmallVector<std::uint32_t, 4> members;  // positions in the tape
};

class Plan {
 public:
  std::vector<Ref<Node>> tape;  // to compute, every node after its inputs
  std::vector<Group> groups;
  std::vector<std::uint32_t> order;  // groups, every one after those it reads
  std::int64_t work = 0;             // elements over all nodes: tells small graphs from large ones
  bool has_kernels = false;

  // Fills the tape. View nodes of computed inputs are done here: they cost nothing.
  void collect(std::span<const array> outputs);
  // Groups the tape, then orders the groups.
  void group();
  void clear();

  std::uint32_t find(std::uint32_t group);
  // Is the node still to compute, as a member of this group?
  bool is_member(const Node& node, std::uint32_t group) {
    return node.epoch == epoch_ && !node.available.load(std::memory_order_relaxed) &&
           find(node.group) == group;
  }
  // Does somebody outside its group need the node's value?
  bool is_stored(std::uint32_t position) const { return stored_[position]; }

 private:
  void assign(Node& node);
  void assign_tiles(Node& node);
  void start_tiles(Node& node, std::uint32_t level);
  void merge(std::uint32_t into, std::uint32_t from);
  bool can_join(const Node& node, std::uint32_t group);
  std::uint32_t add_group(Node& node, Group::Kind kind, std::uint32_t level);
  void mark_stored();
  void sort_groups();

  std::uint64_t epoch_ = 0;
  std::vector<std::uint8_t> stored_;
};

}  // namespace mlx::core
