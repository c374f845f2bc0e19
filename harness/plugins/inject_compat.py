"""pytest plugin: runs array-api-compat's own tests on another namespace.

Load with `-p inject_compat`; XP_MODULE names the namespace, which is added to the suite's list of
libraries before the test modules read it.
"""

from __future__ import annotations

import importlib
import os

from array_api_compat.tests import _helpers

MODULE = os.environ["XP_MODULE"]
importlib.import_module(MODULE)
if MODULE not in _helpers.all_libraries:
    _helpers.all_libraries.append(MODULE)


def pytest_collection_modifyitems(config, items) -> None:
    """Keep the tests that the namespace reaches."""
    keep, drop = [], []
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        reached = MODULE in [value for value in parameters.values() if isinstance(value, str)]
        (keep if reached else drop).append(item)
    config.hook.pytest_deselected(items=drop)
    items[:] = keep
