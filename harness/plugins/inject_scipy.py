"""pytest plugin: runs SciPy's own `xp` tests on another namespace.

Load with `-p inject_scipy`; XP_MODULE names the namespace. scipy.conftest is imported here under
the name that pytest will use, so that its sets can be amended before a test is collected; then the
`xp` fixture gets the namespace as its only parameter.
"""

from __future__ import annotations

import importlib
import os

import pytest

os.environ["SCIPY_ARRAY_API"] = "1"  # before scipy is imported
XP = importlib.import_module(os.environ["XP_MODULE"])

import scipy.conftest as conftest  # noqa: E402

conftest.xp_known_backends.add(XP.__name__)


def _parameters() -> tuple:
    own = [p for p in conftest.xp_available_backends if p.values[0] is XP]  # with SciPy's marks
    added = pytest.param(XP, id=XP.__name__, marks=pytest.mark.array_api_backends)
    return tuple(own or [added])


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc) -> None:
    """Parametrise the fixture `xp` with the namespace alone."""
    for fixture in metafunc._arg2fixturedefs.get("xp", ()):
        if fixture.params is not None:
            fixture.params = _parameters()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items) -> None:
    """Keep the tests that the namespace reaches."""
    keep, drop = [], []
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        (keep if parameters.get("xp") is XP else drop).append(item)
    config.hook.pytest_deselected(items=drop)
    items[:] = keep
