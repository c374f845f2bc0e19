"""Fourier transforms against numpy.fft: dtypes, lengths, axes, layouts, errors, derivatives."""

from __future__ import annotations

import inspect

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

NORMS = ["backward", "ortho", "forward"]
ONE_AXIS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL_AXES = ["fftn", "ifftn", "rfftn", "irfftn"]
TAKES_REALS = ("rfft", "ihfft", "rfftn", "rfft2")
DTYPES = (
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 "
    "float16 bfloat16 float32 float64 complex64 complex128"
).split()


def data(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def to_mx(x):
    return mx.array(x, dtype=getattr(mx, x.dtype.name))


def input_for(name, shape, wide=True, seed=0):
    kind = "float" if name in TAKES_REALS else "complex"
    return data(
        shape,
        kind + ("64" if kind == "float" else "128")
        if wide
        else kind + ("32" if kind == "float" else "64"),
        seed,
    )


def close(actual, wanted, wide=True):
    """Relative in the norm, which is what transforms promise."""
    actual = np.array(actual)
    assert actual.shape == wanted.shape
    assert actual.dtype.kind == wanted.dtype.kind
    assert actual.dtype.itemsize * (1 if wide else 2) == wanted.dtype.itemsize
    error = np.linalg.norm((actual - wanted).ravel())
    bound = (1e-15 if wide else 5e-7) * (np.log2(actual.size + 1) + 1)
    assert error <= bound * np.linalg.norm(wanted.ravel())


@pytest.mark.parametrize(
    "n", [1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 30, 64, 67, 97, 121, 240, 1024, 1009]
)
@pytest.mark.parametrize("name", ONE_AXIS)
def test_lengths(name, n):
    for lines in (1, 3, 40):
        x = input_for(name, (lines, n))
        for wide in (True, False):
            narrow = x if wide else x.astype("complex64" if x.dtype.kind == "c" else "float32")
            if name in ("irfft", "hfft") and n == 1:
                wanted = getattr(np.fft, name)(narrow.astype(x.dtype), n=1)
                close(getattr(mx.fft, name)(to_mx(narrow), n=1), wanted, wide)
                continue
            wanted = getattr(np.fft, name)(narrow.astype(x.dtype))
            close(getattr(mx.fft, name)(to_mx(narrow)), wanted, wide)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", ONE_AXIS)
def test_cut_pad_axis_and_norm(name, norm):
    x = input_for(name, (4, 9, 5))
    for axis in range(-3, 3):
        for n in (None, 1, 2, 5, 8, 9, 14):
            wanted = getattr(np.fft, name)(x, n, axis, norm)
            close(getattr(mx.fft, name)(to_mx(x), n, axis, norm), wanted)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", SEVERAL_AXES)
def test_several_axes(name, norm):
    x = input_for(name, (4, 6, 5))
    call = getattr(mx.fft, name)
    cases = [
        (None, None),
        (None, (0,)),
        (None, (1, 0)),
        (None, (-1, 0, 1)),
        ((3, 8), (2, 0)),
        ((4, 7, 6), (0, 1, 2)),
        ((1, 1), (0, 2)),
    ]
    for s, axes in cases:
        wanted = getattr(np.fft, name)(x, s, axes, norm)
        close(call(to_mx(x), s, axes, norm), wanted)
    # Lengths alone are of the last axes.
    close(call(to_mx(x), (5, 8), norm=norm), getattr(np.fft, name)(x, (5, 8), (-2, -1), norm))
    two = name[:-1] + "2"
    for s, axes in [(None, (-2, -1)), ((3, 7), (0, 1)), ((6, 6), (-1, -3))]:
        close(getattr(mx.fft, two)(to_mx(x), s, axes, norm), getattr(np.fft, two)(x, s, axes, norm))
    close(getattr(mx.fft, two)(to_mx(x), norm=norm), getattr(np.fft, two)(x, norm=norm))


def test_length_minus_one_keeps_an_axis():
    x = data((4, 6), "complex128")
    close(mx.fft.fftn(to_mx(x), (-1, 3)), np.fft.fftn(x, (4, 3), (0, 1)))
    assert mx.fft.irfftn(to_mx(x), (3, -1)).shape == (3, 10)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "fftn", "hfft", "ihfft"])
def test_dtypes(name, dtype):
    values = np.arange(12) % 5 > 1 if dtype == "bool" else np.arange(12) % 5
    x = mx.array(values).astype(getattr(mx, "bool_" if dtype == "bool" else dtype))
    is_complex, is_wide = dtype.startswith("complex"), dtype in ("float64", "complex128")
    call = getattr(mx.fft, name)
    if is_complex and name in TAKES_REALS:
        with pytest.raises(TypeError, match=rf"\[{name}\].*{dtype}.*expected a real dtype"):
            call(x)
        return
    result = call(x)
    if name in ("irfft", "hfft"):
        assert result.dtype == (mx.float64 if is_wide else mx.float32)
    else:
        assert result.dtype == (mx.complex128 if is_wide else mx.complex64)
    close(
        result,
        getattr(np.fft, name)(values.astype("complex128" if is_complex else "float64")),
        is_wide,
    )


@pytest.mark.parametrize("name", ["fft", "rfft", "irfft"])
def test_layouts(name):
    """Views are read where they are."""
    x = input_for(name, (6, 10, 8))
    numpy, ours = getattr(np.fft, name), getattr(mx.fft, name)
    views = [
        lambda a: a[::2, ::-1, 1:7],
        lambda a: a.transpose(2, 0, 1),
        lambda a: a[:, 3],
        lambda a: a[0, ::-3, ::-1],
    ]
    for view in views:
        wanted = view(x)
        for axis in range(wanted.ndim):
            close(ours(view(to_mx(x)), axis=axis), numpy(wanted, axis=axis))
    row = mx.broadcast_to(to_mx(x[0, 0]), (5, 8))
    close(ours(row, axis=1), numpy(np.broadcast_to(x[0, 0], (5, 8)), axis=1))
    close(ours(row, axis=0), numpy(np.broadcast_to(x[0, 0], (5, 8)), axis=0))


def test_a_dying_view_is_not_overwritten_while_read():
    x = data((64, 48), "complex64")
    for _ in range(3):
        close(
            mx.fft.fft(mx.multiply(to_mx(x), 2.0).T, axis=0),
            np.fft.fft(2 * x.T.astype("c16"), axis=0),
            wide=False,
        )
        close(
            mx.fft.fft(mx.multiply(to_mx(x), 2.0)[::-1]),
            np.fft.fft(2 * x[::-1].astype("c16")),
            wide=False,
        )


@pytest.mark.parametrize("n", [10_007, 65_536, 100_000, 177_147, 2 * 50_021])
def test_long_lines(n):
    """Split over threads; float32 too is right to its last digits."""
    for wide, kind in ((True, "complex128"), (False, "complex64")):
        x = data((n,), kind)
        close(mx.fft.fft(to_mx(x)), np.fft.fft(x.astype("complex128")), wide)
        close(mx.fft.ifft(to_mx(x)), np.fft.ifft(x.astype("complex128")), wide)
        close(mx.fft.rfft(to_mx(x.real)), np.fft.rfft(x.real.astype("float64")), wide)
        close(mx.fft.irfft(to_mx(x), n), np.fft.irfft(x.astype("complex128"), n), wide)


def test_many_lines():
    x = data((300, 70, 12), "complex64")
    for axis in range(3):
        close(
            mx.fft.fft(to_mx(x), axis=axis),
            np.fft.fft(x.astype("complex128"), axis=axis),
            wide=False,
        )
        close(
            mx.fft.rfft(to_mx(x.real), axis=axis),
            np.fft.rfft(x.real.astype("float64"), axis=axis),
            wide=False,
        )


@given(st.lists(st.integers(1, 20), min_size=1, max_size=3), st.data())
@settings(max_examples=60, deadline=None)
def test_round_trips(shape, draw):
    axes = draw.draw(st.permutations(range(len(shape))))[: draw.draw(st.integers(1, len(shape)))]
    norm = draw.draw(st.sampled_from(NORMS))
    x = data(tuple(shape), "float64")
    z = x + 1j * data(tuple(shape), "float64", 1)
    sizes = [shape[axis] for axis in axes]
    back = mx.fft.ifftn(mx.fft.fftn(to_mx(z), axes=axes, norm=norm), axes=axes, norm=norm)
    np.testing.assert_allclose(np.array(back), z, atol=1e-13)
    back = mx.fft.irfftn(mx.fft.rfftn(to_mx(x), axes=axes, norm=norm), sizes, axes, norm)
    np.testing.assert_allclose(np.array(back), x, atol=1e-13)


def test_imaginary_parts_that_must_be_zero_are():
    x = np.array([1 + 5j, 2 - 1j, 3 + 7j])
    close(mx.fft.irfft(to_mx(x), 4), np.fft.irfft(x, 4))
    assert np.all(np.array(mx.fft.rfft(mx.array([1.0, -2.0, 3.5, 2.0]))).imag[[0, 2]] == 0)


def test_not_finite_values_stay_in_their_line():
    x = np.ones((40, 30), "complex64")
    x[7, 3] = np.nan
    result = np.array(mx.fft.fft(to_mx(x)))
    assert np.isnan(result[7]).all()
    assert np.isfinite(np.delete(result, 7, axis=0)).all()


@pytest.mark.parametrize("name", ONE_AXIS + SEVERAL_AXES)
def test_empty_batches(name):
    x = input_for(name, (0, 6))
    axes = {"axes": (1,)} if name.endswith("n") else {}
    wanted = getattr(np.fft, name)(np.ones((1, 6), x.dtype), **axes).shape[1]
    assert getattr(mx.fft, name)(to_mx(x), **axes).shape == (0, wanted)


def test_no_axes():
    assert mx.fft.fftn(mx.array(2.0)).item() == 2
    assert mx.fft.fftn(mx.array([1.0, 2.0]), axes=()).dtype == mx.complex64


@pytest.mark.parametrize("name", ONE_AXIS)
def test_errors_of_one_axis(name):
    call = getattr(mx.fft, name)
    x = mx.ones((3, 4))
    with pytest.raises(IndexError, match=rf"\[{name}\]"):
        call(x, axis=2)
    with pytest.raises(IndexError, match=rf"\[{name}\]"):
        call(mx.array(1.0))
    for n in (0, -1, -5):
        with pytest.raises(ValueError, match=rf"\[{name}\] not a length: got n={n}"):
            call(x, n=n)
    with pytest.raises(ValueError, match=rf"\[{name}\] not a length"):
        call(mx.ones((3, 0)))
    with pytest.raises(ValueError, match=rf"\[{name}\] unknown norm: got 'orthogonal'"):
        call(x, norm="orthogonal")
    with pytest.raises(TypeError):
        call("a")
    with pytest.raises(TypeError):
        call(x, n=2.5)


@pytest.mark.parametrize("name", SEVERAL_AXES)
def test_errors_of_several_axes(name):
    call = getattr(mx.fft, name)
    x = mx.ones((3, 4))
    with pytest.raises(IndexError, match=rf"\[{name}\]"):
        call(x, axes=(0, 2))
    with pytest.raises(ValueError, match=rf"\[{name}\] an axis is repeated"):
        call(x, axes=(1, -1))
    with pytest.raises(ValueError, match=rf"\[{name}\] axes and lengths do not fit"):
        call(x, s=(3,), axes=(0, 1))
    with pytest.raises(ValueError, match=rf"\[{name}\] too many lengths"):
        call(x, s=(3, 3, 3))
    with pytest.raises(ValueError, match=rf"\[{name}\] not a length"):
        call(x, s=(0, 3))
    two = name[:-1] + "2"
    with pytest.raises(ValueError, match=rf"\[{two}\] wrong number of axes: got 1"):
        getattr(mx.fft, two)(x, axes=(0,))
    with pytest.raises(IndexError, match=rf"\[{two}\]"):
        getattr(mx.fft, two)(mx.ones((3,)))


def test_real_transforms_need_an_axis():
    for name in ("rfftn", "irfftn"):
        with pytest.raises(ValueError, match=rf"\[{name}\] no axis"):
            getattr(mx.fft, name)(mx.array(1.0))


@pytest.mark.parametrize("n", [1, 2, 5, 8, 1001])
@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_frequencies(name, n):
    for d in (1.0, 0.1, -2.5):
        wanted = getattr(np.fft, name)(n, d)
        result = getattr(mx.fft, name)(n, d)
        assert result.dtype == mx.float32
        np.testing.assert_allclose(np.array(result), wanted, rtol=3e-7)
        wide = getattr(mx.fft, name)(n, d, dtype=mx.float64)
        assert wide.dtype == mx.float64
        np.testing.assert_array_equal(np.array(wide), wanted)


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_errors_of_frequencies(name):
    call = getattr(mx.fft, name)
    for n in (0, -3):
        with pytest.raises(ValueError, match=rf"\[{name}\] not a length: got n={n}"):
            call(n)
    with pytest.raises(ValueError, match=rf"\[{name}\].*d=0"):
        call(4, 0.0)
    with pytest.raises(TypeError, match=rf"\[{name}\].*int32"):
        call(4, dtype=mx.int32)


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
def test_shifts(name):
    x = np.arange(60).reshape(3, 4, 5)
    for axes in (None, 0, -1, (0, 2), (2, 1), ()):
        wanted = getattr(np.fft, name)(x, axes)
        np.testing.assert_array_equal(np.array(getattr(mx.fft, name)(mx.array(x), axes)), wanted)
    with pytest.raises(IndexError, match=rf"\[{name}\]"):
        getattr(mx.fft, name)(mx.array(x), 3)


def inner(a, b):
    return float(np.real(np.sum(np.conj(a) * b)))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("n", [6, 7])
@pytest.mark.parametrize("name", ONE_AXIS + SEVERAL_AXES)
def test_derivatives(name, n, norm):
    """A linear map is its own jvp; vjp is its adjoint: <c, F t> = <F* c, t>."""
    x, t = input_for(name, (3, 5, 4), seed=1), input_for(name, (3, 5, 4), seed=2)
    place = {"s": (n, 4), "axes": (1, 0)} if name.endswith("n") else {"n": n, "axis": 1}

    def fun(a):
        return getattr(mx.fft, name)(a, **place, norm=norm)

    (result,), (pushed,) = mx.jvp(fun, [to_mx(x)], [to_mx(t)])
    np.testing.assert_allclose(np.array(pushed), np.array(fun(to_mx(t))), atol=1e-14)
    cotangent = data(result.shape, np.array(result).dtype, 3)
    _, (pulled,) = mx.vjp(fun, [to_mx(x)], [to_mx(cotangent)])
    assert pulled.dtype == to_mx(x).dtype
    assert inner(cotangent, np.array(pushed)) == pytest.approx(
        inner(np.array(pulled), t), rel=1e-12
    )


def test_grad_of_power_spectrum():
    """Parseval: the spectrum's energy is n times the signal's."""
    x = data((12,), "float32")

    def energy(a):
        z = mx.fft.fft(a)
        return mx.sum(mx.square(mx.real(z)) + mx.square(mx.imag(z)))

    np.testing.assert_allclose(np.array(mx.grad(energy)(to_mx(x))), 24 * x, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["fft", "irfft", "rfft"])
def test_vmap(name):
    x = input_for(name, (5, 4, 6))
    for in_axis in range(3):
        mapped = mx.vmap(getattr(mx.fft, name), in_axes=in_axis)(to_mx(x))
        rows = [getattr(np.fft, name)(row) for row in np.moveaxis(x, in_axis, 0)]
        close(mapped, np.stack(rows))


def test_module_and_signatures():
    import mlx.core.fft as module

    assert module is mx.fft
    for name in ONE_AXIS + SEVERAL_AXES + ["fftfreq", "rfftfreq", "fftshift", "ifftshift"]:
        assert inspect.getdoc(getattr(module, name))
