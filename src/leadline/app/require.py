"""Require: what a gate asks of a comparison, in a line of words.

Two forms: ``NAME MEASURE >= VALUE``, a floor for a mean; and ``B >= A``, which fails
where the comparison shows A to be better than B on its first measure. A check on
nothing fails: a mean that does not exist reaches no floor.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from leadline.errors import InputError, did_you_mean, shown
from leadline.experiment import Experiment
from leadline.files.record import Record
from leadline.judging.compare import Comparison
from leadline.judging.measures import parse_all


@dataclass(frozen=True, slots=True)
class Floor:
    """A configuration's mean must reach a value."""

    configuration: str
    measure: str
    value: float

    def __str__(self) -> str:
        return f"{self.configuration} {self.measure} >= {self.value:g}"


@dataclass(frozen=True, slots=True)
class NotWorse:
    """``other`` must not be shown to be better than ``configuration``."""

    configuration: str
    other: str

    def __str__(self) -> str:
        return f"{self.configuration} >= {self.other}"


Requirement: TypeAlias = Floor | NotWorse

_FORM = re.compile(r"^(?P<left>.+?)\s*>=\s*(?P<right>.+?)$")


def parse(text: str) -> Requirement:
    """Read one check.

    >>> parse("fused nDCG@10 >= 0.6")
    Floor(configuration='fused', measure='nDCG@10', value=0.6)
    >>> parse("fused >= lexical")
    NotWorse(configuration='fused', other='lexical')

    Raises:
        InputError: neither of the two forms.
    """
    match = _FORM.match(text.strip())
    if match is None:
        message = (
            f'--require {shown(text)}: expected "NAME MEASURE >= VALUE" or "B >= A", '
            'for example "fused nDCG@10 >= 0.6"'
        )
        raise InputError(message)
    left, right = match["left"].strip(), match["right"].strip()
    try:
        value = float(right)
    except ValueError:
        return NotWorse(left, right)
    name, _, measure = left.rpartition(" ")
    if not name or not math.isfinite(value):
        message = (
            f"--require {shown(text)}: a floor names a configuration, a measure and a "
            'finite number, for example "fused nDCG@10 >= 0.6"'
        )
        raise InputError(message)
    return Floor(name.strip(), measure, value)


def _check_names(names: Sequence[str], one: Requirement) -> None:
    named = [one.configuration, *([one.other] if isinstance(one, NotWorse) else [])]
    for name in named:
        if name not in names:
            message = f'--require: "{name}" is not compared. '
            raise InputError(message + did_you_mean(name, names))


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of one check; ``fault`` is empty where it holds."""

    required: str
    fault: str


def check(requirements: Sequence[Requirement], experiment: Experiment) -> None:
    """Refuse what an experiment cannot answer, before anything is computed.

    Raises:
        InputError: a configuration that is not compared, a measure that is not
            measured, or two configurations that are not compared with each other.
    """
    measures = [str(one) for one in parse_all(experiment.judging.measures)]
    baseline = experiment.judging.baseline
    for one in requirements:
        _check_names(experiment.compared, one)
        if isinstance(one, Floor):
            if one.measure not in measures:
                message = f'--require: "{one.measure}" is not measured. '
                raise InputError(message + did_you_mean(one.measure, measures))
        elif one.configuration == one.other or (
            baseline is not None and baseline not in (one.configuration, one.other)
        ):
            message = (
                f"--require: {one.configuration} and {one.other} are not compared with "
                "each other; set comparison.baseline to one of them, or leave it out"
            )
            raise InputError(message)


def answer(record: Record, requirements: Sequence[Requirement]) -> list[Answered]:
    """Hold a comparison to what was required of it, as `check` let it pass."""
    return [Answered(str(one), _fault(record.comparison, one)) for one in requirements]


def _fault(comparison: Comparison | None, one: Requirement) -> str:
    if comparison is None:
        return f"{one}: nothing was judged, for there are no labels"
    if isinstance(one, Floor):
        return _below(comparison, one)
    return _worse(comparison, one)


def _below(comparison: Comparison, one: Floor) -> str:
    mean = comparison.configurations[one.configuration].means[one.measure]
    if mean is not None and mean >= one.value:
        return ""
    found = (
        "n/a, for there is no answerable question" if mean is None else f"{mean:.6g}"
    )
    return f"{one.configuration} {one.measure} is {found}, required >= {one.value:g}"


def _worse(comparison: Comparison, one: NotWorse) -> str:
    first = comparison.measures[0]
    for pair in comparison.pairs:
        if pair.measure != first or {pair.a, pair.b} != {one.configuration, one.other}:
            continue
        if pair.count == 0:
            return f"{one.configuration} >= {one.other}: no answerable question"
        winner = {"b is better": pair.b, "a is better": pair.a}.get(pair.verdict)
        if winner == one.other:
            return (
                f"{one.configuration} >= {one.other}: {one.other} is better on {first}"
            )
    return ""
