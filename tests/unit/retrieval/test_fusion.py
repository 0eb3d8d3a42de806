"""Reciprocal rank fusion: ranks, weights, and nothing from nowhere."""

from pathlib import Path
from typing import Any

import pytest

from leadline.errors import ExperimentError
from leadline.plugins import resolve
from leadline.ranking import Run
from leadline.retrieval.fusion import PLUGIN, Rrf, RrfParameters, contributions
from tests.recorded import FUSED, LEXICAL, VECTOR
from tests.retrievals import run


def rrf(
    weights: tuple[float, ...] | None = None, *, rank_constant: float = 60.0
) -> Rrf:
    built: Rrf = PLUGIN.build(RrfParameters(weights, rank_constant))
    return built


def ranked(*ids: str) -> dict[str, dict[str, float]]:
    """One question with these passages, best first."""
    return {"q": {one: float(-place) for place, one in enumerate(ids)}}


def branches(*rankings: dict[str, dict[str, float]]) -> list[Run]:
    ids = sorted(
        {one for ranking in rankings for row in ranking.values() for one in row}
    )
    return [run(ranking, ids) for ranking in rankings]


def fused(fusion: Rrf, *rankings: dict[str, dict[str, float]]) -> dict[str, float]:
    found = fusion.fuse(branches(*rankings))["q"]
    return dict(zip(found.passage_ids, found.scores, strict=True))


FIRST, SECOND = ranked("A", "B", "C", "D"), ranked("C", "E", "A")


def test_a_passage_of_one_branch_only_gets_nothing_from_the_other() -> None:
    found = fused(rrf(), FIRST, SECOND)
    assert list(found) == ["A", "C", "B", "E", "D"]
    assert found == {
        "A": 1 / 61 + 1 / 63,
        "C": 1 / 63 + 1 / 61,
        "B": 1 / 62,
        "E": 1 / 62,
        "D": 1 / 64,
    }
    assert found["A"] == pytest.approx(0.032266458, abs=1e-9)
    assert found["A"] == found["C"]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (
            (1.0, 0.0),
            {
                "A": 0.016393443,
                "B": 0.016129032,
                "C": 0.015873016,
                "D": 0.015625,
                "E": 0,
            },
        ),
        (
            (0.2, 0.8),
            {
                "C": 0.016289357,
                "A": 0.015977101,
                "E": 0.012903226,
                "B": 0.003225806,
                "D": 0.003125,
            },
        ),
    ],
)
def test_weights_weigh(weights: tuple[float, ...], expected: dict[str, float]) -> None:
    """A passage that only a branch of weight 0 returned is kept, last, with 0."""
    found = fused(rrf(weights=weights), FIRST, SECOND)
    assert list(found) == list(expected)
    assert found == pytest.approx(expected, abs=1e-9)


def test_passages_are_told_apart_by_id_and_the_order_of_branches_does_not_matter() -> (
    None
):
    first, second = ranked("x1", "x3"), ranked("x2", "x3")
    found = fused(rrf(), first, second)
    assert found == {"x3": 1 / 62 + 1 / 62, "x1": 1 / 61, "x2": 1 / 61}
    assert list(found) == ["x3", "x1", "x2"]
    assert fused(rrf(), second, first) == found


def test_eligible_lists_fuse_to_a_tie() -> None:
    """What is not eligible never had a rank: both are first in one, second in one."""
    found = fused(rrf(), ranked("a0", "a1"), ranked("a1", "a0"))
    assert found == {"a0": 1 / 61 + 1 / 62, "a1": 1 / 62 + 1 / 61}
    assert list(found) == ["a0", "a1"]
    assert found["a0"] == found["a1"] == pytest.approx(0.032522475, abs=1e-9)


def test_an_empty_branch_leaves_the_other_as_it_is() -> None:
    found = fused(rrf(), {"q": {}}, ranked("B", "A"))
    assert found == {"B": 1 / 61, "A": 1 / 62}


def test_one_branch_keeps_its_order() -> None:
    assert list(fused(rrf(), FIRST)) == ["A", "B", "C", "D"]


def test_three_branches_add_up_in_their_order() -> None:
    rankings = [ranked("a", "b"), ranked("b", "a"), ranked("c", "b", "a")]
    found = fused(rrf(weights=(0.1, 0.2, 0.3), rank_constant=7), *rankings)
    assert found["a"] == 0.1 / 8 + 0.2 / 9 + 0.3 / 10
    assert found["b"] == 0.1 / 9 + 0.2 / 8 + 0.3 / 9
    assert found["c"] == 0.3 / 8


def test_many_questions_are_fused_each_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many hits are worked on at a time."""
    rankings = [
        {f"q{n}": {f"p{m}": float(m * n % 7) for m in range(n % 5)} for n in range(40)},
        {f"q{n}": {f"p{m}": float(m + n) for m in range(n % 3, 6)} for n in range(40)},
    ]
    whole = rrf().fuse(branches(*rankings))
    for rows in (1, 3, 50):
        monkeypatch.setattr("leadline.retrieval.fusion._ROWS", rows)
        assert rrf().fuse(branches(*rankings)).seal == whole.seal
    for question_id in whole.question_ids:
        alone = branches(*({question_id: ranking[question_id]} for ranking in rankings))
        assert rrf().fuse(alone)[question_id] == whole[question_id]


def test_the_recorded_rankings_come_out() -> None:
    lexical = {
        name: {source: -score for source, score in rows}
        for name, rows in LEXICAL.items()
    }
    vector = {name: dict(rows) for name, rows in VECTOR.items()}
    both = branches(lexical, vector)
    found = rrf().fuse(both)
    for question_id, rows in FUSED.items():
        ranking = found[question_id]
        assert ranking.passage_ids == tuple(row[0] for row in rows)
        assert ranking.scores == pytest.approx([row[1] for row in rows], abs=1e-15)
        ranks = [branch[question_id].ranks() for branch in both]
        for source, _, *added in rows:
            each = contributions(
                {"lexical": ranks[0].get(source), "vector": ranks[1].get(source)}
            )
            assert list(each.values()) == pytest.approx(added, rel=0, abs=1e-15)


def test_contributions_are_what_was_added() -> None:
    weights = (0.2, 0.8)
    found = fused(rrf(weights=weights), FIRST, SECOND)
    ranks = [one["q"].ranks() for one in branches(FIRST, SECOND)]
    for passage_id, score in found.items():
        each = {str(place): row.get(passage_id) for place, row in enumerate(ranks)}
        added = contributions(each, weights=weights, rank_constant=60.0)
        assert sum(added.values()) == score


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"weights": [1, -1]},
            (
                'configurations.h: field "weights": found [1.0, -1.0], expected finite '
                "numbers, 0 or more and not all 0. Give each branch its weight, or "
                "leave the key out."
            ),
        ),
        ({"weights": [0, 0]}, 'field "weights": found [0.0, 0.0], expected finite'),
        ({"weights": [float("nan"), 1]}, 'field "weights": found [nan, 1.0], expected'),
        ({"weights": [float("inf"), 1]}, 'field "weights": found [inf, 1.0], expected'),
        (
            {"rank_constant": -1},
            (
                'configurations.h: field "rank_constant": found -1.0, expected a '
                "finite number, 0 or more. 60 is usual."
            ),
        ),
        ({"rank_constant": float("nan")}, 'field "rank_constant": found nan, expected'),
        ({"rank_constant": "60"}, "expected float"),
    ],
)
def test_weights_that_rank_nothing_are_refused(
    table: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ExperimentError) as refused:
        resolve("fusion", "rrf", table, base=tmp_path, where="configurations.h")
    assert message in str(refused.value)


def test_another_number_of_weights_is_refused() -> None:
    with pytest.raises(ExperimentError) as refused:
        fused(rrf(weights=(1.0,)), FIRST, SECOND)
    assert str(refused.value) == (
        'field "weights": found 1 weights, expected one for each of the 2 branches. '
        "Give each branch its weight, in the same order."
    )


def test_whole_and_decimal_constants_are_one_freeze(tmp_path: Path) -> None:
    one, other, default = (
        resolve("fusion", "rrf", table, base=tmp_path, where="x").frozen()
        for table in ({"rank_constant": 60}, {"rank_constant": 60.0}, {})
    )
    assert repr(one) == repr(other) == repr(default)
