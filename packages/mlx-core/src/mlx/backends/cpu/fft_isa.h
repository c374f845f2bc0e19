// The FFT loops of each instruction set.
#pragma once

#include "mlx/backends/cpu/fft_kernels.h"
#include "mlx/backends/cpu/isa.h"

namespace mlx::core::cpu {

// Only those up to isa_level() run on this machine.
const fft::FftKernels& fft_kernels_of(Isa isa);

}  // namespace mlx::core::cpu
