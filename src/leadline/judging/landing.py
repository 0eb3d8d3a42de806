"""Where the relevant passages landed: the one join of a run with the qrels.

Every measure is array arithmetic on the result. What was returned besides is never
looked at again, so a run is neither sorted nor factorised: one pass marks the hits
on passages that are relevant to any question at all, and only those are joined.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from leadline.judging.binding import Qrels
from leadline.ranking import Run

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Landing:
    """One row for each relevant passage of each supported question.

    Rows are in the order of the questions, and for each question best grade first:
    the ideal ranking.
    """

    question_ids: tuple[str, ...]
    """The supported questions: those with a relevant passage."""
    returned: Ints
    """How many passages came back for each question."""
    questions: Ints
    """Position in ``question_ids``, a row."""
    grades: Floats
    """Above 0, a row."""
    ranks: Ints
    """From 1, a row; 0 where the passage was not returned."""

    @cached_property
    def relevant(self) -> Ints:
        """How many relevant passages each question has; 1 or more."""
        return np.bincount(self.questions, minlength=len(self.question_ids))

    @cached_property
    def ideal_ranks(self) -> Ints:
        """The rank of each row in the ideal ranking, from 1."""
        return ordinals(self.questions)

    @cached_property
    def found(self) -> Ints:
        """Rows that were returned, by question and then by rank."""
        rows = np.flatnonzero(self.ranks)
        return rows[np.lexsort((self.ranks[rows], self.questions[rows]))]

    def within(self, cutoff: int | None) -> Ints:
        """Rows that were returned at rank ``cutoff`` or better, ordered as `found`."""
        if cutoff is None:
            return self.found
        return self.found[self.ranks[self.found] <= cutoff]

    def counts(self, cutoff: int | None) -> Ints:
        """How many relevant passages each question has at ``cutoff`` or better."""
        owners = self.questions[self.within(cutoff)]
        return np.bincount(owners, minlength=len(self.question_ids))


def ordinals(groups: Ints) -> Ints:
    """Number the rows of each group from 1; a group's rows stand together.

    >>> ordinals(np.array([4, 4, 7, 7, 7])).tolist()
    [1, 2, 1, 2, 3]
    """
    positions = np.arange(len(groups))
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    lengths = np.diff(starts, append=len(groups))
    return positions - np.repeat(starts, lengths) + 1


def land(run: Run, qrels: Qrels) -> Landing:
    """Join a run with the qrels.

    The run holds every question of the qrels (`evaluate` sees to that), in any order.
    """
    rows = np.flatnonzero(qrels.grades > 0)
    owners = np.repeat(np.arange(len(qrels.question_ids)), np.diff(qrels.offsets))
    supported, questions = np.unique(owners[rows], return_inverse=True)
    question_ids = tuple(qrels.question_ids[one] for one in supported.tolist())
    positions = np.fromiter(
        (run.positions[one] for one in question_ids), np.int64, len(question_ids)
    )
    passage_ids = [qrels.passage_ids[row] for row in rows.tolist()]
    return Landing(
        question_ids,
        run.lengths[positions],
        questions.astype(np.int64),
        qrels.grades[rows],
        _ranks(run, positions[questions], passage_ids),
    )


def _ranks(run: Run, positions: Ints, passage_ids: list[str]) -> Ints:
    """The rank of each passage for the question at each position; 0: not returned."""
    wanted = set(passage_ids)
    known = {one: code for code, one in enumerate(run.passage_ids) if one in wanted}
    codes = np.fromiter(
        map(known.get, passage_ids, repeat(-1)), np.int64, len(passage_ids)
    )
    ranks = np.zeros(len(codes), np.int64)
    rows = np.flatnonzero(codes >= 0)
    if not len(rows):
        return ranks
    marked = np.zeros(len(run.passage_ids), np.bool_)
    marked[codes[rows]] = True
    hits = np.flatnonzero(marked[run.passages])
    asked = np.searchsorted(run.offsets, hits, side="right") - 1
    # One integer for a question and a passage; both sides have it, so they can meet.
    keys = positions[rows] * len(marked) + codes[rows]
    by_key = np.argsort(keys)
    hit_keys = asked * len(marked) + run.passages[hits]
    at = np.searchsorted(keys, hit_keys, sorter=by_key)
    at[at == len(keys)] = 0
    same = keys[by_key[at]] == hit_keys
    ranks[rows[by_key[at[same]]]] = hits[same] - run.offsets[asked[same]] + 1
    return ranks
