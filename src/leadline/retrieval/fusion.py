"""Reciprocal rank fusion: a passage scores by its ranks, whatever the branches' scores.

Source: G. Cormack, C. Clarke and S. Büttcher, "Reciprocal Rank Fusion outperforms
Condorcet and individual Rank Learning Methods", SIGIR 2009.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leadline.errors import ExperimentError, describe, shown
from leadline.plugins import Plugin
from leadline.ranking import Codes, Run, Scores, order_rows

_ROWS = 2**17
"""Hits that are fused at a time; they stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class RrfParameters:
    """``weights``: one for each branch, in their order; by default all are 1."""

    weights: tuple[float, ...] | None = None
    rank_constant: float = 60.0

    def __post_init__(self) -> None:
        """Refuse weights and a constant that rank nothing."""
        if not 0 <= self.rank_constant < math.inf:
            message = describe(
                shown(self.rank_constant),
                field="rank_constant",
                expected="a finite number, 0 or more",
                remedy="60 is usual.",
            )
            raise ExperimentError(message)
        weights = self.weights
        if weights is None:
            return
        if not all(0 <= weight < math.inf for weight in weights) or not any(weights):
            message = describe(
                shown(list(weights)),
                field="weights",
                expected="finite numbers, 0 or more and not all 0",
                remedy="Give each branch its weight, or leave the key out.",
            )
            raise ExperimentError(message)


def contributions(
    ranks: Mapping[str, int | None],
    *,
    weights: Sequence[float] | None = None,
    rank_constant: float = 60.0,
) -> dict[str, float]:
    """What each branch adds to a passage's score: weight / (rank_constant + rank).

    ``ranks`` are the passage's, from 1, in the order of the weights; a branch that did
    not return it adds 0.

    >>> contributions({"lexical": 1, "vector": None})
    {'lexical': 0.01639344262295082, 'vector': 0.0}
    """
    each = [1.0] * len(ranks) if weights is None else weights
    return {
        branch: 0.0 if rank is None else weight / (rank_constant + rank)
        for (branch, rank), weight in zip(ranks.items(), each, strict=True)
    }


@dataclass(frozen=True, slots=True)
class Rrf:
    """The fusion."""

    parameters: RrfParameters

    def fuse(self, branches: Sequence[Run]) -> Run:
        """Score every passage that a branch returned with the sum over the branches.

        The sum is in the branches' order. A passage that only branches of weight 0
        returned keeps the score 0, and so it comes last.

        Raises:
            ExperimentError: another number of weights than of branches.
        """
        weights = self.parameters.weights
        if weights is None:
            weights = (1.0,) * len(branches)
        if len(weights) != len(branches):
            message = describe(
                f"{len(weights)} weights",
                field="weights",
                expected=f"one for each of the {len(branches)} branches",
                remedy="Give each branch its weight, in the same order.",
            )
            raise ExperimentError(message)
        chunks = [
            _fused(branches, weights, self.parameters.rank_constant, questions)
            for questions in _chunks(branches)
        ]
        return Run(
            branches[0].question_ids,
            branches[0].passage_ids,
            np.cumsum(
                np.concatenate([[0], *(one[0] for one in chunks)]), dtype=np.int64
            ),
            np.concatenate([one[1] for one in chunks]),
            np.concatenate([one[2] for one in chunks]),
        )


def _chunks(branches: Sequence[Run]) -> Iterator[range]:
    """Ranges of questions with about `_ROWS` hits each; at least one range."""
    ends = np.sum([branch.offsets[1:] for branch in branches], axis=0)
    start = 0
    while start < len(ends) or not start:
        done = ends[start - 1] if start else 0
        stop = int(np.searchsorted(ends, done + _ROWS, side="right"))
        stop = min(max(stop, start + 1), start + _ROWS)
        yield range(start, min(stop, len(ends)))
        start = stop


def _fused(
    branches: Sequence[Run],
    weights: Sequence[float],
    rank_constant: float,
    questions: range,
) -> tuple[NDArray[np.int64], Codes, Scores]:
    """How many hits each of these questions has, then their codes and scores."""
    width = len(branches[0].passage_ids)
    places, scores = [], []
    for branch, weight in zip(branches, weights, strict=True):
        offsets = branch.offsets[questions.start : questions.stop + 1]
        lengths = np.diff(offsets)
        rows = np.arange(offsets[0], offsets[-1])
        ranks = rows - np.repeat(offsets[:-1], lengths) + 1
        question = np.repeat(np.arange(len(questions)), lengths)
        places.append(question * width + branch.passages[offsets[0] : offsets[-1]])
        scores.append(weight / (rank_constant + ranks))
    distinct, slots = _distinct(np.concatenate(places))
    totals = np.zeros(len(distinct))
    start = 0
    for added in scores:  # branch after branch, so that a sum has one order
        totals[slots[start : start + len(added)]] += added
        start += len(added)
    question = distinct // max(1, width)
    best = order_rows(question, totals)
    lengths = np.bincount(question, minlength=len(questions))
    return lengths, (distinct - question * width)[best], totals[best]


def _distinct(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Each value once, ascending, and for each value its place among those.

    What ``np.unique`` answers, by one sort of value and position in one number.
    """
    bits = len(values).bit_length()
    packed = (values << bits) | np.arange(len(values))
    packed.sort()
    values, positions = packed >> bits, packed & ((1 << bits) - 1)
    first = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    slots = np.empty(len(values), dtype=np.intp)
    slots[positions] = np.cumsum(first) - 1
    return values[first], slots


PLUGIN = Plugin("fusion", RrfParameters, Rrf)
