"""From the facts of an experiment to a record of it.

The judging here is a plain one, only good enough to give a report figures that agree
with its rankings; the rules of judging have their own tests.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from leadline.experiment import Judging, thaw
from leadline.files.record import (
    PassageRow,
    QuestionRow,
    RankingRow,
    Record,
    RunRow,
)
from leadline.hashing import Json, digest, text_sha256
from leadline.judging.binding import Receipt
from leadline.judging.compare import (
    Comparison,
    ConfigurationResult,
    Judged,
    Outcome,
    Pair,
    Status,
    Unanswerable,
)
from leadline.report import figures

Rankings = Mapping[str, Mapping[str, Sequence[tuple[str, float]]]]
"""Configuration -> question id -> ``(passage_id, score)``, best first."""


@dataclass(frozen=True)
class Sketch:
    """The facts of an experiment, from which a record is made."""

    name: str
    questions: Sequence[tuple[str, str]]
    passages: Mapping[str, PassageRow]
    rankings: Rankings
    labels: Mapping[str, tuple[Status, Mapping[str, float]]] | None
    measures: Sequence[str]
    configurations: Sequence[Mapping[str, Json]]
    scope: str = ""
    baseline: str | None = None
    statistics: str = "eligible"
    policy: str = "{}"
    limits: str = ""
    resamples: int = 10_000
    legacy: Mapping[str, str] = field(default_factory=dict)


def passage(source_id: str, text: str, *, title: str = "", url: str = "") -> PassageRow:
    """A passage that is a whole document."""
    sha = text_sha256(text)
    return PassageRow(source_id, "3.12", url, title, 0, len(text), sha, sha, text)


def record_of(sketch: Sketch) -> Record:
    """Freeze, seal and judge a sketch."""
    labels = sketch.labels
    names = list(sketch.rankings)
    freeze = thaw(
        {
            "snapshot_id": digest("snapshot/1", sorted(sketch.passages)),
            "document_count": len(sketch.passages) + 1,
            "passage_count": len(sketch.passages) + 1,
            "questions_sha256": digest(
                "questions/1", [list(q) for q in sketch.questions]
            ),
            "question_count": len(sketch.questions),
            "split": "development",
            "statistics": sketch.statistics,
            "index": ["text"],
            "scope": sketch.scope,
            "configurations": [dict(one) for one in sketch.configurations],
            "compared": names,
            "judging": {
                "measures": list(sketch.measures),
                "baseline": sketch.baseline,
                "alpha": 0.05,
                "resamples": sketch.resamples,
            },
            "labels_sha256": None if labels is None else text_sha256(repr(labels)),
        }
    )
    return Record(
        format="leadline.record/1",
        name=sketch.name,
        freeze=freeze,
        questions=tuple(
            QuestionRow(question_id, text, sketch.policy, "development", 3)
            for question_id, text in sketch.questions
        ),
        passages=dict(sketch.passages),
        runs={
            name: RunRow(
                text_sha256(name),
                {
                    question_id: RankingRow(
                        tuple(one for one, _ in hits), tuple(one for _, one in hits)
                    )
                    for question_id, hits in rows.items()
                },
            )
            for name, rows in sketch.rankings.items()
        },
        receipts=() if labels is None else tuple(_receipts(sketch)),
        comparison=None if labels is None else _judge(sketch, freeze.judging),
        limits=sketch.limits,
    )


def plugin(
    name: str, plugin_name: str, *inputs: str, kind: str = "retriever", **more: Json
) -> dict[str, Json]:
    """A configuration as a freeze keeps it."""
    prepared = more.pop("prepared", {})
    budget = more.pop("budget", 3)
    return {
        "name": name,
        "kind": kind,
        "plugin": {"name": plugin_name, **more},
        "inputs": list(inputs),
        "budget": budget,
        "prepared": prepared,
    }


def _receipts(sketch: Sketch) -> list[Receipt]:
    return [
        Receipt(
            question_id,
            passage_id,
            grade,
            ("source_id", "version", "source_text_sha256", "passage_text_sha256"),
            sketch.passages[passage_id].source_id,
            sketch.passages[passage_id].version,
            sketch.passages[passage_id].source_text_sha256,
            sketch.passages[passage_id].text_sha256,
            sketch.legacy.get(passage_id),
        )
        for question_id, (_, grades) in (sketch.labels or {}).items()
        for passage_id, grade in grades.items()
    ]


def _value(measure: str, ranks: Sequence[int | None]) -> float:
    """Binary recall, reciprocal rank or nDCG; no cut-off counts every rank."""
    name, _, cut = measure.partition("@")
    cutoff = int(cut or 10**9)
    found = [rank for rank in ranks if rank is not None and rank <= cutoff]
    if name == "R":
        return len(found) / len(ranks)
    if name == "RR":
        return 1 / min(found) if found else 0.0
    ideal = sum(1 / math.log2(i + 2) for i in range(min(len(ranks), cutoff)))
    return sum(1 / math.log2(rank + 1) for rank in found) / ideal


def _judge(sketch: Sketch, judging: Judging) -> Comparison:
    assert sketch.labels is not None
    questions = {
        question_id: Judged(
            status,
            tuple(sorted(grades, key=lambda one: (-grades[one], one))),
            tuple(sorted(grades.values(), reverse=True)),
        )
        for question_id, (status, grades) in sketch.labels.items()
    }
    supported = [one for one, q in questions.items() if q.status == "supported"]
    cutoffs = sorted({int(one.split("@")[1]) for one in judging.measures if "@" in one})
    results = {}
    columns: dict[tuple[str, str], np.ndarray] = {}
    for name, rows in sketch.rankings.items():
        outcomes = {}
        for question_id, judged in questions.items():
            hits = rows[question_id]
            places = {one: rank for rank, (one, _) in enumerate(hits, 1)}
            ranks = tuple(places.get(one) for one in judged.targets)
            values = (
                {one: _value(one, ranks) for one in judging.measures}
                if judged.status == "supported"
                else None
            )
            outcomes[question_id] = Outcome(ranks, values, len(hits))
        for measure in judging.measures:
            columns[name, measure] = np.array(
                [outcomes[one].values[measure] for one in supported]  # type: ignore[index]
            )
        results[name] = ConfigurationResult(
            means={one: _mean(columns[name, one]) for one in judging.measures},
            intervals={one: _interval(columns[name, one]) for one in judging.measures},
            questions=outcomes,
            misses={
                str(cut): tuple(
                    one
                    for one in supported
                    if not _value(f"R@{cut}", outcomes[one].target_ranks)
                )
                for cut in cutoffs
            },
            empty=tuple(one for one in supported if not rows[one]),
        )
    names = list(sketch.rankings)
    couples = (
        [(judging.baseline, one) for one in names if one != judging.baseline]
        if judging.baseline
        else list(itertools.combinations(names, 2))
    )
    total = len(couples) * len(judging.measures)
    pairs = tuple(
        _pair(a, b, measure, columns[b, measure] - columns[a, measure], total)
        for measure in judging.measures
        for a, b in couples
    )
    return Comparison(
        measures=judging.measures,
        cutoffs=tuple(cutoffs),
        baseline=judging.baseline,
        alpha=judging.alpha,
        resamples=judging.resamples,
        seed=1,
        questions=questions,
        supported_count=len(supported),
        configurations=results,
        pairs=pairs,
        correction=f"Holm over {total} comparisons",
        unanswerable=tuple(
            Unanswerable(
                one,
                {name: len(rows[one]) for name, rows in sketch.rankings.items()},
                {
                    name: rows[one][0][1] if rows[one] else None
                    for name, rows in sketch.rankings.items()
                },
            )
            for one, judged in questions.items()
            if judged.status == "unsupported-excluded"
        ),
        verdicts=tuple(
            _sentence(pair) for pair in pairs if pair.measure == judging.measures[0]
        ),
    )


def _mean(values: np.ndarray) -> float | None:
    return math.fsum(values) / len(values) if len(values) else None


def _interval(values: np.ndarray) -> tuple[float, float] | None:
    if not len(values):
        return None
    generator = np.random.default_rng(1)
    picks = generator.integers(0, len(values), (200, len(values)), dtype=np.int32)
    means = values[picks].mean(axis=1)
    return (float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975)))


def _pair(a: str, b: str, measure: str, delta: np.ndarray, total: int) -> Pair:
    wins, losses = int((delta > 0).sum()), int((delta < 0).sum())
    mean = _mean(delta)
    p = None
    if len(delta):
        spread = math.sqrt(float((delta**2).sum()))
        p = (
            math.erfc(abs(float(delta.sum())) / spread / math.sqrt(2))
            if spread
            else 1.0
        )
    adjusted = None if p is None else min(1.0, p * total)
    draw = adjusted is None or adjusted > 0.05 or not mean
    return Pair(
        a=a,
        b=b,
        measure=measure,
        count=len(delta),
        wins=wins,
        draws=len(delta) - wins - losses,
        losses=losses,
        mean_difference=mean,
        interval=_interval(delta),
        test=f"paired randomisation, {10_000 if len(delta) > 12 else 2 ** len(delta)} "
        "sign patterns",
        p=p,
        p_adjusted=adjusted,
        verdict="draw"
        if draw
        else ("b is better" if (mean or 0.0) > 0 else "a is better"),
        needed=int(8 * float(delta.var()) / mean**2) + 1 if draw and mean else None,
    )


def _sentence(pair: Pair) -> str:
    counts = f"{pair.wins} wins, {pair.draws} draws, {pair.losses} losses"
    if pair.verdict == "draw":
        more = (
            f" About {pair.needed} questions such as these would show a difference of "
            "this size."
            if pair.needed
            else ""
        )
        return (
            f"{pair.b} and {pair.a} draw on {pair.measure} over {pair.count} questions "
            f"({counts}): these questions cannot tell them apart.{more}"
        )
    better, other = (
        (pair.b, pair.a) if pair.verdict == "b is better" else (pair.a, pair.b)
    )
    return (
        f"{better} is better than {other} on {pair.measure} over {pair.count} "
        f"questions ({counts}; {pair.test}, Holm {figures.p_value(pair.p_adjusted)})."
    )


def without_labels(record: Record) -> Record:
    """The same runs, sealed and not judged."""
    return replace(record, comparison=None, receipts=())
