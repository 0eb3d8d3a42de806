"""Values equal trec_eval's to the printed digit, on trec_eval's own test data."""

from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.judging.binding import Qrels
from leadline.judging.evaluate import evaluate
from leadline.judging.measures import Measure
from leadline.ranking import Run
from tests.shared import shared


def qrels(path: Path) -> dict[str, dict[str, float]]:
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    for line in path.read_text("utf-8").splitlines():
        question_id, _, passage_id, grade = line.split()
        grades[question_id][passage_id] = float(grade)
    return grades


def run(path: Path, question_ids: list[str]) -> Run:
    """A run whose ties are broken as trec_eval does it: by id, descending."""
    rows: dict[str, list[tuple[float, str]]] = {one: [] for one in question_ids}
    for line in path.read_text("utf-8").splitlines():
        question_id, _, passage_id, _, score = line.split()[:5]
        rows[question_id].append((float(score), passage_id))
    return Run.from_scores(
        {
            question_id: {
                passage_id: -float(rank)
                for rank, (_, passage_id) in enumerate(sorted(row, reverse=True))
            }
            for question_id, row in rows.items()
        }
    )


def printed(path: Path) -> dict[Measure, dict[str, str]]:
    """What trec_eval printed of the measures that are here too."""
    values: dict[Measure, dict[str, str]] = defaultdict(dict)
    for line in path.read_text("utf-8").splitlines():
        name, question_id, value = line.split()
        with suppress(InputError):
            values[Measure.parse(name)][question_id] = value
    return values


@pytest.mark.parametrize(
    ("results", "output"),
    [("results.test", "out.test.aq"), ("results.trunc", "out.test.aqc")],
)
def test_agrees_to_the_printed_digit(results: str, output: str) -> None:
    """The second run lacks a question, which counts as nothing returned."""
    folder = shared("data/trec_eval-tests")
    judged = qrels(folder / "qrels.test")
    expected = printed(folder / output)
    assert {str(one) for one in expected} >= {"AP", "RR", "nDCG", "Success@1", "P@5"}
    found = evaluate(
        run(folder / results, list(judged)), Qrels.of(judged), list(expected)
    )
    for measure, values in found.values.items():
        row = dict(zip(judged, values.tolist(), strict=True))
        row["all"] = found.means[measure] or 0.0
        ours = {one: f"{row[one]:.4f}" for one in expected[measure]}
        assert ours == expected[measure], measure
