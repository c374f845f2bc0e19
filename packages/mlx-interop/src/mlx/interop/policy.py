"""The float64 policy: what asking for float64 (or complex128) means on a device that lacks it.

==========  ==========================================================================
native      what the device has: a missing dtype is missing from the namespace
downcast    float64 is float32 and complex128 is complex64, told once by a warning
cpu         float64 work runs on the CPU: memory is unified, so nothing is copied
error       any request raises, naming the device, the dtype and the way out
==========  ==========================================================================

On a device that has both dtypes the policies are the same. A policy holds for the program
(`set_float64_policy`), for a block (`float64_policy`, safe across threads and asyncio) or for one
namespace (`namespace(float64=...)`); the narrowest wins.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Literal, ParamSpec, TypeVar, get_args

import mlx.core as mx

from .dtypes import Device, Dtype

Policy = Literal["native", "downcast", "cpu", "error"]
POLICIES: tuple[str, ...] = get_args(Policy)
NARROWED: dict[Dtype, Dtype] = {mx.float64: mx.float32, mx.complex128: mx.complex64}
WIDE: dict[str, Dtype] = {"float64": mx.float64, "complex128": mx.complex128}

P = ParamSpec("P")
R = TypeVar("R")


class Float64Error(TypeError, AttributeError):
    """A device lacks float64 or complex128, and the policy does not say what to do instead.

    Also an AttributeError, so that `hasattr(xp, "float64")` is False rather than an error.
    """


class Float64Warning(UserWarning):
    """Tells, once per dtype, that the policy `downcast` has narrowed it."""


_in_context: ContextVar[Policy | None] = ContextVar("mlx_float64_policy", default=None)
_of_program: Policy = "native"
_told: set[str] = set()
_told_lock = threading.Lock()


def _checked(policy: str) -> Policy:
    if policy not in POLICIES:
        raise ValueError(
            f"[float64_policy] no such policy: got {policy!r}; expected one of "
            f"{', '.join(map(repr, POLICIES))}"
        )
    return policy  # type: ignore[return-value]


def get_float64_policy() -> Policy:
    """The policy that holds here.

    >>> get_float64_policy()
    'native'
    """
    return _in_context.get() or _of_program


def set_float64_policy(policy: Policy) -> None:
    """Choose the policy of the whole program, where no block or namespace has its own.

    >>> set_float64_policy("native")
    """
    global _of_program
    _of_program = _checked(policy)


@contextmanager
def float64_policy(policy: Policy) -> Iterator[None]:
    """Choose the policy of a block, in this thread or asyncio task only.

    >>> with float64_policy("cpu"):
    ...     get_float64_policy()
    'cpu'
    """
    token = _in_context.set(_checked(policy))
    try:
        yield
    finally:
        _in_context.reset(token)


def bound(function: Callable[P, R], policy: Policy) -> Callable[P, R]:
    """The function under a policy of its own, whatever holds where it is called.

    >>> bound(get_float64_policy, "error")()
    'error'
    """
    _checked(policy)

    @wraps(function)
    def with_policy(*args: P.args, **kwargs: P.kwargs) -> R:
        token = _in_context.set(policy)
        try:
            return function(*args, **kwargs)
        finally:
            _in_context.reset(token)

    return with_policy


def _name_of(dtype: Dtype) -> str:
    return "float64" if dtype == mx.float64 else "complex128"


def _tell(dtype: Dtype) -> None:
    name = _name_of(dtype)
    with _told_lock:
        if name in _told:
            return
        _told.add(name)
    warnings.warn(
        f"{name} is {_name_of_narrow(dtype)} here: {mx.default_device()} has no {name} and the "
        "float64 policy is 'downcast'. This is told once.",
        Float64Warning,
        stacklevel=4,
    )


def _name_of_narrow(dtype: Dtype) -> str:
    return "float32" if dtype == mx.float64 else "complex64"


def _refusal(dtype: Dtype, device: Device, function: str, policy: str) -> Float64Error:
    name = _name_of(dtype)
    return Float64Error(
        f"[{function}] the device lacks the dtype: got {name} for {device}; expected "
        f"{_name_of_narrow(dtype)}, or the float64 policy 'downcast' or 'cpu' (it is {policy!r}): "
        "with mlx.interop.float64_policy('cpu'): ..."
    )


def admit(dtype: Dtype, device: Device | None, function: str) -> tuple[Dtype, Device | None]:
    """The dtype and device to use where `function` is asked for them.

    >>> admit(mx.float32, None, "zeros")
    (mlx.core.float32, None)
    """
    if dtype not in NARROWED or dtype in mx.supported_dtypes(device):
        return dtype, device
    policy = get_float64_policy()
    if policy == "cpu":
        return dtype, mx.Device(mx.cpu)
    if policy == "downcast":
        _tell(dtype)
        return NARROWED[dtype], device
    raise _refusal(dtype, device or mx.default_device(), function, policy)


def wide_dtype(name: str) -> Dtype:
    """What `xp.float64` or `xp.complex128` is; raises where it is not there.

    >>> wide_dtype("float64")
    mlx.core.float64
    """
    return admit(WIDE[name], None, name)[0]


def has(dtype: Dtype, device: Device | None) -> bool:
    """Does the device have the dtype, with the properties that its name promises?

    >>> has(mx.float64, mx.Device(mx.cpu))
    True
    """
    if dtype in mx.supported_dtypes(device):
        return True
    return dtype in NARROWED and get_float64_policy() == "cpu"


def reset_told_for_tests() -> None:
    """Forget what has been told, so that a test sees the warning again."""
    with _told_lock:
        _told.clear()


__all__ = [
    "Float64Error",
    "Float64Warning",
    "float64_policy",
    "get_float64_policy",
    "set_float64_policy",
]
