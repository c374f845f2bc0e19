// Knows where each instruction set's FFT loops are.
#include "mlx/backends/cpu/fft_isa.h"

namespace mlx::core::cpu {

#if defined(__x86_64__)
namespace v2 {
const fft::FftKernels& fft_kernels();
}
namespace v3 {
const fft::FftKernels& fft_kernels();
}
namespace v4 {
const fft::FftKernels& fft_kernels();
}

const fft::FftKernels& fft_kernels_of(Isa isa) {
  switch (isa) {
    case Isa::v2:
      return v2::fft_kernels();
    case Isa::v3:
      return v3::fft_kernels();
    case Isa::v4:
      return v4::fft_kernels();
  }
  __builtin_unreachable();
}
#else
namespace native_isa {
const fft::FftKernels& fft_kernels();
}

const fft::FftKernels& fft_kernels_of(Isa) { return native_isa::fft_kernels(); }
#endif

}  // namespace mlx::core::cpu
