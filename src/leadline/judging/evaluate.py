"""Evaluating one run: values a question first, means derived from them."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from leadline.errors import InputError, shown
from leadline.judging.binding import Qrels
from leadline.judging.landing import Floats, Landing, land
from leadline.judging.measures import Measure
from leadline.ranking import Run

CUTOFF = 10
"""Where misses are counted when no measure says where to look."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One run, judged over the supported questions, which are those of the landing."""

    landing: Landing
    values: dict[Measure, Floats]
    """One value a question, in the order of ``landing.question_ids``."""
    means: dict[Measure, float | None]
    """None where no question is supported."""
    misses: dict[int, tuple[str, ...]]
    """Cut-off -> the supported questions with recall 0 there."""
    empty: tuple[str, ...]
    """Supported questions for which nothing was returned. They score 0."""


def evaluate(
    run: Run, qrels: Qrels, measures: Sequence[Measure], *, source: str = "run"
) -> Evaluation:
    """Judge a run.

    Args:
        run: over the questions of the qrels, in any order.
        qrels: of every question asked.
        measures: what to compute.
        source: what to call the run in a message.

    Raises:
        InputError: run and qrels do not join one to one.
    """
    _check_questions(run, qrels, source)
    landing = land(run, qrels)
    values = {measure: measure.values(landing) for measure in measures}
    return Evaluation(
        landing,
        values,
        {measure: mean(row) for measure, row in values.items()},
        {
            cutoff: _where(landing, landing.counts(cutoff) == 0)
            for cutoff in cutoffs(measures)
        },
        _where(landing, landing.returned == 0),
    )


def cutoffs(measures: Sequence[Measure]) -> tuple[int, ...]:
    """The cut-offs of the measures, ascending; 10 where none has one."""
    found = {measure.cutoff for measure in measures if measure.cutoff is not None}
    return tuple(sorted(found)) or (CUTOFF,)


def mean(values: Floats) -> float | None:
    """The mean, correctly summed; None of nothing."""
    return math.fsum(values.tolist()) / len(values) if len(values) else None


def _where(landing: Landing, chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(compress(landing.question_ids, chosen.tolist()))


def _check_questions(run: Run, qrels: Qrels, source: str) -> None:
    asked, answered = set(qrels.question_ids), set(run.question_ids)
    faults = {
        "is asked and not in it": sorted(asked - answered),
        "is in it and was not asked": sorted(answered - asked),
        "is in it twice": []
        if len(answered) == len(run.question_ids)
        else sorted(one for one, n in Counter(run.question_ids).items() if n > 1),
    }
    for fault, question_ids in faults.items():
        if question_ids:
            more = len(question_ids) - 1
            raise InputError(
                f"{source}: question {shown(question_ids[0])}"
                + (f" and {more} more" if more else "")
                + f" {fault}, expected the questions asked, each once. Run every "
                "configuration over the same questions."
            )
