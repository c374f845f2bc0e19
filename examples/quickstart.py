"""The main job, end to end: einops, scikit-learn and graph export on mlx arrays, checked.

    python examples/quickstart.py

needs mlx-core, mlx-interop, mlx-export, einops, scikit-learn and numpy (the last three bring the
data and the numbers that ours are compared with). Prints what it does; raises where a result is
wrong.
"""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # scikit-learn asks for it before dispatching

import mlx.core as mx
import numpy as np
from einops import array_api as einops
from sklearn import config_context
from sklearn.datasets import load_digits, make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis


def check(what: str, holds: bool) -> None:
    """Say what holds, or stop."""
    if not holds:
        raise SystemExit(f"WRONG: {what}")
    print(f"  ok: {what}")


def rearrange_arrays() -> None:
    """einops on mlx arrays."""
    print("einops.array_api on mlx arrays")
    video = mx.arange(2 * 4 * 6).reshape(2, 4, 6)
    turned = einops.rearrange(video, "time height width -> width (time height)")
    check("rearrange (2, 4, 6) -> (6, 8)", turned.shape == (6, 8))
    check("its element [5, 3] is video[0, 3, 5]", turned[5, 3].item() == video[0, 3, 5].item())

    image = mx.arange(16, dtype=mx.float32).reshape(4, 4)
    blocks = einops.reduce(image, "(h a) (w b) -> h w", "mean", a=2, b=2)
    check("reduce: means of 2x2 blocks", blocks.tolist() == [[2.5, 4.5], [10.5, 12.5]])

    stretched = einops.repeat(mx.array([1, 2]), "n -> n k", k=3)
    check("repeat: [1, 2] -> rows of three", stretched.tolist() == [[1, 1, 1], [2, 2, 2]])

    parts = [mx.zeros((3, 2)), mx.ones((3, 2, 4))]
    packed, shapes = einops.pack(parts, "batch *")
    check("pack (3, 2) and (3, 2, 4) -> (3, 10)", packed.shape == (3, 10))
    unpacked = einops.unpack(packed, shapes, "batch *")
    same = all(bool(mx.array_equal(a, b)) for a, b in zip(parts, unpacked, strict=True))
    check("unpack gives them back", same)


def discriminate() -> None:
    """scikit-learn's LinearDiscriminantAnalysis, computed by mlx."""
    print("scikit-learn's LinearDiscriminantAnalysis on mlx arrays")
    x, y = make_classification(
        n_samples=500, n_features=8, n_informative=5, n_classes=3, random_state=0
    )
    expected = LinearDiscriminantAnalysis().fit_transform(x, y)
    for dtype, tolerance in ((mx.float32, 1e-3), (mx.float64, 1e-10)):
        with config_context(array_api_dispatch=True):
            model = LinearDiscriminantAnalysis()
            found = model.fit_transform(mx.array(x, dtype=dtype), mx.array(y))
        name = str(dtype).rsplit(".", 1)[-1]
        check(
            f"{name} in, an mx.array of {name} out", (type(found), found.dtype) == (mx.array, dtype)
        )
        error = np.abs(np.asarray(found) - expected).max() / np.abs(expected).max()
        check(
            f"largest error beside scikit-learn on numpy {error:.1e} <= {tolerance:.0e}",
            error <= tolerance,
        )


def export_graphs() -> None:
    """The graph of a function, node by node."""
    print("a function's graph, by callback")
    events: list[dict] = []
    mx.export_function(events.append, lambda x: mx.log(mx.abs(x)), mx.array([1.0, -2.0]))
    names = [event["name"] for event in events if event["type"] == "primitive"]
    check(f"log(abs(x)) is {' then '.join(names)}", names == ["Abs", "Log"])

    def difference(x: mx.array, y: mx.array) -> mx.array:
        return x - y

    x, y = mx.array([5.0]), mx.array([3.0])
    for keywords in ({"x": x, "y": y}, {"y": y, "x": x}):
        events.clear()
        mx.export_function(events.append, difference, **keywords)
        by_name = dict(next(e for e in events if e["type"] == "keyword_inputs")["keywords"])
        node = next(e for e in events if e["type"] == "primitive")
        operands = [operand[0] for operand in node["inputs"]]
        check(
            f"{' and '.join(keywords)}: Subtract takes x, then y",
            operands == [by_name["x"], by_name["y"]],
        )


def recognise_digits() -> None:
    """Principal components of handwritten digits and a nearest-centroid classifier."""
    print("scikit-learn's digits: standardise, PCA by svd, nearest centroid")
    images, labels = load_digits(return_X_y=True)
    x, y = mx.array(images), mx.array(labels)
    train, test = 1200, x.shape[0] - 1200

    mean, deviation = mx.mean(x[:train], axis=0), mx.std(x[:train], axis=0)
    x = (x - mean) / mx.where(deviation > 0, deviation, mx.ones_like(deviation))
    _, _, directions = x.__array_namespace__().linalg.svd(x[:train], full_matrices=False)
    components = x @ directions[:20].T

    centroids = mx.stack([mx.mean(components[:train][y[:train] == k], axis=0) for k in range(10)])
    distances = mx.sum((components[train:, None] - centroids) ** 2, axis=-1)
    accuracy = mx.mean((mx.argmin(distances, axis=-1) == y[train:]).astype(mx.float32)).item()
    check(f"{test} digits never seen: {accuracy:.1%} right, more than 80%", accuracy > 0.8)


def main() -> None:
    """Run all four parts."""
    rearrange_arrays()
    discriminate()
    export_graphs()
    recognise_digits()
    print("all of it ran on mlx arrays and is right")


if __name__ == "__main__":
    main()
