"""The pytest plugin, on numpy, torch (where installed) and mlx."""

from __future__ import annotations

import pytest

SUITE = """
    import pytest

    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_plain(dtype):
        pass

    @pytest.mark.parametrize("dtype", [("float32", "complex128"), "float32"])
    def test_several(dtype):
        pass

    @pytest.mark.parametrize("n", [1, 2])
    @pytest.mark.needs_dtypes("float64")
    def test_marked(n):
        pass

    def test_other():
        pass
"""
NARROW = """
    import mlx.core as mx
    from mlx.interop.policy import NARROWED
    device = mx.default_device()
    mx._core._narrow_supported_dtypes(
        device, [d for d in mx.supported_dtypes(device) if d not in NARROWED]
    )
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(SUITE)
    return pytester


def run(pytester: pytest.Pytester, *arguments: str) -> dict[str, int]:
    loaded = [] if _is_installed() else ["-p", "pytest_mlx_interop"]
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *loaded, *arguments)
    return result.parseoutcomes()


def _is_installed() -> bool:
    from importlib.metadata import entry_points

    return any(point.name == "mlx-interop" for point in entry_points(group="pytest11"))


def test_says_nothing_unless_asked(suite):
    assert run(suite) == {"passed": 7}


@pytest.mark.parametrize("library", ["numpy", "torch", "mlx.interop"])
def test_library_with_all_dtypes(suite, library):
    pytest.importorskip(library)
    assert run(suite, "--array-library", library) == {"passed": 7}


def test_skip(suite):
    suite.makeconftest(NARROW)
    assert run(suite, "--array-library", "mlx.interop") == {"passed": 3, "skipped": 4}


def test_substitute(suite):
    """float64 runs as float32 where that is not a second run of the same test."""
    suite.makeconftest(NARROW)
    found = run(suite, "--array-library", "mlx.interop", "--missing-dtypes", "substitute")
    assert found == {"passed": 4, "skipped": 3}


def test_substituted_value_reaches_the_test(pytester):
    pytester.makeconftest(NARROW)
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("dtype", ["float64"])
        def test_it(dtype):
            assert dtype == "float32"
        """
    )
    found = run(pytester, "--array-library", "mlx.interop", "--missing-dtypes", "substitute")
    assert found == {"passed": 1}


def test_ini_and_namespace_parameter(pytester):
    pytester.makeini("[pytest]\ndtype_parameters = kind\nmissing_dtypes = skip\n")
    pytester.makepyfile(
        """
        import numpy, pytest

        @pytest.mark.parametrize("kind", ["float32", "bfloat16"])
        @pytest.mark.parametrize("xp", [numpy, "mlx.interop"])
        def test_it(xp, kind):
            pass
        """
    )
    assert run(pytester) == {"passed": 3, "skipped": 1}


def test_reason_names_library_and_dtype(suite):
    suite.makeconftest(NARROW)
    loaded = [] if _is_installed() else ["-p", "pytest_mlx_interop"]
    result = suite.runpytest_subprocess("-rs", *loaded, "--array-library", "mlx.interop")
    result.stdout.fnmatch_lines(["*mlx.interop lacks float64*"])


def test_unknown_treatment(suite):
    loaded = [] if _is_installed() else ["-p", "pytest_mlx_interop"]
    result = suite.runpytest_subprocess(*loaded, "--missing-dtypes", "ignore")
    result.stderr.fnmatch_lines(["*missing_dtypes: got 'ignore'; expected skip or substitute*"])
