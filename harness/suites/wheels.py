"""Suites whose tests are in their wheels."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from . import NAMESPACE, Suite

SKLEARN_FILES = """
_loss/tests/test_link.py
_loss/tests/test_loss.py
decomposition/tests/test_pca.py
linear_model/_glm/tests/test_glm.py
linear_model/tests/test_logistic.py
linear_model/tests/test_ridge.py
metrics/cluster/tests/test_common.py
metrics/cluster/tests/test_supervised.py
metrics/tests/test_classification.py
metrics/tests/test_common.py
metrics/tests/test_pairwise.py
mixture/tests/test_gaussian_mixture.py
model_selection/tests/test_search.py
model_selection/tests/test_split.py
model_selection/tests/test_validation.py
preprocessing/tests/test_data.py
preprocessing/tests/test_label.py
preprocessing/tests/test_polynomial.py
tests/test_calibration.py
tests/test_kernel_approximation.py
tests/test_naive_bayes.py
tests/test_pipeline.py
utils/tests/test_array_api.py
utils/tests/test_extmath.py
utils/tests/test_indexing.py
utils/tests/test_multiclass.py
utils/tests/test_optimize.py
utils/tests/test_stats.py
utils/tests/test_validation.py
tests/test_common.py
""".split()

SCIPY_PACKAGES = (
    "_lib cluster constants differentiate fft integrate interpolate linalg ndimage optimize "
    "signal spatial special stats"
).split()


def installed(package: str) -> Path:
    """The folder of an installed package."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise RuntimeError(f"{package} is not installed")
    return Path(spec.origin).parent


def _sklearn(scratch: Path) -> tuple[Path, list[str]]:
    folder = installed("sklearn")
    return scratch, ["-p", "inject_sklearn", *(str(folder / name) for name in SKLEARN_FILES)]


def _einops(scratch: Path) -> tuple[Path, list[str]]:
    return scratch, ["-p", "inject_einops", str(installed("einops") / "tests")]


def _scipy(scratch: Path) -> tuple[Path, list[str]]:
    folder = installed("scipy")
    paths = [str(folder / name) for name in SCIPY_PACKAGES]
    return scratch, ["-p", "inject_scipy", "-m", "not slow", *paths]


def _extra(scratch: Path) -> tuple[Path, list[str]]:
    return scratch, ["-p", "inject_extra", str(installed("array_api_extra") / "tests")]


def _compat(scratch: Path) -> tuple[Path, list[str]]:
    return scratch, ["-p", "inject_compat", str(installed("array_api_compat") / "tests")]


SUITES = (
    Suite("einops", {"einops": "0.8.2"}, _einops, least=50),
    Suite(
        "sklearn",
        {"scikit-learn": "1.9.1"},
        _sklearn,
        {
            "SCIPY_ARRAY_API": "1",
            "XP_TARGETS": f"{NAMESPACE}:float32,{NAMESPACE}:float64",
            "XP_MIXED": f"{NAMESPACE}>numpy,numpy>{NAMESPACE}",
        },
        least=1000,
    ),
    Suite("scipy", {"scipy": "1.17.1"}, _scipy, {"XP_MODULE": NAMESPACE}, least=15000),
    Suite(
        "array-api-extra",
        {"array-api-extra": "0.11.5"},
        _extra,
        {"XP_MODULE": NAMESPACE},
        least=1000,
    ),
    Suite(
        "array-api-compat",
        {"array-api-compat": "1.16.0"},
        _compat,
        {"XP_MODULE": NAMESPACE},
        least=20,
    ),
)
