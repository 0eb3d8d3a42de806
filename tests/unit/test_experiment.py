"""The freeze is a hash of all that decides a result, and of nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import ExperimentError
from leadline.experiment import (
    Configuration,
    Experiment,
    Freeze,
    Judging,
    freeze,
    ordered,
    thaw,
)
from leadline.plugins import Part


@dataclass(frozen=True, slots=True)
class Parameters:
    """Of any plug-in."""

    k1: float = 1.2
    recording: Path | None = None


def configuration(name: str, *inputs: str, **values: Any) -> Configuration:  # noqa: ANN401 -- parameters
    return Configuration(
        name, Part("retriever", "words", Parameters(**values)), inputs, 10
    )


EXPERIMENT = Experiment(
    name="Ours",
    configurations=(configuration("a"), configuration("b", "a")),
    compared=("a", "b"),
    judging=Judging(("nDCG@10", "R@10")),
)


def frozen(experiment: Experiment = EXPERIMENT, **changes: Any) -> Freeze:  # noqa: ANN401 -- any of them
    values: dict[str, Any] = {
        "snapshot": ("5" * 64, 3, 4),
        "questions": ("6" * 64, 2, "development"),
        "prepared": {"a": {"engine": "1"}},
        "labels_sha256": "7" * 64,
    }
    return freeze(experiment, **{**values, **changes})


def changed(**changes: Any) -> Experiment:  # noqa: ANN401 -- any field
    return replace(EXPERIMENT, **changes)


def judged(**changes: Any) -> Experiment:  # noqa: ANN401 -- any field
    return changed(judging=replace(EXPERIMENT.judging, **changes))


# --- the freeze ------------------------------------------------------------------


def test_a_freeze_says_what_was_fixed() -> None:
    found = frozen()
    assert (found.snapshot_id, found.document_count, found.passage_count) == (
        "5" * 64,
        3,
        4,
    )
    assert (found.questions_sha256, found.question_count) == ("6" * 64, 2)
    assert found.judging == EXPERIMENT.judging
    assert found.compared == ("a", "b")
    assert found.configurations[0] == {
        "name": "a",
        "kind": "retriever",
        "plugin": {"name": "words", "k1": 1.2, "recording": None},
        "inputs": [],
        "budget": 10,
        "prepared": {"engine": "1"},
    }
    assert found.configurations[1]["prepared"] == {}
    assert len(found.id) == 64


DIFFERENT: Mapping[str, Callable[[], Freeze]] = {
    "snapshot": lambda: frozen(snapshot=("0" * 64, 3, 4)),
    "questions": lambda: frozen(questions=("0" * 64, 2, "development")),
    "split": lambda: frozen(questions=("6" * 64, 2, "test")),
    "prepared": lambda: frozen(prepared={"a": {"engine": "2"}}),
    "labels": lambda: frozen(labels_sha256="0" * 64),
    "no labels": lambda: frozen(labels_sha256=None),
    "statistics": lambda: frozen(changed(statistics="snapshot")),
    "index": lambda: frozen(changed(index=("title", "text"))),
    "scope": lambda: frozen(changed(scope="mail")),
    "compared": lambda: frozen(changed(compared=("b", "a"))),
    "measures": lambda: frozen(judged(measures=("R@10", "nDCG@10"))),
    "baseline": lambda: frozen(judged(baseline="a")),
    "alpha": lambda: frozen(judged(alpha=0.01)),
    "resamples": lambda: frozen(judged(resamples=1)),
    "parameter": lambda: frozen(
        changed(configurations=(configuration("a", k1=0.9), configuration("b", "a")))
    ),
    "name": lambda: frozen(
        changed(configurations=(configuration("A"), configuration("b", "a")))
    ),
    "budget": lambda: frozen(
        changed(
            configurations=(
                replace(configuration("a"), budget=11),
                configuration("b", "a"),
            )
        )
    ),
    "inputs": lambda: frozen(
        changed(configurations=(configuration("a"), configuration("b")))
    ),
}


@pytest.mark.parametrize("difference", DIFFERENT)
def test_whatever_decides_a_result_changes_the_id(difference: str) -> None:
    assert DIFFERENT[difference]().id != frozen().id


def test_what_decides_no_result_changes_nothing() -> None:
    assert frozen().id == frozen().id
    assert frozen(changed(name="Theirs")).id == frozen().id
    elsewhere = (configuration("a", recording=Path("/x/v")), configuration("b", "a"))
    here = (configuration("a", recording=Path("v")), configuration("b", "a"))
    ids = {frozen(changed(configurations=one)).id for one in (elsewhere, here)}
    assert len(ids) == 1


def test_thawing_computes_the_id_again() -> None:
    found = frozen()
    plain = asdict(found)
    plain.pop("id")
    plain = {**plain, "configurations": list(found.configurations)}
    plain["judging"]["measures"] = list(plain["judging"]["measures"])
    plain["index"] = list(plain["index"])
    plain["compared"] = list(plain["compared"])
    assert thaw(plain) == found
    assert thaw({**plain, "scope": "other"}).id != found.id


# --- order -----------------------------------------------------------------------


def test_a_configuration_stands_after_those_it_builds_on() -> None:
    every = [
        configuration("reranked", "fused"),
        configuration("fused", "lexical", "vector"),
        configuration("lexical"),
        configuration("vector"),
    ]
    for some in permutations(every):
        names = [one.name for one in ordered(some)]
        assert sorted(names) == sorted(one.name for one in every)
        for one in every:
            assert all(names.index(i) < names.index(one.name) for i in one.inputs)


def test_those_that_build_on_nothing_keep_their_order() -> None:
    every = [configuration(name) for name in "cab"]
    assert ordered(every) == tuple(every)


def test_an_input_that_does_not_exist_is_refused_with_the_nearest() -> None:
    some = [configuration("lexical"), configuration("fused", "lexicla", "vector")]
    with pytest.raises(ExperimentError) as refused:
        ordered(some)
    assert str(refused.value) == (
        'configuration "fused" builds on "lexicla", which does not exist. '
        'Did you mean "lexical"?'
    )


@pytest.mark.parametrize(
    ("some", "circle"),
    [
        ([configuration("a", "a")], "a -> a"),
        (
            [
                configuration("start", "a"),
                configuration("a", "b"),
                configuration("b", "c"),
                configuration("c", "a"),
            ],
            "a -> b -> c -> a",
        ),
    ],
)
def test_a_circle_is_refused_as_it_goes_round(
    some: list[Configuration], circle: str
) -> None:
    with pytest.raises(ExperimentError, match=f"in a circle: {circle}$"):
        ordered(some)
