// ArgReduce and SearchSorted, and the searches composed of them.
#include "mlx/ops/search.h"

#include "mlx/ops/cast.h"
#include "mlx/ops/create.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/index.h"
#include "mlx/ops/join.h"
#include "mlx/ops/primitives.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/scan.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"
#include "mlx/ops/sort.h"

namespace mlx::core {
namespace {

std::string_view name_of(ArgReduceKind kind) {
  return arg_reduce_kind_names[static_cast<std::size_t>(kind)];
}

Specs infer_arg_reduce(const Op& op, Inputs inputs, const AttrsRef& attrs) {
  const auto& [kind, axis] = attrs_as<ArgReduceAttrs>(attrs);
  const array& a = inputs[0];
  if (is_complex(a.dtype())) {
    raise<TypeError>(name_of(kind), "complex numbers have no order: got ", name_of(a.dtype()));
  }
  if (axis < 0 || axis >= a.ndim()) {
    raise<IndexError>(op.name, "axis out of range: got ", axis, " for ", to_string(a.shape()));
  }
  if (a.shape(static_cast<int>(axis)) == 0) {
    raise<ValueError>(name_of(kind), "nothing to choose from: got shape ", to_string(a.shape()),
                      " over axis ", axis, "; expected at least one element");
  }
  return {Spec{reduced_shape(a.shape(), Axes{axis}), Dtype::int64}};
}

Arrays vmap_arg_reduce(const VmapCall& call) {
  ArgReduceAttrs attrs = attrs_as<ArgReduceAttrs>(call.attrs);
  ++attrs.axis;
  return {apply(call.op, {move_batch_to_front(call, 0)}, make_attrs(attrs), call.stream)};
}

// `sorted` is (batch..., n) and `values` (batch..., m).
Specs infer_search_sorted(const Op& op, Inputs inputs, const AttrsRef&) {
  const array &sorted = inputs[0], &values = inputs[1];
  bool fits = sorted.dtype() == values.dtype() && sorted.ndim() == values.ndim() &&
              sorted.ndim() >= 1 && !is_complex(sorted.dtype());
  for (int axis = 0; fits && axis < sorted.ndim() - 1; ++axis) {
    fits = sorted.shape(axis) == values.shape(axis);
  }
  if (!fits) {
    raise<ValueError>(op.name, "the arrays do not fit: got ", name_of(sorted.dtype()), " ",
                      to_string(sorted.shape()), " and ", name_of(values.dtype()), " ",
                      to_string(values.shape()), "; expected one dtype and equal batch sizes");
  }
  return {Spec{values.shape(), Dtype::int64}};
}

Arrays vmap_search_sorted(const VmapCall& call) {
  return {apply(call.op, {move_batch_to_front(call, 0), move_batch_to_front(call, 1)}, call.attrs,
                call.stream)};
}

array arg_reduce(ArgReduceKind kind, const array& a, std::optional<int> axis, bool keepdims,
                 const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array x = axis ? a : reshape(a, Shape{-1}, stream);
  int at = axis ? normalize_axis(name_of(kind), *axis, a.ndim()) : 0;
  array result = apply(primitives::ArgReduce, {x}, make_attrs(ArgReduceAttrs{kind, at}), stream);
  if (axis) return keepdims ? result : squeeze(result, Axes{at}, stream);
  Shape shape(keepdims ? a.shape().size() : 0, 1);
  return reshape(result, shape, stream);
}

array range(std::int64_t n, Stream stream) {
  return arange(std::int64_t{0}, n, 1, Dtype::int64, stream);
}

// The flattened array in order, and which of its elements begin a new value.
struct Grouped {
  array order, sorted, begins;
};
Grouped group_equal(const array& flat, Stream stream) {
  array order = argsort(flat, -1, false, stream);
  array sorted = take(flat, order, {}, stream);
  std::int64_t n = flat.size();
  if (n == 0) return {order, sorted, astype(flat, Dtype::bool_, stream)};
  array later = slice(sorted, Shape{1}, Shape{n}, Shape{1}, stream);
  array earlier = slice(sorted, Shape{0}, Shape{n - 1}, Shape{1}, stream);
  array first = broadcast_to(array(true), Shape{1}, stream);
  return {order, sorted, concatenate({first, not_equal(later, earlier, stream)}, 0, stream)};
}

// For each element of the array the number of its group.
array inverse_of(const Grouped& groups, const array& a, Stream stream) {
  array number = subtract(cumsum(astype(groups.begins, Dtype::int64, stream), {.axis = 0}, stream),
                          array(1, Dtype::int64), stream);
  array places = zeros(number.shape(), Dtype::int64, stream);
  array result = put_along_axis(places, groups.order, number, 0, ScatterMode::none, stream);
  return reshape(result, a.shape(), stream);
}

// Comparing with every element fuses into one pass; sorting is better for many, where there is an
// order.
array isin_same(const array& a, const array& test, Stream stream) {
  constexpr std::int64_t few = 16;
  Dtype dtype = promote(a.dtype(), test.dtype());
  array x = astype(a, dtype, stream), set = reshape(astype(test, dtype, stream), Shape{-1}, stream);
  if (set.size() <= few || is_complex(dtype)) {
    return any(equal(expand_dims(x, Axes{-1}, stream), set, stream), Axes{-1}, false, stream);
  }
  set = sort(set, -1, false, stream);
  array last(set.size() - 1, Dtype::int64);
  array place = minimum(searchsorted(set, x, false, stream), last, stream);
  return equal(take(set, place, {}, stream), x, stream);
}

// Both as uint64 where one is and the other is signed: no common dtype holds their values exactly.
std::optional<array> isin_mixed(const array& a, const array& test, Stream stream) {
  auto is_signed = [](const array& x) { return kind_of(x.dtype()) == Kind::signed_integer; };
  bool a_signed = is_signed(a) && test.dtype() == Dtype::uint64;
  bool test_signed = is_signed(test) && a.dtype() == Dtype::uint64;
  if (!a_signed && !test_signed) return std::nullopt;
  array x = astype(a, Dtype::uint64, stream), y = astype(test, Dtype::uint64, stream);
  if (a_signed) {  // a negative number is nowhere
    array possible = greater_equal(a, array(0, a.dtype()), stream);
    return logical_and(possible, isin(x, y, false, stream), stream);
  }
  // Negative numbers of the test set become ones that are not negative, so they are replaced by one
  // that is in the set, if there is any.
  array possible = greater_equal(test, array(0, test.dtype()), stream);
  array largest = max(where(possible, y, array(0, Dtype::uint64), stream), {}, false, stream);
  array found = isin(x, where(possible, y, largest, stream), false, stream);
  return logical_and(found, any(possible, {}, false, stream), stream);
}

}  // namespace

array argmin(const array& a, std::optional<int> axis, bool keepdims, const StreamOrDevice& stream) {
  return arg_reduce(ArgReduceKind::argmin, a, axis, keepdims, stream);
}
array argmax(const array& a, std::optional<int> axis, bool keepdims, const StreamOrDevice& stream) {
  return arg_reduce(ArgReduceKind::argmax, a, axis, keepdims, stream);
}

array searchsorted(const array& sorted, const array& values, bool right,
                   const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (sorted.ndim() != 1) {
    raise<ValueError>("searchsorted", "the sorted array is no vector: got shape ",
                      to_string(sorted.shape()), "; expected one axis");
  }
  Dtype dtype = promote(sorted.dtype(), values.dtype());
  if (is_complex(dtype)) {
    raise<TypeError>("searchsorted", "complex numbers have no order: got ", name_of(dtype));
  }
  array flat = reshape(astype(values, dtype, stream), Shape{-1}, stream);
  array found = apply(primitives::SearchSorted, {astype(sorted, dtype, stream), flat},
                      make_attrs(SearchSortedAttrs{right}), stream);
  return reshape(found, values.shape(), stream);
}

array count_nonzero(const array& a, const std::optional<Axes>& axes, bool keepdims,
                    const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  array counted = astype(not_equal(a, array(0, a.dtype()), stream), Dtype::int64, stream);
  return sum(counted, axes, keepdims, stream);
}

array isin(const array& a, const array& test, bool invert, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (test.size() == 0) return full(a.shape(), array(invert), Dtype::bool_, stream);
  std::optional<array> mixed = isin_mixed(a, test, stream);
  array found = mixed ? *mixed : isin_same(a, test, stream);
  return invert ? logical_not(found, stream) : found;
}

Unique unique(const array& a, const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  require_concrete("unique", a);
  array flat = reshape(a, Shape{-1}, stream);
  Grouped groups = group_equal(flat, stream);
  array starts = nonzero(groups.begins)[0];
  array ends = starts;
  if (starts.size() > 0) {
    array rest = slice(starts, Shape{1}, Shape{starts.size()}, Shape{1}, stream);
    ends = concatenate({rest, array({flat.size()}, Shape{1})}, 0, stream);
  }
  return {take(groups.sorted, starts, {}, stream), take(groups.order, starts, {}, stream),
          inverse_of(groups, a, stream), subtract(ends, starts, stream)};
}

Unique unique(const array& a, std::int64_t size, const std::optional<array>& fill,
              const StreamOrDevice& where) {
  Stream stream = to_stream(where);
  if (size < 0) raise<ValueError>("unique", "a negative size: got ", size);
  if (a.size() == 0 && size > 0 && !fill) {
    raise<ValueError>("unique", "nothing to fill with: got shape ", to_string(a.shape()),
                      " and size ", size, "; expected fill_value=");
  }
  array flat = reshape(a, Shape{-1}, stream);
  Grouped groups = group_equal(flat, stream);
  std::int64_t n = flat.size();
  // The starts of the groups, in order, then n.
  array candidate = core::where(groups.begins, range(n, stream), array(n, Dtype::int64), stream);
  array starts = sort(candidate, 0, false, stream);
  array beyond = full(Shape{size + 1}, array(n, Dtype::int64), Dtype::int64, stream);
  starts =
      slice(concatenate({starts, beyond}, 0, stream), Shape{0}, Shape{size + 1}, Shape{1}, stream);
  array ends = slice(starts, Shape{1}, Shape{size + 1}, Shape{1}, stream);
  starts = slice(starts, Shape{0}, Shape{size}, Shape{1}, stream);
  array counts = subtract(ends, starts, stream);
  array exists = less(starts, array(n, Dtype::int64), stream);
  if (n == 0) {
    array values = full(Shape{size}, fill ? *fill : array(0), a.dtype(), stream);
    return {values, zeros(Shape{size}, Dtype::int64, stream), inverse_of(groups, a, stream),
            counts};
  }
  array place = core::where(exists, starts, array(0, Dtype::int64), stream);
  array values = take(groups.sorted, place, {}, stream);
  if (fill) values = core::where(exists, values, astype(*fill, a.dtype(), stream), stream);
  return {values, take(groups.order, place, {}, stream), inverse_of(groups, a, stream), counts};
}

namespace primitives {

const Op ArgReduce = {
    .name = "ArgReduce",
    .inputs = {"a"},
    .attrs = describe<ArgReduceAttrs>(),
    .infer = infer_arg_reduce,
    .gradient = Gradient::none("the result is an index"),
    .batching = vmap_arg_reduce,
    .doc =
        "The index of the first smallest or largest element along an axis, which stays with "
        "size 1.",
};

const Op SearchSorted = {
    .name = "SearchSorted",
    .inputs = {"sorted", "values"},
    .attrs = describe<SearchSortedAttrs>(),
    .infer = infer_search_sorted,
    .gradient = Gradient::none("the result is an index"),
    .batching = vmap_search_sorted,
    .doc = "Where each value would be inserted into the sorted vector of its batch.",
};

}  // namespace primitives

}  // namespace mlx::core
