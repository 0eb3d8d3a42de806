"""A picture of ranks: where each configuration puts a question's first target.

Only supported questions are in it. Every one of them is counted in the bands and in
the patterns; the rows, one a question, may be fewer, those on which configurations
disagree most first.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from leadline.judging.compare import Comparison, Outcome
from leadline.report.overview import with_status

Rank: TypeAlias = int | None

BANDS: tuple[tuple[str, int], ...] = (
    ("1", 1),
    ("2\N{EN DASH}3", 3),
    ("4\N{EN DASH}10", 10),
    ("11+", 2**63),
)
"""Name and last rank of each band."""
FEW = 30
"""Up to this many questions, one row each is easier to read than patterns."""
NOT_RETURNED = len(BANDS)
"""The band of a question none of whose targets was returned."""
BAND_NAMES = (*(name for name, _ in BANDS), "not returned")


@dataclass(frozen=True, slots=True)
class RankRow:
    """One question: the best rank of a target under each configuration.

    ``number`` is its place in the experiment.
    """

    number: int
    question_id: str
    text: str
    ranks: tuple[Rank, ...]
    bands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Questions whose ranks fall in the same bands, configuration by configuration."""

    bands: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Ranks:
    """The whole picture. ``counts`` has a number a band for each configuration."""

    configurations: tuple[str, ...]
    total: int
    """Supported questions."""
    counts: tuple[tuple[int, ...], ...]
    differing: int
    """Questions whose rank is not the same everywhere."""
    pattern_count: int
    patterns: tuple[Pattern, ...]
    """The most frequent ones; empty where the rows say it all."""
    rows: tuple[RankRow, ...]


def picture(
    comparison: Comparison,
    names: tuple[str, ...],
    texts: dict[str, str],
    *,
    rows: int,
    patterns: int,
) -> Ranks:
    """Draw the picture.

    Args:
        comparison: the judged comparison.
        names: the configurations, in the order of the columns.
        texts: question id -> text, in the order of the experiment.
        rows: the most questions to show one by one.
        patterns: the most patterns to show; up to `FEW` questions need none.
    """
    results = [comparison.configurations[name].questions for name in names]
    supported = with_status(comparison.questions, "supported")
    ranks = {
        question_id: tuple(best_rank(result[question_id]) for result in results)
        for question_id in supported
    }
    bands = {one: tuple(map(band, found)) for one, found in ranks.items()}
    common = Counter(bands.values())
    chosen = sorted(supported, key=lambda one: disagreement(ranks[one]))[:rows]
    numbers = {one: number for number, one in enumerate(texts)}
    by_size = sorted(common.items(), key=lambda item: (-item[1], item[0]))
    return Ranks(
        names,
        len(supported),
        tuple(
            tuple(
                sum(count for found, count in common.items() if found[place] == one)
                for one in range(len(BAND_NAMES))
            )
            for place in range(len(names))
        ),
        sum(len(set(found)) > 1 for found in ranks.values()),
        len(common),
        tuple(Pattern(*item) for item in by_size[:patterns])
        if len(supported) > FEW and len(names) > 1
        else (),
        tuple(
            RankRow(numbers[one], one, texts[one], ranks[one], bands[one])
            for one in chosen
        ),
    )


def best_rank(outcome: Outcome) -> Rank:
    """The rank of the first target; None where none was returned."""
    return min((one for one in outcome.target_ranks if one is not None), default=None)


def band(rank: Rank) -> int:
    """Position of the rank's band in `BAND_NAMES`.

    >>> [BAND_NAMES[band(rank)] for rank in (1, 3, 12, None)]
    ['1', '2–3', '11+', 'not returned']
    """
    if rank is None:
        return NOT_RETURNED
    return next(place for place, (_, last) in enumerate(BANDS) if rank <= last)


def disagreement(ranks: Sequence[Rank]) -> tuple[float, float]:
    """A key that puts the widest disagreement first, then the worst ranks.

    Ranks count by their reciprocals, for 1 against 2 matters more than 41 against 42.

    >>> sorted([(1, 1), (None, 1), (9, 8), (None, None)], key=disagreement)
    [(None, 1), (9, 8), (None, None), (1, 1)]
    """
    values = [0.0 if rank is None else 1 / rank for rank in ranks]
    return (min(values, default=0.0) - max(values, default=0.0), sum(values))
