// The Op record: all that the engine knows of an operation. Read this file first.
//
// Every node of the graph applies one Op to inputs. From the record come the Python binding and its
// docstring, the callback's names, saving and loading, equality and common subexpressions, the
// transforms, and the derived tests. Families (elementwise, reduce, scan) fill the record from
// tables of rows; the other files of this folder fill it by hand. How an op is computed is not
// here: backends/<device>/ has that, keyed by the record.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "mlx/array/array.h"
#include "mlx/graph/attributes.h"

namespace mlx::core {

using Inputs = std::span<const array>;
using Arrays = std::vector<array>;

// What an output will be.
struct Spec {
  Shape shape;
  Dtype dtype;
};
using Specs = SmallVector<Spec, 1>;

// How evaluation treats the op.
enum class Evaluation : std::uint8_t {
  elementwise,  // one scalar body per element; fuses (Op::elementwise says which body)
  cast,         // AsType; fuses
  iota,         // Arange: computed from the position; fuses
  reduce,       // ends a fused region
  alias,        // the outputs are the last inputs, memory and all
  view,         // the result is the input's memory seen otherwise (Op::view), or a copy
  kernel,       // a function of the backend
  placeholder,  // an argument of a traced function: it has no value
};

// Reverse mode. `inputs` and `outputs` are the node's; one cotangent per output; the result has one
// entry per input, nullopt where `wanted` is false or nothing flows there (integers, indices).
struct Op;
struct VjpCall {
  const Op& op;
  Inputs inputs;
  Inputs outputs;
  const AttrsRef& attrs;
  std::span<const std::optional<array>> cotangents;  // nullopt: zero
  const std::vector<bool>& wanted;
};
using Vjp = std::vector<std::optional<array>> (*)(const VjpCall&);

// Forward mode. `tangents` has one entry per input, nullopt where it is zero; the result one per
// output.
struct JvpCall {
  const Op& op;
  Inputs inputs;
  Inputs outputs;
  const AttrsRef& attrs;
  std::span<const std::optional<array>> tangents;
};
using Jvp = std::vector<std::optional<array>> (*)(const JvpCall&);

// Said, never forgotten: a record without it does not compile.
class Gradient {
 public:
  Gradient() = delete;
  Gradient(Vjp vjp) : vjp(vjp) {}  // jvp is derived from vjp, twice transposed
  Gradient(Vjp vjp, Jvp jvp) : vjp(vjp), jvp(jvp) {}
  static Gradient none(std::string_view reason) { return Gradient(reason); }
  Vjp vjp = nullptr;
  Jvp jvp = nullptr;
  std::string_view reason;  // why there is none

 private:
  explicit Gradient(std::string_view reason) : reason(reason) {}
};

// Vectorisation over a new axis. `axes[i]` is the batch axis of input i, or -1 for none. Returns
// the outputs with the batch axis at 0.
struct VmapCall {
  const Op& op;
  Inputs inputs;
  std::span<const int> axes;
  const AttrsRef& attrs;
  std::int64_t size;  // of the batch
  Stream stream;
};
using Vmap = Arrays (*)(const VmapCall&);

// For rules: input i with its batch axis at 0; without one it is repeated along a new axis 0.
MLX_API array move_batch_to_front(const VmapCall& call, std::size_t i);

class Batching {
 public:
  Batching() = delete;
  Batching(Vmap rule) : rule(rule) {}
  static Batching none(std::string_view reason) { return Batching(reason); }
  Vmap rule = nullptr;
  std::string_view reason;

 private:
  explicit Batching(std::string_view reason) : reason(reason) {}
};

struct ElementwiseRow;  // ops/elementwise.h

struct Op {
  // "Add": what export, printing and errors inside the graph call it.
  std::string_view name;
  // One name per input; a last name that ends in "..." stands for any number.
  std::vector<std::string_view> inputs;
  AttrsSchema attrs = {};
  Evaluation evaluation = Evaluation::kernel;
  const ElementwiseRow* elementwise = nullptr;
  // Shapes and dtypes of the outputs; raises on inputs that do not fit. The functions in ops.h have
  // promoted and broadcast already; this also guards graphs that come from a file.
  Specs (*infer)(const Op& op, Inputs inputs, const AttrsRef& attrs);
  // View ops: where the output's elements lie in the input's memory; nullopt: not expressible by
  // strides, so the evaluator copies the input to row-major order first and asks again.
  std::optional<Tensor> (*view)(const Tensor& input, const Spec& output,
                                const AttrsRef& attrs) = nullptr;
  // Kernel ops: the input whose memory output 0 may take over when nobody else needs it; -1: none.
  int donates = -1;
  Gradient gradient;
  Batching batching;
  std::string_view doc;
  std::string_view since = "0.1";
};

// All ops. The registry is complete before main() and never changes.
MLX_API std::span<const Op* const> all_ops();
MLX_API const Op* find_op(std::string_view name);  // nullptr: there is none

// Raises where the array stands for an argument of a traced function (compile, vmap, export): what
// `op` returns depends on the values, which a trace does not have.
MLX_API void require_concrete(std::string_view op, const array& a);
// An argument of a traced function.
MLX_API array placeholder(Shape shape, Dtype dtype);

// Makes a node and returns its output(s). Checks nothing that `infer` does not check.
MLX_API array apply(const Op& op, SmallVector<array, 3> inputs, AttrsRef attrs, Stream stream);
// The same where the caller knows the output already: nothing is inferred.
MLX_API array apply(const Op& op, SmallVector<array, 3> inputs, AttrsRef attrs, Stream stream,
                    Spec output);
MLX_API Arrays apply_multi(const Op& op, SmallVector<array, 3> inputs, AttrsRef attrs,
                           Stream stream);

}  // namespace mlx::core
