"""The picture of ranks counts every supported question, however few rows it has."""

from hypothesis import given
from hypothesis import strategies as st

from leadline.report.ranks import (
    BAND_NAMES,
    NOT_RETURNED,
    Ranks,
    band,
    disagreement,
    picture,
)
from tests.unit.report.handbook import synthetic
from tests.unit.report.records import golden

RANKS = st.none() | st.integers(1, 10**6)


def drawn(question_count: int, *, rows: int = 1_000, patterns: int = 12) -> Ranks:
    record = synthetic(question_count)
    assert record.comparison is not None
    texts = {one.question_id: one.text for one in record.questions}
    return picture(
        record.comparison, record.freeze.compared, texts, rows=rows, patterns=patterns
    )


@given(RANKS)
def test_every_rank_has_a_band(rank: int | None) -> None:
    assert 0 <= band(rank) < len(BAND_NAMES)
    assert (band(rank) == NOT_RETURNED) == (rank is None)


@given(st.integers(1, 10**6))
def test_bands_follow_ranks(rank: int) -> None:
    assert band(rank) <= band(rank + 1) < NOT_RETURNED


@given(st.lists(RANKS, min_size=2))
def test_agreement_comes_after_any_disagreement(ranks: list[int | None]) -> None:
    same = [ranks[0]] * len(ranks)
    assert disagreement(ranks)[0] <= disagreement(same)[0] == 0


def test_counts_hold_every_question_though_rows_do_not() -> None:
    found = drawn(300, rows=10, patterns=3)
    assert len(found.rows) == 10
    assert len(found.patterns) == 3 < found.pattern_count
    assert all(sum(counts) == found.total for counts in found.counts)


def test_all_patterns_together_are_all_questions() -> None:
    found = drawn(300, patterns=10**6)
    assert len(found.patterns) == found.pattern_count
    assert sum(pattern.count for pattern in found.patterns) == found.total
    counts = [pattern.count for pattern in found.patterns]
    assert counts == sorted(counts, reverse=True)


def test_rows_stand_by_disagreement() -> None:
    found = drawn(300)
    keys = [disagreement(row.ranks) for row in found.rows]
    assert keys == sorted(keys)
    assert len(found.rows) == found.total


def test_a_few_questions_need_no_patterns() -> None:
    assert drawn(20).patterns == ()


def test_the_unanswerable_are_not_in_it() -> None:
    record = golden()
    assert record.comparison is not None
    texts = {one.question_id: one.text for one in record.questions}
    found = picture(
        record.comparison, record.freeze.compared, texts, rows=9, patterns=9
    )
    assert [(row.question_id, row.ranks) for row in found.rows] == [
        ("utf8-write", (2, 2, 2, 2)),
        ("replace-file", (1, 1, 1, 1)),
        ("json-result-type", (1, 1, 1, 1)),
    ]
    assert found.differing == 0
