// Regular parts of an array: reading them is a view, writing them makes a new array.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

struct SliceAttrs {  // start inclusive, stop exclusive, per axis; a negative step walks back
  Shape start, stop, step;
  bool operator==(const SliceAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"start", &SliceAttrs::start}, Field{"stop", &SliceAttrs::stop},
                      Field{"step", &SliceAttrs::step}};
  }
};

// Bounds are those of the elements: 0 <= start < size where anything is selected; a negative step
// that reaches element 0 has stop -1. Raises IndexError where an element would lie outside.
MLX_API array slice(const array& a, Shape start, Shape stop, Shape step,
                    const StreamOrDevice& stream = {});
MLX_API array slice(const array& a, SliceAttrs attrs, const StreamOrDevice& stream = {});
// `a` with the selected elements replaced; `update` broadcasts to the slice's shape and is cast to
// the dtype of `a`.
MLX_API array slice_update(const array& a, const array& update, Shape start, Shape stop, Shape step,
                           const StreamOrDevice& stream = {});
MLX_API array slice_update(const array& a, const array& update, SliceAttrs attrs,
                           const StreamOrDevice& stream = {});

// Bounds as above from those of Python's rules: negative ones count from the end, all are clamped.
MLX_API SliceAttrs resolve_slice(std::string_view op, const Shape& shape, Shape start, Shape stop,
                                 Shape step);
// The shape that a slice selects; raises where an element would lie outside.
Shape sliced_shape(std::string_view op, const Shape& in, const SliceAttrs& attrs);
// The part of a tensor that the slice selects.
Tensor sliced(const Tensor& tensor, const SliceAttrs& attrs, const Shape& shape);

}  // namespace mlx::core
