"""The four float64 policies on a device that lacks float64, and their scopes."""

from __future__ import annotations

import asyncio
import threading
import warnings

import mlx.core as mx
import mlx.interop as xp
import numpy as np
import pytest
from mlx.interop import Float64Error, Float64Warning, float64_policy, set_float64_policy

WIDE = ("float64", "complex128")
REQUESTS = {
    "zeros": lambda: xp.zeros(2, dtype=mx.float64),
    "ones": lambda: xp.ones(2, dtype=mx.float64),
    "full": lambda: xp.full(2, 1.0, dtype=mx.float64),
    "empty": lambda: xp.empty(2, dtype=mx.float64),
    "zeros_like": lambda: xp.zeros_like(mx.array(1.0), dtype=mx.float64),
    "arange": lambda: xp.arange(2, dtype=mx.float64),
    "linspace": lambda: xp.linspace(0, 1, 2, dtype=mx.float64),
    "eye": lambda: xp.eye(2, dtype=mx.float64),
    "asarray": lambda: xp.asarray([1.0], dtype=mx.float64),
    "asarray of numpy": lambda: xp.asarray(np.ones(2)),
    "from_dlpack": lambda: xp.from_dlpack(np.ones(2)),
    "astype": lambda: xp.astype(mx.array([1.0]), mx.float64),
    "sum": lambda: xp.sum(mx.array([1.0]), dtype=mx.float64),
    "cumulative_sum": lambda: xp.cumulative_sum(mx.array([1.0]), dtype=mx.float64),
    "fftfreq": lambda: xp.fft.fftfreq(4, dtype=mx.float64),
}


@pytest.mark.parametrize("policy", ["native", "downcast", "cpu", "error"])
def test_with_float64_the_policies_are_the_same(policy):
    with float64_policy(policy), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert xp.float64 is mx.float64
        assert all(name in xp.__array_namespace_info__().dtypes() for name in WIDE)
        assert all(request().dtype == mx.float64 for request in REQUESTS.values())


@pytest.mark.parametrize("name", WIDE)
def test_native_lacks_the_name(without_float64, name):
    assert not hasattr(xp, name)
    assert name not in dir(xp)
    assert name not in xp.__array_namespace_info__().dtypes()
    with pytest.raises(AttributeError, match=f"got {name} for"):
        getattr(xp, name)


@pytest.mark.parametrize("policy", ["native", "error"])
@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS.keys())
def test_refusal_names_device_dtype_and_way_out(without_float64, policy, request_):
    with float64_policy(policy), pytest.raises(Float64Error) as error:
        request_()
    message = str(error.value)
    for word in (str(without_float64), "float64", policy, "downcast", "float64_policy('cpu')"):
        assert word in message


def test_error_refuses_the_name_as_well(without_float64):
    with float64_policy("error"):
        with pytest.raises(TypeError, match="float64"):
            xp.float64  # noqa: B018
        assert not hasattr(xp, "float64")


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS.keys())
def test_downcast(without_float64, request_):
    with float64_policy("downcast"), pytest.warns(Float64Warning, match="float64 is float32"):
        assert request_().dtype == mx.float32


def test_downcast_names(without_float64):
    with float64_policy("downcast"), pytest.warns(Float64Warning):
        assert xp.float64 is mx.float32
        assert xp.complex128 is mx.complex64
        # The standard: an alias must not be listed as if it were the dtype.
        assert "float64" not in xp.__array_namespace_info__().dtypes()


def test_downcast_is_told_once(without_float64):
    with float64_policy("downcast"), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(5):
            xp.zeros(2, dtype=mx.float64)
            xp.zeros(2, dtype=mx.complex128)
    assert sorted(str(w.message).split()[0] for w in told) == ["complex128", "float64"]


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS.keys())
def test_cpu(without_float64, request_):
    with float64_policy("cpu"):
        x = request_()
        assert (x.dtype, x.device) == (mx.float64, mx.Device(mx.cpu))
        assert xp.float64 is mx.float64
        assert "float64" in xp.__array_namespace_info__().dtypes()


def test_default_dtypes_do_not_depend_on_the_policy(without_float64):
    for policy in ("native", "downcast", "cpu", "error"):
        with float64_policy(policy):
            defaults = xp.__array_namespace_info__().default_dtypes()
            assert defaults["real floating"] == xp.zeros(1).dtype == mx.float32
            assert defaults["complex floating"] == xp.asarray(1j).dtype == mx.complex64


def test_narrowest_scope_wins(without_float64):
    own = xp.namespace(float64="cpu")
    set_float64_policy("error")
    with pytest.raises(Float64Error, match="'error'"):
        xp.zeros(1, dtype=mx.float64)
    with float64_policy("downcast"), pytest.warns(Float64Warning):
        assert xp.zeros(1, dtype=mx.float64).dtype == mx.float32
        assert own.zeros(1, dtype=own.float64).dtype == mx.float64
        assert own.fft.fftfreq(2, dtype=own.float64).dtype == mx.float64
        assert "float64" in own.__array_namespace_info__().dtypes()
    assert own.float64 is mx.float64


def test_namespaces_with_policies(without_float64):
    assert not hasattr(xp.namespace("2024.12", float64="native"), "float64")
    with pytest.warns(Float64Warning):
        assert xp.namespace("2024.12", float64="downcast").float64 is mx.float32
    assert xp.namespace(float64="cpu") is xp.namespace(float64="cpu")


def test_policy_of_a_block_stays_in_its_thread(without_float64):
    inside, found = threading.Event(), []

    def other() -> None:
        inside.wait(10)
        found.append(hasattr(xp, "float64"))

    thread = threading.Thread(target=other)
    thread.start()
    with float64_policy("cpu"):
        inside.set()
        thread.join()
        assert hasattr(xp, "float64")
    assert found == [False]


def test_policy_of_a_block_stays_in_its_task(without_float64):
    async def one(policy: str) -> str:
        with float64_policy(policy):
            await asyncio.sleep(0.01)
            return xp.get_float64_policy()

    async def all_of_them() -> list[str]:
        policies = ("native", "downcast", "cpu", "error") * 5
        return list(await asyncio.gather(*map(one, policies)))

    assert asyncio.run(all_of_them()) == ["native", "downcast", "cpu", "error"] * 5
    assert xp.get_float64_policy() == "native"


def test_policy_ends_with_its_block_on_an_error():
    with pytest.raises(KeyError), float64_policy("cpu"):
        raise KeyError
    assert xp.get_float64_policy() == "native"


@pytest.mark.parametrize(
    "choose",
    [
        set_float64_policy,
        lambda p: xp.namespace(float64=p),
        lambda p: float64_policy(p).__enter__(),
    ],
)
def test_unknown_policy(choose):
    with pytest.raises(ValueError, match="no such.*policy.*expected one of"):
        choose("float32")
