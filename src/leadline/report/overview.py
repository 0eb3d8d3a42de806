"""The first sections of a report: the verdict, the table and the pairs.

Plain data, no layout. A value that does not exist is None all the way to the reader,
where it becomes "n/a".
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from leadline.files.record import Record
from leadline.judging.compare import Comparison, Judged, Pair, Status
from leadline.report import figures

Side: TypeAlias = Literal["better", "draw", "worse"]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many questions there are of each kind."""

    asked: int
    supported: int
    unanswerable: int
    nothing_relevant: int
    unjudged: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """One sentence, and whether it says that nothing was decided."""

    sentence: str
    draw: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """How a configuration stands against those it was compared with, on one measure."""

    better: tuple[str, ...]
    draws: tuple[str, ...]
    worse: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One configuration on one measure; None where no question is supported."""

    mean: float | None
    interval: tuple[float, float] | None
    standing: Standing


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration: a cell for each measure, a number of misses each cut-off."""

    name: str
    is_baseline: bool
    cells: tuple[Cell, ...]
    misses: tuple[int, ...]
    empty: int
    """Supported questions for which nothing was returned."""


@dataclass(frozen=True, slots=True)
class PairGroup:
    """Every pair on one measure.

    ``ticks`` is a common axis for the differences, and ``reach`` half of one for
    wins and losses on either side of the draws.
    """

    measure: str
    pairs: tuple[Pair, ...]
    ticks: tuple[float, ...]
    reach: float


@dataclass(frozen=True, slots=True)
class SealedRun:
    """One run as it was sealed, for a record that judged nothing."""

    name: str
    returned: int
    """Passages over all questions."""
    empty: int
    """Questions for which nothing came back."""


@dataclass(frozen=True, slots=True)
class Overview:
    """What a reader needs first."""

    name: str
    scope: str
    limits: str
    freeze_id: str
    snapshot_id: str
    split: str
    document_count: int
    passage_count: int
    whole_snapshot: bool
    """Word statistics counted passages that a question may not see."""
    configurations: tuple[str, ...]
    """The compared ones, in the order of the tables."""
    judged: bool
    counts: Counts
    alpha: float
    resamples: int
    baseline: str | None
    correction: str
    measures: tuple[str, ...]
    axes: tuple[tuple[float, ...], ...]
    """For each measure, ticks that enclose every mean and interval."""
    cutoffs: tuple[int, ...]
    missed_by_all: tuple[int, tuple[str, ...]] | None
    """The largest cut-off at which every configuration misses the same questions, and
    these; None where there is none."""
    rows: tuple[Row, ...]
    headline: str
    """How many pairs are decided on the first measure, in a sentence."""
    verdicts: tuple[Verdict, ...]
    """Decided ones first, otherwise as the comparison gives them; none where no
    question is supported. So for the pairs."""
    pairs: tuple[PairGroup, ...]
    runs: tuple[SealedRun, ...]


def overview(record: Record) -> Overview:
    """Sum a record up; cheap, for it reads no ranking of a judged record."""
    frozen, comparison = record.freeze, record.comparison
    rows = tuple(_rows(comparison, frozen.compared)) if comparison else ()
    compared = comparison if comparison and comparison.supported_count else None
    return Overview(
        name=record.name,
        scope=frozen.scope,
        limits=record.limits,
        freeze_id=frozen.id,
        snapshot_id=frozen.snapshot_id,
        split=frozen.split,
        document_count=frozen.document_count,
        passage_count=frozen.passage_count,
        whole_snapshot=frozen.statistics == "snapshot",
        configurations=frozen.compared,
        judged=comparison is not None,
        counts=_counts(len(record.questions), comparison),
        alpha=comparison.alpha if comparison else frozen.judging.alpha,
        resamples=comparison.resamples if comparison else frozen.judging.resamples,
        baseline=comparison.baseline if comparison else None,
        correction=comparison.correction if comparison else "",
        measures=comparison.measures if comparison else (),
        axes=tuple(_axes(rows)),
        cutoffs=comparison.cutoffs if comparison else (),
        missed_by_all=_missed_by_all(comparison, frozen.compared)
        if comparison
        else None,
        rows=rows,
        headline=_headline(compared) if compared else "",
        verdicts=tuple(_verdicts(compared)) if compared else (),
        pairs=tuple(_pair_groups(compared)) if compared else (),
        runs=() if comparison else tuple(_sealed(record)),
    )


def side(pair: Pair, name: str) -> Side:
    """How ``name``, one of the two, did in this pair."""
    if pair.verdict == "draw":
        return "draw"
    winner = pair.b if pair.verdict == "b is better" else pair.a
    return "better" if name == winner else "worse"


def with_status(questions: dict[str, Judged], status: Status) -> tuple[str, ...]:
    """Ids of the questions of one status, in their order."""
    return tuple(one for one, judged in questions.items() if judged.status == status)


def _counts(asked: int, comparison: Comparison | None) -> Counts:
    questions = comparison.questions if comparison else {}
    return Counts(
        asked,
        comparison.supported_count if comparison else 0,
        len(with_status(questions, "unsupported-excluded")),
        len(with_status(questions, "nothing-relevant")),
        len(with_status(questions, "unjudged")) if comparison else asked,
    )


def _rows(comparison: Comparison, names: tuple[str, ...]) -> Iterable[Row]:
    standings = _standings(comparison)
    nobody = Standing((), (), ())
    for name in names:
        result = comparison.configurations[name]
        yield Row(
            name,
            name == comparison.baseline,
            tuple(
                Cell(
                    result.means[measure],
                    result.intervals[measure],
                    standings.get((name, measure), nobody),
                )
                for measure in comparison.measures
            ),
            tuple(len(result.misses[str(cut)]) for cut in comparison.cutoffs),
            len(result.empty),
        )


def _missed_by_all(
    comparison: Comparison, names: tuple[str, ...]
) -> tuple[int, tuple[str, ...]] | None:
    for cut in reversed(comparison.cutoffs):
        missed = [comparison.configurations[name].misses[str(cut)] for name in names]
        common = frozenset(missed[0]).intersection(*missed[1:])
        if common:
            return cut, tuple(one for one in missed[0] if one in common)
    return None


def _standings(comparison: Comparison) -> dict[tuple[str, str], Standing]:
    found: dict[tuple[str, str], dict[Side, list[str]]] = {}
    for pair in comparison.pairs:
        for name, other in ((pair.a, pair.b), (pair.b, pair.a)):
            sides = found.setdefault((name, pair.measure), {})
            sides.setdefault(side(pair, name), []).append(other)
    return {
        key: Standing(
            tuple(sides.get("better", ())),
            tuple(sides.get("draw", ())),
            tuple(sides.get("worse", ())),
        )
        for key, sides in found.items()
    }


def _axes(rows: tuple[Row, ...]) -> Iterable[tuple[float, ...]]:
    for cells in zip(*(row.cells for row in rows), strict=True):
        means = [cell.mean for cell in cells if cell.mean is not None]
        ends = [end for cell in cells for end in cell.interval or ()]
        yield figures.axis([*means, *ends])


def _headline(comparison: Comparison) -> str:
    first = [
        pair for pair in comparison.pairs if pair.measure == comparison.measures[0]
    ]
    if not first:
        return ""
    decided = sum(pair.verdict != "draw" for pair in first)
    over = (
        f"on {comparison.measures[0]}, over "
        f"{figures.number_of(comparison.supported_count, 'answerable question')}"
    )
    if decided == 0:
        many = "The pair draws" if len(first) == 1 else f"All {len(first)} pairs draw"
        return f"Nothing is decided. {many} {over}."
    if decided == len(first):
        many = "The pair is" if decided == 1 else f"All {decided} pairs are"
        return f"{many} decided {over}."
    draws = figures.number_of(len(first) - decided, "is a draw", "are draws")
    return f"{decided} of {len(first)} pairs are decided {over}; {draws}."


_SEVERAL = 3
"""As many pairs without a difference are said together."""


def _verdicts(comparison: Comparison) -> Iterable[Verdict]:
    """Sentences and pairs stand in one order, on the first measure.

    Pairs without any difference say the same, so several of them say it together.
    """
    first = [
        pair for pair in comparison.pairs if pair.measure == comparison.measures[0]
    ]
    known = len(first) == len(comparison.verdicts)
    alike = [one for one in first if known and one.count and one.draws == one.count]
    together = alike if len(alike) >= _SEVERAL else []
    verdicts = [
        Verdict(sentence, known and first[position].verdict == "draw")
        for position, sentence in enumerate(comparison.verdicts)
        if not known or first[position] not in together
    ]
    if together:
        count = figures.number_of(together[0].count, "question")
        pairs = "; ".join(f"{one.b} and {one.a}" for one in together)
        sentence = (
            f"No difference was seen on {together[0].measure}, on any of {count}, "
            f"between {pairs}."
        )
        verdicts.append(Verdict(sentence, draw=True))
    return sorted(verdicts, key=lambda verdict: verdict.draw)


def _pair_groups(comparison: Comparison) -> Iterable[PairGroup]:
    for measure in comparison.measures:
        pairs = tuple(pair for pair in comparison.pairs if pair.measure == measure)
        if pairs:
            ends = [end for pair in pairs for end in pair.interval or ()]
            means = [one.mean_difference for one in pairs]
            known = [mean for mean in means if mean is not None]
            widest = max(map(abs, [*known, *ends]), default=0.0) or 0.1
            ticks = figures.axis([-widest, widest])
            reach = max(one.draws / 2 + max(one.wins, one.losses) for one in pairs)
            yield PairGroup(measure, pairs, ticks, reach)


def _sealed(record: Record) -> Iterable[SealedRun]:
    for name in record.freeze.compared:
        lengths = [len(row.passages) for row in record.runs[name].rankings.values()]
        yield SealedRun(name, sum(lengths), lengths.count(0))
