"""Every public function has a docstring whose example runs."""

from __future__ import annotations

import doctest
import enum
import inspect
import types

import pytest

import mlx.core as mx

# Classes of which users only ever hold objects; their methods say what they do in a line.
WITHOUT_EXAMPLE = {
    "ArrayAt", "ArrayIterator", "PrintOptions", "StreamContext",
}  # fmt: skip


def modules() -> list[types.ModuleType]:
    found = [mx]
    for name, value in vars(mx).items():
        is_part = isinstance(value, types.ModuleType) and value.__name__.startswith("mlx.core.")
        if is_part and not name.startswith("_") and getattr(value, "__file__", None) is None:
            found.append(value)
    return found


def public_objects() -> dict[str, object]:
    found = {}
    for module in modules():
        for name, value in vars(module).items():
            is_ours = (getattr(value, "__module__", None) or "").startswith("mlx.core")
            if name.startswith("_") or not callable(value) or not is_ours:
                continue
            found[f"{module.__name__}.{name}"] = value
            if inspect.isclass(value) and not issubclass(value, enum.Enum):
                for method, inner in vars(value).items():
                    if not method.startswith("_"):
                        found[f"{module.__name__}.{name}.{method}"] = inner
    return found


OBJECTS = public_objects()


def doc_of(value: object) -> str:
    return inspect.getdoc(value) or ""


@pytest.mark.parametrize("name", OBJECTS)
def test_docstring(name):
    doc = doc_of(OBJECTS[name])
    assert doc.strip(), f"{name} has no docstring"
    first = doc.strip().splitlines()
    text = next((line for line in first if line and not line.startswith(("def ", "class "))), "")
    assert text, f"{name} says nothing"


@pytest.mark.parametrize("name", OBJECTS)
def test_example(name):
    value = OBJECTS[name]
    doc = doc_of(value)
    is_method = inspect.isclass(OBJECTS.get(name.rpartition(".")[0]))
    if not is_method and name.rpartition(".")[2] not in WITHOUT_EXAMPLE:
        assert ">>>" in doc, f"{name} has no example"
    parser = doctest.DocTestParser()
    test = parser.get_doctest(doc, {"mx": mx}, name, None, 0)
    output: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=output.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(output)
