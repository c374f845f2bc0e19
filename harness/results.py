"""Outcomes of a run, and what they are next to the failures that are known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree


def read_junit(path: Path) -> dict[str, str]:
    """Outcome of each test of a pytest run: passed, failed, error, skipped or xfailed."""
    outcomes: dict[str, str] = {}
    for case in ElementTree.parse(path).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        outcome = "passed"
        for child in case:
            if child.tag in ("failure", "error"):
                outcome = "failed" if child.tag == "failure" else "error"
            elif child.tag == "skipped":
                outcome = "xfailed" if child.get("type") == "pytest.xfail" else "skipped"
        if outcomes.get(name) not in ("failed", "error"):  # an error at teardown comes second
            outcomes[name] = outcome
    return outcomes


def read_expected(path: Path) -> dict[str, str]:
    """Known failures and their reasons: `# reason` lines head the tests they are about."""
    known: dict[str, str] = {}
    reason = ""
    lines = path.read_text().splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("#"):
            reason = text.lstrip("# ")
        elif text and not reason:
            raise ValueError(f"{path}:{number}: a known failure needs a reason above it")
        elif text:
            known[text] = reason
        else:
            reason = ""
    return known


@dataclass
class Verdict:
    """What a run says."""

    counts: Counter[str]
    new: list[str] = field(default_factory=list)  # failed, and nobody said so
    stale: list[str] = field(default_factory=list)  # said to fail, and does not
    too_few: str = ""

    @property
    def good(self) -> bool:
        """Is there nothing to do?"""
        return not (self.new or self.stale or self.too_few)


def judge(outcomes: dict[str, str], known: dict[str, str], least: int) -> Verdict:
    """Compare a run with what is known."""
    failing = {name for name, outcome in outcomes.items() if outcome in ("failed", "error")}
    verdict = Verdict(
        Counter(outcomes.values()),
        new=sorted(failing - known.keys()),
        stale=sorted(name for name in known if name not in failing),
    )
    if len(outcomes) < least:
        verdict.too_few = f"{len(outcomes)} tests ran; expected {least} or more"
    return verdict
