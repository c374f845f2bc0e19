// Computes with the installed engine, and catches one of its exceptions by class.
#include <mlx/core.h>

#include <iostream>

namespace mx = mlx::core;

int main() {
  mx::array a({1.0f, 2.0f, 3.0f});
  mx::array b({10.0f, 20.0f, 30.0f});
  std::cout << mx::sum(mx::add(a, b)).item<float>() << '\n';
  try {
    mx::add(a, mx::array({1.0f, 2.0f}));
  } catch (const mx::ValueError& error) {
    std::cout << error.what() << '\n';
  }
}
