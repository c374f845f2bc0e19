// Declares the FFT loops of the instruction set that is being compiled.
#pragma once

#include "mlx/backends/cpu/fft_kernels.h"

namespace mlx::core::cpu::MLX_ISA {

const fft::FftKernels& fft_kernels();

}  // namespace mlx::core::cpu::MLX_ISA
