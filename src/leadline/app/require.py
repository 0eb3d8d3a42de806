"""Require: what a gate asks of a comparison, in a line of words.

Two forms: ``NAME MEASURE >= VALUE``, a floor for a mean; and ``B >= A``, which fails
where the comparison shows A to be better than B on its first measure. A check on
nothing fails: a mean that does not exist reaches no floor.
"""

import math
import re
from dataclasses import dataclass
from typing import TypeAlias

from leadline.errors import InputError, did_you_mean, shown
from leadline.files.record import Record
from leadline.judging.compare import Comparison


@dataclass(frozen=True, slots=True)
class Floor:
    """A configuration's mean must reach a value."""

    configuration: str
    measure: str
    value: float


@dataclass(frozen=True, slots=True)
class NotWorse:
    """``other`` must not be shown to be better than ``configuration``."""

    configuration: str
    other: str


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


def check_names(record_names: tuple[str, ...], one: Requirement) -> None:
    """Refuse a configuration that is not compared.

    Raises:
        InputError: with the nearest name.
    """
    named = [one.configuration, *([one.other] if isinstance(one, NotWorse) else [])]
    for name in named:
        if name not in record_names:
            message = f'--require: "{name}" is not compared. '
            raise InputError(message + did_you_mean(name, record_names))


def unmet(record: Record, requirements: list[Requirement]) -> list[str]:
    """What was required and does not hold, each as a sentence.

    Raises:
        InputError: a name or a measure that this comparison does not have.
    """
    for one in requirements:
        check_names(record.freeze.compared, one)
    comparison = record.comparison
    if comparison is None:
        return ["nothing was judged: there are no labels"] if requirements else []
    faults = (
        _below(comparison, one) if isinstance(one, Floor) else _worse(comparison, one)
        for one in requirements
    )
    return [fault for fault in faults if fault]


def _below(comparison: Comparison, one: Floor) -> str | None:
    if one.measure not in comparison.measures:
        message = f'--require: "{one.measure}" is not measured. '
        raise InputError(message + did_you_mean(one.measure, comparison.measures))
    mean = comparison.configurations[one.configuration].means[one.measure]
    if mean is not None and mean >= one.value:
        return None
    found = (
        "n/a, for there is no answerable question" if mean is None else f"{mean:.6g}"
    )
    return f"{one.configuration} {one.measure} is {found}, required >= {one.value:g}"


def _worse(comparison: Comparison, one: NotWorse) -> str | None:
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
        return None
    message = (
        f"--require: {one.configuration} and {one.other} are not compared with each "
        "other; set comparison.baseline to one of them, or leave it out"
    )
    raise InputError(message)
