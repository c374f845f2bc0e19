"""pytest plugin: runs einops' own tests (einops.tests in its wheel) with mlx arrays.

Load with `-p inject_einops`. einops 0.8.2 has a backend for MLX but never tests it:
collect_test_backends() returns a fixed list without it. It is added here, before the test modules
ask. That backend overrides `add_axes`, where its base class calls `add_axis`, so that `repeat`
with a new axis raises TypeError whatever the arrays do; einops has mended it since, and so does
this file. The four tests of einops.array_api name numpy in their source and are recompiled with
the namespace in its place.
"""

from __future__ import annotations

import inspect
import os
import textwrap
import types

import einops.tests
import mlx.interop as namespace
from einops import _backends

BACKEND = _backends.MLXBackend
ARRAY_API_TESTS = {
    "test_rearrange_array_api",
    "test_reduce_array_api",
    "test_repeat_array_api",
    "test_pack_unpack_array_api",
}

os.environ.setdefault("EINOPS_TEST_BACKENDS", f"numpy,{BACKEND.framework_name}")
_collect = einops.tests.collect_test_backends


def _mend_backend() -> None:
    if "n_axes" not in inspect.signature(BACKEND.add_axes).parameters:
        BACKEND.add_axis = BACKEND.add_axes
        del BACKEND.add_axes


def collect_test_backends(symbolic: bool = False, layers: bool = False) -> list:
    """What einops collects, with MLX among the backends of plain arrays."""
    found = _collect(symbolic=symbolic, layers=layers)
    wanted = BACKEND.framework_name in einops.tests.parse_backends_to_test()
    if wanted and not (symbolic or layers):
        found.append(BACKEND())
    return found


_mend_backend()
einops.tests.collect_test_backends = collect_test_backends


def pytest_collection_modifyitems(items) -> None:
    """Put the namespace where four tests import numpy."""
    proxy = types.SimpleNamespace(**{name: getattr(namespace, name) for name in dir(namespace)})
    proxy.__version__ = "2.0.0"  # they skip below numpy 2.0
    for item in items:
        if item.name not in ARRAY_API_TESTS:
            continue
        source = textwrap.dedent(inspect.getsource(item.obj))
        if "import numpy as xp" not in source:
            raise RuntimeError(f"{item.name} no longer imports numpy as xp: another einops?")
        source = source.replace("import numpy as xp", "xp = _namespace")
        scope = dict(item.obj.__globals__, _namespace=proxy)
        exec(compile(source, f"<{item.name} on mlx.interop>", "exec"), scope)
        item.obj = scope[item.name]
