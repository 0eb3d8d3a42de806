"""Each question is laid out so that a person can see what went wrong."""

from dataclasses import replace

from leadline.report.details import Depth, by_need, detail, of_status
from leadline.report.ranks import best_rank
from tests.unit.report.handbook import synthetic
from tests.unit.report.records import JSON, READ, WRITE, golden
from tests.unit.report.sketch import without_labels


def test_a_passage_is_shown_once_under_one_letter() -> None:
    found = detail(golden(), 0, depth=Depth())
    assert {one.passage_id: one.tag for one in found.passages} == {
        READ: "A",
        WRITE: "B",
        JSON: "C",
    }
    for row in found.lists:
        assert [hit.tag for hit in row.hits] == ["A", "B", "C"]
        assert [hit.is_target for hit in row.hits] == [False, True, False]
        assert row.best == 2


def test_targets_come_first_among_the_passages() -> None:
    found = detail(golden(), 0, depth=Depth())
    assert [one.grade for one in found.passages] == [1.0, None, None]
    assert [one.passage_id for one in found.targets] == [WRITE]


def test_a_target_that_nobody_returned_is_shown_too() -> None:
    record = golden()
    empty = {
        name: replace(
            run,
            rankings={
                one: replace(row, passages=(), scores=())
                for one, row in run.rankings.items()
            },
        )
        for name, run in record.runs.items()
    }
    found = detail(replace(record, runs=empty), 0, depth=Depth())
    assert [one.passage_id for one in found.passages] == [WRITE]
    assert found.passages[0].places == ()
    assert found.rows == ()


def test_places_are_true_beyond_the_hits_that_are_shown() -> None:
    found = detail(golden(), 0, depth=Depth(hits=1))
    assert [len(one.hits) for one in found.lists] == [1, 1, 1, 1]
    assert found.targets[0].places == (
        ("lexical", 2),
        ("vector", 2),
        ("rrf", 2),
        ("rrf+coverage", 2),
    )


def test_words_of_the_question_are_marked() -> None:
    found = detail(golden(), 1, depth=Depth())
    pieces = found.targets[0].pieces or ()
    words = [piece.text for piece in pieces if piece.marked]
    expected = "write text text file An existing file The the of"
    assert words == expected.split()


def test_a_long_passage_is_cut_and_the_rest_counted() -> None:
    whole = golden().passages[WRITE].text or ""
    found = detail(golden(), 0, depth=Depth(passage_chars=20)).targets[0]
    assert "".join(piece.text for piece in found.pieces or ()) == whole[:20]
    assert found.left_out == len(whole) - 20


def test_a_text_that_was_not_kept_is_not_an_empty_one() -> None:
    record = golden()
    bare = {one: replace(row, text=None) for one, row in record.passages.items()}
    found = detail(replace(record, passages=bare), 0, depth=Depth())
    assert {one.pieces for one in found.passages} == {None}


def test_misses_come_first_then_disagreements() -> None:
    record = synthetic(300)
    comparison = record.comparison
    assert comparison is not None
    groups = by_need(record, limit=10**6, depth=Depth(hits=1))
    assert [group.title for group in groups] == [
        "Not found within 10 by any configuration",
        "Not found within 10 by some configurations",
        "Found by all, at different ranks",
        "First in every configuration",
    ]
    assert sum(group.total for group in groups) == comparison.supported_count
    for one in groups[0].details:
        for result in comparison.configurations.values():
            rank = best_rank(result.questions[one.question.question_id])
            assert rank is None or rank > 10


def test_a_limit_keeps_the_questions_that_need_a_look() -> None:
    record = synthetic(300)
    every = by_need(record, limit=10**6, depth=Depth(hits=1))
    some = by_need(record, limit=30, depth=Depth(hits=1))
    assert [(one.title, one.total) for one in some] == [
        (one.title, one.total) for one in every
    ]
    shown = [one.number for group in some for one in group.details]
    assert shown == [one.number for group in every for one in group.details][:30]


def test_questions_in_no_mean_have_no_target_and_no_value() -> None:
    group = of_status(
        golden(), "unsupported-excluded", title="Unanswerable", limit=9, depth=Depth()
    )
    (found,) = group.details
    assert found.question.question_id == "backup-schedule"
    assert found.targets == ()
    assert {value for one in found.lists for value in one.values} == {None}
    assert [one.returned for one in found.lists] == [1, 3, 3, 3]


def test_without_labels_every_question_is_there() -> None:
    record = without_labels(golden())
    group = of_status(record, None, title="What came back", limit=3, depth=Depth())
    assert group.total == 4
    assert [one.number for one in group.details] == [0, 1, 2]
    assert {one.status for one in group.details} == {None}


def test_a_policy_that_hides_nothing_is_not_mentioned() -> None:
    assert detail(golden(policy="{}"), 0, depth=Depth()).policy == ""
    assert detail(golden(), 0, depth=Depth()).policy == '{"version":"3.12"}'
