"""Names and signatures of every version, against the table derived from the standard's stubs."""

from __future__ import annotations

import inspect
import json
from inspect import Parameter
from pathlib import Path
from typing import Any

import mlx.core as mx
import mlx.interop as xp
import pytest
from mlx.interop.versions import LATEST, VERSIONS

STANDARD: dict[str, dict[str, str]] = json.loads(
    (Path(__file__).parent / "standard.json").read_text()
)


def names_of(version: str) -> set[str]:
    return {name for name, history in STANDARD.items() if min(history) <= version}


def signature_in(name: str, version: str) -> str:
    return [text for since, text in STANDARD[name].items() if since <= version][-1]


def found(namespace: Any, name: str) -> Any:
    part, _, rest = name.partition(".")
    if part == "array":
        return getattr(mx.array(1), rest, None) if rest.startswith("__") else rest
    holder = namespace.__array_namespace_info__() if part == "info" else namespace
    for word in rest.split(".") if part == "info" else name.split("."):
        holder = getattr(holder, word)
    return holder


def parsed(text: str) -> list[Parameter]:
    scope: dict[str, Any] = {}
    exec(f"from __future__ import annotations\ndef stub{text}: ...", scope)
    return list(inspect.signature(scope["stub"]).parameters.values())


def parameters_of(function: Any) -> dict[str, Parameter]:
    """Of a function of the engine its own record says it: inspect cannot look into these."""
    if not hasattr(function, "__nb_signature__"):
        return dict(inspect.signature(function).parameters)
    text = function.__nb_signature__[0][0]
    found = parsed(text[text.index("(") : text.rindex(" ->")])
    return {parameter.name: parameter for parameter in found}


def functions() -> list[str]:
    return sorted(
        name
        for name, history in STANDARD.items()
        if not name.startswith("array.") and "constant" not in history.values()
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_namespace_has_the_names_of_its_version(version):
    namespace = xp.namespace(version)
    standard = {n for n in names_of(version) if not n.startswith(("array.", "info.", "__"))}
    ours = {n for n in dir(namespace) if not n.startswith("_")} - {"linalg", "fft"}
    for extension in ("linalg", "fft"):
        if hasattr(namespace, extension):
            inner = getattr(namespace, extension)
            ours |= {f"{extension}.{n}" for n in dir(inner) if not n.startswith("_")}
    dtypes = set(xp.namespace("2025.12").__array_namespace_info__().dtypes())
    if version == "2021.12":
        dtypes -= {"complex64", "complex128"}
    if version != LATEST:  # the module itself has the package's own names beside the standard's
        assert ours == standard | dtypes
    else:
        assert standard | dtypes <= ours | {n for n in standard if n.startswith(("linalg", "fft"))}
    assert namespace.__array_api_version__ == version


@pytest.mark.parametrize("name", functions())
def test_signature(name):
    """Every call that the standard writes is possible; more may be (`stream=`)."""
    ours = parameters_of(found(xp, name))
    wanted = parsed(signature_in(name, LATEST))
    positions = list(ours.values())
    for index, parameter in enumerate(wanted):
        if parameter.kind is Parameter.POSITIONAL_ONLY:
            kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
            assert positions[index].kind in kinds
            assert (positions[index].default is Parameter.empty) == (
                parameter.default is Parameter.empty
            )
        elif parameter.kind is Parameter.POSITIONAL_OR_KEYWORD:
            assert positions[index].name == parameter.name
            assert positions[index].kind is Parameter.POSITIONAL_OR_KEYWORD
        elif parameter.kind is Parameter.VAR_POSITIONAL:
            assert positions[index].kind is Parameter.VAR_POSITIONAL
        else:
            assert ours[parameter.name].kind in (
                Parameter.KEYWORD_ONLY,
                Parameter.POSITIONAL_OR_KEYWORD,
            )
            assert ours[parameter.name].default == parameter.default
    extra = ours.keys() - {p.name for p in wanted} - {p.name for p in positions[: len(wanted)]}
    required = [n for n in extra if ours[n].default is Parameter.empty]
    assert not [n for n in required if ours[n].kind is not Parameter.VAR_KEYWORD]


@pytest.mark.parametrize("name", sorted(n for n in STANDARD if n.startswith("array.")))
def test_array_has(name):
    assert hasattr(mx.array([[1.0]]), name.removeprefix("array."))


@pytest.mark.parametrize("version", VERSIONS)
def test_array_gives_the_namespace(version):
    x = mx.array([1.0])
    assert x.__array_namespace__() is xp
    assert x.__array_namespace__(api_version=version).__array_api_version__ == version
    assert x.__array_namespace__(api_version=version) is xp.namespace(version)


@pytest.mark.parametrize("version", ["2020.12", "2026.12", "", "latest", 2024])
def test_unknown_version(version):
    with pytest.raises(ValueError, match="no such version.*expected one of 2021.12"):
        mx.array(1).__array_namespace__(api_version=version)


def test_namespace_is_the_module():
    assert xp.__name__ == "mlx.interop"
    assert xp.namespace() is xp.namespace(LATEST) is xp


@pytest.mark.parametrize("version", VERSIONS)
def test_lists_became_tuples(version):
    namespace = xp.namespace(version)
    wanted = tuple if version >= "2025.12" else list
    x = mx.array([1.0, 2.0])
    assert type(namespace.meshgrid(x, x)) is wanted
    assert type(namespace.broadcast_arrays(x, x)) is wanted
    if version >= "2023.12":
        assert type(namespace.__array_namespace_info__().devices()) is wanted


def test_names_of_a_later_version_are_missing():
    for name, history in STANDARD.items():
        if name.startswith(("array.", "info.")) or min(history) == VERSIONS[0]:
            continue
        before = VERSIONS[VERSIONS.index(min(history)) - 1]
        holder: Any = xp.namespace(before)
        for word in name.split("."):
            holder = getattr(holder, word, None)
        assert holder is None, f"{name} in {before}"


def test_engine_functions_are_not_wrapped():
    """Where the engine agrees with the standard, a call through the namespace costs nothing."""
    assert xp.add is mx.add
    assert xp.acos is mx.arccos
    assert xp.matmul is mx.matmul
    assert xp.fft.fft is mx.fft.fft
