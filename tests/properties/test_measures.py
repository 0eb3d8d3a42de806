"""Measures agree with trec_eval, and keep the promises in their docstring."""

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.judging.binding import Qrels
from leadline.judging.landing import land
from leadline.judging.measures import KINDS, Measure
from leadline.ranking import Run

IDS = st.sampled_from([f"p{number:02}" for number in range(30)])
RANKINGS = st.lists(IDS, unique=True, max_size=20)
GRADES = st.dictionaries(IDS, st.integers(-1, 3), min_size=1, max_size=12)
ANSWERABLE = GRADES.filter(lambda grades: max(grades.values()) > 0)
QUESTION_IDS = [f"q{number}" for number in range(6)]
DATA = st.lists(st.tuples(RANKINGS, ANSWERABLE), min_size=1, max_size=len(QUESTION_IDS))
MEASURES = st.builds(
    lambda name, cutoff: Measure(
        name, cutoff or (7 if KINDS[name].cut == "always" else None)
    ),
    st.sampled_from(sorted(KINDS)),
    st.one_of(st.none(), st.integers(1, 25)),
)
Data = list[tuple[list[str], dict[str, int]]]


def scores(data: Data) -> dict[str, dict[str, float]]:
    """A run without ties, as a dict of dicts."""
    return {
        question_id: {one: 100.0 - rank for rank, one in enumerate(ranking)}
        for question_id, (ranking, _) in zip(QUESTION_IDS, data, strict=False)
    }


def grades(data: Data) -> dict[str, dict[str, int]]:
    return {
        question_id: row
        for question_id, (_, row) in zip(QUESTION_IDS, data, strict=False)
    }


def values(measure: Measure, data: Data) -> list[float]:
    landing = land(Run.from_scores(scores(data)), Qrels.of(grades(data)))
    found: list[float] = measure.values(landing).tolist()
    return found


def brute(measure: Measure, ranking: list[str], judged: dict[str, int]) -> float:
    """The definition, one rank at a time."""
    cutoff = measure.cutoff or 1000
    found = [max(judged.get(one, 0), 0) for one in ranking[:cutoff]]
    ideal = sorted((one for one in judged.values() if one > 0), reverse=True)
    hits = [rank for rank, gain in enumerate(found, 1) if gain]
    if measure.name == "nDCG":
        discounts = 1 / np.log2(np.arange(2, 1003))
        most = np.dot(ideal[:cutoff], discounts[: len(ideal[:cutoff])])
        return float(np.dot(found, discounts[: len(found)]) / most)
    precisions = [n / rank for n, rank in enumerate(hits, 1)]
    return {
        "R": len(hits) / len(ideal),
        "P": len(hits) / cutoff,
        "RR": 1 / hits[0] if hits else 0.0,
        "AP": sum(precisions) / len(ideal),
        "Success": float(bool(hits)),
    }[measure.name]


@given(MEASURES, DATA)
def test_agrees_with_trec_eval(measure: Measure, data: Data) -> None:
    """On rankings without ties, trec_eval gives the same number."""
    run = scores(data)
    if measure.name == "RR" and measure.cutoff:  # trec_eval's has no cut-off
        run = {
            question_id: dict(list(row.items())[: measure.cutoff])
            for question_id, row in run.items()
        }
        reference = ir_measures.RR
    else:
        reference = ir_measures.parse_measure(str(measure))
    theirs = {
        one.query_id: one.value
        for one in ir_measures.pytrec_eval.iter_calc([reference], grades(data), run)
    }
    expected = [theirs.get(one, 0.0) for one in grades(data)]
    assert values(measure, data) == pytest.approx(expected, abs=1e-9)


@given(MEASURES, DATA)
def test_agrees_with_its_definition(measure: Measure, data: Data) -> None:
    expected = [brute(measure, *one) for one in data]
    assert values(measure, data) == pytest.approx(expected, abs=1e-12)


@given(MEASURES, DATA)
def test_stays_in_the_unit_interval(measure: Measure, data: Data) -> None:
    assert all(0 <= value <= 1 for value in values(measure, data))


@given(MEASURES, ANSWERABLE)
def test_the_ideal_ranking_scores_one(measure: Measure, judged: dict[str, int]) -> None:
    """Sorting by grade is unbeatable, given enough depth."""
    ideal = sorted(judged, key=lambda one: -judged[one])
    relevant = sum(grade > 0 for grade in judged.values())
    cutoff = measure.cutoff or 1000
    expected = {
        "R": min(1.0, cutoff / relevant),
        "AP": min(1.0, cutoff / relevant),
        "P": min(1.0, relevant / cutoff),
    }.get(measure.name, 1.0)
    assert values(measure, [(ideal, judged)]) == [pytest.approx(expected, abs=1e-15)]


@given(MEASURES, DATA, st.permutations([f"p{number:02}" for number in range(30)]))
def test_the_names_of_passages_are_nothing(
    measure: Measure, data: Data, names: list[str]
) -> None:
    """Renaming passages everywhere changes no bit of a value."""
    new = {f"p{number:02}": name for number, name in enumerate(names)}
    renamed = [
        ([new[one] for one in ranking], {new[one]: n for one, n in judged.items()})
        for ranking, judged in data
    ]
    assert values(measure, renamed) == values(measure, data)


@given(MEASURES, DATA)
def test_the_order_of_questions_is_nothing(measure: Measure, data: Data) -> None:
    assert values(measure, data[::-1]) == values(measure, data)[::-1]


@given(MEASURES, RANKINGS, GRADES.map(lambda row: dict.fromkeys(row, 0)))
def test_nothing_relevant_has_no_value(
    measure: Measure, ranking: list[str], judged: dict[str, int]
) -> None:
    """An unanswerable question has no score, good or bad."""
    assert values(measure, [(ranking, judged)]) == []


@given(MEASURES)
def test_prints_as_it_parses(measure: Measure) -> None:
    """``str`` and ``parse`` are inverse."""
    assert Measure.parse(str(measure)) == measure
