"""What is measured: each case as each library writes it.

A case function gets the library's namespace and its prepared inputs and returns a callable; calling
it does the work once, with the result computed (not only planned).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

LARGE = 10_000_000
Case = Callable[[], Any]


def float_inputs(count: int, number: int) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(count).astype(np.float32) for _ in range(number)]


class Library:
    """How one library makes arrays and forces results."""

    def __init__(self, name: str) -> None:
        self.name = name
        if name in ("mlx-core", "apple-mlx"):
            import mlx.core as xp
        elif name == "torch":
            import torch as xp  # type: ignore[no-redef]
        else:
            import numpy as xp  # type: ignore[no-redef]
        self.xp: Any = xp

    def array(self, x: np.ndarray) -> Any:
        if self.name in ("mlx-core", "apple-mlx"):
            result = self.xp.array(x)
            self.xp.eval(result)
            return result
        return self.xp.from_numpy(x) if self.name == "torch" else x

    def forced(self, compute: Callable[[], Any]) -> Case:
        """The callable that also waits for the result."""
        if self.name not in ("mlx-core", "apple-mlx"):
            return compute
        evaluate = self.xp.eval

        def run() -> Any:
            result = compute()
            evaluate(result)
            return result

        return run


def fused(lib: Library) -> Case:
    """sin(x)*2 + exp(-x*x)*y on 1e7 float32."""
    x, y = (lib.array(a) for a in float_inputs(LARGE, 2))
    if lib.name == "numexpr":
        import numexpr

        return lambda: numexpr.evaluate("sin(x)*2 + exp(-x*x)*y", {"x": x, "y": y})
    xp = lib.xp
    return lib.forced(lambda: xp.sin(x) * 2 + xp.exp(-x * x) * y)


def add_large(lib: Library) -> Case:
    """x + y on 1e7 float32."""
    x, y = (lib.array(a) for a in float_inputs(LARGE, 2))
    if lib.name == "numexpr":
        import numexpr

        return lambda: numexpr.evaluate("x + y", {"x": x, "y": y})
    return lib.forced(lambda: x + y)


def add_ten(lib: Library) -> Case:
    """a + b on ten float32, a thousand times."""
    a, b = (lib.array(v) for v in float_inputs(10, 2))
    if lib.name == "numexpr":
        raise NotImplementedError("numexpr parses a string for each call")
    if lib.name in ("mlx-core", "apple-mlx"):
        evaluate = lib.xp.eval

        def run() -> None:
            for _ in range(1000):
                c = a + b
                evaluate(c)

        return run

    def run_eager() -> None:
        for _ in range(1000):
            a + b  # noqa: B018 - the work is the measurement

    return run_eager


def sum_all(lib: Library) -> Case:
    """The sum of 1e7 float32."""
    (x,) = (lib.array(a) for a in float_inputs(LARGE, 1))
    if lib.name == "numexpr":
        import numexpr

        return lambda: numexpr.evaluate("sum(x)", {"x": x})
    return lib.forced(lambda: x.sum())


def softmax(lib: Library) -> Case:
    """softmax over the last axis of 4096 x 1024 float32, of plain ops."""
    (flat,) = float_inputs(4096 * 1024, 1)
    x = lib.array(flat.reshape(4096, 1024))
    xp = lib.xp
    if lib.name == "numexpr":
        raise NotImplementedError("numexpr has no maximum along an axis")
    if lib.name == "torch":
        return lambda: xp.softmax(x, -1)

    def compute() -> Any:
        e = xp.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    return lib.forced(compute)


def matmul(lib: Library) -> Case:
    """1024 x 1024 float32 matrices."""
    a, b = (lib.array(v.reshape(1024, 1024)) for v in float_inputs(1024 * 1024, 2))
    if lib.name == "numexpr":
        raise NotImplementedError("numexpr has no matrices")
    return lib.forced(lambda: a @ b)


def random_array(lib: Library, shape: tuple[int, ...]) -> Any:
    count = int(np.prod(shape))
    return lib.array(float_inputs(count, 1)[0].reshape(shape))


def needs_arrays(lib: Library) -> None:
    if lib.name == "numexpr":
        raise NotImplementedError("numexpr has elementwise functions and sums")


def matmul_batched(lib: Library) -> Case:
    """64 products of 128 x 128 float32 matrices."""
    needs_arrays(lib)
    a = random_array(lib, (64, 128, 128))
    return lib.forced(lambda: a @ a)


def matvec(lib: Library) -> Case:
    """A 4096 x 4096 float32 matrix times a vector."""
    needs_arrays(lib)
    a, x = random_array(lib, (4096, 4096)), random_array(lib, (4096,))
    return lib.forced(lambda: a @ x)


def cumsum(lib: Library) -> Case:
    """Sums so far of 1e7 float32."""
    needs_arrays(lib)
    x = random_array(lib, (LARGE,))
    return lib.forced(lambda: lib.xp.cumsum(x, 0))


def argmax_rows(lib: Library) -> Case:
    """The largest element of each row of 4096 x 1024 float32."""
    needs_arrays(lib)
    x = random_array(lib, (4096, 1024))
    return lib.forced(lambda: lib.xp.argmax(x, 1))


def sort(lib: Library) -> Case:
    """1e6 float32."""
    needs_arrays(lib)
    x = random_array(lib, (1_000_000,))
    if lib.name == "torch":
        return lambda: lib.xp.sort(x)[0]
    return lib.forced(lambda: lib.xp.sort(x))


def argsort(lib: Library) -> Case:
    """The order of 1e6 float32."""
    needs_arrays(lib)
    x = random_array(lib, (1_000_000,))
    return lib.forced(lambda: lib.xp.argsort(x))


def solve(lib: Library) -> Case:
    """300 equations in float32."""
    needs_arrays(lib)
    a, b = random_array(lib, (300, 300)), random_array(lib, (300,))
    return lib.forced(lambda: lib.xp.linalg.solve(a, b))


def svd(lib: Library) -> Case:
    """A 300 x 300 float32 matrix."""
    needs_arrays(lib)
    a = random_array(lib, (300, 300))
    return lib.forced(lambda: lib.xp.linalg.svd(a))


def eigh(lib: Library) -> Case:
    """A symmetric 300 x 300 float32 matrix."""
    needs_arrays(lib)
    a = random_array(lib, (300, 300))
    symmetric = lib.array(np.asarray(a + a.T))
    return lib.forced(lambda: lib.xp.linalg.eigh(symmetric))


CASES: dict[str, Callable[[Library], Case]] = {
    f.__name__: f
    for f in (
        fused,
        add_large,
        add_ten,
        sum_all,
        softmax,
        matmul,
        matmul_batched,
        matvec,
        cumsum,
        argmax_rows,
        sort,
        argsort,
        solve,
        svd,
        eigh,
    )
}
