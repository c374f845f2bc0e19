"""What other projects do with the namespace: einops, scikit-learn, array-api-compat, hypothesis."""

from __future__ import annotations

import os
import warnings

os.environ.setdefault("SCIPY_ARRAY_API", "1")

import mlx.core as mx
import mlx.interop as xp
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.array_api import make_strategies_namespace
from mlx.interop import float64_policy
from mlx.interop.versions import VERSIONS

few = settings(
    max_examples=30, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


# --- einops --------------------------------------------------------------------------------------

einops = pytest.importorskip("einops.array_api")


def test_einops_rearrange():
    x = xp.reshape(xp.arange(24), (2, 3, 4))
    y = einops.rearrange(x, "t b c -> b c t")
    assert isinstance(y, mx.array)
    assert np.array_equal(np.asarray(y), np.transpose(np.asarray(x), (1, 2, 0)))
    halves = einops.rearrange(x, "a b (h c) -> (h a) b c", h=2)
    assert halves.shape == (4, 3, 2)


@pytest.mark.parametrize("how", ["mean", "sum", "max", "min", "prod"])
def test_einops_reduce(how):
    x = xp.asarray(np.arange(16, dtype=np.float32).reshape(4, 4) / 4 + 1)
    blocks = np.asarray(x).reshape(2, 2, 2, 2)
    found = einops.reduce(x, "(h a) (w b) -> h w", how, a=2, b=2)
    assert np.allclose(np.asarray(found), getattr(blocks, how)(axis=(1, 3)), rtol=1e-6)


def test_einops_repeat_pack_unpack():
    x = xp.asarray([[1, 2], [3, 4]])
    assert einops.repeat(x, "a b -> a b c", c=3).shape == (2, 2, 3)
    packed, shapes = einops.pack([x, xp.zeros((2, 3, 2))], "a *")
    assert packed.shape == (2, 8)
    first, second = einops.unpack(packed, shapes, "a *")
    assert (first.shape, second.shape) == ((2, 2), (2, 3, 2))


# --- scikit-learn --------------------------------------------------------------------------------

sklearn = pytest.importorskip("sklearn")


@pytest.fixture(scope="module")
def classes() -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import make_classification

    return make_classification(
        n_samples=300, n_features=6, n_informative=4, n_classes=3, random_state=1
    )


def discriminated(x: mx.array, y: mx.array) -> mx.array:
    from sklearn import config_context
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    with config_context(array_api_dispatch=True):
        return LinearDiscriminantAnalysis().fit_transform(x, y)


def on_numpy(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis().fit_transform(x, y)


@pytest.mark.parametrize(("dtype", "tolerance"), [(mx.float32, 1e-4), (mx.float64, 1e-10)])
def test_sklearn_lda(classes, dtype, tolerance):
    x, y = classes
    found = discriminated(mx.array(x, dtype=dtype), mx.array(y))
    assert (type(found), found.dtype) == (mx.array, dtype)
    wanted = on_numpy(x, y)
    assert np.abs(np.asarray(found) - wanted).max() <= tolerance * np.abs(wanted).max()


@pytest.mark.parametrize("policy", ["downcast", "cpu"])
def test_sklearn_lda_without_float64(classes, without_float64, policy):
    x, y = classes
    dtype = mx.float32 if policy == "downcast" else mx.float64
    with float64_policy(policy), warnings.catch_warnings():
        warnings.simplefilter("ignore", xp.Float64Warning)
        found = discriminated(xp.asarray(x), xp.asarray(y))
    assert (type(found), found.dtype) == (mx.array, dtype)
    wanted = on_numpy(x, y)
    tolerance = 1e-4 if policy == "downcast" else 1e-10
    assert np.abs(np.asarray(found) - wanted).max() <= tolerance * np.abs(wanted).max()


# --- array-api-compat ----------------------------------------------------------------------------

compat = pytest.importorskip("array_api_compat")


def test_compat_helpers():
    x = xp.ones((2, 3))
    assert compat.is_array_api_obj(x)
    assert compat.array_namespace(x) is xp
    assert compat.array_namespace(x, x, api_version="2024.12").__array_api_version__ == "2024.12"
    assert compat.device(x) == x.device
    assert compat.size(x) == 6
    assert compat.to_device(x, x.device).shape == (2, 3)
    assert not compat.is_numpy_array(x)


# --- hypothesis ----------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_strategies_namespace_makes_no_warning(version):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        strategies = make_strategies_namespace(xp.namespace(version))
    assert strategies.api_version == version


strategies = make_strategies_namespace(xp)
DTYPES = list(xp.__array_namespace_info__().dtypes())
DRAWS: dict[str, st.SearchStrategy] = {
    "scalar_dtypes": strategies.scalar_dtypes(),
    "boolean_dtypes": strategies.boolean_dtypes(),
    "numeric_dtypes": strategies.numeric_dtypes(),
    "integer_dtypes": strategies.integer_dtypes(),
    "unsigned_integer_dtypes": strategies.unsigned_integer_dtypes(),
    "real_dtypes": strategies.real_dtypes(),
    "floating_dtypes": strategies.floating_dtypes(),
    "complex_dtypes": strategies.complex_dtypes(),
    "array_shapes": strategies.array_shapes(),
    "indices": strategies.indices((3, 4)),
    "from_dtype": strategies.from_dtype(xp.float32),
    "from_dtype by name": strategies.from_dtype("float32"),
    "arrays by name": strategies.arrays("float32", 3),
    "arrays unique": strategies.arrays(xp.int32, 3, unique=True),
    "arrays fill": strategies.arrays(xp.float32, (3, 3), fill=st.just(0.0)),
    "arrays of any dtype": strategies.arrays(strategies.scalar_dtypes(), 2),
    **{
        f"arrays of {name}": strategies.arrays(
            getattr(xp, name), strategies.array_shapes(max_dims=3, max_side=4)
        )
        for name in DTYPES
    },
}


@pytest.mark.parametrize("name", DRAWS)
def test_strategy(name):
    @few
    @given(DRAWS[name])
    def run(drawn):
        pass

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run()
