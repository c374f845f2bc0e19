// Fourier transforms of arrays, as numpy.fft and the array API standard define them.
#pragma once

#include "mlx/ops/op.h"

namespace mlx::core {

// Which direction is divided by the number of elements: the backward one, the forward one, or both
// by its square root.
enum class FFTNorm : std::uint8_t { backward, ortho, forward };
inline constexpr std::array<std::string_view, 3> fft_norm_names = {"backward", "ortho", "forward"};
template <>
inline constexpr std::span<const std::string_view> enum_names<FFTNorm> = fft_norm_names;

// The FFT primitive. A real transform is real on its last axis: forward it takes reals to the first
// n/2 + 1 numbers of the spectrum, inverse it takes those back.
struct FFTAttrs {
  Axes axes;  // not negative, each once, at least one
  Shape n;    // the length of the signal along each of them
  bool inverse = false;
  bool real = false;
  FFTNorm norm = FFTNorm::backward;
  bool operator==(const FFTAttrs&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"axes", &FFTAttrs::axes}, Field{"n", &FFTAttrs::n},
                      Field{"inverse", &FFTAttrs::inverse}, Field{"real", &FFTAttrs::real},
                      Field{"norm", &FFTAttrs::norm}};
  }
};

namespace fft {

using Norm = FFTNorm;

// One axis. The input is cut or padded with zeros to length n; of irfft and hfft n is the length
// of the output, 2 * (m - 1) where none is given.
#define MLX_DECLARE(name)                                                                        \
  MLX_API array name(const array& a, std::optional<std::int64_t> n = {}, std::int64_t axis = -1, \
                     Norm norm = Norm::backward, const StreamOrDevice& stream = {});
MLX_DECLARE(fft)
MLX_DECLARE(ifft)
MLX_DECLARE(rfft)
MLX_DECLARE(irfft)
MLX_DECLARE(hfft)   // of a signal whose spectrum is real: the first half of the signal is given
MLX_DECLARE(ihfft)  // back to that half
#undef MLX_DECLARE

// Several axes: all, or the last ones that `s` has lengths for. A length -1 is the input's own.
#define MLX_DECLARE(name)                                                              \
  MLX_API array name(const array& a, const std::optional<Shape>& s = {},               \
                     const std::optional<Axes>& axes = {}, Norm norm = Norm::backward, \
                     const StreamOrDevice& stream = {});
MLX_DECLARE(fftn)
MLX_DECLARE(ifftn)
MLX_DECLARE(rfftn)
MLX_DECLARE(irfftn)
#undef MLX_DECLARE

// Two axes, the last ones where none are given.
#define MLX_DECLARE(name)                                                     \
  MLX_API array name(const array& a, const std::optional<Shape>& s = {},      \
                     const Axes& axes = {-2, -1}, Norm norm = Norm::backward, \
                     const StreamOrDevice& stream = {});
MLX_DECLARE(fft2)
MLX_DECLARE(ifft2)
MLX_DECLARE(rfft2)
MLX_DECLARE(irfft2)
#undef MLX_DECLARE

// The frequencies of the elements of fft's (rfft's) result for n samples, d apart.
MLX_API array fftfreq(std::int64_t n, double d = 1, Dtype dtype = Dtype::float32,
                      const StreamOrDevice& stream = {});
MLX_API array rfftfreq(std::int64_t n, double d = 1, Dtype dtype = Dtype::float32,
                       const StreamOrDevice& stream = {});
// Moves frequency zero to the middle of the axes (all where none are given), and back.
MLX_API array fftshift(const array& a, const std::optional<Axes>& axes = {},
                       const StreamOrDevice& stream = {});
MLX_API array ifftshift(const array& a, const std::optional<Axes>& axes = {},
                        const StreamOrDevice& stream = {});

}  // namespace fft
}  // namespace mlx::core
