"""A report's long lists end somewhere, and say where."""

from leadline.report.details import Depth
from leadline.report.view import Limits, report, silences
from tests.unit.report.handbook import synthetic
from tests.unit.report.records import golden, hostile, nothing_supported
from tests.unit.report.sketch import without_labels


def test_a_small_record_is_shown_whole() -> None:
    found = report(golden())
    assert found.limits.depth == Depth()
    assert found.shown == {0, 1, 2, 3}
    assert len(found.receipts) == found.receipt_count == 3


def test_the_larger_the_record_the_less_of_each_question() -> None:
    small, large = Limits.fitting(golden()), Limits.fitting(synthetic(300, 8))
    assert small.depth.hits > large.depth.hits
    assert small.details >= large.details >= 50


def test_lists_end_at_their_limit_and_are_counted_whole() -> None:
    limits = Limits(details=5, apart=2, rank_rows=7, receipts=4, listed=3)
    found = report(synthetic(300), limits)
    assert found.ranks is not None
    assert len(found.ranks.rows) == 7
    assert len(found.receipts) == 4 < found.receipt_count
    assert sum(len(group.details) for group in found.groups) == 5
    assert len(found.apart.unanswerable) == len(found.apart.texts) == 3
    assert [(one.title, len(one.details), one.total) for one in found.apart.groups] == [
        ("Unanswerable", 2, 30),
        ("Not judged", 2, 7),
    ]


def test_kinds_of_question_stand_apart() -> None:
    titles = [group.title for group in report(hostile()).apart.groups]
    assert titles == ["Unanswerable", "Judged, and nothing is relevant", "Not judged"]


def test_what_came_back_for_unanswerable_questions_is_counted() -> None:
    comparison = golden().comparison
    assert comparison is not None
    rows = silences(comparison, ("lexical", "vector"))
    assert [(one.nothing, one.returned) for one in rows] == [(0, 1), (0, 3)]
    assert [one.top_score for one in rows] == [0.8273874668010814, 0.3202785226491292]


def test_without_a_supported_question_there_is_no_picture() -> None:
    found = report(nothing_supported())
    assert found.ranks is None
    assert found.groups == ()
    assert found.apart.groups[0].total == 4


def test_without_labels_nothing_stands_apart() -> None:
    found = report(without_labels(golden()))
    assert found.apart.groups == ()
    assert found.groups[0].total == len(found.groups[0].details) == 4


def test_the_ways_of_binding_are_named() -> None:
    assert report(golden()).bound_by == (
        ("source_id", "version", "source_text_sha256", "passage_text_sha256"),
    )
