"""What a call through the namespace costs beside the engine's own: at most 150 ns are allowed.

    python benchmarks/overhead.py [NAME...]

Each pair is timed in turns, many rounds, on small arrays without computing them; the least time of
a round counts, since noise only adds. Exits with 1 where a function is over the limit.
"""

from __future__ import annotations

import sys
import timeit
from collections.abc import Callable

import mlx.core as mx
import mlx.interop as xp

LIMIT = 150  # ns
ROUNDS, CALLS = 60, 2000

x = mx.array([1.0, 2.0, 3.0])
y = mx.array([4.0, 5.0, 6.0])
n = mx.array([3, 1, 2], dtype=mx.int64)
m = mx.array([[2.0, 1.0], [1.0, 3.0]])
mx.eval(x, y, n, m)

# name: (through the namespace, the engine's own call for the same result)
PAIRS: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "add": (lambda: xp.add(x, y), lambda: mx.add(x, y)),
    "sin": (lambda: xp.sin(x), lambda: mx.sin(x)),
    "clip": (lambda: xp.clip(x, 0, 2), lambda: mx.clip(x, 0, 2)),
    "sum": (lambda: xp.sum(x, axis=0), lambda: mx.sum(x, axis=0)),
    "prod": (lambda: xp.prod(n), lambda: mx.prod(n)),
    "mean": (lambda: xp.mean(x), lambda: mx.mean(x)),
    "std": (lambda: xp.std(x, axis=0), lambda: mx.std(x, axis=0)),
    "argmax": (lambda: xp.argmax(x), lambda: mx.argmax(x)),
    "cumulative_sum": (lambda: xp.cumulative_sum(x), lambda: mx.cumsum(x, 0)),
    "sort": (lambda: xp.sort(x), lambda: mx.sort(x)),
    "argsort": (lambda: xp.argsort(x), lambda: mx.argsort(x)),
    "take": (lambda: xp.take(x, n, axis=0), lambda: mx.take(x, n, axis=0)),
    "reshape": (lambda: xp.reshape(x, (3, 1)), lambda: mx.reshape(x, (3, 1))),
    "squeeze": (lambda: xp.squeeze(m[:1], 0), lambda: mx.squeeze(m[:1], 0)),
    "roll": (lambda: xp.roll(x, 1), lambda: mx.roll(x, 1)),
    "concat": (lambda: xp.concat([x, y]), lambda: mx.concat([x, y])),
    "zeros": (lambda: xp.zeros((3,)), lambda: mx.zeros((3,))),
    "zeros of a dtype": (
        lambda: xp.zeros((3,), dtype=mx.float32),
        lambda: mx.zeros((3,), dtype=mx.float32),
    ),
    "zeros_like": (lambda: xp.zeros_like(x), lambda: mx.zeros_like(x)),
    "asarray of an array": (lambda: xp.asarray(x), lambda: mx.asarray(x)),
    "astype": (lambda: xp.astype(x, mx.int32), lambda: mx.astype(x, mx.int32)),
    "searchsorted": (lambda: xp.searchsorted(x, y), lambda: mx.searchsorted(x, y)),
    "matmul": (lambda: xp.matmul(m, m), lambda: mx.matmul(m, m)),
    "linalg.inv": (lambda: xp.linalg.inv(m), lambda: mx.linalg.inv(m)),
    "linalg.diagonal": (lambda: xp.linalg.diagonal(m), lambda: mx.diagonal(m, 0, -2, -1)),
    "fft.fft": (lambda: xp.fft.fft(x), lambda: mx.fft.fft(x)),
}


def least(function: Callable[[], object]) -> float:
    """Nanoseconds of a call, in one round."""
    return timeit.timeit(function, number=CALLS) / CALLS * 1e9


def measured(name: str) -> tuple[float, float]:
    """The least times of the pair, timed in turns."""
    ours, engine = PAIRS[name]
    times = [(least(ours), least(engine)) for _ in range(ROUNDS)]
    return min(t[0] for t in times), min(t[1] for t in times)


def main(names: list[str]) -> int:
    """Print a line per function."""
    over = 0
    print(f"{'function':22}{'namespace':>11}{'engine':>9}{'extra':>8}  (ns, limit {LIMIT})")
    for name in names or PAIRS:
        ours, engine = measured(name)
        extra = ours - engine
        over += extra > LIMIT
        mark = "  OVER" if extra > LIMIT else ""
        print(f"{name:22}{ours:11.0f}{engine:9.0f}{extra:8.0f}{mark}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
