"""An explanation: why each passage stands where it does, and where a target was lost.

Everything is read from a record: stage by stage the rank and score that a passage
had, what each branch of a fusion contributed, which words a coverage rerank counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from leadline.documents import joined
from leadline.errors import InputError, did_you_mean
from leadline.files.record import Record
from leadline.hashing import Json
from leadline.ranking import Ranking
from leadline.retrieval.fusion import contributions
from leadline.retrieval.rerank import features

Fate: TypeAlias = Literal["found", "outside the cut-off", "not returned"]


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage did with a passage. ``rank`` None: it did not return it."""

    configuration: str
    kind: str
    plugin: str
    rank: int | None
    score: float | None
    returned: int
    """How many passages the stage returned for this question."""
    contributions: dict[str, float]
    """Of a fusion: branch -> what it added to the score."""
    words: dict[str, Json]
    """Of a coverage rerank: the question's words and those that were matched."""
    note: str


@dataclass(frozen=True, slots=True)
class Row:
    """One passage in one configuration's ranking, with its way through the stages."""

    passage_id: str
    source_id: str
    version: str
    title: str
    url: str
    text: str | None
    target: bool
    steps: tuple[Step, ...]
    """From the first stage to the configuration itself."""


@dataclass(frozen=True, slots=True)
class Target:
    """What became of one target in one configuration."""

    passage_id: str
    fate: Fate
    rank: int | None
    reason: str
    """Where it was lost, in a sentence; empty where it was found."""


@dataclass(frozen=True, slots=True)
class Explained:
    """One configuration's ranking for the question, explained."""

    configuration: str
    rows: tuple[Row, ...]
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """One question, explained."""

    question_id: str
    text: str
    policy: str
    eligible: int
    status: str | None
    cutoff: int
    configurations: tuple[Explained, ...]


class _Stages:
    """The stages of a record for one question."""

    def __init__(self, record: Record, question_id: str, text: str) -> None:
        self.record = record
        self.text = text
        self.specs: dict[str, Mapping[str, Json]] = {
            str(one["name"]): one for one in record.freeze.configurations
        }
        self.rankings: dict[str, Ranking] = {
            name: Ranking(question_id, row.passages, row.scores)
            for name, run in record.runs.items()
            for row in [run.rankings[question_id]]
        }
        self.ranks = {name: one.ranks() for name, one in self.rankings.items()}

    def inputs(self, name: str) -> tuple[str, ...]:
        return tuple(self.specs[name]["inputs"])  # type: ignore[arg-type]  # names

    def plugin(self, name: str) -> Mapping[str, Json]:
        return self.specs[name]["plugin"]  # type: ignore[return-value]  # a table

    def way(self, name: str) -> list[str]:
        """The stages that lead to a configuration, each once, itself last."""
        found: dict[str, None] = {}
        for one in self.inputs(name):
            found.update(dict.fromkeys(self.way(one)))
        return [*found, name]

    def step(self, name: str, passage_id: str) -> Step:
        ranking, kind = self.rankings[name], str(self.specs[name]["kind"])
        rank = self.ranks[name].get(passage_id)
        return Step(
            configuration=name,
            kind=kind,
            plugin=str(self.plugin(name)["name"]),
            rank=rank,
            score=None if rank is None else ranking.scores[rank - 1],
            returned=len(ranking),
            contributions=self._contributions(name, passage_id),
            words=self._words(name, passage_id),
            note=self._note(name, passage_id, rank),
        )

    def _contributions(self, name: str, passage_id: str) -> dict[str, float]:
        plugin = self.plugin(name)
        if plugin["name"] != "rrf":
            return {}
        branches = {one: self.ranks[one].get(passage_id) for one in self.inputs(name)}
        return contributions(
            branches,
            weights=plugin.get("weights"),  # type: ignore[arg-type]  # numbers or None
            rank_constant=plugin["rank_constant"],  # type: ignore[arg-type]  # a number
        )

    def _words(self, name: str, passage_id: str) -> dict[str, Json]:
        plugin = self.plugin(name)
        passage = self.record.passages[passage_id]
        if plugin["name"] != "coverage" or passage.text is None:
            return {}
        index = self.record.freeze.index
        searched = joined(index, title=passage.title, text=passage.text)
        found = features(self.text, searched, rule=str(plugin["words"]))
        return {
            "query_tokens": list(found.query_tokens),
            "matched_tokens": list(found.matched_tokens),
            "coverage": found.coverage_score,
        }

    def _note(self, name: str, passage_id: str, rank: int | None) -> str:
        kind, ranking = self.specs[name]["kind"], self.rankings[name]
        if kind == "retriever":
            if rank is not None:
                return ""
            budget = self.specs[name]["budget"]
            if len(ranking) < budget:  # type: ignore[operator]  # a number
                return "it did not match"
            return f"outside the candidate budget of {budget}"
        if kind == "reranker":
            before = self.ranks[self.inputs(name)[0]].get(passage_id)
            if rank is None or before is None or rank == before:
                return "" if rank is not None else "never a candidate"
            return f"{'promoted' if rank < before else 'demoted'} from rank {before}"
        return "" if rank is not None else "in no branch"


def explain(
    record: Record,
    question_id: str,
    *,
    configuration: str | None = None,
    depth: int = 10,
) -> Explanation:
    """Explain every compared configuration, or one, on a question.

    Args:
        record: as it was read.
        question_id: which question.
        configuration: just this one.
        depth: how many rows of each ranking.

    Raises:
        InputError: no such question or configuration.
    """
    if depth < 1:
        message = f"depth is {depth}, expected at least 1"
        raise InputError(message)
    rows = {one.question_id: one for one in record.questions}
    if question_id not in rows:
        message = f'the record has no question "{question_id}". '
        raise InputError(message + did_you_mean(question_id, rows))
    names = record.freeze.compared if configuration is None else (configuration,)
    if configuration is not None and configuration not in record.runs:
        message = f'the record has no configuration "{configuration}". '
        raise InputError(message + did_you_mean(configuration, record.runs))
    comparison = record.comparison
    cutoff = max(comparison.cutoffs, default=10) if comparison else 10
    judged = comparison.questions.get(question_id) if comparison else None
    question = rows[question_id]
    stages = _Stages(record, question_id, question.text)
    targets = judged.targets if judged else ()
    return Explanation(
        question_id,
        question.text,
        question.policy,
        question.eligible,
        judged.status if judged else None,
        cutoff,
        tuple(
            Explained(
                name,
                tuple(
                    _row(stages, name, passage_id, target=passage_id in targets)
                    for passage_id in stages.rankings[name].passage_ids[:depth]
                ),
                tuple(_target(stages, name, one, cutoff) for one in targets),
            )
            for name in names
        ),
    )


def _row(stages: _Stages, name: str, passage_id: str, *, target: bool) -> Row:
    passage = stages.record.passages[passage_id]
    return Row(
        passage_id,
        passage.source_id,
        passage.version,
        passage.title,
        passage.url,
        passage.text,
        target,
        tuple(stages.step(one, passage_id) for one in stages.way(name)),
    )


def _target(stages: _Stages, name: str, passage_id: str, cutoff: int) -> Target:
    rank = stages.ranks[name].get(passage_id)
    if rank is not None and rank <= cutoff:
        return Target(passage_id, "found", rank, "")
    steps = [stages.step(one, passage_id) for one in stages.way(name)]
    lost = [
        f"{step.configuration}: {step.note or f'rank {step.rank}'}"
        for step in steps
        if step.rank is None or step.rank > cutoff or step.note
    ]
    fate: Fate = "not returned" if rank is None else "outside the cut-off"
    return Target(passage_id, fate, rank, "; ".join(lost))
