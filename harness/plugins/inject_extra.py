"""pytest plugin: runs array-api-extra's own tests on another namespace.

Load with `-p inject_extra`; XP_MODULE names the namespace. The suite's backends are an Enum; a
member is added to it before the suite's conftest reads it.
"""

from __future__ import annotations

import importlib
import os

from array_api_extra._lib._backends import Backend

MODULE = os.environ["XP_MODULE"]
importlib.import_module(MODULE)


def _member() -> Backend:
    for backend in Backend:
        if backend.value == MODULE:
            return backend
    member = object.__new__(Backend)
    member._name_ = MODULE.replace(".", "_").upper()
    member._value_ = MODULE
    member.__objclass__ = Backend
    member._sort_order_ = len(Backend)
    Backend._member_map_[member._name_] = member
    Backend._member_names_.append(member._name_)
    Backend._value2member_map_[MODULE] = member
    return member


MEMBER = _member()


def pytest_configure(config) -> None:
    """Declare the suite's marks: its pytest.ini is not in the wheel."""
    for mark in (
        "skip_xp_backend(library, *, reason=None)",
        "xfail_xp_backend(library, *, reason=None, strict=None)",
        "thread_unsafe",
        "parallel_threads",
    ):
        config.addinivalue_line("markers", mark)


def pytest_collection_modifyitems(config, items) -> None:
    """Keep the tests that the namespace reaches."""
    keep, drop = [], []
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        (keep if parameters.get("library") is MEMBER else drop).append(item)
    config.hook.pytest_deselected(items=drop)
    items[:] = keep
