"""Every measure gives the value that its definition gives, by hand."""

from collections.abc import Mapping

import pytest

from leadline.errors import InputError
from leadline.judging.binding import Qrels
from leadline.judging.landing import land
from leadline.judging.measures import KINDS, Measure, parse_all
from leadline.ranking import Run


def value(name: str, ranking: str, grades: Mapping[str, float]) -> float:
    """The value of one question; the ranking is passage ids, best first."""
    passage_ids = ranking.split()
    scores = {one: -float(rank) for rank, one in enumerate(passage_ids)}
    landing = land(Run.from_scores({"q": scores}), Qrels.of({"q": grades}))
    (found,) = Measure.parse(name).values(landing).tolist()
    return float(found)


ELEVENTH = ("a b c d e f g h i j rel", {"rel": 1})
HALF_FOUND = ("a x", {"a": 1, "b": 1})
SEVEN = (
    "n1 n2 n3 n4 n5 n6 n7 n8 n9 n10",
    {"n1": 1, "n2": 1, "n3": 1, "n4": 1, "n7": 1},
)
UNJUDGED = ("u1 d1 u2", {"d1": 1, "d9": 0})
NEGATIVE = ("d1 d2 d3 d4", {"d1": -1, "d2": 2, "d3": -2, "d4": 1})
REAL = ("d1 d2 d3", {"d1": 0.6, "d2": 1.7, "d3": 2.0})


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        # A reciprocal rank has the cut-off that it is printed with.
        ("RR@10", ELEVENTH, 0.0),
        ("RR", ELEVENTH, 0.090909),
        ("R@10", ELEVENTH, 0.0),
        ("R@20", ELEVENTH, 1.0),
        # The ideal is of all that is relevant, found or not.
        ("nDCG@10", HALF_FOUND, 0.613147),
        ("R@10", HALF_FOUND, 0.5),
        ("AP@10", HALF_FOUND, 0.5),
        # Several relevant passages.
        ("AP", SEVEN, 0.942857),
        ("AP@4", SEVEN, 0.8),
        ("RR", SEVEN, 1.0),
        ("P@10", SEVEN, 0.5),
        ("P@5", SEVEN, 0.8),
        ("R@10", SEVEN, 1.0),
        # What is unjudged holds its rank, and is not relevant.
        ("P@3", UNJUDGED, 1 / 3),
        ("RR", UNJUDGED, 0.5),
        ("nDCG@3", UNJUDGED, 0.630930),
        ("Success@1", UNJUDGED, 0.0),
        ("Success@2", UNJUDGED, 1.0),
        # Below 0 is judged, not relevant, and gains nothing.
        ("nDCG", NEGATIVE, 0.643322),
        ("nDCG@2", NEGATIVE, 0.479625),
        ("AP", NEGATIVE, 0.5),
        ("RR", NEGATIVE, 0.5),
        ("P@2", NEGATIVE, 0.5),
        ("P@1", NEGATIVE, 0.0),
        ("R@2", NEGATIVE, 0.5),
        # A grade is a real number, and is never cut to a whole one.
        ("nDCG@10", REAL, 0.792444),
        # 2**2 - 1 at rank 2 and 2**1 - 1 at rank 4, over 3 at 1 and 1 at 2.
        ("nDCG(dcg='exp-log2')", NEGATIVE, 0.639909),
    ],
)
def test_value(
    name: str, data: tuple[str, Mapping[str, float]], expected: float
) -> None:
    assert value(name, *data) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize("name", ["R@3", "RR", "nDCG", "AP", "Success@3", "P@1"])
def test_the_best_ranking_is_exactly_1(name: str) -> None:
    assert value(name, "a b c", {"a": 3, "b": 2, "c": 2}) == 1.0


def test_nothing_returned_is_0_and_not_undefined() -> None:
    for name in ("R@3", "RR", "nDCG", "AP", "Success@3", "P@1"):
        assert value(name, "", {"a": 1}) == 0.0


def test_equal_ranks_give_equal_bits_whatever_the_passages_are_called() -> None:
    """Sums run in the order of the ranks, so that no name can decide a draw."""
    grades = dict.fromkeys("abcdefg", 1)
    for name in ("nDCG", "AP"):
        assert value(name, "a x b x2 c d e", grades) == value(
            name, "g x d x2 a f c", grades
        )


@pytest.mark.parametrize(
    ("trec", "measure"),
    [
        ("recall_10", "R@10"),
        ("recip_rank", "RR"),
        ("P_5", "P@5"),
        ("ndcg", "nDCG"),
        ("ndcg_cut_10", "nDCG@10"),
        ("map", "AP"),
        ("map_cut_10", "AP@10"),
        ("success_1", "Success@1"),
        ("nDCG(dcg='log2')@3", "nDCG@3"),
        ('nDCG(dcg="exp-log2")@3', "nDCG(dcg='exp-log2')@3"),
    ],
)
def test_another_spelling_is_the_same_measure(trec: str, measure: str) -> None:
    assert Measure.parse(trec) == Measure.parse(measure)
    assert hash(Measure.parse(trec)) == hash(Measure.parse(measure))
    assert str(Measure.parse(trec)) == measure


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "measure '': found no measure, expected one such as nDCG@10"),
        ("nDCG@0", 'expected one such as nDCG@10. Did you mean "nDCG@10"?'),
        ("nDCG@-1", 'Did you mean "nDCG@10"?'),
        ("nDCG@1.5", 'Did you mean "nDCG@10"?'),
        ("nDCG@²", 'Did you mean "nDCG@10"?'),
        ("ndcg@5", 'Did you mean "nDCG@5"?'),
        ("MRR@10", 'Did you mean "RR@10"?'),
        ("MRR", 'Did you mean "RR"?'),
        ("MAP", 'Did you mean "AP"?'),
        ("recall@5", 'Did you mean "R@5"?'),
        ("Recall", 'Did you mean "R@10"?'),
        ("precision@1", 'Did you mean "P@1"?'),
        ("nDCGG@10", 'Did you mean "nDCG"?'),
        ("kendall", "Known: AP, P, R, RR, Success, nDCG."),
        ("R", "measure 'R': found no cut-off, expected one, for example R@10"),
        ("P", "expected one, for example P@10"),
        ("ndcg_cut_", "found no measure, expected one such as nDCG@10"),
        (
            "AP(rel=2)",
            (
                "measure 'AP(rel=2)': found option rel='2', expected none, for example "
                "nDCG(dcg='exp-log2')@10"
            ),
        ),
        (
            "nDCG(dcg='burges')@3",
            "found option dcg='burges', expected dcg='log2', dcg='exp-log2'",
        ),
    ],
)
def test_refuses(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Measure.parse(text)
    assert message in str(caught.value)


def test_a_measure_that_is_named_twice_is_taken_once() -> None:
    assert parse_all(["R@10", "RR", "recall_10"]) == parse_all(["R@10", "RR"])


def test_no_measure_is_refused() -> None:
    with pytest.raises(InputError, match=r"found no measure, .*for example nDCG@10"):
        parse_all([])


@pytest.mark.parametrize("grade", [1001, 1e-4])
def test_a_grade_that_no_power_of_two_can_hold_is_refused(grade: float) -> None:
    with pytest.raises(InputError, match=r"expected 0\.001 to 1000 under dcg="):
        value("nDCG(dcg='exp-log2')", "a", {"a": grade})


def test_every_name_says_in_its_docstring_what_it_is() -> None:
    assert all(kind.formula.__doc__ for kind in KINDS.values())
