"""Transforms of functions: derivatives, vectorisation, compilation.

A function here takes and returns arrays, or lists, tuples and dicts of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from . import _core

__all__ = [
    "checkpoint",
    "compile",
    "custom_function",
    "disable_compile",
    "enable_compile",
    "grad",
    "jvp",
    "value_and_grad",
    "vjp",
    "vmap",
]

Function = Callable[..., Any]


def value_and_grad(
    fun: Function,
    argnums: int | Sequence[int] | None = None,
    argnames: str | Sequence[str] = (),
) -> Function:
    """A function that returns the value of ``fun`` and its gradient.

    Args:
        fun: Returns a real scalar array, or a tuple whose first item is one; what else the tuple
            holds is returned with the value.
        argnums: Which positional arguments to differentiate by. Without it and without
            ``argnames``, the first.
        argnames: Which keyword arguments to differentiate by.

    Returns:
        A function with the arguments of ``fun`` that returns ``(value, gradient)``. The gradient
        has the containers of the argument; it is a tuple if ``argnums`` is a sequence, a dict if
        only ``argnames`` is given, and the pair of both if both are.

    Raises:
        ValueError: ``fun`` does not return a real scalar first, or an argument is not there or is
            not of a floating or complex dtype.

    The gradient of a complex argument is the direction of steepest ascent.

    >>> value, gradient = mx.value_and_grad(lambda x: (x * x).sum())(mx.array([1.0, 2.0]))
    >>> value.item(), gradient.tolist()
    (5.0, [2.0, 4.0])
    """
    numbers = list(argnums) if isinstance(argnums, Sequence) else argnums
    names = argnames if isinstance(argnames, str) else list(argnames)

    @functools.wraps(fun)
    def wrapped(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        return _core._value_and_grad(fun, numbers, names, args, kwargs)

    return wrapped


def grad(
    fun: Function,
    argnums: int | Sequence[int] | None = None,
    argnames: str | Sequence[str] = (),
) -> Function:
    """A function that returns the gradient of ``fun``; see :func:`value_and_grad`.

    >>> mx.grad(mx.sin)(mx.array(0.0)).item()
    1.0
    """
    both = value_and_grad(fun, argnums, argnames)

    @functools.wraps(fun)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return both(*args, **kwargs)[1]

    return wrapped


def vjp(
    fun: Function, primals: Sequence[_core.array], cotangents: Sequence[_core.array]
) -> tuple[list[_core.array], list[_core.array]]:
    """The outputs of ``fun`` at ``primals``, and the cotangents pulled back to the primals.

    Args:
        fun: Takes the primals as positional arguments.
        primals: Where to differentiate.
        cotangents: One per output, of its shape. A cotangent ``c`` of a complex output ``y`` stands
            for the real number ``Re(sum(conj(c) * dy))``.

    Raises:
        ValueError: The number or a shape of the cotangents does not fit the outputs.

    >>> outputs, pulled = mx.vjp(lambda x: x * x, [mx.array(3.0)], [mx.array(1.0)])
    >>> pulled[0].item()
    6.0
    """
    return _core._vjp(fun, list(primals), list(cotangents))


def jvp(
    fun: Function, primals: Sequence[_core.array], tangents: Sequence[_core.array]
) -> tuple[list[_core.array], list[_core.array]]:
    """The outputs of ``fun`` at ``primals``, and their derivative along ``tangents``.

    Raises:
        ValueError: The number or a shape of the tangents does not fit the primals.

    >>> outputs, pushed = mx.jvp(lambda x: x * x, [mx.array(3.0)], [mx.array(2.0)])
    >>> pushed[0].item()
    12.0
    """
    return _core._jvp(fun, list(primals), list(tangents))


def vmap(fun: Function, in_axes: Any = 0, out_axes: Any = 0) -> Function:
    """A function of batches from a function of single examples.

    Args:
        fun: Takes one example of each argument.
        in_axes: The batch axis of the arguments: an int for all, or containers like those of the
            arguments; ``None`` where the argument is the same for every example.
        out_axes: Where the results have the batch axis, likewise.

    Raises:
        ValueError: Batch sizes differ, an axis is out of range, or the function uses an operation
            whose result depends on values in its shape.

    >>> mx.vmap(lambda x, y: (x * y).sum(), in_axes=(0, None))(mx.ones((2, 3)), mx.ones(3)).tolist()
    [3.0, 3.0]
    """

    @functools.wraps(fun)
    def wrapped(*args: Any) -> Any:
        return _core._vmap(fun, in_axes, out_axes, args)

    return wrapped


def compile(  # noqa: A001 - the name that users of the API know
    fun: Function | None = None,
    inputs: Any = None,
    outputs: Any = None,
    shapeless: bool = False,
) -> Function:
    """A function that is traced once for each kind of arguments and replayed afterwards.

    Equal steps are merged, unused ones dropped, and what does not depend on the arguments is
    computed once. Side effects of ``fun`` (printing, random numbers from the implicit state,
    changed variables) happen when it is traced only, but for the state given as ``inputs`` and
    ``outputs``.

    Args:
        fun: What to compile. Arguments that are no arrays must be hashable: each value is traced.
        inputs: Lists or dicts of arrays that ``fun`` reads besides its arguments.
        outputs: Lists or dicts of arrays that ``fun`` changes.
        shapeless: Accepted for other shapes too; a new shape is traced like a new dtype.

    Raises:
        TypeError: An argument is neither an array nor hashable.

    >>> f = mx.compile(lambda x: mx.exp(x) + mx.exp(x))
    >>> f(mx.array(0.0)).item()
    2.0
    """
    if fun is None:
        return functools.partial(compile, inputs=inputs, outputs=outputs, shapeless=shapeless)
    compiled = _core._Compiled(fun, inputs, outputs)

    @functools.wraps(fun)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return compiled(args, kwargs)

    return wrapped


def disable_compile() -> None:
    """From now on compiled functions call the function itself.

    >>> mx.disable_compile()
    >>> mx.enable_compile()
    """
    _core._enable_compile(False)


def enable_compile() -> None:
    """Undoes :func:`disable_compile`.

    >>> mx.enable_compile()
    """
    _core._enable_compile(True)


class custom_function:  # noqa: N801 - the name that users of the API know
    """A function with derivative and batching rules of its own; a decorator.

    Rules are optional: without one, that of the function's operations is used.

    >>> @mx.custom_function
    ... def f(x):
    ...     return mx.sin(x)
    >>> @f.vjp
    ... def f_vjp(primals, cotangents, outputs):
    ...     return cotangents * 10
    >>> mx.grad(f)(mx.array(0.0)).item()
    10.0
    """

    def __init__(self, f: Function) -> None:
        self._fun = f
        self._vjp: Function | None = None
        self._jvp: Function | None = None
        self._vmap: Function | None = None
        functools.update_wrapper(self, f)

    def __call__(self, *args: Any) -> Any:
        """The function's value."""
        return _core._custom(self._fun, self._vjp, self._jvp, self._vmap, args)

    def vjp(self, f: Function) -> custom_function:
        """Sets the reverse rule ``f(primals, cotangents, outputs)``; it returns the cotangents of
        the primals in their containers."""
        self._vjp = f
        return self

    def jvp(self, f: Function) -> custom_function:
        """Sets the forward rule ``f(primals, tangents)``, which returns the outputs' tangents."""
        self._jvp = f
        return self

    def vmap(self, f: Function) -> custom_function:
        """Sets the batching rule ``f(inputs, axes)``; it returns ``(outputs, axes)``, where an axis
        is ``None`` for no batch axis."""
        self._vmap = f
        return self


def checkpoint(fun: Function) -> Function:
    """The same function, whose derivative computes the intermediate values again.

    Between forward and backward only the arguments are kept: less memory for more time.

    >>> mx.grad(mx.checkpoint(lambda x: mx.exp(mx.sin(x))))(mx.array(0.0)).item()
    1.0
    """

    @functools.wraps(fun)
    def wrapped(*args: Any) -> Any:
        return _core._custom(fun, None, None, None, args)

    return wrapped
