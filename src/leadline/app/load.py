"""Load an experiment with all that retrieval may see. The labels stay closed."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from leadline.app.talk import Talk
from leadline.documents import Snapshot, View
from leadline.errors import ExperimentError, InputError, describe, did_you_mean
from leadline.experiment import Experiment
from leadline.files.corpus import read_corpus
from leadline.files.experiment import Sources, read_experiment
from leadline.files.questions import read_questions
from leadline.judging.measures import Measure
from leadline.policies import Policy
from leadline.questions import Question, questions_sha256
from leadline.retrieval.base import Job
from leadline.retrieval.pipeline import Prepared, prepare


@dataclass(frozen=True, slots=True)
class Loaded:
    """An experiment whose every name, value and file (labels apart) has been checked.

    ``work`` is the folder for caches and sealed runs; None keeps nothing.
    """

    experiment: Experiment
    sources: Sources
    snapshot: Snapshot
    questions: tuple[Question, ...]
    notes: tuple[str, ...]
    work: Path | None
    talk: Talk = field(default_factory=Talk)

    @property
    def files(self) -> tuple[Path, ...]:
        """Every input that is named, those of plug-ins too."""
        parts = (one.part for one in self.experiment.configurations)
        return (*self.sources.files, *(path for one in parts for path in one.files()))

    @property
    def questions_sha256(self) -> str:
        """Id of the questions asked."""
        return questions_sha256(self.questions)

    def prepare(self) -> tuple[Prepared, Job]:
        """Build each configuration's part and do all that comes before the freeze."""
        job = self.job(self.questions)
        return prepare(self.experiment.configurations, job), job

    def job(self, questions: Sequence[Question]) -> Job:
        """Group questions by policy and give each group its view."""
        groups: dict[str, list[Question]] = {}
        for question in questions:
            groups.setdefault(question.policy.key, []).append(question)
        return Job(
            passages=self.snapshot.passages,
            groups=tuple(
                (self.view(one[0].policy), tuple(one)) for one in groups.values()
            ),
            index=self.experiment.index,
            cache=None if self.work is None else self.work / "vectors",
            progress=self.talk.progress,
        )

    def view(self, policy: Policy) -> View:
        """What a policy leaves to search in this experiment."""
        return self.snapshot.view(
            policy, statistics=self.experiment.statistics, index=self.experiment.index
        )


def load(path: Path, *, work: Path | None = None, talk: Talk | None = None) -> Loaded:
    """Read and check an experiment file, its corpus and its questions.

    Args:
        path: the experiment file.
        work: the folder for caches and sealed runs; by default ``.leadline`` beside
            the experiment file.
        talk: where words and progress go.

    Raises:
        InputError: something in a file is wrong; nothing has been computed.
    """
    if not os.path.lexists(path):
        message = (
            f"{path}: does not exist. Run the command in the project's folder, name "
            "its experiment file, or make a project: leadline init DIR --from DOCUMENTS"
        )
        raise InputError(message)
    experiment, sources = read_experiment(path)
    for name in experiment.judging.measures:
        try:
            _check_measure(Measure.parse(name), experiment)
        except (InputError, ValueError) as error:  # or a number of 5,000 digits
            message = f'{path}, field "comparison.measures": {error}'
            raise ExperimentError(message) from None
    corpus = read_corpus(sources.corpus)
    questions = read_questions(
        sources.questions,
        split=sources.split,
        ids=sources.ids,
        policy=sources.policy,
    )
    _check_fields(path, sources, corpus.snapshot, questions)
    return Loaded(
        experiment,
        sources,
        corpus.snapshot,
        questions,
        (*corpus.notes, *_repeated(questions)),
        sources.base / ".leadline" if work is None else work,
        talk or Talk(),
    )


def _check_measure(measure: Measure, experiment: Experiment) -> None:
    """Refuse a cut-off below which a retriever would be cut off unseen."""
    for one in experiment.configurations:
        if not one.inputs and one.budget < (measure.cutoff or 0):
            message = (
                f'"{measure}" looks at {measure.cutoff} passages, and "{one.name}" may '
                f"return {one.budget}. Raise its budget, or lower the cut-off"
            )
            raise InputError(message)


def _repeated(questions: Sequence[Question]) -> list[str]:
    """A note on questions that ask the same, for they are no independent evidence."""
    same: dict[tuple[str, str], list[str]] = {}
    for one in questions:
        asked = (" ".join(one.text.split()).casefold(), one.policy.key)
        same.setdefault(asked, []).append(one.question_id)
    groups = [ids for ids in same.values() if len(ids) > 1]
    if not groups:
        return []
    named = "; ".join(", ".join(ids[:5]) for ids in groups[:3])
    return [
        f"Questions that ask the same count as if they were independent: {named}"
        + (f"; and {len(groups) - 3} more groups." if len(groups) > 3 else ".")  # noqa: PLR2004 -- as many as are named
    ]


def _check_fields(
    path: Path, sources: Sources, snapshot: Snapshot, questions: Sequence[Question]
) -> None:
    """Refuse a policy on a field that no document has: it would hide everything."""
    for question in questions:
        unknown = sorted(question.policy.fields - snapshot.field_names)
        if unknown:
            common = unknown[0] in sources.policy.fields
            message = describe(
                f'a policy on the field "{unknown[0]}"',
                file=path if common else sources.questions,
                field="questions.policy"
                if common
                else f"policy of question {question.question_id}",
                expected="a field that some document has",
                remedy=did_you_mean(unknown[0], snapshot.field_names),
            )
            raise ExperimentError(message)
