"""An experiment, and the freeze that fixes it before the first search.

A configuration is one of three things: a retriever, a fusion of other
configurations, or a reranker of one. They name each other, so a stage that several
configurations share is written once and run once.

The freeze id is a hash of everything that retrieval may see and of how its results
will be judged. Equal ids mean equal results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from leadline.documents import Statistics
from leadline.errors import ExperimentError, did_you_mean
from leadline.hashing import Json, digest
from leadline.plugins import Part

Pairing: TypeAlias = Literal["all", "baseline"]


@dataclass(frozen=True, slots=True)
class Configuration:
    """A named way to retrieve.

    ``inputs`` names the configurations it fuses or reranks; a retriever has none.
    ``budget`` is the most candidates that a retriever may return for a question.
    """

    name: str
    part: Part
    inputs: tuple[str, ...]
    budget: int


@dataclass(frozen=True, slots=True)
class Judging:
    """How results will be judged; fixed with the rest, before the first search."""

    measures: tuple[str, ...]
    """As they print, for example ``nDCG@10``; the first one decides the verdict."""
    baseline: str | None = None
    """Compare each configuration with this one; None compares all pairs."""
    alpha: float = 0.05
    """Family-wise error rate of the verdicts, and 1 - level of the intervals."""
    resamples: int = 10_000
    """Draws of the randomisation test and of the bootstrap."""
    packets: tuple[int, ...] = ()
    """Budgets, in characters of quoted text, under which packets are judged too."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that is decided before the first search."""

    name: str
    configurations: tuple[Configuration, ...]
    """Each after those that it builds on."""
    compared: tuple[str, ...]
    """The configurations that are judged, in the order of the tables."""
    judging: Judging
    statistics: Statistics = "eligible"
    index: tuple[str, ...] = ("text",)
    scope: str = ""
    """A sentence on what the questions are, printed with the results."""


@dataclass(frozen=True, slots=True)
class Freeze:
    """What was fixed, and its id."""

    id: str
    snapshot_id: str
    document_count: int
    passage_count: int
    questions_sha256: str
    question_count: int
    split: str
    statistics: Statistics
    index: tuple[str, ...]
    scope: str
    configurations: tuple[dict[str, Any], ...]
    """Of each: name, kind, plugin with all parameters, inputs, budget, and what its
    ``prepare`` answered (engine versions, hashes of vectors)."""
    compared: tuple[str, ...]
    judging: Judging
    labels_sha256: str | None


def freeze(
    experiment: Experiment,
    *,
    snapshot: tuple[str, int, int],
    questions: tuple[str, int, str],
    prepared: Mapping[str, Mapping[str, Json]],
    labels_sha256: str | None,
) -> Freeze:
    """Fix everything and give it an id.

    Args:
        experiment: checked.
        snapshot: its id, and how many documents and passages.
        questions: their sha256, how many, and their split.
        prepared: configuration name -> what its part answered to ``prepare``.
        labels_sha256: of the label file's bytes, or None where there is none.
    """
    values: dict[str, Json] = {
        "snapshot_id": snapshot[0],
        "document_count": snapshot[1],
        "passage_count": snapshot[2],
        "questions_sha256": questions[0],
        "question_count": questions[1],
        "split": questions[2],
        "statistics": experiment.statistics,
        "index": list(experiment.index),
        "scope": experiment.scope,
        "configurations": [
            {
                "name": one.name,
                "kind": one.part.kind,
                "plugin": one.part.frozen(),
                "inputs": list(one.inputs),
                "budget": one.budget,
                "prepared": dict(prepared.get(one.name, {})),
            }
            for one in experiment.configurations
        ],
        "compared": list(experiment.compared),
        "judging": {
            "measures": list(experiment.judging.measures),
            "baseline": experiment.judging.baseline,
            "alpha": experiment.judging.alpha,
            "resamples": experiment.judging.resamples,
            "packets": list(experiment.judging.packets),
        },
        "labels_sha256": labels_sha256,
    }
    return thaw(values)


def thaw(values: Mapping[str, Json]) -> Freeze:
    """A freeze from its plain values; the id is computed, never believed."""
    judging: dict[str, Any] = dict(values["judging"])  # type: ignore[arg-type]  # a table
    # Who asks for no packets has the id of a time before there were any.
    packets = judging.pop("packets", ())
    hashed = {**values, "judging": judging | ({"packets": packets} if packets else {})}
    fixed = {
        **values,
        "index": tuple(values["index"]),  # type: ignore[arg-type]  # a list
        "configurations": tuple(values["configurations"]),  # type: ignore[arg-type]
        "compared": tuple(values["compared"]),  # type: ignore[arg-type]
        "judging": Judging(
            **{
                **judging,
                "measures": tuple(judging["measures"]),
                "packets": tuple(packets),
            }
        ),
    }
    return Freeze(id=digest("freeze/1", hashed), **fixed)  # type: ignore[arg-type]


def ordered(
    configurations: Sequence[Configuration],
) -> tuple[Configuration, ...]:
    """Put configurations after those that they build on, otherwise as given.

    Raises:
        ExperimentError: an input that does not exist, or a circle.
    """
    by_name = {one.name: one for one in configurations}
    done: dict[str, Configuration] = {}

    def visit(one: Configuration, path: tuple[str, ...]) -> None:
        if one.name in done:
            return
        if one.name in path:
            circle = " -> ".join((*path[path.index(one.name) :], one.name))
            message = f"configurations build on each other in a circle: {circle}"
            raise ExperimentError(message)
        for name in one.inputs:
            if name not in by_name:
                message = (
                    f'configuration "{one.name}" builds on "{name}", which does not '
                    f"exist. {did_you_mean(name, set(by_name) - {one.name})}"
                )
                raise ExperimentError(message)
            visit(by_name[name], (*path, one.name))
        done.setdefault(one.name, one)

    for one in configurations:
        visit(one, ())
    return tuple(done.values())
