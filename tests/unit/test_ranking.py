"""Runs: one total order, sealed by what was returned and by nothing else."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import EngineError, InputError
from leadline.ranking import Codes, Run, Scores, order, top
from tests.retrievals import run

SCORES = st.lists(
    st.sampled_from([0.0, -0.0, 0.5, 1.0, -1.0, 1e-300, 2.0]), max_size=30
)


@given(SCORES, st.integers(1, 12), st.randoms(use_true_random=False))
def test_the_top_is_the_beginning_of_the_order(
    scores: list[float], depth: int, chance: object
) -> None:
    codes = list(range(len(scores)))
    chance.shuffle(codes)  # type: ignore[attr-defined]  # Hypothesis's Random
    columns = np.array(scores), np.array(codes, dtype=np.int64)
    whole = order(*columns)
    assert top(*columns, depth).tolist() == whole[:depth].tolist()
    expected = sorted(range(len(scores)), key=lambda i: (-scores[i], codes[i]))
    assert whole.tolist() == expected


TWO = {"q1": {"b": 1.0, "c": 2.0, "a": 1.0}, "q2": {}, "q3": {"c": -1.0}}


def test_a_run_ranks_by_score_and_then_by_id() -> None:
    found = Run.from_scores(TWO)
    assert found.question_ids == ("q1", "q2", "q3")
    assert found["q1"].passage_ids == ("c", "a", "b")
    assert found["q1"].scores == (2.0, 1.0, 1.0)
    assert found["q1"].ranks() == {"c": 1, "a": 2, "b": 3}
    assert len(found["q2"]) == 0
    assert found.lengths.tolist() == [3, 0, 1]
    assert [one.question_id for one in found] == ["q1", "q2", "q3"]
    assert len(found) == 3
    assert found.returned() == {"a", "b", "c"}


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_a_score_that_is_no_number_is_refused(bad: float) -> None:
    with pytest.raises(InputError) as refused:
        Run.from_scores({"q": {"a": 1.0, "b": bad}})
    assert str(refused.value) == (
        f"question 'q', passage 'b': the score is {bad}, expected a finite number"
    )


def test_a_run_without_questions_is_a_run() -> None:
    empty = Run.from_scores({})
    assert (len(empty), empty.offsets.tolist()) == (0, [0])
    assert Run.join([], []).seal == empty.seal == empty.cut(3).seal


def test_a_cut_keeps_the_first() -> None:
    found = Run.from_scores(TWO).cut(2)
    assert found["q1"].passage_ids == ("c", "a")
    assert found["q3"].passage_ids == ("c",)
    assert found.lengths.tolist() == [2, 0, 1]


RUNS = st.dictionaries(
    st.sampled_from([f"q{n}" for n in range(8)]),
    st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0.5, 1.0, -2.0])),
)


@given(RUNS, st.integers(0, 7))
def test_a_cut_is_each_ranking_cut(
    scores: dict[str, dict[str, float]], depth: int
) -> None:
    whole = Run.from_scores(scores)
    for ranking in whole.cut(depth):
        assert ranking.passage_ids == whole[ranking.question_id].passage_ids[:depth]
        assert ranking.scores == whole[ranking.question_id].scores[:depth]


@given(RUNS, st.data())
def test_parts_join_in_the_order_asked_for(
    scores: dict[str, dict[str, float]], data: st.DataObject
) -> None:
    """Each part has codes of its own."""
    asked = data.draw(st.permutations(sorted(scores)))
    parts: list[dict[str, dict[str, float]]] = [{}, {}, {}]
    for question_id, row in scores.items():
        parts[data.draw(st.integers(0, 2))][question_id] = row
    joined = Run.join([run(part, "xyz"[:n]) for n, part in enumerate(parts)], asked)
    assert joined.question_ids == tuple(asked)
    assert joined.seal == Run.from_scores({one: scores[one] for one in asked}).seal
    assert set(joined.passage_ids) == joined.returned()


def test_what_was_not_returned_is_not_in_the_seal() -> None:
    scores = {"q": {"b": 1.0, "d": 0.5}}
    assert run(scores).seal == run(scores, ["a", "c", "e"]).seal


@pytest.mark.parametrize(
    "other",
    [
        {"q": {"b": 1.0, "e": 0.5}},
        {"q": {"b": 1.0, "d": np.nextafter(0.5, 1)}},
        {"q": {"d": 1.0, "b": 0.5}},
        {"r": {"b": 1.0, "d": 0.5}},
        {"q": {"b": 1.0}},
        {"q": {"b": 1.0, "d": 0.5}, "r": {}},
    ],
)
def test_whatever_was_returned_is_in_the_seal(
    other: dict[str, dict[str, float]],
) -> None:
    assert run(other).seal != run({"q": {"b": 1.0, "d": 0.5}}).seal


def test_rankings_make_the_run_they_came_from() -> None:
    found = Run.from_scores(TWO)
    again = Run.from_rankings(
        {one.question_id: (one.passage_ids, one.scores) for one in found}
    )
    assert again.seal == found.seal


def columns(*rows: tuple[int, float]) -> tuple[Codes, Scores]:
    codes = np.array([code for code, _ in rows], dtype=np.int64)
    return codes, np.array([score for _, score in rows], dtype=np.float64)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([(0, float("nan"))], "a score is NaN or infinite"),
        ([(0, float("inf"))], "a score is NaN or infinite"),
        ([(0, 2.0), (0, 1.0)], "a passage was returned twice"),
        ([(0, 1.0), (1, 2.0)], "hits are out of order; sort them with leadline."),
        ([(1, 1.0), (0, 1.0)], "hits are out of order; sort them with leadline."),
        ([(2, 1.0)], "a passage was returned that the question may not see"),
    ],
)
def test_a_broken_promise_is_named(rows: list[tuple[int, float]], fault: str) -> None:
    bad = Run.from_hits(
        ["ok", "q"], ["a", "b", "c"], [columns((0, 1.0)), columns(*rows)]
    )
    with pytest.raises(EngineError) as refused:
        bad.check(source="mine", returnable=np.array([True, True, False]))
    assert str(refused.value).startswith(f"mine, question 'q': {fault}")


def test_a_kept_promise_passes() -> None:
    good = run({"q": {"a": 1.0, "b": 1.0}}, ["c"])
    assert good.check(source="mine", returnable=np.array([True, True, False])) is good
    assert replace(good).seal == good.seal
