"""Chapter "linear algebra functions" of the main namespace; the extension is in linalg.py."""

from __future__ import annotations

import mlx.core as mx

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]

matmul = mx.matmul
matrix_transpose = mx.matrix_transpose
tensordot = mx.tensordot
vecdot = mx.vecdot
