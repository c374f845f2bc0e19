"""The callback: events, their order and form, names, keywords, constants."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest


def export(fun, *args, **kwargs):
    events = []
    mx.export_function(events.append, fun, *args, **kwargs)
    return events


def of_type(events, kind):
    return [event for event in events if event["type"] == kind]


def test_the_events_of_log_abs():
    x = mx.array([[1.0, -2.0], [3.0, -4.0]])
    events = export(lambda x: mx.log(mx.abs(x)), x)
    assert events == [
        {"type": "inputs", "inputs": [("A", (2, 2), mx.float32)]},
        {"type": "keyword_inputs", "keywords": []},
        {"type": "outputs", "outputs": [("B", (2, 2), mx.float32)]},
        {"type": "constants", "constants": []},
        {
            "type": "primitive",
            "name": "Abs",
            "inputs": [("A", (2, 2), mx.float32)],
            "outputs": [("C", (2, 2), mx.float32)],
            "arguments": [],
            "named_arguments": {},
        },
        {
            "type": "primitive",
            "name": "Log",
            "inputs": [("C", (2, 2), mx.float32)],
            "outputs": [("B", (2, 2), mx.float32)],
            "arguments": [],
            "named_arguments": {},
        },
    ]


@pytest.mark.parametrize("order", [("x", "y"), ("y", "x")])
def test_keywords_are_a_mapping_in_whatever_order(order):
    values = {"x": mx.array([5.0]), "y": mx.array([[3.0]])}
    events = export(lambda x, y: x - y, **{key: values[key] for key in order})
    (inputs,), (keywords,) = of_type(events, "inputs"), of_type(events, "keyword_inputs")
    shapes = {name: shape for name, shape, _ in inputs["inputs"]}
    named = dict(keywords["keywords"])
    assert set(named) == {"x", "y"}
    assert shapes[named["x"]] == (1,) and shapes[named["y"]] == (1, 1)


def test_positional_inputs_keep_their_order_before_keywords():
    events = export(lambda a, b, c: a - b * c, mx.zeros(1), mx.zeros(2), c=mx.zeros((3, 1)))
    names = [(name, shape) for name, shape, _ in events[0]["inputs"]]
    assert names == [("A", (1,)), ("B", (2,)), ("C", (3, 1))]
    assert events[1]["keywords"] == [("c", "C")]


def test_arguments_are_named_plain_values():
    events = export(lambda x: mx.sum(x, axis=1).astype(mx.int32), mx.zeros((2, 3)))
    by_name = {event["name"]: event for event in of_type(events, "primitive")}
    assert by_name["Reduce"]["named_arguments"] == {"op": "sum", "axes": [1]}
    assert by_name["Reduce"]["arguments"] == ["sum", [1]]
    assert by_name["AsType"]["named_arguments"] == {"dtype": mx.int32}


def test_a_constant_is_told_once_per_exporter():
    weight = mx.array([1.0, 2.0, 3.0])
    events = []
    with mx.exporter(events.append, lambda x: x * weight) as add:
        add(mx.zeros(3))
        add(mx.zeros((2, 3)))
    first, second = of_type(events, "constants")
    ((name, value),) = first["constants"]
    assert value.tolist() == [1.0, 2.0, 3.0] and second["constants"] == []
    used = {n for event in of_type(events, "primitive") for n, _, _ in event["inputs"]}
    assert name in used


def test_names_go_on_from_trace_to_trace():
    events = []
    with mx.exporter(events.append, lambda x: mx.exp(x)) as add:
        add(mx.zeros(3))
        add(mx.zeros(4))
    assert [event["inputs"][0][0] for event in of_type(events, "inputs")] == ["A", "C"]
    with pytest.raises(ValueError, match="closed"):
        add(mx.zeros(5))


def test_a_trace_twice_is_an_error():
    with (
        pytest.raises(ValueError, match="traced before"),
        mx.exporter(lambda event: None, mx.exp) as add,
    ):
        add(mx.zeros(3))
        add(mx.ones(3))


def test_exceptions_reach_the_caller_unchanged():
    error = LookupError("mine")

    def raises(*_):
        raise error

    with pytest.raises(LookupError) as caught:
        mx.export_function(raises, mx.exp, mx.zeros(3))
    assert caught.value is error
    with pytest.raises(LookupError) as caught:
        mx.export_function(lambda event: None, raises, mx.zeros(3))
    assert caught.value is error


def test_values_are_refused_in_a_trace():
    with pytest.raises(ValueError, match="export"):
        mx.export_function(lambda event: None, lambda x: x * x.sum().item(), mx.ones(3))


def test_arguments_must_be_arrays():
    with pytest.raises(TypeError, match=r"\[export_function\].*float"):
        mx.export_function(lambda event: None, mx.exp, 1.0)
    with pytest.raises(TypeError, match=r"\[export_function\].*str"):
        mx.export_function(lambda event: None, lambda x: "text", mx.ones(1))


def test_transformed_functions_export_like_any_other():
    def loss(x):
        return mx.sum(mx.sin(x) * x)

    for fun in (mx.grad(loss), mx.compile(loss), mx.vmap(loss)):
        x = mx.array([[1.0, 2.0]]) if fun is not None else None
        assert of_type(export(fun, x), "primitive")


NUMPY = {
    "Sin": np.sin,
    "Multiply": np.multiply,
    "Add": np.add,
    "Exp": np.exp,
    "Broadcast": lambda a, shape: np.broadcast_to(a, shape),
    "Reduce": lambda a, op, axes: getattr(np, op)(a, axis=tuple(axes), keepdims=True),
    "Squeeze": lambda a, axes: np.squeeze(a, tuple(axes)),
    "Transpose": lambda a, axes: np.transpose(a, axes),
    "Subtract": np.subtract,
    "Divide": np.divide,
}


def test_the_events_alone_rebuild_the_function():
    def fun(x, y):
        e = mx.exp(x - mx.max(x, axis=-1, keepdims=True))
        return (e / mx.sum(e, axis=-1, keepdims=True) * mx.sin(y)).T + 2.0

    x, y = (np.random.default_rng(i).standard_normal((3, 4)).astype("float32") for i in range(2))
    events = export(fun, mx.array(x), mx.array(y))
    values = dict(zip([n for n, _, _ in events[0]["inputs"]], (x, y), strict=True))
    for event in events[3:]:
        if event["type"] == "constants":
            values |= {name: np.array(value) for name, value in event["constants"]}
            continue
        inputs = [values[name] for name, _, _ in event["inputs"]]
        ((name, shape, _),) = event["outputs"]
        values[name] = NUMPY[event["name"]](*inputs, **event["named_arguments"])
        assert values[name].shape == shape
    ((name, _, _),) = events[2]["outputs"]
    np.testing.assert_allclose(values[name], np.array(fun(mx.array(x), mx.array(y))), rtol=1e-5)
