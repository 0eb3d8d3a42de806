"""Holding a part to its promise; a broken one raises `EngineError` and is named."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.documents import View
from leadline.errors import EngineError, shown
from leadline.questions import Question
from leadline.ranking import Run


def check_run(
    found: object, view: View, questions: Sequence[Question], *, source: str
) -> Run:
    """Hold what a part returned to what every run promises.

    Raises:
        EngineError: names ``source`` and the fault: no run, other questions or
            passages than those given, columns that do not fit together, or what
            `Run.check` finds.
    """
    if not isinstance(found, Run):
        message = f"{source} returned {type(found).__name__}, expected a Run"
        raise EngineError(message)
    if fault := _misfit(found, view, questions):
        message = f"{source} returned {fault}"
        raise EngineError(message)
    return found.check(source=source, returnable=view.returnable)


def check_budget(found: Run, budget: int, *, source: str) -> None:
    """Hold a retriever to its budget.

    Raises:
        EngineError: more hits for a question.
    """
    over = np.flatnonzero(found.lengths > budget)
    if len(over):
        place = int(over[0])
        message = (
            f"{source}, question {shown(found.question_ids[place])}: returned "
            f"{found.lengths[place]} passages, expected at most {budget}"
        )
        raise EngineError(message)


def check_same(found: Run, incoming: Sequence[Run], *, source: str) -> None:
    """Hold a reranker, or a fusion, to the passages that came in: all, and no other.

    Raises:
        EngineError: a passage was added or dropped.
    """
    came = np.unique(np.concatenate([_pairs(run) for run in incoming]))
    went = np.sort(_pairs(found))
    width = max(1, len(found.passage_ids))
    for pairs, what in (
        (np.setdiff1d(went, came), "added"),
        (np.setdiff1d(came, went), "dropped"),
    ):
        if len(pairs):
            question, code = divmod(int(pairs[0]), width)
            message = (
                f"{source}, question {shown(found.question_ids[question])}: {what} the "
                f"passage {shown(found.passage_ids[code])}; expected just the passages "
                "that came in"
            )
            raise EngineError(message)


def _pairs(run: Run) -> NDArray[np.int64]:
    """One number for each question and passage returned for it."""
    question = np.repeat(np.arange(len(run)), run.lengths)
    return question * max(1, len(run.passage_ids)) + run.passages


def _misfit(found: Run, view: View, questions: Sequence[Question]) -> str | None:
    if tuple(found.question_ids) != tuple(one.question_id for one in questions):
        return "a run over other questions, or in another order, than it was asked"
    if found.passage_ids is not view.passages.ids and (
        tuple(found.passage_ids) != view.passages.ids
    ):
        return "a run over other passage_ids than the view's"
    columns = (
        ("offsets", found.offsets, np.int64),
        ("passages", found.passages, np.int64),
        ("scores", found.scores, np.float64),
    )
    for name, column, dtype in columns:
        if (
            not isinstance(column, np.ndarray)
            or column.dtype != dtype
            or column.ndim != 1
        ):
            kind = getattr(column, "dtype", type(column).__name__)
            return f"{name} of {kind}, expected one dimension of {np.dtype(dtype)}"
    ends = [0, len(found.passages)]
    fits = len(found.offsets) == len(questions) + 1 and len(found.scores) == ends[1]
    if not fits or found.offsets[[0, -1]].tolist() != ends or (found.lengths < 0).any():
        return "offsets, passages and scores that do not fit together"
    outside = (found.passages < 0) | (found.passages >= len(view.passages))
    if outside.any():
        return f"the passage code {found.passages[outside][0]}, which the view has not"
    return None
