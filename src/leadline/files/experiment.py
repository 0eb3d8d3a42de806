"""The experiment file: read strictly, so that whatever is wrong is said before compute.

Every key is known or refused, every plug-in is found and its parameters checked, and
what cannot work together is refused: a budget below a cut-off, a circle, a weight too
many.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leadline.documents import Statistics
from leadline.errors import ExperimentError, InputError, did_you_mean, shown
from leadline.experiment import Configuration, Experiment, Judging, ordered
from leadline.files.configurations import read_configurations
from leadline.files.toml import Toml, read_toml
from leadline.policies import Policy
from leadline.questions import DEVELOPMENT
from leadline.rows import spelled

DEFAULT_MEASURES = ("nDCG@10", "R@10")
"""What is measured where the file names nothing."""

_CUTOFF = re.compile(r"@([0-9]{1,18})(?![0-9])")


@dataclass(frozen=True, slots=True)
class Sources:
    """Where an experiment's inputs are; none of it goes into the freeze."""

    base: Path
    """The experiment file's folder; relative paths start there."""
    corpus: Path
    questions: Path
    ids: Path | None
    """A file of question ids to use, or None for the whole split."""
    labels: Path | None
    split: str
    policy: Policy
    """Joined with each question's own."""

    @property
    def files(self) -> tuple[Path, ...]:
        """Every input that is named."""
        named = (self.corpus, self.questions, self.ids, self.labels)
        return tuple(one for one in named if one is not None)


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    corpus: dict[str, Any]
    questions: dict[str, Any]
    configurations: dict[str, Any]
    scope: str = ""
    labels: dict[str, Any] | None = None
    retrieval: dict[str, Any] = field(default_factory=dict)
    comparison: dict[str, Any] = field(default_factory=dict)
    packets: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class _Corpus:
    path: str
    index: list[Any] = field(default_factory=lambda: ["text"])


@dataclass(frozen=True, slots=True)
class _Questions:
    path: str
    split: str = DEVELOPMENT
    ids: str | None = None
    policy: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Labels:
    path: str


@dataclass(frozen=True, slots=True)
class _Retrieval:
    budget: int = 100
    statistics: Statistics = "eligible"


@dataclass(frozen=True, slots=True)
class _Comparison:
    configurations: list[Any] | None = None
    measures: list[Any] = field(default_factory=lambda: list(DEFAULT_MEASURES))
    baseline: str | None = None
    alpha: float = 0.05
    resamples: int = 10_000


@dataclass(frozen=True, slots=True)
class _Packets:
    budget_chars: list[Any]


def read_experiment(path: Path) -> tuple[Experiment, Sources]:
    """Read an experiment file and check all of it that can be checked without data.

    Raises:
        InputError: the file cannot be read.
        ExperimentError: it says something impossible; the message names the line
            where that is clear, and the nearest name that exists.
    """
    toml = read_toml(path)
    file = toml.take(_File, toml.values)
    corpus = toml.take(_Corpus, file.corpus, within="corpus")
    retrieval = toml.take(_Retrieval, file.retrieval, within="retrieval")
    comparison = toml.take(_Comparison, file.comparison, within="comparison")
    _at_least_one(toml, "retrieval.budget", retrieval.budget)
    configurations = read_configurations(
        toml, file.configurations, budget=retrieval.budget
    )
    judging = _judging(toml, comparison, _packets(toml, file.packets))
    compared = _compared(toml, comparison, [one.name for one in configurations])
    _check_budgets(toml, configurations, judging.measures)
    if not file.name.strip():
        raise toml.refusal(
            shown(file.name),
            field="name",
            expected="a name",
            remedy="It heads the report.",
        )
    try:
        in_order = ordered(configurations)
    except ExperimentError as error:
        raise ExperimentError(f"{path}: {error}") from None
    experiment = Experiment(
        name=file.name,
        configurations=in_order,
        compared=compared,
        judging=judging,
        statistics=retrieval.statistics,
        index=_index(toml, corpus.index),
        scope=file.scope,
    )
    return experiment, _sources(toml, file, corpus)


def _sources(toml: Toml, file: _File, corpus: _Corpus) -> Sources:
    base = toml.file.parent
    questions = toml.take(_Questions, file.questions, within="questions")
    labels = (
        None
        if file.labels is None
        else toml.take(_Labels, file.labels, within="labels").path
    )

    def place(name: str, value: str) -> Path:
        if not value.strip():
            raise toml.refusal(
                shown(value),
                field=name,
                expected="a path",
                remedy="It starts from the experiment file's folder.",
            )
        return base / value

    try:
        policy = Policy.parse(questions.policy)
    except InputError as error:
        line = toml.line("questions.policy")
        raise ExperimentError(f"{toml.file}, line {line}: {error}") from None
    return Sources(
        base=base,
        corpus=place("corpus.path", corpus.path),
        questions=place("questions.path", questions.path),
        ids=None if questions.ids is None else place("questions.ids", questions.ids),
        labels=None if labels is None else place("labels.path", labels),
        split=questions.split,
        policy=policy,
    )


def _packets(toml: Toml, section: dict[str, Any] | None) -> tuple[int, ...]:
    """The budgets of packets, ascending; none where there is no such section."""
    if section is None:
        return ()
    budgets = toml.take(_Packets, section, within="packets").budget_chars
    for one in budgets:
        if type(one) is not int or one < 1 or budgets.count(one) > 1:
            raise toml.refusal(
                f"{spelled(one)} twice" if budgets.count(one) > 1 else spelled(one),
                field="packets.budget_chars",
                expected="whole numbers of 1 or more, each once",
                remedy="For example [400, 1200].",
            )
    return tuple(sorted(budgets))


def _judging(toml: Toml, comparison: _Comparison, packets: tuple[int, ...]) -> Judging:
    measures = _names(toml, "comparison.measures", comparison.measures)
    for measure in measures:
        if any(int(cutoff) < 1 for cutoff in _CUTOFF.findall(measure)):
            raise toml.refusal(
                shown(measure),
                field="comparison.measures",
                expected="cut-offs of 1 or more",
                remedy="For example nDCG@10.",
            )
    if not 1e-6 <= comparison.alpha < 1:  # noqa: PLR2004 -- no test resolves less
        raise toml.refusal(
            shown(comparison.alpha),
            field="comparison.alpha",
            expected="more than 0 and less than 1",
            remedy="0.05 is usual.",
        )
    _at_least_one(toml, "comparison.resamples", comparison.resamples)
    return Judging(
        measures=measures,
        baseline=comparison.baseline,
        alpha=comparison.alpha,
        resamples=comparison.resamples,
        packets=packets,
    )


def _compared(
    toml: Toml, comparison: _Comparison, known: Sequence[str]
) -> tuple[str, ...]:
    compared = tuple(known)
    if comparison.configurations is not None:
        where = "comparison.configurations"
        compared = _names(toml, where, comparison.configurations, known=known)
    baseline = comparison.baseline
    if baseline is not None and baseline not in compared:
        raise toml.refusal(
            shown(baseline),
            field="comparison.baseline",
            expected="one of the configurations that are compared",
            remedy=did_you_mean(baseline, compared),
        )
    return compared


def _index(toml: Toml, fields: Sequence[Any]) -> tuple[str, ...]:
    return _names(toml, "corpus.index", fields, known=("title", "text"))


def _names(
    toml: Toml, where: str, values: Sequence[Any], known: Sequence[str] | None = None
) -> tuple[str, ...]:
    """A list of strings, not empty, each once, each of them known."""
    names: list[str] = []
    if not values:
        raise toml.refusal(
            "an empty list",
            field=where,
            expected="at least one name",
            remedy="Name one, or leave the key out.",
        )
    for value in values:
        if not isinstance(value, str) or value not in (known or [value]):
            raise toml.refusal(
                spelled(value),
                field=where,
                expected="a name that exists" if known else "a name, in quotes",
                remedy=did_you_mean(str(value), known or ()),
            )
        if value in names:
            raise toml.refusal(
                f"{shown(value)} twice",
                field=where,
                expected="each name once",
                remedy="Delete one of them.",
            )
        names.append(value)
    return tuple(names)


def _at_least_one(toml: Toml, where: str, value: int) -> None:
    if value < 1:
        raise toml.refusal(
            str(value), field=where, expected="1 or more", remedy="Correct the value."
        )


def _check_budgets(
    toml: Toml, configurations: Sequence[Configuration], measures: Sequence[str]
) -> None:
    """A retriever that may not fill the largest cut-off would be judged on the rest."""
    cutoffs = [int(one) for name in measures for one in _CUTOFF.findall(name)]
    largest = max(cutoffs, default=0)
    for one in configurations:
        if one.part.kind == "retriever" and one.budget < largest:
            own = f"configurations.{one.name}.budget"
            has_own = "budget" in toml.values["configurations"][one.name]
            raise toml.refusal(
                str(one.budget),
                field=own if has_own else "retrieval.budget",
                expected=f"{largest} or more, the largest cut-off of the measures",
                remedy="Raise the budget or lower the cut-off.",
            )
