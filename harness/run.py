"""Run suites of other projects on our packages and compare with the failures that are known.

    python harness/run.py einops sklearn               # from their wheels
    AAT_DIR=/a/checkout python harness/run.py array-api-2025.12
    python harness/run.py scipy -- -n 2 -k fft         # what follows -- goes to pytest

Known failures stand in harness/expected/<suite>.txt, each under its reason. A failure that is not
there, an entry that no longer fails, or too few tests make the run fail. With --json FILE the
counts are written for the dashboard.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from results import Verdict, judge, read_expected, read_junit  # noqa: E402
from suites import Suite, array_api, wheels  # noqa: E402

SUITES = {
    suite.name: suite for suite in (*map(array_api.suite, ("2024.12", "2025.12")), *wheels.SUITES)
}


def check_pins(suite: Suite) -> None:
    """The plugins lean on private names of the versions that they are written for."""
    for name, wanted in suite.pins.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            raise SystemExit(f"{suite.name} needs {name} {wanted}: it is not installed") from None
        if found != wanted and not found.startswith(wanted + "."):
            raise SystemExit(f"{suite.name} needs {name} {wanted}: {found} is installed")


def run(suite: Suite, extra: list[str], whole: bool) -> tuple[Verdict, float]:
    """Run one suite."""
    check_pins(suite)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        folder, arguments = suite.prepare(scratch)
        report = scratch / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += [f"--junitxml={report}", "-o", "junit_family=xunit1", *arguments, *extra]
        path = os.pathsep.join(filter(None, (str(HERE / "plugins"), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, **suite.environment, "PYTHONPATH": path}
        start = time.perf_counter()
        code = subprocess.run(command, cwd=folder, env=environment).returncode
        seconds = time.perf_counter() - start
        if code not in (0, 1) or not report.exists():
            raise SystemExit(f"{suite.name}: pytest stopped with code {code}")
        outcomes = read_junit(report)
    known = read_expected(HERE / "expected" / f"{suite.name}.txt")
    if not whole:  # a part of the suite says nothing of the rest
        known = {test: reason for test, reason in known.items() if test in outcomes}
    return judge(outcomes, known, suite.least if whole else 1), seconds


def tell(suite: Suite, verdict: Verdict, seconds: float) -> None:
    """Print what is to be done."""
    for test in verdict.new:
        print(f"NEW FAILURE  {test}")
    for test in verdict.stale:
        print(f"STALE ENTRY  {test}")
    if verdict.too_few:
        print(f"TOO FEW      {verdict.too_few}")
    counts = ", ".join(f"{n} {outcome}" for outcome, n in sorted(verdict.counts.items()))
    print(f"{suite.name}: {'good' if verdict.good else 'NOT GOOD'}: {counts}; {seconds:.0f} s")


def main(arguments: list[str]) -> int:
    """Run the suites named."""
    extra: list[str] = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, extra = arguments[:at], arguments[at + 1 :]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="+", choices=SUITES)
    parser.add_argument("--json", type=Path, help="write the counts here")
    options = parser.parse_args(arguments)
    selects = any(word in ("-k", "-m", "--lf", "-x") for word in extra)
    records, good = [], True
    for name in options.suites:
        verdict, seconds = run(SUITES[name], extra, whole=not selects)
        tell(SUITES[name], verdict, seconds)
        good = good and verdict.good
        records.append({"suite": name, "seconds": round(seconds), **verdict.counts})
    if options.json:
        options.json.write_text(json.dumps(records, indent=1) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
