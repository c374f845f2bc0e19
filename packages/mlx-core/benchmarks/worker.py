"""One library in one process: prepares cases and times them when the runner asks.

Lines of JSON on standard input: {"case": name, "repeat": n}; answers on standard output:
{"seconds": [...], "peak_bytes": extra memory or null} or {"unsupported": reason}.
"""

from __future__ import annotations

import json
import sys
import time

from cases import CASES, Library


def main() -> None:
    library = Library(sys.argv[1])
    prepared = {}
    for line in sys.stdin:
        request = json.loads(line)
        name = request["case"]
        try:
            if name not in prepared:
                prepared[name] = CASES[name](library)
                prepared[name]()
            answer = measure(library, prepared[name], request["repeat"])
        except NotImplementedError as error:
            answer = {"unsupported": str(error)}
        print(json.dumps(answer), flush=True)


def measure(library: Library, run, repeat: int) -> dict:
    before = None
    if library.name == "mlx-core":
        library.xp.reset_peak_memory()
        before = library.xp.get_active_memory()
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    peak = None if before is None else library.xp.get_peak_memory() - before
    return {"seconds": seconds, "peak_bytes": peak}


if __name__ == "__main__":
    main()
