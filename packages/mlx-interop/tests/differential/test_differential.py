"""Every function of the standard against array-api-strict on drawn inputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .compare import agree
from .linear_cases import CASES, RECONSTRUCTIONS

STANDARD = json.loads((Path(__file__).parents[1] / "standard.json").read_text())
UNTESTED_HERE = {
    "__array_namespace_info__": "test_info.py",
    "finfo": "test_data_types.py",
    "iinfo": "test_data_types.py",
}

quick = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,  # the same examples in every run: CI does not fail by chance
    suppress_health_check=list(HealthCheck),
)


def test_every_function_has_a_case():
    wanted = {
        name
        for name, history in STANDARD.items()
        if not name.startswith(("array.", "info.")) and "constant" not in history.values()
    }
    assert wanted - CASES.keys() - RECONSTRUCTIONS.keys() == UNTESTED_HERE.keys()


@pytest.mark.parametrize("name", sorted(CASES))
def test_agrees_with_strict(name):
    case = CASES[name]

    @quick
    @given(case.inputs)
    def run(inputs):
        args, kwargs = inputs
        agree(name, args, kwargs, loose=case.loose, valued=case.valued)

    run()


@pytest.mark.parametrize("name", sorted(RECONSTRUCTIONS))
def test_rebuilds_its_input(name):
    check, inputs = RECONSTRUCTIONS[name]

    @quick
    @given(st.fixed_dictionaries(inputs))
    def run(drawn):
        check(**drawn)

    run()
