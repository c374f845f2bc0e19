// Sorting and partitioning: the records and the functions composed of them.
#include "mlx/ops/sort.h"

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/index.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/rearrange.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/rules.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"

namespace mlx::core {
namespace {

using Results = std::vector<std::optional<array>>;

// SortAttrs and PartitionAttrs both name an axis.
template <class Attrs>
std::int64_t checked_axis(const Op& op, const array& a, const AttrsRef& attrs) {
  std::int64_t axis = attrs_as<Attrs>(attrs).axis;
  if (axis < 0 || axis >= a.ndim()) {
    raise<IndexError>(op.name, "axis out of range: got ", axis, " for ", to_string(a.shape()));
  }
  return axis;
}

template <class Attrs>
void check(const Op& op, const array& a, const AttrsRef& attrs) {
  std::int64_t size = a.shape(static_cast<int>(checked_axis<Attrs>(op, a, attrs)));
  if constexpr (std::is_same_v<Attrs, PartitionAttrs>) {
    std::int64_t kth = attrs_as<Attrs>(attrs).kth;
    if (kth < 0 || kth >= size) {
      raise<ValueError>(op.name, "kth out of range: got ", kth, " for ", size, " elements");
    }
  }
}

template <class Attrs>
Specs infer_values(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  check<Attrs>(op, inputs[0], attrs);
  return {Spec{inputs[0].shape(), inputs[0].dtype()}};
}

template <class Attrs>
Specs infer_indices(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  check<Attrs>(op, inputs[0], attrs);
  return {Spec{inputs[0].shape(), Dtype::int64}};
}

template <class Attrs>
Arrays vmap(const VmapCall& call) {
  Attrs attrs = attrs_as<Attrs>(call.attrs);
  ++attrs.axis;
  return {apply(call.op, {move_batch_to_front(call, 0)}, make_attrs(attrs), call.stream)};
}

array indices_of(const Op& op, const array& a, const AttrsRef& attrs) {
  return apply(&op == &primitives::Sort ? primitives::ArgSort : primitives::ArgPartition, {a},
               attrs, a.node().stream);
}

// The values move; so do tangents, and cotangents move back.
template <class Attrs>
Results vjp(const VjpCall& call) {
  auto axis = attrs_as<Attrs>(call.attrs).axis;
  array from = indices_of(call.op, call.inputs[0], call.attrs);
  array zeros = zeros_like(call.inputs[0]);
  return {put_along_axis(zeros, from, *call.cotangents[0], axis)};
}
template <class Attrs>
Results jvp(const JvpCall& call) {
  auto axis = attrs_as<Attrs>(call.attrs).axis;
  return {
      take_along_axis(*call.tangents[0], indices_of(call.op, call.inputs[0], call.attrs), axis)};
}

// The array and axis that `axis` means: flattened where it is none.
struct AlongAxis {
  array a;
  int axis;
};
AlongAxis along(std::string_view op, const array& a, std::optional<int> axis, Stream stream) {
  if (!axis) return {reshape(a, Shape{-1}, stream), 0};
  return {a, normalize_axis(op, *axis, a.ndim())};
}

std::int64_t normal_kth(std::string_view op, const AlongAxis& x, std::int64_t kth) {
  std::int64_t size = x.a.shape(x.axis);
  if (kth < -size || kth >= size) {
    raise<ValueError>(op, "kth out of range: got ", kth, " for ", size, " elements");
  }
  return kth < 0 ? kth + size : kth;
}

array ordered(const Op& op, std::string_view name, const array& a, std::optional<int> axis,
              bool descending, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  AlongAxis x = along(name, a, axis, stream);
  return apply(op, {x.a}, make_attrs(SortAttrs{x.axis, descending}), stream);
}

array partitioned(const Op& op, std::string_view name, const array& a, std::int64_t kth,
                  std::optional<int> axis, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  AlongAxis x = along(name, a, axis, stream);
  kth = normal_kth(name, x, kth);
  return apply(op, {x.a}, make_attrs(PartitionAttrs{kth, x.axis}), stream);
}

// Elements [start, stop) along an axis.
array part(const array& a, int axis, std::int64_t start, std::int64_t stop, Stream stream) {
  Shape from(a.shape().size(), 0), to = a.shape(), step(a.shape().size(), 1);
  from[static_cast<std::size_t>(axis)] = start;
  to[static_cast<std::size_t>(axis)] = stop;
  return slice(a, from, to, step, stream);
}

}  // namespace

array sort(const array& a, std::optional<int> axis, bool descending, const StreamOrDevice& stream) {
  return ordered(primitives::Sort, "sort", a, axis, descending, stream);
}
array argsort(const array& a, std::optional<int> axis, bool descending,
              const StreamOrDevice& stream) {
  return ordered(primitives::ArgSort, "argsort", a, axis, descending, stream);
}
array partition(const array& a, std::int64_t kth, std::optional<int> axis,
                const StreamOrDevice& stream) {
  return partitioned(primitives::Partition, "partition", a, kth, axis, stream);
}
array argpartition(const array& a, std::int64_t kth, std::optional<int> axis,
                   const StreamOrDevice& stream) {
  return partitioned(primitives::ArgPartition, "argpartition", a, kth, axis, stream);
}

array topk(const array& a, std::int64_t k, std::optional<int> axis, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  AlongAxis x = along("topk", a, axis, stream);
  std::int64_t size = x.a.shape(x.axis);
  if (k < 0 || k > size) {
    raise<ValueError>("topk", "k out of range: got ", k, "; expected 0 to ", size);
  }
  if (k == size) return x.a;
  if (k == 0) return part(x.a, x.axis, 0, 0, stream);
  array split =
      apply(primitives::Partition, {x.a}, make_attrs(PartitionAttrs{size - k, x.axis}), stream);
  return part(split, x.axis, size - k, size, stream);
}

array median(const array& a, const std::optional<Axes>& axes, bool keepdims,
             const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (is_complex(a.dtype())) {
    raise<TypeError>("median", "complex numbers have no order: got ", name_of(a.dtype()));
  }
  Axes normal = normalize_axes("median", axes, a.ndim());
  Axes last;
  std::int64_t count = 1;
  for (std::size_t i = 0; i < normal.size(); ++i) {
    last.push_back(a.ndim() - static_cast<std::int64_t>(normal.size() - i));
    count *= a.shape(static_cast<int>(normal[i]));
  }
  if (count == 0) {
    raise<ValueError>("median", "nothing to choose from: got shape ", to_string(a.shape()),
                      "; expected at least one element");
  }
  array x = astype(moveaxis(a, normal, last, stream), inexact_of(a.dtype()), stream);
  Shape kept(x.shape().begin(), x.shape().end() - static_cast<std::ptrdiff_t>(last.size()));
  Shape flat = kept;
  flat.push_back(count);
  array sorted = sort(reshape(x, flat, stream), -1, false, stream);
  int axis = sorted.ndim() - 1;
  array middle =
      mean(part(sorted, axis, (count - 1) / 2, count / 2 + 1, stream), Axes{-1}, false, stream);
  array largest = squeeze(part(sorted, axis, count - 1, count, stream), Axes{-1}, stream);
  array result = core::where(isnan(largest, stream), largest, middle, stream);
  return keepdims ? reshape(result, reduced_shape(a.shape(), normal), stream) : result;
}

namespace primitives {

const Op Sort = {
    .name = "Sort",
    .inputs = {"a"},
    .attrs = describe<SortAttrs>(),
    .infer = infer_values<SortAttrs>,
    .gradient = {vjp<SortAttrs>, jvp<SortAttrs>},
    .batching = vmap<SortAttrs>,
    .doc = "The elements along an axis in order.",
};

const Op ArgSort = {
    .name = "ArgSort",
    .inputs = {"a"},
    .attrs = describe<SortAttrs>(),
    .infer = infer_indices<SortAttrs>,
    .gradient = Gradient::none("the result is an index"),
    .batching = vmap<SortAttrs>,
    .doc = "The indices that put the elements along an axis in order.",
};

const Op Partition = {
    .name = "Partition",
    .inputs = {"a"},
    .attrs = describe<PartitionAttrs>(),
    .infer = infer_values<PartitionAttrs>,
    .gradient = {vjp<PartitionAttrs>, jvp<PartitionAttrs>},
    .batching = vmap<PartitionAttrs>,
    .doc = "The elements along an axis with the kth in its place, smaller before and larger after.",
};

const Op ArgPartition = {
    .name = "ArgPartition",
    .inputs = {"a"},
    .attrs = describe<PartitionAttrs>(),
    .infer = infer_indices<PartitionAttrs>,
    .gradient = Gradient::none("the result is an index"),
    .batching = vmap<PartitionAttrs>,
    .doc = "The indices by which Partition orders.",
};

}  // namespace primitives

}  // namespace mlx::core
