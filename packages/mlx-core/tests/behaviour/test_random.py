"""Random numbers: known answers, reproducibility, distributions, ranges, keys."""

from __future__ import annotations

import math

import mlx.core as mx
import numpy as np
import pytest

# Threefry-2x32, 20 rounds: counter, key, block; the known answers published with the paper's code.
KNOWN = [
    ((0x00000000, 0x00000000), (0x00000000, 0x00000000), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
]


def threefry(counter, key):
    """The paper's definition, one step after the other."""
    mask = 0xFFFFFFFF
    keys = [key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA]
    x = [(counter[0] + keys[0]) & mask, (counter[1] + keys[1]) & mask]
    for round_number in range(20):
        rotation = ((13, 15, 26, 6), (17, 29, 16, 24))[round_number // 4 % 2][round_number % 4]
        x[0] = (x[0] + x[1]) & mask
        x[1] = ((x[1] << rotation | x[1] >> (32 - rotation)) & mask) ^ x[0]
        if round_number % 4 == 3:
            step = round_number // 4 + 1
            x[0] = (x[0] + keys[step % 3]) & mask
            x[1] = (x[1] + keys[(step + 1) % 3] + step) & mask
    return tuple(x)


def test_the_definition_gives_the_known_answers():
    for counter, key, block in KNOWN:
        assert threefry(counter, key) == block


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1, 0x13198A2E03707344])
def test_bits_are_the_blocks_of_the_counters(seed):
    key = (seed >> 32, seed & 0xFFFFFFFF)
    assert mx.random.key(seed).tolist() == list(key)
    drawn = mx.random.split(mx.random.key(seed), 100).tolist()
    assert drawn == [list(threefry((i, 0), key)) for i in range(100)]


def test_the_same_key_gives_the_same_numbers_at_any_size():
    key = mx.random.key(3)
    long = np.array(mx.random.uniform(shape=(100_001,), key=key))
    np.testing.assert_array_equal(long[:1001], np.array(mx.random.uniform(shape=(1001,), key=key)))
    assert len(np.unique(long)) > 99_000


def test_the_implicit_state():
    mx.random.seed(5)
    first = [mx.random.normal((3,)).tolist() for _ in range(2)]
    mx.random.seed(5)
    assert [mx.random.normal((3,)).tolist() for _ in range(2)] == first
    assert first[0] != first[1]
    assert isinstance(mx.random.state, list) and len(mx.random.state) == 1


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_uniform_is_in_its_range(dtype):
    kind = getattr(mx, dtype)
    x = mx.random.uniform(-2, 3, (200_000,), dtype=kind, key=mx.random.key(0))
    assert x.dtype == kind
    values = np.array(x.astype(mx.float64))
    assert values.min() >= -2 and values.max() < 3
    assert abs(values.mean() - 0.5) < 0.02 and abs(values.var() - 25 / 12) < 0.05
    # Where rounding would reach the bound.
    near = mx.random.uniform(1.0, 1.0 + 2 ** (-6), (50_000,), dtype=kind, key=mx.random.key(1))
    assert (near < mx.array(1.0 + 2 ** (-6)).astype(kind)).all().item()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normal(dtype):
    x = mx.random.normal((400_000,), dtype=getattr(mx, dtype), key=mx.random.key(0))
    x = np.array(x).astype("float64")
    assert abs(x.mean()) < 0.01 and abs(x.var() - 1) < 0.01
    for threshold in (0.5, 1, 2, 3):
        share = math.erfc(threshold / math.sqrt(2)) / 2
        assert abs((x > threshold).mean() - share) < 5 * math.sqrt(share / x.size)
    scaled = mx.random.normal((100_000,), loc=5, scale=2, key=mx.random.key(1))
    assert abs(mx.mean(scaled).item() - 5) < 0.05 and abs(mx.std(scaled).item() - 2) < 0.05


def test_randint_is_unbiased():
    draws = np.array(mx.random.randint(-3, 4, (70_000,), key=mx.random.key(0)))
    counts = np.bincount(draws + 3, minlength=7)
    assert draws.min() == -3 and draws.max() == 3
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 30  # chi squared, 6 degrees of freedom
    # Two thirds of 2**63: the remainder of a plain multiplication would show.
    wide = mx.random.randint(0, 3 * 2**61, (60_000,), dtype=mx.int64, key=mx.random.key(1))
    thirds = np.array(wide) // 2**61
    assert (abs(np.bincount(thirds) - 20_000) < 700).all()


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_randint_over_the_whole_range(dtype):
    info = np.iinfo(dtype)
    high = info.max if dtype.endswith("64") else int(info.max) + 1
    key = mx.random.key(2)
    size = (50_000,)
    x = np.array(
        mx.random.randint(int(info.min), int(high), size, dtype=getattr(mx, dtype), key=key)
    )
    middle = (int(info.min) + int(info.max)) // 2
    assert abs((x > middle).mean() - 0.5) < 0.02
    assert x.dtype == dtype


def test_randint_bounds():
    low = mx.array([0, 10, 100])
    x = mx.random.randint(low, low + 2, (1000, 3), key=mx.random.key(0))
    assert (x >= low).all().item() and (x < low + 2).all().item()
    with pytest.raises(
        ValueError, match=r"\[random.randint\] an empty range: got low 3 and high 3"
    ):
        mx.random.randint(3, 3, (2,))
    with pytest.raises(ValueError, match="empty range"):
        mx.random.randint(mx.array([0, 5]), mx.array([1, 5]), (2,)).tolist()
    with pytest.raises(TypeError, match="float32"):
        mx.random.randint(0, 3, (2,), dtype=mx.float32)


def test_bernoulli():
    x = mx.random.bernoulli(mx.array([0.0, 0.25, 1.0]), (20_000, 3), key=mx.random.key(0))
    share = np.array(x).mean(axis=0)
    assert x.dtype == mx.bool_ and share[0] == 0 and share[2] == 1 and abs(share[1] - 0.25) < 0.02


def test_categorical():
    logits = mx.log(mx.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]]))
    x = np.array(mx.random.categorical(logits, num_samples=30_000, key=mx.random.key(0)))
    assert x.shape == (2, 30_000)
    np.testing.assert_allclose(np.bincount(x[0], minlength=3) / 30_000, [0.1, 0.2, 0.7], atol=0.015)
    assert not (x[1] == 2).any()
    assert mx.random.categorical(logits).shape == (2,)
    assert mx.random.categorical(logits, axis=0).shape == (3,)
    with pytest.raises(ValueError, match=r"\[random.categorical\] shapes do not broadcast"):
        mx.random.categorical(logits, shape=(5,))


def test_permutation():
    order = mx.random.permutation(1000, key=mx.random.key(0))
    assert sorted(order.tolist()) == list(range(1000)) != order.tolist()
    x = mx.arange(12).reshape(3, 4)
    moved = np.array(mx.random.permutation(x, axis=1, key=mx.random.key(1)))
    np.testing.assert_array_equal(np.sort(moved, axis=1), np.array(x))
    assert (np.diff(moved, axis=0) == 4).all()


def test_other_distributions():
    key = mx.random.key(0)
    gumbel = np.array(mx.random.gumbel((200_000,), key=key))
    assert abs(gumbel.mean() - 0.5772) < 0.02 and abs(gumbel.var() - math.pi**2 / 6) < 0.05
    laplace = np.array(mx.random.laplace((200_000,), loc=1, scale=2, key=key))
    assert abs(laplace.mean() - 1) < 0.03 and abs(laplace.var() - 8) < 0.2
    truncated = np.array(mx.random.truncated_normal(-1, 2, (100_000,), key=key))
    assert truncated.min() >= -1 and truncated.max() <= 2
    assert abs(truncated.mean() - 0.2296) < 0.01
    covariance = mx.array([[2.0, 1.0], [1.0, 3.0]])
    vectors = mx.random.multivariate_normal(mx.array([1.0, -1.0]), covariance, (100_000,), key=key)
    vectors = np.array(vectors)
    np.testing.assert_allclose(vectors.mean(axis=0), [1, -1], atol=0.03)
    np.testing.assert_allclose(np.cov(vectors.T), np.array(covariance), atol=0.06)


def test_batches_of_keys_draw_what_each_key_draws():
    keys = mx.random.split(mx.random.key(0), 5)
    mapped = mx.vmap(lambda key: mx.random.normal((4,), key=key))(keys)
    looped = [mx.random.normal((4,), key=keys[i]).tolist() for i in range(5)]
    assert mapped.tolist() == looped


@pytest.mark.parametrize("key", [[1, 2], [[1.0, 2.0]], [1, 2, 3]])
def test_what_is_no_key(key):
    with pytest.raises(ValueError, match="no key"):
        mx.random.uniform(key=mx.array(key))
