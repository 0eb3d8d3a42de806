"""The first page of a report agrees with the comparison, and claims no more."""

from dataclasses import replace

import pytest

from leadline.report.overview import Counts, overview, side
from tests.unit.report.handbook import synthetic
from tests.unit.report.records import golden, nothing_supported
from tests.unit.report.sketch import without_labels


def test_the_recorded_comparison_reads_as_it_was_recorded() -> None:
    o = overview(golden())
    assert o.counts == Counts(4, 3, 1, 0, 0)
    for row in o.rows:
        means = [cell.mean for cell in row.cells]
        assert means == pytest.approx([2 / 3, 2 / 3, 1.0, 5 / 6])
        assert row.misses == (1, 0)
        assert row.empty == 0
    assert o.missed_by_all == (1, ("utf8-write",))
    assert o.whole_snapshot


def test_a_draw_is_said_to_be_one() -> None:
    o = overview(golden())
    expected = (
        "Nothing is decided. All 6 pairs draw on R@1, over 3 answerable questions."
    )
    assert o.headline == expected
    (together,) = o.verdicts
    assert together.draw
    assert "rrf and lexical; rrf+coverage and lexical" in together.sentence
    assert all(len(cell.standing.draws) == 3 for row in o.rows for cell in row.cells)


def test_decided_pairs_come_first_and_are_counted() -> None:
    o = overview(synthetic(300))
    draws = [verdict.draw for verdict in o.verdicts]
    assert draws == sorted(draws)
    decided = draws.count(False)
    assert 0 < decided < len(draws)
    assert o.headline.startswith(
        f"{decided} of {len(draws)} pairs are decided on nDCG@10"
    )


def test_two_sides_of_a_pair_agree() -> None:
    o = overview(synthetic(300))
    standings = {row.name: row.cells[0].standing for row in o.rows}
    for name, standing in standings.items():
        assert all(name in standings[other].worse for other in standing.better)
        assert all(name in standings[other].draws for other in standing.draws)


def test_a_baseline_is_compared_with_each_other_one() -> None:
    o = overview(synthetic(60, baseline="lexical"))
    assert [row.is_baseline for row in o.rows] == [True, False, False, False]
    assert all(len(group.pairs) == 3 for group in o.pairs)


def test_without_a_supported_question_nothing_is_claimed() -> None:
    o = overview(nothing_supported())
    assert o.counts.supported == 0
    assert {cell.mean for row in o.rows for cell in row.cells} == {None}
    assert o.verdicts == ()
    assert o.pairs == ()
    assert o.headline == ""


def test_without_labels_there_are_only_sealed_runs() -> None:
    o = overview(without_labels(golden()))
    assert not o.judged
    assert o.counts == Counts(4, 0, 0, 0, 4)
    assert o.rows == ()
    assert [(run.name, run.returned) for run in o.runs] == [
        ("lexical", 10),
        ("vector", 12),
        ("rrf", 12),
        ("rrf+coverage", 12),
    ]


@pytest.mark.parametrize(
    ("verdict", "a", "b"),
    [
        ("draw", "draw", "draw"),
        ("b is better", "worse", "better"),
        ("a is better", "better", "worse"),
    ],
)
def test_a_verdict_has_two_sides(verdict: str, a: str, b: str) -> None:
    comparison = golden().comparison
    assert comparison is not None
    pair = replace(comparison.pairs[0], verdict=verdict)  # type: ignore[arg-type]
    assert (side(pair, pair.a), side(pair, pair.b)) == (a, b)


def test_differences_are_drawn_around_nought() -> None:
    for group in overview(synthetic(60)).pairs:
        assert group.ticks[0] == -group.ticks[-1]
        for pair in group.pairs:
            assert pair.draws / 2 + max(pair.wins, pair.losses) <= group.reach
