"""data-apis/array-api-tests, for two versions of the standard. It is not on the package index."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from . import NAMESPACE, Suite

URL = "https://github.com/data-apis/array-api-tests"
COMMIT = "55fcc60179efa2680ddd6cd926ddf17b83530e2b"
STANDARD = "5f847a3858875c682ae901aa22b0413bf24be9da"  # what that commit's submodule names


def fetch(folder: Path) -> None:
    """Copy the suite from $AAT_DIR, or clone the pinned commits."""
    shutil.rmtree(folder, ignore_errors=True)
    local = os.environ.get("AAT_DIR")
    if local:
        shutil.copytree(local, folder, ignore=shutil.ignore_patterns(".git", ".hypothesis"))
    else:
        _git("clone", "--quiet", URL, str(folder))
        _git("-C", str(folder), "checkout", "--quiet", COMMIT)
        _git("-C", str(folder), "submodule", "update", "--init", "--depth", "1")
        found = _git("-C", str(folder / "array-api"), "rev-parse", "HEAD").strip()
        if found != STANDARD:
            raise RuntimeError(f"array-api is at {found}; expected {STANDARD}")
    if not (folder / "array-api" / "src" / "array_api_stubs").is_dir():
        raise RuntimeError(f"{folder}: the submodule array-api is missing")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def _prepare(scratch: Path) -> tuple[Path, list[str]]:
    folder = scratch / "array-api-tests"
    fetch(folder)
    return folder, ["array_api_tests", "--disable-deadline"]


def suite(version: str) -> Suite:
    """The suite for one version of the standard, on that version's namespace."""
    module = f"exec('import {NAMESPACE} as m; xp = m.namespace(\"{version}\")')"
    return Suite(
        name=f"array-api-{version}",
        pins={"ndindex": "1"},
        prepare=_prepare,
        environment={"ARRAY_API_TESTS_MODULE": module, "ARRAY_API_TESTS_VERSION": version},
        least=1000,
    )
