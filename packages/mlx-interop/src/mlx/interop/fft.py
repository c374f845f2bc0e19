"""Extension "fft" of the standard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import mlx.core as mx

from .dtypes import DEFAULT_REAL, Array, Device, Dtype
from .policy import admit

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

Norm = Literal["backward", "ortho", "forward"]
_OPPOSITE: dict[str, Norm] = {"backward": "forward", "ortho": "ortho", "forward": "backward"}

fft = mx.fft.fft
ifft = mx.fft.ifft
rfft = mx.fft.rfft
irfft = mx.fft.irfft
fftn = mx.fft.fftn
ifftn = mx.fft.ifftn
rfftn = mx.fft.rfftn
irfftn = mx.fft.irfftn


def hfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """The transform of a signal with Hermitian symmetry, which is real.

    >>> hfft(mx.array([1 + 0j, 0j])).shape
    (2,)
    """
    return mx.fft.irfft(mx.conj(x), n, axis, _opposite(norm, "hfft"))


def ihfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """The inverse of `hfft`: of a real spectrum.

    >>> ihfft(mx.array([1.0, 0.0])).shape
    (2,)
    """
    return mx.conj(mx.fft.rfft(x, n, axis, _opposite(norm, "ihfft")))


def _opposite(norm: str, function: str) -> Norm:
    if norm not in _OPPOSITE:
        raise ValueError(
            f"[{function}] no such norm: got {norm!r}; expected 'backward', 'ortho' or 'forward'"
        )
    return _OPPOSITE[norm]


def fftfreq(
    n: int, /, *, d: float = 1.0, dtype: Dtype | None = None, device: Device | None = None
) -> Array:
    """The frequencies of `fft`'s results.

    >>> fftfreq(4)
    array([0, 0.25, -0.5, -0.25], dtype=float32)
    """
    dtype, device = admit(dtype or DEFAULT_REAL, device, "fftfreq")
    cycles = mx.concat([mx.arange((n + 1) // 2), mx.arange(-(n // 2), 0)])
    return _scaled(cycles, n, d, dtype, device, "fftfreq")


def rfftfreq(
    n: int, /, *, d: float = 1.0, dtype: Dtype | None = None, device: Device | None = None
) -> Array:
    """The frequencies of `rfft`'s results.

    >>> rfftfreq(4)
    array([0, 0.25, 0.5], dtype=float32)
    """
    dtype, device = admit(dtype or DEFAULT_REAL, device, "rfftfreq")
    return _scaled(mx.arange(n // 2 + 1), n, d, dtype, device, "rfftfreq")


def _scaled(
    cycles: Array, n: int, d: float, dtype: Dtype, device: Device | None, function: str
) -> Array:
    if not mx.isdtype(dtype, "real floating"):
        raise TypeError(f"[{function}] unusable dtype: got {dtype}; expected float32 or float64")
    return mx.divide(mx.astype(cycles, dtype, stream=device), n * d, stream=device)


def fftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """The spectrum with frequency zero in the middle.

    >>> fftshift(mx.array([0.0, 1.0, -2.0, -1.0]))
    array([-2, -1, 0, 1], dtype=float32)
    """
    return mx.fft.fftshift(x, [axes] if isinstance(axes, int) else axes)


def ifftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """The inverse of `fftshift`.

    >>> ifftshift(mx.array([-2.0, -1.0, 0.0, 1.0]))
    array([0, 1, -2, -1], dtype=float32)
    """
    return mx.fft.ifftshift(x, [axes] if isinstance(axes, int) else axes)
