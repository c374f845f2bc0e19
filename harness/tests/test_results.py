"""The harness itself: an empty run, a new failure and a stale entry must fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from results import judge, read_expected, read_junit

REPORT = """<testsuites><testsuite>
<testcase classname="m" name="good"/>
<testcase classname="m" name="bad"><failure message="x"/></testcase>
<testcase classname="m" name="broken"><error message="x"/></testcase>
<testcase classname="m" name="left"><skipped type="pytest.skip"/></testcase>
<testcase classname="m" name="known"><skipped type="pytest.xfail"/></testcase>
<testcase classname="m" name="torn"/>
<testcase classname="m" name="torn"><error message="at teardown"/></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def outcomes(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "report.xml"
    path.write_text(REPORT)
    return read_junit(path)


def test_outcomes_are_read(outcomes):
    assert outcomes == {
        "m::good": "passed",
        "m::bad": "failed",
        "m::broken": "error",
        "m::left": "skipped",
        "m::known": "xfailed",
        "m::torn": "error",
    }


def test_known_failures_are_good(outcomes):
    known = dict.fromkeys(("m::bad", "m::broken", "m::torn"), "a reason")
    assert judge(outcomes, known, least=1).good


def test_new_failure_is_not_good(outcomes):
    verdict = judge(outcomes, {"m::bad": "a reason", "m::torn": "a reason"}, least=1)
    assert not verdict.good
    assert verdict.new == ["m::broken"]


def test_entry_that_passes_is_stale():
    verdict = judge({"m::good": "passed"}, {"m::good": "a reason"}, least=1)
    assert not verdict.good
    assert verdict.stale == ["m::good"]


def test_entry_that_no_longer_exists_is_stale():
    assert judge({"m::good": "passed"}, {"m::gone": "a reason"}, least=1).stale == ["m::gone"]


def test_empty_run_is_not_good():
    assert not judge({}, {}, least=1).good


def test_reasons_are_required(tmp_path: Path):
    path = tmp_path / "expected.txt"
    path.write_text("# they disagree\nm::one\nm::two\n\nm::three\n")
    with pytest.raises(ValueError, match="needs a reason"):
        read_expected(path)
    path.write_text("# they disagree\nm::one\nm::two\n\n# another\nm::three\n")
    assert read_expected(path) == {
        "m::one": "they disagree",
        "m::two": "they disagree",
        "m::three": "another",
    }
