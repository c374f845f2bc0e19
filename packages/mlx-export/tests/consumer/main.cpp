// Calls a function that Python exported, by keyword in both orders; exports one of its own.
#include <mlx/core.h>
#include <mlx/export.h>

#include <iostream>

namespace mx = mlx::core;

namespace {

// Prints the names of the primitives as the walk tells them.
struct Printer final : mx::Listener {
  void on(const mx::Event& event) override {
    if (const auto* primitive = std::get_if<mx::PrimitiveEvent>(&event)) {
      std::cout << primitive->op->name << '\n';
    }
  }
};

void show(const mx::Arrays& outputs) {
  for (const mx::array& output : outputs) std::cout << mx::sum(output).item<float>() << '\n';
}

}  // namespace

int main(int, char** arguments) {
  const auto function = mx::ImportedFunction::open(arguments[1]);
  const mx::array x({5.0f, 7.0f});
  const mx::array y({1.0f, 2.0f});
  show(function({}, {{"x", x}, {"y", y}}).outputs);
  show(function({}, {{"y", y}, {"x", x}}).outputs);
  try {
    function({x}, {});
  } catch (const mx::ValueError& error) {
    std::cout << error.what() << std::endl;
  }
  mx::Exporter exporter(std::make_shared<Printer>(), [](const mx::Arrays& in, const mx::Keywords&) {
    return mx::Arrays{mx::log(mx::abs(in[0]))};
  });
  exporter.trace({x}, {});
}
