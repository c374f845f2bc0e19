// Trees of Python containers with arrays at the leaves.
#include "tree.h"

namespace mlx::core::python {
namespace {

// Containers nest as deep as Python's own recursion limit lets programs build by hand.
constexpr int max_depth = 500;

}  // namespace

Tree Tree::flatten(nb::handle object, Arrays& leaves) {
  Tree tree;
  std::size_t before = leaves.size();
  tree.add(object, leaves, 0);
  tree.leaf_count_ = leaves.size() - before;
  return tree;
}

void Tree::add(nb::handle object, Arrays& leaves, int depth) {
  if (depth > max_depth) {
    raise<ValueError>("tree", "containers nest too deep: got more than ", max_depth, " levels");
  }
  array* leaf = nullptr;
  if (nb::try_cast<array*>(object, leaf) && leaf != nullptr) {
    leaves.push_back(*leaf);
    entries_.push_back({Entry::Kind::leaf, nb::object(), 0});
  } else if (nb::isinstance<nb::list>(object)) {
    auto list = nb::borrow<nb::list>(object);
    entries_.push_back({Entry::Kind::list, nb::object(), list.size()});
    for (nb::handle item : list) add(item, leaves, depth + 1);
  } else if (nb::isinstance<nb::tuple>(object)) {
    auto tuple = nb::borrow<nb::tuple>(object);
    entries_.push_back({Entry::Kind::tuple, nb::borrow(object.type()), tuple.size()});
    for (nb::handle item : tuple) add(item, leaves, depth + 1);
  } else if (nb::isinstance<nb::dict>(object)) {
    auto dict = nb::borrow<nb::dict>(object);
    nb::list keys = dict.keys();
    entries_.push_back({Entry::Kind::dict, nb::tuple(keys), dict.size()});
    for (nb::handle key : keys) add(dict[key], leaves, depth + 1);
  } else {
    entries_.push_back({Entry::Kind::constant, nb::borrow(object), 0});
  }
}

nb::object Tree::unflatten(const Arrays& leaves, std::size_t& next) const {
  std::size_t entry = 0;
  return build(entry, leaves, next);
}

nb::object Tree::build(std::size_t& entry, const Arrays& leaves, std::size_t& next) const {
  const Entry& here = entries_[entry++];
  switch (here.kind) {
    case Entry::Kind::leaf:
      return nb::cast(leaves[next++]);
    case Entry::Kind::constant:
      return here.detail;
    case Entry::Kind::dict: {
      nb::dict dict;
      for (nb::handle key : nb::borrow<nb::tuple>(here.detail)) {
        dict[key] = build(entry, leaves, next);
      }
      return dict;
    }
    case Entry::Kind::list:
    case Entry::Kind::tuple: {
      nb::list items;
      for (std::size_t i = 0; i < here.children; ++i) items.append(build(entry, leaves, next));
      if (here.kind == Entry::Kind::list) return items;
      if (here.detail.is(nb::handle(reinterpret_cast<PyObject*>(&PyTuple_Type)))) {
        return nb::tuple(items);
      }
      // A named tuple takes its items one by one.
      return here.detail(*nb::tuple(items));
    }
  }
  return nb::none();
}

nb::tuple Tree::key() const {
  nb::list parts;
  for (const Entry& entry : entries_) {
    parts.append(static_cast<int>(entry.kind));
    parts.append(entry.children);
    if (!entry.detail.is_valid()) continue;
    // 1, 1.0 and True are equal to Python but not to a function.
    if (entry.kind == Entry::Kind::constant) parts.append(entry.detail.type());
    parts.append(entry.detail);
  }
  nb::tuple key(parts);
  if (PyObject_Hash(key.ptr()) == -1) {
    PyErr_Clear();
    raise<TypeError>("compile",
                     "an argument cannot be a constant of the trace: it is neither an array nor "
                     "hashable");
  }
  return key;
}

}  // namespace mlx::core::python
