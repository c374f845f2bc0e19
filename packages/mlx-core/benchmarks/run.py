"""Measures the engine beside its peers and prints medians and ratios.

    python run.py [--cases fused add_large] [--peers numpy numexpr torch] [--rounds 7] [--json FILE]

Every library runs in a process of its own, all on the same number of threads; the rounds interleave
the libraries, so that a machine that slows down slows all of them. A peer in another environment is
named with its interpreter: --peers apple-mlx=/path/to/python.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from cases import CASES

HERE = Path(__file__).parent


class Worker:
    def __init__(self, peer: str, threads: int) -> None:
        self.name, _, python = peer.partition("=")
        counts = {
            key: str(threads)
            for key in ("MLX_NUM_THREADS", "OMP_NUM_THREADS", "NUMEXPR_NUM_THREADS")
        }
        self.process = subprocess.Popen(
            [python or sys.executable, str(HERE / "worker.py"), self.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **counts},
        )

    def measure(self, case: str, repeat: int) -> dict:
        assert self.process.stdin and self.process.stdout
        print(json.dumps({"case": case, "repeat": repeat}), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} ended in case {case}")
        return json.loads(line)

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", nargs="*", default=list(CASES))
    parser.add_argument("--peers", nargs="*", default=["numpy", "numexpr"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--repeat", type=int, default=3, help="runs per library and round")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path, help="also write the results here")
    options = parser.parse_args()

    workers = [Worker(peer, options.threads) for peer in ["mlx-core", *options.peers]]
    results = []
    try:
        for case in options.cases:
            results.append(run_case(case, workers, options))
            print_case(results[-1])
    finally:
        for worker in workers:
            worker.close()
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")


def run_case(case: str, workers: list[Worker], options: argparse.Namespace) -> dict:
    seconds: dict[str, list[float]] = {worker.name: [] for worker in workers}
    notes: dict[str, str] = {}
    peak = None
    for _ in range(options.rounds):
        for worker in workers:
            answer = worker.measure(case, options.repeat)
            if "unsupported" in answer:
                notes[worker.name] = answer["unsupported"]
                continue
            seconds[worker.name].append(min(answer["seconds"]))
            if answer["peak_bytes"] is not None:
                peak = answer["peak_bytes"]
    return {
        "case": case,
        "what": CASES[case].__doc__,
        "seconds": seconds,
        "median": {name: statistics.median(s) for name, s in seconds.items() if s},
        "unsupported": notes,
        "peak_bytes": peak,
    }


def print_case(result: dict) -> None:
    ours = result["median"]["mlx-core"]
    print(f"{result['case']}: {result['what']}")
    for name, median in result["median"].items():
        spread = (
            f"{min(result['seconds'][name]) * 1e3:.3f}..{max(result['seconds'][name]) * 1e3:.3f}"
        )
        print(f"  {name:10s} {median * 1e3:10.3f} ms  ({spread})  {median / ours:6.2f} x ours")
    if result["peak_bytes"] is not None:
        print(f"  memory beyond the inputs: {result['peak_bytes'] / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
