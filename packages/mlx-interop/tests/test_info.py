"""Inspection: capabilities, devices and dtypes, and that what is listed can be used."""

from __future__ import annotations

import mlx.core as mx
import mlx.interop as xp
import pytest
from mlx.interop.dtypes import KINDS

info = xp.__array_namespace_info__()


def test_capabilities():
    assert info.capabilities() == {
        "boolean indexing": True,
        "data-dependent shapes": True,
        "max dimensions": None,
    }
    older = xp.namespace("2023.12").__array_namespace_info__().capabilities()
    assert older.keys() == {"boolean indexing", "data-dependent shapes"}


def test_devices_can_be_used():
    assert info.default_device() in info.devices()
    for device in info.devices():
        assert xp.zeros(1, device=device).device == device


def test_default_dtypes_are_those_of_creation():
    defaults = info.default_dtypes()
    assert defaults == info.default_dtypes(device=info.default_device())
    assert xp.asarray(1).dtype == xp.arange(2).dtype == defaults["integral"]
    assert xp.asarray(1.0).dtype == xp.zeros(2).dtype == defaults["real floating"]
    assert xp.linspace(0, 1, 2).dtype == xp.eye(2).dtype == defaults["real floating"]
    assert xp.asarray(1j).dtype == xp.full(2, 1j).dtype == defaults["complex floating"]
    assert xp.argmax(xp.ones(2)).dtype == xp.nonzero(xp.ones(2))[0].dtype == defaults["indexing"]
    assert xp.searchsorted(xp.ones(2), xp.ones(2)).dtype == defaults["indexing"]
    assert (
        xp.argsort(xp.ones(2)).dtype == xp.count_nonzero(xp.ones(2)).dtype == defaults["indexing"]
    )


def test_all_dtypes():
    assert list(info.dtypes()) == ["bool", *KINDS["numeric"]]
    for name, dtype in info.dtypes().items():
        assert getattr(xp, name) == dtype
        assert xp.zeros(1, dtype=dtype).dtype == dtype


@pytest.mark.parametrize("kind", KINDS)
def test_dtypes_of_a_kind(kind):
    assert tuple(info.dtypes(kind=kind)) == tuple(n for n in info.dtypes() if n in KINDS[kind])
    assert all(xp.isdtype(dtype, kind) for dtype in info.dtypes(kind=kind).values())


def test_dtypes_of_several_kinds():
    assert set(info.dtypes(kind=("bool", "real floating"))) == {"bool", "float32", "float64"}
    assert info.dtypes(kind=()) == {}


def test_unknown_kind():
    with pytest.raises(ValueError, match=r"\[dtypes\] no such kind: got 'float'"):
        info.dtypes(kind="float")


def test_extra_dtypes_are_not_listed_but_have_kinds():
    assert "bfloat16" not in info.dtypes()
    assert xp.isdtype(mx.bfloat16, "real floating")
