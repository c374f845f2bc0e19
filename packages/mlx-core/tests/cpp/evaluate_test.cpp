// Evaluation, fusion and transforms against a backend that computes element by element.
#include "check.h"
#include "mlx/ops/cast.h"
#include "mlx/ops/elementwise.h"
#include "mlx/ops/reduce.h"
#include "mlx/ops/shape.h"
#include "mlx/transforms/compile.h"
#include "mlx/transforms/custom.h"
#include "mlx/transforms/vmap.h"
#include "reference_backend.h"

using namespace mlx::core;
using mlx::core::testing::finish;

namespace {

testing::ReferenceBackend reference;

bool near(double a, double b) { return std::abs(a - b) <= 1e-5 * (1 + std::abs(b)); }

double at(const array& a, std::int64_t i) {
  Tensor t = a.tensor();
  Strides row = row_major_strides(t.shape);
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < t.shape.size(); ++d) offset += i / row[d] % t.shape[d] * t.strides[d];
  return testing::read(t, offset);
}

// One expression is one program; what a handle holds is stored by it too.
void chains_fuse() {
  array x({1.f, 2.f, 3.f}), y({4.f, 5.f, 6.f});
  reference.runs = 0;
  array z = add(multiply(sin(x), array(2.f)), exp(negative(multiply(x, x))));
  z = multiply(z, y);
  CHECK(near(at(z, 1), (std::sin(2.) * 2 + std::exp(-4.)) * 5));
  CHECK(reference.runs == 1);
  array held = add(x, y);
  array w = multiply(held, held);
  reference.runs = 0;
  w.eval();
  CHECK(held.is_available() && reference.runs == 1 && near(at(held, 2), 9));
}

void reductions_end_programs() {
  array x({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, Shape{2, 3});
  reference.runs = 0;
  array total = sum(square(x), Axes{1});
  CHECK(near(at(total, 1), 16 + 25 + 36) && reference.runs == 1);
  // A softmax: the exponentials are read by two programs, so they are stored once.
  array e = exp(subtract(x, max(x, Axes{1}, true)));
  array softmax = divide(e, sum(e, Axes{1}, true));
  CHECK(near(at(sum(softmax, Axes{1}), 0), 1));
  CHECK(near(at(var(x), 0), 35.0 / 12));
  CHECK(near(at(mean(transpose(x), Axes{0}), 1), 5));
}

void long_chains_do_not_recurse() {
  array x({0.f, 1.f});
  array one(1.f);
  for (int i = 0; i < 200000; ++i) x = add(x, one);
  CHECK(near(at(x, 1), 200001));
  for (int i = 0; i < 200000; ++i) x = add(x, one);  // dies unevaluated
}

void derivatives() {
  array x({0.5f, 1.5f});
  auto fun = [](const Arrays& a) { return Arrays{sum(multiply(sin(a[0]), exp(a[0])))}; };
  auto [value, grads] = value_and_grad(fun, {x}, {0});
  double expected = std::cos(1.5) * std::exp(1.5) + std::sin(1.5) * std::exp(1.5);
  CHECK(near(at(grads[0], 1), expected));
  CHECK(!grads[0].node().traced && !value[0].node().traced);
  auto [outputs, tangents] = jvp(fun, {x}, {array({0.f, 1.f})});
  CHECK(near(at(tangents[0], 0), expected));
  // Broadcasting sums back.
  auto scaled = [&](const Arrays& a) { return Arrays{sum(multiply(x, a[0]))}; };
  CHECK(near(at(value_and_grad(scaled, {array(3.f)}, {0}).second[0], 0), 2));
  // Second derivative.
  auto first = [&](const Arrays& a) {
    auto cube = [](const Arrays& b) { return Arrays{multiply(b[0], multiply(b[0], b[0]))}; };
    return value_and_grad(cube, a, {0}).second;
  };
  CHECK(near(at(value_and_grad(first, {array(2.f)}, {0}).second[0], 0), 12));
  auto again = checkpoint(fun);
  CHECK(near(at(value_and_grad(again, {x}, {0}).second[0], 1), expected));
}

void batches() {
  array x({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, Shape{2, 3});
  array w({1.f, 10.f, 100.f});
  auto dot = [](const Arrays& a) { return Arrays{sum(multiply(a[0], a[1]))}; };
  Arrays rows = vmap(dot, {0, -1}, {0})({x, w});
  CHECK((rows[0].shape() == Shape{2}) && near(at(rows[0], 1), 654));
  auto gradient = [&](const Arrays& a) { return value_and_grad(dot, a, {1}).second; };
  Arrays each = vmap(gradient, {0, -1}, {0})({x, w});
  CHECK((each[0].shape() == Shape{2, 3}) && near(at(each[0], 4), 5));
}

void compilation_merges() {
  int traces = 0;
  auto fun = compile([&](const Arrays& a) {
    ++traces;
    return Arrays{add(exp(a[0]), exp(a[0]))};
  });
  array x({0.f, 1.f});
  CHECK(near(at(fun({x})[0], 1), 2 * std::exp(1.)));
  CHECK(near(at(fun({x})[0], 0), 2) && traces == 1);
  CHECK(near(at(fun({array({0.f, 0.f, 1.f})})[0], 2), 2 * std::exp(1.)) && traces == 2);
}

void traced_arrays_have_no_value() {
  bool raised = false;
  try {
    compile([](const Arrays& a) {
      a[0].eval();
      return a;
    })({array(1.f)});
  } catch (const ValueError&) {
    raised = true;
  }
  CHECK(raised);
}

void asynchronous() {
  array x({1.f, 2.f});
  array y = add(x, x);
  async_eval({y});
  synchronize();
  CHECK(y.is_available() && near(at(y, 1), 4));
}

}  // namespace

int main() {
  register_backend(Device::Type::cpu, &reference);
  chains_fuse();
  reductions_end_programs();
  long_chains_do_not_recurse();
  derivatives();
  batches();
  compilation_merges();
  traced_arrays_have_no_value();
  asynchronous();
  return finish();
}
