"""Runs: the rankings of one configuration over all questions, as columns.

Order is total: score descending, then passage id ascending. `order` (and, for many
questions at once, `order_rows`) is the only function in the package that sorts hits,
and `top` the only one that cuts them.

A `Run` keeps three arrays in CSR layout: the hits of question ``i`` are rows
``offsets[i]`` to ``offsets[i + 1]`` of ``passages`` (codes into ``passage_ids``,
which ascends, so comparing codes is comparing ids) and of ``scores`` (float64, as
computed). A `Ranking` is a view of one question's rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from leadline.errors import EngineError, InputError, shown
from leadline.hashing import digest_columns

Codes = NDArray[np.int64]
Scores = NDArray[np.float64]


def order(scores: Scores, codes: Codes) -> NDArray[np.intp]:
    """Positions of hits, best first: score descending, then code ascending."""
    return np.lexsort((codes, -scores))


def top(scores: Scores, codes: Codes, depth: int) -> NDArray[np.intp]:
    """Positions of the ``depth`` best hits, best first, ties by code.

    The same as ``order(scores, codes)[:depth]``, without sorting what is cut.
    """
    if len(scores) <= depth:
        return order(scores, codes)
    limit = np.partition(scores, len(scores) - depth)[len(scores) - depth]
    kept = np.flatnonzero(scores >= limit)
    return kept[order(scores[kept], codes[kept])[:depth]]


def order_rows(questions: NDArray[np.int64], scores: Scores) -> NDArray[np.intp]:
    """Positions of many questions' hits: question by question, each best first.

    The rows must come by question, and by code within a question. The same as
    `order` for each question in turn, with one sort for all of them.
    """
    bits = (scores + 0.0).view(np.int64)  # a float from 0 up sorts like its bits
    if not len(bits) or bits.min() < 0:
        return np.lexsort((-scores, questions))
    # One number a row: question, the score's leading bits turned round, position.
    low = len(bits).bit_length()
    width = min(
        int(bits.max()).bit_length(), 63 - low - int(questions[-1]).bit_length()
    )
    lead = bits >> max(0, int(bits.max()).bit_length() - width)
    packed = ((questions << width) | ((1 << width) - 1 - lead)) << low
    packed |= np.arange(len(bits))
    packed.sort()
    positions = packed & ((1 << low) - 1)
    # Where the leading bits are equal and the scores are not, sort by all of them.
    found, lead = scores[positions], packed >> low
    unsure = (lead[1:] == lead[:-1]) & (found[1:] != found[:-1])
    if unsure.any():
        rows = np.flatnonzero(np.isin(lead, lead[1:][unsure]))
        some = np.sort(positions[rows])
        positions[rows] = some[np.lexsort((-scores[some], questions[some]))]
    return positions


@dataclass(frozen=True, slots=True)
class Ranking:
    """The hits for one question, best first; rank 1 is position 0."""

    question_id: str
    passage_ids: tuple[str, ...]
    scores: tuple[float, ...]

    def __len__(self) -> int:
        """How many passages were returned."""
        return len(self.passage_ids)

    def ranks(self) -> dict[str, int]:
        """Passage id -> rank, from 1."""
        return {passage_id: rank for rank, passage_id in enumerate(self.passage_ids, 1)}


@dataclass(frozen=True)
class Run:
    """The rankings of one configuration over all questions.

    ``question_ids`` are in the order of the questions asked; a question for which
    nothing was returned is there with no rows.
    """

    question_ids: tuple[str, ...]
    passage_ids: tuple[str, ...]
    offsets: NDArray[np.int64]
    passages: Codes
    scores: Scores

    @classmethod
    def from_hits(
        cls,
        question_ids: Sequence[str],
        passage_ids: Sequence[str],
        hits: Sequence[tuple[Codes, Scores]],
    ) -> Self:
        """Collect one ``(codes, scores)`` pair a question, already in order."""
        lengths = np.fromiter((len(codes) for codes, _ in hits), np.int64, len(hits))
        return cls(
            tuple(question_ids),
            tuple(passage_ids),
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            np.concatenate([c for c, _ in hits] or [np.empty(0, np.int64)]).astype(
                np.int64
            ),
            np.concatenate([s for _, s in hits] or [np.empty(0)]).astype(np.float64),
        )

    @classmethod
    def from_scores(cls, scores: Mapping[str, Mapping[str, float]]) -> Self:
        """Rank a dict of dicts, question -> passage -> score, in the one order.

        >>> run = Run.from_scores({"q": {"b": 1.0, "c": 2.0, "a": 1.0}})
        >>> run["q"].passage_ids
        ('c', 'a', 'b')

        Raises:
            InputError: a score is NaN or infinite.
        """
        passage_ids = sorted({passage for row in scores.values() for passage in row})
        codes = {passage_id: code for code, passage_id in enumerate(passage_ids)}
        hits = []
        for question_id, row in scores.items():
            found = np.fromiter((codes[one] for one in row), np.int64, len(row))
            values = np.fromiter(row.values(), np.float64, len(row))
            if not np.isfinite(values).all():
                bad = list(row)[int(np.flatnonzero(~np.isfinite(values))[0])]
                message = (
                    f"question {shown(question_id)}, passage {shown(bad)}: the score "
                    f"is {row[bad]}, expected a finite number"
                )
                raise InputError(message)
            best = order(values, found)
            hits.append((found[best], values[best]))
        return cls.from_hits(tuple(scores), passage_ids, hits)

    @classmethod
    def from_rankings(
        cls, rankings: Mapping[str, tuple[Sequence[str], Sequence[float]]]
    ) -> Self:
        """The run that has these rankings, in the order in which they stand."""
        passage_ids = sorted({one for ids, _ in rankings.values() for one in ids})
        codes = {passage_id: code for code, passage_id in enumerate(passage_ids)}
        hits = [
            (
                np.fromiter((codes[one] for one in ids), np.int64, len(ids)),
                np.array(scores, dtype=np.float64),
            )
            for ids, scores in rankings.values()
        ]
        return cls.from_hits(tuple(rankings), passage_ids, hits)

    @classmethod
    def join(cls, runs: Sequence["Run"], question_ids: Sequence[str]) -> Self:
        """Put runs over disjoint questions together, in the order asked for.

        The result's ``passage_ids`` are just those that were returned.
        """
        passage_ids = sorted(set().union(*(run.returned() for run in runs)))
        codes = {passage_id: code for code, passage_id in enumerate(passage_ids)}
        rankings = {}
        for run in runs:
            renamed = np.array(
                [codes.get(one, -1) for one in run.passage_ids], np.int64
            )
            for position, question_id in enumerate(run.question_ids):
                found, scores = run.rows(position)
                rankings[question_id] = (renamed[found], scores)
        hits = [rankings[question_id] for question_id in question_ids]
        return cls.from_hits(question_ids, passage_ids, hits)

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Question id -> position."""
        return {question_id: i for i, question_id in enumerate(self.question_ids)}

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many passages were returned for each question."""
        return np.diff(self.offsets)

    def rows(self, position: int) -> tuple[Codes, Scores]:
        """``(codes, scores)`` of the question at this position."""
        rows = slice(self.offsets[position], self.offsets[position + 1])
        return self.passages[rows], self.scores[rows]

    def __getitem__(self, question_id: str) -> Ranking:
        """The ranking of one question."""
        codes, scores = self.rows(self.positions[question_id])
        return Ranking(
            question_id,
            tuple(self.passage_ids[code] for code in codes.tolist()),
            tuple(scores.tolist()),
        )

    def __iter__(self) -> Iterator[Ranking]:
        """Every ranking, in the order of the questions."""
        return (self[question_id] for question_id in self.question_ids)

    def __len__(self) -> int:
        """How many questions."""
        return len(self.question_ids)

    def returned(self) -> set[str]:
        """Every passage that some ranking holds."""
        return {self.passage_ids[code] for code in self._used().tolist()}

    def _used(self) -> Codes:
        """Codes of the passages that were returned, ascending."""
        used = np.zeros(len(self.passage_ids), dtype=np.bool_)
        used[self.passages] = True
        return np.flatnonzero(used)

    def cut(self, depth: int) -> "Run":
        """The same rankings, with at most ``depth`` hits each."""
        ranks = np.arange(len(self.passages)) - np.repeat(
            self.offsets[:-1], self.lengths
        )
        keep = ranks < depth
        lengths = np.minimum(self.lengths, depth)
        return Run(
            self.question_ids,
            self.passage_ids,
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            self.passages[keep],
            self.scores[keep],
        )

    @cached_property
    def seal(self) -> str:
        """Hash of what was returned: questions, passage ids, scores, and order.

        It depends on nothing else: not on the configuration's name, nor on
        passages that were not returned.
        """
        used = self._used()
        codes = np.zeros(len(self.passage_ids), dtype=np.int64)
        codes[used] = np.arange(len(used))
        names = (self.passage_ids[code] for code in used.tolist())
        strings = (*self.question_ids, "", *names)
        return digest_columns(
            "run/1", strings, self.offsets, codes[self.passages], self.scores
        )

    def check(
        self, *, source: str, returnable: NDArray[np.bool_] | None = None
    ) -> Self:
        """Hold a run to what every run promises, and return it.

        Raises:
            EngineError: names ``source``, the question and the fault: a score that
                is not finite, a passage twice, hits out of order, or a passage
                that the question may not see.
        """
        for position, question_id in enumerate(self.question_ids):
            codes, scores = self.rows(position)
            if fault := _fault(codes, scores, returnable):
                message = f"{source}, question {shown(question_id)}: {fault}"
                raise EngineError(message)
        return self


def _fault(
    codes: Codes, scores: Scores, returnable: NDArray[np.bool_] | None
) -> str | None:
    if not np.isfinite(scores).all():
        return "a score is NaN or infinite"
    if len(np.unique(codes)) != len(codes):
        return "a passage was returned twice"
    if not np.array_equal(order(scores, codes), np.arange(len(codes))):
        return "hits are out of order; sort them with leadline.ranking.order"
    if returnable is not None and not returnable[codes].all():
        return "a passage was returned that the question may not see"
    return None
