// The submodule mlx.core.random.
#include "mlx/ops/random.h"

#include <chrono>
#include <random>

#include "families.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/index.h"
#include "mlx/ops/shape.h"
#include "mlx/ops/slice.h"
#include "support.h"

namespace mlx::core::python {
namespace {

using MaybeShape = std::optional<ShapeArg>;
using MaybeArray = std::optional<array>;

// The list `mx.random.state`, which holds the one key that functions called without a key use up.
nb::object* state = nullptr;

std::uint64_t entropy() {
  std::random_device device;
  auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return (static_cast<std::uint64_t>(device()) << 32 | device()) ^ static_cast<std::uint64_t>(now);
}

// The key given, or the next of the implicit state.
array key_or_next(const MaybeArray& key, const StreamOrDevice& stream) {
  if (key) return *key;
  array keys = random::split(nb::cast<array>((*state)[0]), 2, stream);
  auto row = [&](std::int64_t i) {
    return squeeze(slice(keys, Shape{i, 0}, Shape{i + 1, 2}, Shape{1, 1}, stream), Axes{0}, stream);
  };
  (*state)[0] = nb::cast(row(0));
  return row(1);
}

Shape shape_of(const MaybeShape& shape, const Shape& otherwise = {}) {
  return shape ? shape->shape : otherwise;
}

void bind_keys(nb::module_& m) {
  m.def(
      "seed", [](std::uint64_t seed) { (*state)[0] = nb::cast(random::key(seed)); },
      nb::arg("seed"), nb::sig("def seed(seed: int) -> None"),
      R"(Starts the implicit state anew: the same seed gives the same numbers.

Args:
    seed: From 0 to 2**64 - 1.

>>> mx.random.seed(7)
>>> a = mx.random.uniform()
>>> mx.random.seed(7)
>>> a.item() == mx.random.uniform().item()
True)");
  m.def(
      "key", [](std::uint64_t seed) { return random::key(seed); }, nb::arg("seed"),
      nb::sig("def key(seed: int) -> array"),
      R"(A key for the functions of this module: a number depends on the key and its position only.

Args:
    seed: From 0 to 2**64 - 1.

Returns:
    uint32 of shape (2,).

>>> mx.random.key(3).tolist()
[0, 3])");
  m.def(
      "split",
      [](const array& key, std::int64_t num, const StreamOrDevice& stream) {
        return random::split(key, num, stream);
      },
      nb::arg("key"), nb::arg("num") = 2, nb::arg("stream") = nb::none(),
      nb::sig("def split(key: array, num: int = 2, stream: StreamOrDevice = None) -> array"),
      R"(New keys from a key, which should not be used again.

Args:
    key: uint32 of shape (2,).
    num: How many.

Returns:
    uint32 of shape (num, 2).

>>> mx.random.split(mx.random.key(0), 3).shape
(3, 2))");
}

void bind_continuous(nb::module_& m) {
  m.def(
      "uniform",
      [](const ArrayLike& low, const ArrayLike& high, const ShapeArg& shape, Dtype dtype,
         const MaybeArray& key, const StreamOrDevice& stream) {
        return random::uniform(key_or_next(key, stream), to_array("random.uniform", low),
                               to_array("random.uniform", high), shape.shape, dtype, stream);
      },
      nb::arg("low") = 0, nb::arg("high") = 1, nb::arg("shape") = nb::list(),
      nb::arg("dtype") = dtype_object(Dtype::float32), nb::arg("key") = nb::none(),
      nb::arg("stream") = nb::none(),
      nb::sig("def uniform(low: ArrayLike = 0, high: ArrayLike = 1, shape: int | "
              "collections.abc.Sequence[int] = [], dtype: Dtype = float32, key: array | None = "
              "None, stream: StreamOrDevice = None) -> array"),
      R"(Uniformly distributed numbers in [low, high); ``high`` itself is never returned.

Args:
    low, high: Bounds, which broadcast to the shape.
    shape: Of the result.
    dtype: A floating dtype.
    key: Without one the implicit state is used.

Raises:
    TypeError: The dtype is not floating.
    ValueError: The bounds do not broadcast to the shape.

>>> mx.random.uniform(shape=(2, 3), key=mx.random.key(0)).shape
(2, 3))");
  m.def(
      "normal",
      [](const ShapeArg& shape, Dtype dtype, const std::optional<ArrayLike>& loc,
         const std::optional<ArrayLike>& scale, const MaybeArray& key,
         const StreamOrDevice& stream) {
        array value = random::normal(key_or_next(key, stream), shape.shape, dtype, stream);
        if (scale) value = multiply(value, to_array("random.normal", *scale, dtype), stream);
        if (loc) value = add(value, to_array("random.normal", *loc, dtype), stream);
        return value;
      },
      nb::arg("shape") = nb::list(), nb::arg("dtype") = dtype_object(Dtype::float32),
      nb::arg("loc") = nb::none(), nb::arg("scale") = nb::none(), nb::arg("key") = nb::none(),
      nb::arg("stream") = nb::none(),
      nb::sig("def normal(shape: int | collections.abc.Sequence[int] = [], dtype: Dtype = float32, "
              "loc: ArrayLike | None = None, scale: ArrayLike | None = None, key: array | None = "
              "None, stream: StreamOrDevice = None) -> array"),
      R"(Normally distributed numbers: the inverse error function of uniform ones.

Args:
    shape: Of the result.
    dtype: A floating dtype.
    loc: Mean; None for 0.
    scale: Standard deviation; None for 1.
    key: Without one the implicit state is used.

>>> mx.random.normal((3,), key=mx.random.key(0)).dtype
mlx.core.float32)");
  m.def(
      "truncated_normal",
      [](const ArrayLike& lower, const ArrayLike& upper, const MaybeShape& shape, Dtype dtype,
         const MaybeArray& key, const StreamOrDevice& stream) {
        array low = to_array("random.truncated_normal", lower, dtype);
        array high = to_array("random.truncated_normal", upper, dtype);
        Shape common = broadcast_shapes("random.truncated_normal", low.shape(), high.shape());
        return random::truncated_normal(key_or_next(key, stream), low, high,
                                        shape_of(shape, common), dtype, stream);
      },
      nb::arg("lower"), nb::arg("upper"), nb::arg("shape") = nb::none(),
      nb::arg("dtype") = dtype_object(Dtype::float32), nb::arg("key") = nb::none(),
      nb::arg("stream") = nb::none(),
      nb::sig("def truncated_normal(lower: ArrayLike, upper: ArrayLike, shape: int | "
              "collections.abc.Sequence[int] | None = None, dtype: Dtype = float32, key: array | "
              "None = None, stream: StreamOrDevice = None) -> array"),
      R"(Normally distributed numbers between bounds.

>>> mx.random.truncated_normal(-1, 1, (3,), key=mx.random.key(0)).shape
(3,))");
  m.def(
      "gumbel",
      [](const ShapeArg& shape, Dtype dtype, const MaybeArray& key, const StreamOrDevice& stream) {
        return random::gumbel(key_or_next(key, stream), shape.shape, dtype, stream);
      },
      nb::arg("shape") = nb::list(), nb::arg("dtype") = dtype_object(Dtype::float32),
      nb::arg("key") = nb::none(), nb::arg("stream") = nb::none(),
      nb::sig("def gumbel(shape: int | collections.abc.Sequence[int] = [], dtype: Dtype = float32, "
              "key: array | None = None, stream: StreamOrDevice = None) -> array"),
      R"(Numbers of the standard Gumbel distribution.

>>> mx.random.gumbel((2,), key=mx.random.key(0)).shape
(2,))");
  m.def(
      "laplace",
      [](const ShapeArg& shape, Dtype dtype, const ArrayLike& loc, const ArrayLike& scale,
         const MaybeArray& key, const StreamOrDevice& stream) {
        array value = random::laplace(key_or_next(key, stream), shape.shape, dtype, stream);
        value = multiply(value, to_array("random.laplace", scale, dtype), stream);
        return add(value, to_array("random.laplace", loc, dtype), stream);
      },
      nb::arg("shape") = nb::list(), nb::arg("dtype") = dtype_object(Dtype::float32),
      nb::arg("loc") = 0.0, nb::arg("scale") = 1.0, nb::arg("key") = nb::none(),
      nb::arg("stream") = nb::none(),
      nb::sig("def laplace(shape: int | collections.abc.Sequence[int] = [], dtype: Dtype = "
              "float32, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, key: array | None = None, "
              "stream: StreamOrDevice = None) -> array"),
      R"(Numbers of the Laplace distribution.

>>> mx.random.laplace((2,), key=mx.random.key(0)).shape
(2,))");
  m.def(
      "multivariate_normal",
      [](const ArrayLike& mean, const ArrayLike& cov, const ShapeArg& shape, Dtype dtype,
         const MaybeArray& key, const StreamOrDevice& stream) {
        return random::multivariate_normal(
            key_or_next(key, stream), to_array("random.multivariate_normal", mean),
            to_array("random.multivariate_normal", cov), shape.shape, dtype, stream);
      },
      nb::arg("mean"), nb::arg("cov"), nb::arg("shape") = nb::list(),
      nb::arg("dtype") = dtype_object(Dtype::float32), nb::arg("key") = nb::none(),
      nb::arg("stream") = nb::none(),
      nb::sig("def multivariate_normal(mean: ArrayLike, cov: ArrayLike, shape: int | "
              "collections.abc.Sequence[int] = [], dtype: Dtype = float32, key: array | None = "
              "None, stream: StreamOrDevice = None) -> array"),
      R"(Normally distributed vectors with a mean and a covariance.

Args:
    mean: Shape (..., n).
    cov: Shape (..., n, n), symmetric and positive semidefinite.
    shape: Of the result, without its last axis of n.

>>> mx.random.multivariate_normal(mx.zeros(2), mx.eye(2), (5,), key=mx.random.key(0)).shape
(5, 2))");
}

array bound_of(nb::handle object) {
  // Beyond int64 a Python integer needs uint64.
  return convert("random.randint", object);
}

void bind_discrete(nb::module_& m) {
  m.def(
      "randint",
      [](nb::handle low, nb::handle high, const ShapeArg& shape, Dtype dtype, const MaybeArray& key,
         const StreamOrDevice& stream) {
        bool known = PyLong_Check(low.ptr()) && PyLong_Check(high.ptr());
        if (known && !(nb::int_(nb::borrow(low)) < nb::int_(nb::borrow(high)))) {
          raise<ValueError>("random.randint", "an empty range: got low ", nb::str(low).c_str(),
                            " and high ", nb::str(high).c_str(), "; expected low < high");
        }
        return random::randint(key_or_next(key, stream), bound_of(low), bound_of(high), shape.shape,
                               dtype, stream);
      },
      nb::arg("low"), nb::arg("high"), nb::arg("shape") = nb::list(),
      nb::arg("dtype") = dtype_object(Dtype::int32), nb::arg("key") = nb::none(),
      nb::arg("stream") = nb::none(),
      nb::sig("def randint(low: ArrayLike, high: ArrayLike, shape: int | "
              "collections.abc.Sequence[int] = [], dtype: Dtype = int32, key: array | None = None, "
              "stream: StreamOrDevice = None) -> array"),
      R"(Integers in [low, high), each with exactly the same probability.

Args:
    low, high: Bounds, which broadcast to the shape.
    shape: Of the result.
    dtype: An integer dtype.
    key: Without one the implicit state is used.

Raises:
    ValueError: low is not less than high.
    TypeError: The dtype is no integer dtype.

>>> mx.random.randint(0, 1, (3,)).tolist()
[0, 0, 0])");
  m.def(
      "bernoulli",
      [](const ArrayLike& p, const MaybeShape& shape, const MaybeArray& key,
         const StreamOrDevice& stream) {
        array probability = to_array("random.bernoulli", p);
        return random::bernoulli(key_or_next(key, stream), probability,
                                 shape_of(shape, probability.shape()), stream);
      },
      nb::arg("p") = 0.5, nb::arg("shape") = nb::none(), nb::arg("key") = nb::none(),
      nb::arg("stream") = nb::none(),
      nb::sig("def bernoulli(p: ArrayLike = 0.5, shape: int | collections.abc.Sequence[int] | None "
              "= None, key: array | None = None, stream: StreamOrDevice = None) -> array"),
      R"(True with probability ``p``.

>>> mx.random.bernoulli(1.0, (2,)).tolist()
[True, True])");
  m.def(
      "categorical",
      [](const array& logits, int axis, const MaybeShape& shape,
         const std::optional<std::int64_t>& num_samples, const MaybeArray& key,
         const StreamOrDevice& stream) {
        if (shape && num_samples) {
          raise<ValueError>("random.categorical", "got both shape and num_samples; expected one");
        }
        int at = normalize_axis("random.categorical", axis, logits.ndim());
        Shape others = logits.shape();
        others.erase(others.begin() + at);
        array drawn_from = logits;
        if (num_samples) {
          others.push_back(*num_samples);
          Shape spread = logits.shape();
          spread.push_back(1);
          drawn_from = reshape(logits, spread, stream);
        }
        return random::categorical(key_or_next(key, stream), drawn_from, at,
                                   shape_of(shape, others), stream);
      },
      nb::arg("logits"), nb::arg("axis") = -1, nb::arg("shape") = nb::none(),
      nb::arg("num_samples") = nb::none(), nb::arg("key") = nb::none(),
      nb::arg("stream") = nb::none(),
      nb::sig("def categorical(logits: array, axis: int = -1, shape: int | "
              "collections.abc.Sequence[int] | None = None, num_samples: int | None = None, key: "
              "array | None = None, stream: StreamOrDevice = None) -> array"),
      R"(Indices along ``axis``, drawn with the probabilities softmax(logits).

Args:
    logits: Logarithms of probabilities, up to a constant.
    axis: What the indices are along.
    shape: Of the result; None for that of ``logits`` without ``axis``.
    num_samples: Instead of ``shape``: so many draws, along a new last axis.

>>> mx.random.categorical(mx.array([[0.0, 100.0], [100.0, 0.0]])).tolist()
[1, 0])");
  m.def(
      "permutation",
      [](nb::handle x, int axis, const MaybeArray& key, const StreamOrDevice& stream) {
        if (PyLong_Check(x.ptr())) {
          return random::permutation(key_or_next(key, stream), to_int64("random.permutation", x),
                                     stream);
        }
        array a = to_array("random.permutation", ArrayLike{x});
        axis = normalize_axis("random.permutation", axis, a.ndim());
        array order = random::permutation(key_or_next(key, stream), a.shape(axis), stream);
        return take(a, order, axis, stream);
      },
      nb::arg("x"), nb::arg("axis") = 0, nb::arg("key") = nb::none(),
      nb::arg("stream") = nb::none(),
      nb::sig("def permutation(x: int | array, axis: int = 0, key: array | None = None, stream: "
              "StreamOrDevice = None) -> array"),
      R"(A random order of an array along an axis, or of the integers below ``x``.

>>> sorted(mx.random.permutation(4).tolist())
[0, 1, 2, 3])");
}

}  // namespace

void bind_random(nb::module_& parent) {
  nb::module_ m = parent.def_submodule("random", "Random numbers from counters, by key.");
  m.attr("__name__") = "mlx.core.random";
  nb::list key;
  key.append(nb::cast(random::key(entropy())));
  state = new nb::object(key);  // as long as the process
  m.attr("state") = key;
  bind_keys(m);
  bind_continuous(m);
  bind_discrete(m);
}

}  // namespace mlx::core::python
