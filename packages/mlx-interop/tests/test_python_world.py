"""Our arrays where people use numpy's: builtins, numpy, pandas, matplotlib, scipy.sparse.

Each use either gives the right answer or a TypeError that says what to write; never a wrong answer
without a word.
"""

from __future__ import annotations

import copy
import math
import operator
import pickle

import mlx.core as mx
import numpy as np
import pytest

X = np.array([3.0, 1.0, 2.0, 1.0], dtype=np.float32)


@pytest.fixture
def x() -> mx.array:
    return mx.array(X)


# --- builtins ------------------------------------------------------------------------------------


def test_numbers():
    assert round(mx.array(2.5)) == 2
    assert round(mx.array(2.567), 1).item() == pytest.approx(2.6)
    assert complex(mx.array(1 + 2j)) == 1 + 2j
    assert complex(mx.array(2.0)) == 2
    assert operator.index(mx.array(3)) == 3
    assert [10, 20, 30][mx.array(1)] == 20
    assert math.floor(mx.array(2.5).item()) == 2
    assert divmod(mx.array(7), mx.array(2))[0].item() == 3


@pytest.mark.parametrize("convert", [int, float, complex, bool, operator.index])
def test_several_elements_are_no_number(convert):
    with pytest.raises((TypeError, ValueError)):
        convert(mx.array([1, 2]))


def test_no_index_of_a_float():
    with pytest.raises(TypeError):
        operator.index(mx.array(1.0))
    with pytest.raises(TypeError):
        float(mx.array(1j))
    with pytest.raises(TypeError):
        int(mx.array(1j))


def test_copies(x):
    for twin in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert twin.dtype == x.dtype
        assert twin.tolist() == x.tolist()
        twin[0] = 9
        assert x[0].item() == 3


def test_iteration(x):
    assert [value.item() for value in x] == X.tolist()
    assert 2.0 in x
    assert 5.0 not in x
    with pytest.raises(TypeError):
        iter(mx.array(1))
    assert sorted(x, key=float)[0].item() == 1


@pytest.mark.parametrize("other", [None, "a", object()])
def test_comparison_with_anything(x, other):
    """As numpy: nothing of it equals; no error from the binding layer."""
    for found, wanted in ((x == other, False), (x != other, True)):
        assert np.asarray(found).tolist() == [wanted] * 4 or found is wanted


def test_hash_like_numpy(x):
    with pytest.raises(TypeError, match="unhashable"):
        hash(X)
    assert {mx.float32: 1}[mx.float32] == 1


# --- numpy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["sum", "mean", "max", "min", "prod", "std", "var", "argmax", "sort"]
)
def test_numpy_functions(x, name):
    found = getattr(np, name)(x)
    assert np.allclose(np.asarray(found), getattr(np, name)(X))


def test_numpy_dtype(x):
    assert np.dtype(mx.float32) == np.float32
    assert np.zeros(2, dtype=x.dtype).dtype == np.float32
    assert np.asarray(x, dtype=np.float64).dtype == np.float64
    assert np.array(x, copy=True).tolist() == X.tolist()


def test_numpy_operators(x):
    for symbol in (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow):
        for found, wanted in ((symbol(X, x), symbol(X, X)), (symbol(x, X), symbol(X, X))):
            assert np.allclose(np.asarray(found), wanted)
    assert (np.float32(2) * x).tolist() == (2 * X).tolist()
    assert np.asarray(X < x).tolist() == [False] * 4


def test_indexing_with_numpy(x):
    assert x[np.array([0, 2])].tolist() == [3.0, 2.0]
    assert x[X > 1].tolist() == [3.0, 2.0]
    assert x[np.int64(2)].item() == 2.0
    assert X[mx.array([0, 2])].tolist() == [3.0, 2.0]
    assert X[mx.array(X) > 1].tolist() == [3.0, 2.0]
    with pytest.raises(IndexError):
        x[np.array([7])].tolist()


def test_transpose():
    m = mx.array([[1, 2], [3, 4]])
    assert np.asarray(np.transpose(m)).tolist() == [[1, 3], [2, 4]]


# --- pandas --------------------------------------------------------------------------------------


class TestPandas:
    pd = pytest.importorskip("pandas")

    def test_construction(self, x):
        assert self.pd.Series(x).tolist() == X.tolist()
        frame = self.pd.DataFrame({"a": x, "b": mx.arange(4)})
        assert frame["a"].dtype == np.float32
        assert frame["b"].tolist() == [0, 1, 2, 3]
        assert self.pd.DataFrame(mx.ones((2, 2))).shape == (2, 2)

    def test_masks(self, x):
        frame = self.pd.DataFrame({"a": X})
        mask = x > 1
        assert frame[np.asarray(mask)]["a"].tolist() == [3.0, 2.0]
        assert frame[mask]["a"].tolist() == [3.0, 2.0]
        assert frame.loc[mask]["a"].tolist() == [3.0, 2.0]
        assert self.pd.Series(X)[mask].tolist() == [3.0, 2.0]

    def test_isin(self, x):
        series = self.pd.Series(X)
        assert series.isin(mx.array([1.0, 3.0])).tolist() == [True, True, False, True]

    def test_arithmetic(self, x):
        series = self.pd.Series(X)
        for found in (series * x, x * series):
            assert isinstance(found, self.pd.Series)
            assert found.tolist() == (X * X).tolist()
        assert (series + x).tolist() == (X + X).tolist()

    def test_to_ours(self):
        series = self.pd.Series([1.0, 2.0], dtype="float32")
        assert mx.array(series.to_numpy()).tolist() == [1.0, 2.0]
        assert mx.array(series).tolist() == [1.0, 2.0]

    def test_assignment_and_unique(self, x):
        frame = self.pd.DataFrame({"a": X})
        frame["b"] = x
        assert frame["b"].tolist() == X.tolist()
        assert sorted(self.pd.unique(np.asarray(x)).tolist()) == [1.0, 2.0, 3.0]


# --- matplotlib ----------------------------------------------------------------------------------


def test_matplotlib(x):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    axes.plot(x, mx.arange(4))
    axes.scatter(x, x)
    axes.bar(mx.arange(4), x)
    axes.hist(x)
    axes.imshow(mx.ones((2, 2)))
    axes.errorbar(mx.arange(4), x, yerr=x)
    axes.fill_between(mx.arange(4), x, x + 1)
    axes.set_xlim(mx.array(0.0), mx.array(5.0))
    figure.canvas.draw()
    line = axes.lines[0]
    assert line.get_xdata().tolist() == X.tolist()
    pyplot.close(figure)


# --- scipy.sparse --------------------------------------------------------------------------------


class TestSparse:
    sparse = pytest.importorskip("scipy.sparse")

    @pytest.fixture
    def matrix(self):
        return self.sparse.csr_array(np.diag(X))

    def test_products(self, matrix, x):
        wanted = (np.diag(X) @ X).tolist()
        assert np.asarray(matrix @ x).tolist() == wanted
        assert np.asarray(x @ matrix).tolist() == wanted

    def test_construction(self, x):
        rows = mx.arange(4)
        built = self.sparse.coo_array((x, (rows, rows)), shape=(4, 4))
        assert built.toarray().tolist() == np.diag(X).tolist()
        assert self.sparse.csr_array(mx.array(np.diag(X))).nnz == 4

    def test_indexing(self, matrix, x):
        assert matrix[mx.array([0, 2])].shape == (2, 4)
        assert matrix[x > 1].shape == (2, 4)

    def test_elementwise(self, matrix, x):
        wanted = np.diag(X * X).tolist()
        assert np.asarray(matrix.multiply(mx.array(np.diag(X))).todense()).tolist() == wanted
