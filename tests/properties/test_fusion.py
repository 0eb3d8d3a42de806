"""Fusion by sorted numbers is fusion by the book, and many questions sort like one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.ranking import Run, order, order_rows
from leadline.retrieval.fusion import Rrf, RrfParameters, contributions
from tests.retrievals import run

IDS = [f"p{number:02}" for number in range(12)]
RANKINGS = st.lists(st.sampled_from(IDS), unique=True, max_size=len(IDS)).map(
    lambda ids: {one: float(-place) for place, one in enumerate(ids)}
)
WEIGHTS = st.floats(0, 5).filter(lambda weight: weight == 0 or weight > 1e-3)


@st.composite
def branches(draw: st.DrawFn) -> list[Run]:
    questions = [f"q{n}" for n in range(draw(st.integers(0, 5)))]
    count = draw(st.integers(1, 4))
    return [
        run({question: draw(RANKINGS) for question in questions}, IDS)
        for _ in range(count)
    ]


@given(branches(), st.data(), st.floats(0, 100))
def test_a_fused_ranking_is_the_sum_of_contributions(
    runs: list[Run], data: st.DataObject, rank_constant: float
) -> None:
    weights = tuple(data.draw(WEIGHTS) for _ in runs)
    if not any(weights):
        weights = (1.0, *weights[1:])
    found = Rrf(RrfParameters(weights, rank_constant)).fuse(runs)
    assert found.question_ids == runs[0].question_ids
    found.check(source="rrf")
    for question_id in found.question_ids:
        ranks = {str(place): one[question_id].ranks() for place, one in enumerate(runs)}
        expected = {}
        for passage_id in {one for row in ranks.values() for one in row}:
            each = {branch: row.get(passage_id) for branch, row in ranks.items()}
            added = contributions(each, weights=weights, rank_constant=rank_constant)
            expected[passage_id] = 0.0
            for value in added.values():
                expected[passage_id] += value
        best = sorted(expected.items(), key=lambda item: (-item[1], item[0]))
        ranking = found[question_id]
        assert list(zip(ranking.passage_ids, ranking.scores, strict=True)) == best


@given(branches())
def test_two_branches_can_change_places(runs: list[Run]) -> None:
    """The sum of two has one value in either order."""
    fusion = Rrf(RrfParameters())
    assert fusion.fuse(runs[:2]).seal == fusion.fuse(runs[:2][::-1]).seal


SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 0.5, np.nextafter(0.5, 1), 1e-300, 5e-324, 1e300]),
    st.floats(0, 1),
    st.floats(-1, 1),
)


@given(st.lists(st.lists(SCORES, max_size=8), min_size=1, max_size=5))
def test_many_questions_sort_like_each(rows: list[list[float]]) -> None:
    lengths = [len(row) for row in rows]
    questions = np.repeat(np.arange(len(rows)), lengths)
    scores = np.array([score for row in rows for score in row])
    expected, start = [], 0
    for row in rows:
        best = order(np.array(row), np.arange(len(row)))
        expected += (start + best).tolist()
        start += len(row)
    assert order_rows(questions, scores).tolist() == expected


@pytest.mark.parametrize("shift", [0, 1, 20, 40])
def test_scores_that_differ_in_the_last_bits_are_told_apart(shift: int) -> None:
    """The leading bits are equal here, and they are what is sorted first."""
    rng = np.random.default_rng(shift)
    count = 5000
    bits = np.float64(0.7).view(np.int64) + (rng.integers(0, 50, count) << shift)
    questions = np.sort(rng.integers(0, 7, count))
    scores = bits.view(np.float64)
    expected = np.lexsort((np.arange(count), -scores, questions))
    assert order_rows(questions, scores).tolist() == expected.tolist()
