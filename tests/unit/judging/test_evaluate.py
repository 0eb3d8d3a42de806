"""Per question first; a mean is over the supported questions and nothing else."""

import pytest

from leadline.errors import InputError
from leadline.judging.binding import Qrels
from leadline.judging.evaluate import cutoffs, evaluate
from leadline.judging.measures import Measure, parse_all
from leadline.ranking import Run

RR10, R10, NDCG10 = parse_all(["RR@10", "R@10", "nDCG@10"])


def test_a_question_for_which_nothing_was_returned_stays_in_the_mean() -> None:
    run = Run.from_scores(
        {
            "q1": {"a": 3.0, "b": 2.0},
            "q2": {},
            "q3": {"x": 3.0, "c": 2.0},
            "q4": {},
            "q9": {"a": 1.0, "b": 0.5},  # asked, and nobody judged it
        }
    )
    qrels = Qrels.of(
        {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}, "q4": {"d": 1}, "q9": {}}
    )
    found = evaluate(run, qrels, [RR10, R10, NDCG10])
    assert found.landing.question_ids == ("q1", "q2", "q3", "q4")
    assert found.means[RR10] == 0.375
    assert found.means[R10] == 0.5
    assert found.means[NDCG10] == pytest.approx(0.407732, abs=5e-7)
    assert found.empty == ("q2", "q4")
    assert found.misses == {10: ("q2", "q4")}


def test_a_question_with_nothing_relevant_is_as_if_it_were_not_there() -> None:
    scores = {
        "q1": {"d1": 2.0, "d2": 1.0},
        "q2": {"d1": 1.0},
        "q3": {"d3": 3.0, "d9": 2.0, "d2": 1.0},
    }
    grades = {
        "q1": {"d1": 0, "d2": 1},
        "q2": {"d5": 0},
        "q3": {"d2": 1, "d3": 1},
    }
    measures = parse_all(["AP", "RR", "R@10", "nDCG@10"])
    found = evaluate(Run.from_scores(scores), Qrels.of(grades), measures)
    assert found.landing.question_ids == ("q1", "q3")
    assert [found.values[one].tolist() for one in measures[:3]] == [
        [0.5, pytest.approx(5 / 6)],
        [0.5, 1.0],
        [1.0, 1.0],
    ]
    assert found.values[NDCG10].tolist() == pytest.approx([0.63093, 0.919721], abs=5e-6)
    assert found.means[measures[0]] == pytest.approx(2 / 3)
    assert found.means[NDCG10] == pytest.approx(0.775325, abs=5e-7)
    del scores["q2"], grades["q2"]
    without = evaluate(Run.from_scores(scores), Qrels.of(grades), measures)
    assert without.means == found.means


@pytest.mark.parametrize("empty", ["q1", "q2", "q3", "q4"])
def test_an_empty_ranking_shifts_no_other_question(empty: str) -> None:
    grades = {"q1": {"a": 1}, "q2": {"b": 1, "c": 1, "d": 1}, "q3": {"e": 1}}
    grades["q4"] = {"f": 1}
    scores = {one: {min(row): 1.0} for one, row in grades.items()}
    scores[empty] = {}
    p1 = Measure.parse("P@1")
    found = evaluate(Run.from_scores(scores), Qrels.of(grades), [p1])
    assert found.values[p1].tolist() == [float(one != empty) for one in grades]
    assert found.means[p1] == 0.75


def test_a_run_may_hold_its_questions_in_another_order() -> None:
    run = Run.from_scores({"q2": {"b": 1.0}, "q1": {"x": 2.0, "a": 1.0}})
    found = evaluate(run, Qrels.of({"q1": {"a": 1}, "q2": {"b": 1}}), [RR10])
    assert found.values[RR10].tolist() == [0.5, 1.0]
    assert found.landing.returned.tolist() == [2, 1]


def test_a_passage_is_relevant_for_its_own_question_alone() -> None:
    run = Run.from_scores({"q1": {"b": 1.0}, "q2": {"a": 1.0}})
    found = evaluate(run, Qrels.of({"q1": {"a": 1}, "q2": {"b": 1}}), [RR10])
    assert found.values[RR10].tolist() == [0.0, 0.0]


def test_the_mean_of_nothing_is_none() -> None:
    run = Run.from_scores({"q1": {"a": 1.0}})
    found = evaluate(run, Qrels.of({"q1": {"a": 0}}), [RR10])
    assert found.means == {RR10: None}
    assert found.misses == {10: ()}


def test_misses_are_counted_at_the_cutoffs_of_the_measures() -> None:
    run = Run.from_scores({"q1": {"x": 3.0, "y": 2.0, "a": 1.0}})
    measures = parse_all(["R@3", "RR@2", "AP", "P@2"])
    assert cutoffs(measures) == (2, 3)
    found = evaluate(run, Qrels.of({"q1": {"a": 1}}), measures)
    assert found.misses == {2: ("q1",), 3: ()}
    assert cutoffs(parse_all(["AP"])) == (10,)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (
            Run.from_scores({"q1": {}}),
            (
                "lexical: question 'q2' and 1 more is asked and not in it, expected "
                "the questions asked, each once. Run every configuration over the same "
                "questions."
            ),
        ),
        (
            Run.from_scores({"q1": {}, "q2": {}, "q3": {}, "q4": {}}),
            "lexical: question 'q4' is in it and was not asked",
        ),
        (
            Run.from_hits(
                ["q1", "q2", "q3", "q2"],
                [],
                [Run.from_scores({"q": {}}).rows(0)] * 4,
            ),
            "lexical: question 'q2' is in it twice",
        ),
    ],
)
def test_a_run_over_other_questions_is_refused(run: Run, message: str) -> None:
    qrels = Qrels.of({"q1": {}, "q2": {}, "q3": {}})
    with pytest.raises(InputError) as caught:
        evaluate(run, qrels, [RR10], source="lexical")
    assert str(caught.value).startswith(message)
