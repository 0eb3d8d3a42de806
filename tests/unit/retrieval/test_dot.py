"""Exact cosines: near the true ones, and one ranking whatever finds the candidates."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from leadline.ranking import order
from leadline.retrieval import dot
from leadline.retrieval.dot import Vectors, cosines, lengths, nearest

FLOATS = st.floats(-100, 100, width=32)
DIMENSIONS = st.integers(1, 9)


def arrays(rows: st.SearchStrategy[int]) -> st.SearchStrategy[NDArray[np.float32]]:
    shapes = st.tuples(rows, DIMENSIONS)
    vectors = hnp.arrays(np.float32, shapes, elements=FLOATS)
    return vectors.filter(lambda array: bool(lengths(array).all()))


def true_cosine(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    a, b = one.tolist(), other.tolist()
    product = math.fsum(x * y for x, y in zip(a, b, strict=True))
    return product / math.sqrt(
        math.fsum(x * x for x in a) * math.fsum(y * y for y in b)
    )


@given(arrays(st.integers(2, 6)))
def test_a_cosine_is_within_rounding_of_the_true_one(
    array: NDArray[np.float32],
) -> None:
    question = Vectors.of(array[:1])
    found = cosines(Vectors.of(array[1:]), question)
    expected = [true_cosine(array[0], row) for row in array[1:]]
    assert found == pytest.approx(expected, rel=0, abs=2e-15)
    assert (np.abs(found) <= 1).all()


def test_cosines_of_a_real_models_size_are_near_the_true_ones() -> None:
    array = np.random.default_rng(5).standard_normal((50, 384), dtype=np.float32)
    found = cosines(Vectors.of(array[1:]), Vectors.of(array[:1]))
    expected = [true_cosine(array[0], row) for row in array[1:]]
    assert found == pytest.approx(expected, rel=0, abs=2e-15)


@given(arrays(st.integers(2, 6)))
def test_a_cosine_is_the_one_that_whole_numbers_define(
    array: NDArray[np.float32],
) -> None:
    """By the definition, in Python's integers; this is what no machine may change."""
    vectors = Vectors.of(array)
    unit = array.astype(np.float64) / vectors.lengths[:, None]
    high = [[round(x * 2.0**26) for x in row] for row in unit.tolist()]
    low = [
        [round((x - h * 2.0**-26) * 2.0**52) for x, h in zip(row, limbs, strict=True)]
        for row, limbs in zip(unit.tolist(), high, strict=True)
    ]

    def product(one: list[int], other: list[int]) -> int:
        return sum(x * y for x, y in zip(one, other, strict=True))

    expected = []
    for h, w in zip(high[1:], low[1:], strict=True):
        hl = product(h, low[0]) + product(w, high[0])
        cosine = product(h, high[0]) * 2.0**-52 + hl * 2.0**-78
        expected.append(min(1.0, max(-1.0, cosine)))
    question = vectors.take(np.array([0]))
    passages = vectors.take(np.arange(1, len(array)))
    assert cosines(passages, question).tolist() == expected


def test_directions_alone_count() -> None:
    array = np.array([[1, 0], [2, 0], [1, 1], [0, 3], [-1, 0]], dtype=np.float32)
    scores = cosines(Vectors.of(array), Vectors.of(array[:1]))
    assert scores.tolist() == [1, 1, pytest.approx(math.sqrt(0.5), abs=1e-15), 0, -1]


@pytest.mark.parametrize("size", [1e-42, 1e-30, 1.0, 1e30, 3e38])
def test_very_small_and_very_large_vectors_have_directions_too(size: float) -> None:
    array = np.array([[size, 0], [size, size], [0, size]], dtype=np.float32)
    scores = cosines(Vectors.of(array), Vectors.of(array[:1]))
    assert scores == pytest.approx([1, math.sqrt(0.5), 0], abs=1e-15)


def brute(
    passages: Vectors, questions: Vectors, budget: int
) -> list[tuple[list[int], list[float]]]:
    found = []
    for place in range(len(questions)):
        scores = cosines(passages, questions.take(np.array([place])))
        best = order(scores, np.arange(len(scores)))[:budget]
        found.append((best.tolist(), scores[best].tolist()))
    return found


def listed(
    passages: Vectors, questions: Vectors, budget: int
) -> list[tuple[list[int], list[float]]]:
    found = nearest(passages, questions, budget=budget)
    return [(near.tolist(), scores.tolist()) for near, scores in found]


@given(
    arrays(st.integers(2, 20)), st.integers(1, 30), st.randoms(use_true_random=False)
)
def test_candidates_lose_nothing_among_many_ties(
    array: NDArray[np.float32], budget: int, chance: object
) -> None:
    """Repeated vectors tie exactly, and the lower position comes first."""
    rng = np.random.default_rng(budget)
    repeated = Vectors.of(array[rng.integers(0, len(array), 60)])
    questions = Vectors.of(array[:3])
    assert listed(repeated, questions, budget) == brute(repeated, questions, budget)


@pytest.mark.parametrize(
    ("groups", "block", "products"), [(4, 7, 100), (1024, 4096, 9)]
)
def test_blocks_do_not_change_a_ranking(
    monkeypatch: pytest.MonkeyPatch, groups: int, block: int, products: int
) -> None:
    rng = np.random.default_rng(1)
    array = rng.integers(-2, 3, (3000, 5)).astype(np.float32)
    passages = Vectors.of(array[lengths(array) > 0])
    questions = Vectors.of(rng.standard_normal((20, 5), dtype=np.float32))
    expected = brute(passages, questions, 50)
    monkeypatch.setattr(dot, "_GROUPS", groups)
    monkeypatch.setattr(dot, "_BLOCK", block)
    monkeypatch.setattr(dot, "_PRODUCTS", products)
    assert listed(passages, questions, 50) == expected


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_near_ties_are_told_apart(seed: int) -> None:
    """Vectors a last bit apart, closer than a float32 product can see."""
    rng = np.random.default_rng(seed)
    base = rng.standard_normal(16, dtype=np.float32)
    array = np.tile(base, (200, 1))
    nudged = rng.integers(0, 16, 200)
    array[np.arange(200), nudged] = np.nextafter(base[nudged], np.float32(9))
    passages, questions = Vectors.of(array), Vectors.of(array[:4])
    assert listed(passages, questions, 10) == brute(passages, questions, 10)


def test_a_length_is_zero_for_zeros_only() -> None:
    array = np.array([[0, 0, 0], [0, 1e-45, 0], [3, 4, 0]], dtype=np.float32)
    assert (lengths(array) > 0).tolist() == [False, True, True]
    assert lengths(array)[2] == 5.0


PROGRAM = """
import numpy as np
from leadline.hashing import digest_columns
from leadline.retrieval.dot import Vectors, nearest
rng = np.random.default_rng(2)
array = rng.standard_normal((4000, 64), dtype=np.float32)
array[2000:] = array[:2000]
found = list(nearest(Vectors.of(array), Vectors.of(array[:40]), budget=30))
print(digest_columns("test", (), *(column for pair in found for column in pair)))
"""


def test_the_number_of_threads_does_not_matter() -> None:
    found = set()
    for threads in ("1", "2"):
        names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
        environment = {**os.environ, **dict.fromkeys(names, threads)}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            check=True,
            capture_output=True,
            env=environment,
        )
        found.add(done.stdout)
    assert len(found) == 1
