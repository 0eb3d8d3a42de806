"""The pipeline: every configuration built once, run once, checked and sealed.

A stage that several configurations build on is one configuration, so it runs once. A
stage that was sealed before is taken from the store, by a key that is made of all it
depends on; where every stage is there, nothing is searched.

This is the one door through which runs enter. What comes through it has kept its
part's promise, and nobody checks again.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from leadline import __version__
from leadline.documents import Statistics, View
from leadline.errors import EngineError
from leadline.experiment import Configuration
from leadline.hashing import Json, canonical, digest
from leadline.plugins import BUILT_IN
from leadline.questions import Question
from leadline.ranking import Run
from leadline.retrieval.base import Job, blaming
from leadline.retrieval.promises import check_budget, check_run, check_same


class Store(Protocol):
    """Where sealed runs are kept between calls."""

    def get(self, key: str) -> Run | None:
        """The run of this key; None where there is none that can be believed."""

    def put(self, key: str, run: Run) -> None:
        """Keep a run."""


@dataclass(frozen=True, slots=True)
class Context:
    """What every stage depends on, besides its own part and inputs."""

    snapshot_id: str
    questions_sha256: str
    statistics: Statistics
    index: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Configurations whose parts are built and have done all that precedes a freeze."""

    configurations: tuple[Configuration, ...]
    parts: Mapping[str, Any]
    """Configuration -> its working part."""
    answers: Mapping[str, Mapping[str, Json]]
    """Configuration -> what its part answered to ``prepare``; the freeze holds it."""


def prepare(configurations: Sequence[Configuration], job: Job) -> Prepared:
    """Build each part, then let each prepare.

    Equal parts are one part, so two budgets of one retriever share its vectors. All
    are built before the first prepares: what cannot work is known before any work.

    Raises:
        LeadlineError: a part cannot be built, or does not fit the snapshot.
    """
    unique = []
    for one in configurations:
        if one.part not in unique:
            unique.append(one.part)
    first = [next(one for one in configurations if one.part == part) for part in unique]
    built = []
    for one in first:
        with _watching(one):
            built.append(one.part.build())
    answered: list[Mapping[str, Json]] = []
    for done, (one, part) in enumerate(zip(first, built, strict=True)):
        job.progress("preparing", done, len(first))
        answered.append(_answer(one, part, job))
    job.progress("preparing", len(first), len(first))
    places = {one.name: unique.index(one.part) for one in configurations}
    return Prepared(
        tuple(configurations),
        {name: built[place] for name, place in places.items()},
        {name: answered[place] for name, place in places.items()},
    )


def run(
    prepared: Prepared,
    job: Job,
    context: Context,
    questions: Sequence[Question],
    *,
    store: Store | None = None,
) -> dict[str, Run]:
    """Run every configuration over all questions, and seal each run.

    Args:
        prepared: what `prepare` gave, each configuration after those it builds on.
        job: the same as for `prepare`.
        context: what all stages depend on.
        questions: all of the job's, in the order of the runs.
        store: of sealed runs; None runs everything.

    Raises:
        EngineError: a part failed or broke its promise; names configuration and part.
    """
    keys: dict[str, str] = {}
    runs: dict[str, Run] = {}
    question_ids = tuple(one.question_id for one in questions)
    for one in prepared.configurations:
        keys[one.name] = _key(one, prepared.answers[one.name], context, keys)
        kept = None if store is None else store.get(keys[one.name])
        if kept is not None and _fits(kept, question_ids, job):
            runs[one.name] = kept
            continue
        part, inputs = prepared.parts[one.name], [runs[name] for name in one.inputs]
        groups, done = [], 0
        for view, asked in job.groups:
            job.progress(one.name, done, len(questions))
            groups.append(_stage(one, part, (view, asked), inputs))
            done += len(asked)
        job.progress(one.name, done, len(questions))
        runs[one.name] = Run.join(groups, question_ids)
        runs[one.name].seal  # noqa: B018 -- computed once, here, and kept
        if store is not None:
            store.put(keys[one.name], runs[one.name])
    return runs


def _watching(one: Configuration) -> AbstractContextManager[None]:
    """Blame a part that is not ours for what it raises; a fault of ours is a bug."""
    ours = one.part.name in BUILT_IN[one.part.kind]
    return nullcontext() if ours else blaming(_source(one))


def _source(one: Configuration) -> str:
    return f'configuration "{one.name}" ({one.part.kind} "{one.part.name}")'


def _answer(one: Configuration, part: Any, job: Job) -> Mapping[str, Json]:  # noqa: ANN401 -- any part
    if one.part.kind == "fusion":
        return {}
    with _watching(one):
        answer = part.prepare(job)
    try:
        canonical(answer)
    except (TypeError, ValueError) as error:
        message = f"{_source(one)} answered to prepare what JSON cannot hold: {error}"
        raise EngineError(message) from None
    return dict(answer)


def _key(
    one: Configuration,
    answer: Mapping[str, Json],
    context: Context,
    keys: Mapping[str, str],
) -> str:
    """What a stage's run depends on; its name is not a part of it."""
    return digest(
        "stage/1",
        {
            "leadline": __version__,
            "unicode": unicodedata.unidata_version,
            "snapshot_id": context.snapshot_id,
            "questions_sha256": context.questions_sha256,
            "statistics": context.statistics,
            "index": list(context.index),
            "kind": one.part.kind,
            "plugin": one.part.frozen(),
            "prepared": answer,
            "budget": one.budget if one.part.kind == "retriever" else None,
            "inputs": [keys[name] for name in one.inputs],
        },
    )


def _fits(run: Run, question_ids: tuple[str, ...], job: Job) -> bool:
    known = job.passages.codes
    return run.question_ids == question_ids and all(
        one in known for one in run.passage_ids
    )


def _stage(
    one: Configuration,
    part: Any,  # noqa: ANN401 -- what it is depends on the kind
    group: tuple[View, tuple[Question, ...]],
    inputs: Sequence[Run],
) -> Run:
    """Run one configuration over one view, and hold it to its promise."""
    view, questions = group
    source = _source(one)
    incoming = [_within(run, view, questions) for run in inputs]
    with _watching(one):
        match one.part.kind:
            case "fusion":
                found = part.fuse(incoming)
            case "reranker":
                found = part.rerank(view, questions, incoming[0])
            case _:
                found = part.search(view, questions, budget=one.budget)
    found = check_run(found, view, questions, source=source)
    if incoming:
        check_same(found, incoming, source=source)
    else:
        check_budget(found, one.budget, source=source)
    return found


def _within(run: Run, view: View, questions: Sequence[Question]) -> Run:
    """The rankings of some questions, with the codes of their view."""
    codes = np.array(
        [view.passages.codes.get(one, -1) for one in run.passage_ids], dtype=np.int64
    )
    rows = [run.rows(run.positions[one.question_id]) for one in questions]
    return Run.from_hits(
        [one.question_id for one in questions],
        view.passages.ids,
        [(codes[found], scores) for found, scores in rows],
    )
