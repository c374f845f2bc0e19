// Checks the FFT loops of every instruction set against sums in long double; `bench` measures them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "mlx/backends/cpu/fft_isa.h"
#include "mlx/backends/cpu/fft_transform.h"

namespace {

using namespace mlx::core::cpu;
using mlx::core::cpu::fft::Kind;
using Exact = std::complex<long double>;

std::map<std::string, const fft::FftKernels*> kernel_sets() {
  std::map<std::string, const fft::FftKernels*> sets;
  for (int level = 0; level <= static_cast<int>(isa_level()); ++level) {
    const Isa isa = static_cast<Isa>(level);
    sets.emplace(name_of(isa), &fft_kernels_of(isa));
  }
  return sets;
}

// --- the truth -----------------------------------------------------------------------------------

Exact root(std::int64_t k, std::int64_t n) {
  const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k % n) /
                            static_cast<long double>(n);
  return {std::cos(angle), std::sin(angle)};
}

// The definition, term by term.
std::vector<Exact> direct(const std::vector<Exact>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::vector<Exact> roots(x.size()), y(x.size());
  for (std::int64_t k = 0; k < n; ++k) roots[static_cast<std::size_t>(k)] = root(k, n);
  for (std::int64_t k = 0; k < n; ++k) {
    Exact sum = 0;
    std::int64_t at = 0;
    for (const Exact& value : x) {
      sum += value * roots[static_cast<std::size_t>(at)];
      at = (at + k) % n;
    }
    y[static_cast<std::size_t>(k)] = sum;
  }
  return y;
}

// The same by halving, for powers of two.
std::vector<Exact> halved(const std::vector<Exact>& x) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::vector<Exact> even, odd, y(n);
  for (std::size_t i = 0; i < n; i += 2) {
    even.push_back(x[i]);
    odd.push_back(x[i + 1]);
  }
  even = halved(even);
  odd = halved(odd);
  for (std::size_t k = 0; k < n / 2; ++k) {
    const Exact term = odd[k] * root(static_cast<std::int64_t>(k), static_cast<std::int64_t>(n));
    y[k] = even[k] + term;
    y[k + n / 2] = even[k] - term;
  }
  return y;
}

// Long lines of any length: as a convolution with a chirp, by powers of two.
std::vector<Exact> convolved(const std::vector<Exact>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::size_t m = 1;
  while (m < 2 * x.size()) m *= 2;
  std::vector<Exact> a(m), b(m);
  std::vector<Exact> chirp(x.size());
  for (std::int64_t k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    chirp[i] = root(k * k % (2 * n), 2 * n);
    a[i] = x[i] * chirp[i];
    b[i] = b[(m - i) % m] = std::conj(chirp[i]);
  }
  a = halved(a);
  b = halved(b);
  for (std::size_t i = 0; i < m; ++i) a[i] = std::conj(a[i] * b[i]);
  a = halved(a);
  std::vector<Exact> y(x.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = std::conj(a[i]) / static_cast<long double>(m) * chirp[i];
  }
  return y;
}

std::vector<Exact> truth(const std::vector<Exact>& x) {
  if (x.size() <= 1200) return direct(x);
  return (x.size() & (x.size() - 1)) == 0 ? halved(x) : convolved(x);
}

// --- checks --------------------------------------------------------------------------------------

int failures = 0;
double worst[2] = {0, 0};

// An array of lines in memory, with the strides of a layout.
struct Layout {
  std::int64_t lines;
  std::int64_t axis_stride, line_stride;  // in elements
};

enum class Order { contiguous, neighbours, scattered };

Layout layout_of(Order order, std::int64_t lines, std::int64_t n) {
  switch (order) {
    case Order::contiguous:
      return {lines, 1, n};
    case Order::neighbours:
      return {lines, lines, 1};
    case Order::scattered:
      return {lines, 3, 3 * n + 2};
  }
  std::abort();
}

std::int64_t extent(const Layout& l, std::int64_t n) {
  return (n - 1) * l.axis_stride + (l.lines - 1) * l.line_stride + 1;
}

template <class T>
void compare(const std::string& what, const std::vector<Exact>& expected,
             const std::vector<Exact>& got) {
  long double error = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += std::norm(got[i] - expected[i]);
    norm += std::norm(expected[i]);
  }
  const double relative = static_cast<double>(std::sqrt(error / norm));
  const double logarithm = std::log2(static_cast<double>(expected.size()) + 1) + 1;
  const double bound = (sizeof(T) == 4 ? 6e-8 : 1.2e-16) * logarithm;
  double& most = worst[sizeof(T) == 4 ? 0 : 1];
  most = std::max(most, relative / logarithm);
  if (!(relative <= bound)) {
    ++failures;
    std::printf("FAIL %s: relative error %.3g, allowed %.3g\n", what.c_str(), relative, bound);
  }
}

template <class T>
class Check {
 public:
  Check(std::string name, const fft::FftKernels& kernels)
      : name_(name), kernels_(kernels.of<T>()) {}

  // Inputs are random numbers of precision T; the truth of a line is computed once per length.
  void run(std::int64_t n, std::int64_t lines, Order in_order, Order out_order,
           const fft::Parallel& parallel = {}) {
    prepare(n);
    for (const bool backward : {false, true}) {
      complex_to_complex(n, layout_of(in_order, lines, n), layout_of(out_order, lines, n), backward,
                         parallel);
    }
    const std::int64_t half = n / 2 + 1;
    real_to_complex(n, layout_of(in_order, lines, n), layout_of(out_order, lines, half), parallel);
    complex_to_real(n, layout_of(in_order, lines, half), layout_of(out_order, lines, n), parallel);
  }

 private:
  static constexpr std::size_t kKinds = 3;  // different lines in one array

  void prepare(std::int64_t n) {
    if (n_ == n) return;
    n_ = n;
    std::mt19937 random(static_cast<unsigned>(n));
    std::uniform_real_distribution<T> uniform(-1, 1);
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      signal_[kind].resize(static_cast<std::size_t>(n));
      real_[kind].resize(static_cast<std::size_t>(n));
      for (auto& x : signal_[kind]) x = {uniform(random), uniform(random)};
      for (auto& x : real_[kind]) x = uniform(random);
      spectrum_[kind] = truth(signal_[kind]);
      real_spectrum_[kind] = truth(real_[kind]);
      // A backward transform is a forward one, read from the other end.
      back_[kind] = spectrum_[kind];
      std::reverse(back_[kind].begin() + 1, back_[kind].end());
      // complex_to_real: a rounded spectrum with junk where the imaginary part must be zero.
      half_[kind].assign(real_spectrum_[kind].begin(), real_spectrum_[kind].begin() + n / 2 + 1);
      std::vector<Exact> whole(static_cast<std::size_t>(n));
      for (std::int64_t k = 0; k <= n / 2; ++k) {
        Exact& x = half_[kind][static_cast<std::size_t>(k)];
        x = {static_cast<T>(x.real()), static_cast<T>(x.imag())};
        const bool end = k == 0 || 2 * k == n;
        const Exact value = end ? Exact(x.real()) : x;
        whole[static_cast<std::size_t>(k)] = std::conj(value);
        whole[static_cast<std::size_t>((n - k) % n)] = value;
        if (end) x = {x.real(), 123};
      }
      restored_[kind] = truth(whole);
    }
  }

  std::vector<std::complex<T>> arranged(const std::vector<Exact>* lines, const Layout& l) const {
    const auto n = static_cast<std::int64_t>(lines[0].size());
    std::vector<std::complex<T>> memory(static_cast<std::size_t>(extent(l, n)), std::complex<T>(7));
    for (std::int64_t line = 0; line < l.lines; ++line) {
      for (std::int64_t i = 0; i < n; ++i) {
        const Exact& x =
            lines[static_cast<std::size_t>(line) % kKinds][static_cast<std::size_t>(i)];
        memory[static_cast<std::size_t>(line * l.line_stride + i * l.axis_stride)] = {
            static_cast<T>(x.real()), static_cast<T>(x.imag())};
      }
    }
    return memory;
  }

  template <class Element>
  void check(const char* what, const std::vector<Element>& memory, const Layout& l,
             const std::vector<Exact>* expected, std::int64_t count, long double scale) {
    for (std::int64_t line = 0; line < l.lines; ++line) {
      const auto& whole = expected[static_cast<std::size_t>(line) % kKinds];
      std::vector<Exact> want(whole.begin(), whole.begin() + count), got;
      for (auto& x : want) x *= scale;
      for (std::int64_t i = 0; i < count; ++i) {
        got.push_back(
            Exact(memory[static_cast<std::size_t>(line * l.line_stride + i * l.axis_stride)]));
      }
      compare<T>(name_ + " " + what + " n=" + std::to_string(n_) + " lines " +
                     std::to_string(l.lines) + " stride " + std::to_string(l.axis_stride) +
                     " line " + std::to_string(line),
                 want, got);
    }
  }

  fft::Task task(Kind kind, const Layout& in, const Layout& out, bool backward) const {
    return {.kind = kind,
            .backward = backward,
            .axis = {n_, in.axis_stride, out.axis_stride},
            .batch = {{in.lines, in.line_stride, out.line_stride}},
            .scale = 0.375};
  }

  void complex_to_complex(std::int64_t n, const Layout& in, const Layout& out, bool backward,
                          const fft::Parallel& parallel) {
    auto from = arranged(signal_, in);
    std::vector<std::complex<T>> to(static_cast<std::size_t>(extent(out, n)));
    fft::Transform<T> transform(task(Kind::complex_to_complex, in, out, backward), kernels_);
    transform.run(reinterpret_cast<T*>(from.data()), reinterpret_cast<T*>(to.data()), parallel);
    check(backward ? "backward" : "forward", to, out, backward ? back_ : spectrum_, n, 0.375L);
    if (in.axis_stride != out.axis_stride || in.line_stride != out.line_stride) return;
    transform.run(reinterpret_cast<T*>(from.data()), reinterpret_cast<T*>(from.data()), parallel);
    check("in place", from, in, backward ? back_ : spectrum_, n, 0.375L);
  }

  void real_to_complex(std::int64_t n, const Layout& in, const Layout& out,
                       const fft::Parallel& parallel) {
    const auto complex_from = arranged(real_, in);
    std::vector<T> from;
    for (const auto& x : complex_from) from.push_back(x.real());
    std::vector<std::complex<T>> to(static_cast<std::size_t>(extent(out, n / 2 + 1)));
    fft::Transform<T> transform(task(Kind::real_to_complex, in, out, false), kernels_);
    transform.run(from.data(), reinterpret_cast<T*>(to.data()), parallel);
    check("real to complex", to, out, real_spectrum_, n / 2 + 1, 0.375L);
    if (to[0].imag() != 0) {
      ++failures;
      std::printf("FAIL n=%ld: the imaginary part of element 0 is not zero\n",
                  static_cast<long>(n));
    }
  }

  void complex_to_real(std::int64_t n, const Layout& in, const Layout& out,
                       const fft::Parallel& parallel) {
    const auto from = arranged(half_, in);
    std::vector<T> to(static_cast<std::size_t>(extent(out, n)));
    fft::Transform<T> transform(task(Kind::complex_to_real, in, out, false), kernels_);
    transform.run(reinterpret_cast<const T*>(from.data()), to.data(), parallel);
    check("complex to real", to, out, restored_, n, 0.375L);
  }

  std::string name_;
  const fft::LaneKernels<T>& kernels_;
  std::int64_t n_ = 0;
  std::vector<Exact> signal_[kKinds], real_[kKinds], spectrum_[kKinds], real_spectrum_[kKinds],
      back_[kKinds], half_[kKinds], restored_[kKinds];
};

fft::Parallel threads(std::int64_t count) {
  return {.threads = count,
          .run = [](std::int64_t chunks, const std::function<void(std::int64_t)>& body) {
            std::vector<std::thread> running;
            for (std::int64_t chunk = 0; chunk < chunks; ++chunk) running.emplace_back(body, chunk);
            for (auto& thread : running) thread.join();
          }};
}

template <class T>
void check_all(const std::string& set, const fft::FftKernels& kernels) {
  Check<T> check(set + (sizeof(T) == 4 ? " float" : " double"), kernels);
  for (std::int64_t n = 1; n <= 300; ++n) {
    check.run(n, 1, Order::contiguous, Order::contiguous);
    check.run(n, 21, Order::contiguous, Order::neighbours);
    check.run(n, 35, Order::scattered, Order::contiguous);
    if (n % 3 != 0) continue;
    check.run(n, 19, Order::neighbours, Order::neighbours);
    check.run(n, 16, Order::neighbours, Order::scattered);
  }
  for (const std::int64_t n : {331, 512, 720, 1000, 1009, 1024}) {
    check.run(n, 33, Order::contiguous, Order::contiguous);
    check.run(n, 3, Order::neighbours, Order::scattered);
  }
  for (const std::int64_t n :
       {4096, 6561, 10007, 15625, 16807, 30030, 65536, 61 * 59 * 2, 131071}) {
    check.run(n, 1, Order::contiguous, Order::contiguous, threads(2));
  }
  check.run(16384, 10, Order::neighbours, Order::contiguous);
  check.run(2048, 40, Order::contiguous, Order::neighbours, threads(3));
}

// --- speed ---------------------------------------------------------------------------------------

template <class T>
double milliseconds(const fft::Task& task, const fft::LaneKernels<T>& kernels,
                    const fft::Parallel& parallel) {
  std::int64_t lines = 1;
  for (const auto& d : task.batch) lines *= d.size;
  const std::int64_t reals = 2 * lines * (task.axis.size + 2);
  const fft::Scratch<T> from(reals), to(reals);
  std::mt19937 random(1);
  for (std::int64_t i = 0; i < reals; ++i) from.data()[i] = static_cast<T>(random()) / T(4e9);
  const fft::Transform<T> transform(task, kernels);
  transform.run(from.data(), to.data(), parallel);
  double best = 1e9, total = 0;
  for (int round = 0; round < 5 || (total < 300 && round < 2000); ++round) {
    const auto start = std::chrono::steady_clock::now();
    transform.run(from.data(), to.data(), parallel);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
    total += took.count();
  }
  return best;
}

template <class T>
void bench_line(const fft::LaneKernels<T>& kernels, std::int64_t n, double mark) {
  const fft::Task complex = {.axis = {n, 1, 1}, .batch = {}};
  const fft::Task real = {.kind = Kind::real_to_complex, .axis = {n, 1, 1}, .batch = {}};
  const fft::Task inverse = {.kind = Kind::complex_to_real, .axis = {n, 1, 1}, .batch = {}};
  std::printf("  %s %8ld: complex %8.4f ms, two threads %8.4f, r2c %8.4f, c2r %8.4f",
              sizeof(T) == 4 ? "complex64 " : "complex128", static_cast<long>(n),
              milliseconds(complex, kernels, {}), milliseconds(complex, kernels, threads(2)),
              milliseconds(real, kernels, {}), milliseconds(inverse, kernels, {}));
  std::printf(mark > 0 ? "  (mark %g)\n" : "\n", mark);
}

template <class T>
void bench_batch(const fft::LaneKernels<T>& kernels, std::int64_t n, std::int64_t lines) {
  const auto measure = [&](Kind kind, bool inner) {
    const std::int64_t in = kind == Kind::complex_to_real ? n / 2 + 1 : n;
    const std::int64_t out = kind == Kind::real_to_complex ? n / 2 + 1 : n;
    const fft::Dimension axis = {n, inner ? 1 : lines, inner ? 1 : lines};
    const fft::Dimension batch = {lines, inner ? in : 1, inner ? out : 1};
    return milliseconds<T>({.kind = kind, .axis = axis, .batch = {batch}}, kernels, {});
  };
  std::printf("  %s %ld lines of %ld: last axis %.4f ms, first axis %.4f, r2c %.4f, %.4f\n",
              sizeof(T) == 4 ? "complex64 " : "complex128", static_cast<long>(lines),
              static_cast<long>(n), measure(Kind::complex_to_complex, true),
              measure(Kind::complex_to_complex, false), measure(Kind::real_to_complex, true),
              measure(Kind::real_to_complex, false));
}

void bench(const std::string& only) {
  for (const auto& [set, kernels] : kernel_sets()) {
    if (!only.empty() && only != set) continue;
    std::printf("%s\n", set.c_str());
    for (const std::int64_t n : {16, 60, 256, 1000, 1024, 4096, 16384})
      bench_line(kernels->f32, n, 0);
    bench_line(kernels->f32, 65536, 0.33);
    bench_line(kernels->f32, 1 << 20, 10.5);
    bench_line(kernels->f32, 1000000, 0);
    bench_line(kernels->f32, 1000003, 77);
    for (const std::int64_t n : {1024, 65536, 1 << 20}) bench_line(kernels->f64, n, 0);
    for (const std::int64_t n : {8, 31, 67, 100, 1024}) bench_batch(kernels->f32, n, 1 << 20 >> 10);
    bench_batch(kernels->f32, 1 << 16, 64);
    bench_batch(kernels->f64, 1024, 1024);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "bench") == 0) {
    bench(argc > 2 ? argv[2] : "");
    return 0;
  }
  for (const auto& [set, kernels] : kernel_sets()) {
    check_all<float>(set, *kernels);
    check_all<double>(set, *kernels);
  }
  std::printf("relative error / log2 n at most: float %.3g, double %.3g; %d failures\n", worst[0],
              worst[1], failures);
  return failures == 0 ? 0 : 1;
}
