"""TF-IDF: the cosine of the question's words and a passage's, weighted by rarity.

    weight(term, text)  = count(term, text) * idf(term)
    idf(term)           = ln((N + 1) / (df(term) + 1)) + 1
    score(question, passage) = the dot product of the two vectors of weights, each
                               divided by its Euclidean length

``N`` and ``df`` are counted over the view's passages. A word of the question that no
passage has is left out; a text without words has no vector and matches nothing. Only
passages with a score above 0 are returned.

It is what scikit-learn calls smoothed, l2-normalised TF-IDF. The score is neither a
probability nor a calibrated confidence.

Every sum runs in the order of the terms, one addition after the other, and logarithms
do not come from the machine's own library: scores are the same everywhere.

Source: G. Salton and C. Buckley, "Term-weighting approaches in automatic text
retrieval", Information Processing & Management 24 (1988).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from leadline.documents import View
from leadline.hashing import Json
from leadline.plugins import Plugin
from leadline.questions import Question
from leadline.ranking import Codes, Run, Scores, top
from leadline.retrieval.base import Job
from leadline.text import splitter

_DIGITS = Context(prec=20)


@dataclass(frozen=True, slots=True)
class TfidfParameters:
    """``words``: how texts are split; ``stop_words``: the list that is left out.

    Both are names; see `leadline.text`.
    """

    words: Literal["unicode", "ascii"] = "unicode"
    stop_words: Literal["none", "english"] = "none"

    def terms(self, text: str) -> list[str]:
        """The words of a text that count, in order, repeats kept."""
        return splitter(self.words, self.stop_words)(text)


@dataclass(frozen=True, slots=True)
class Term:
    """What one word adds to the score of one passage for one question."""

    term: str
    question_tf: int
    passage_tf: int
    passages: int
    """N: over how many passages words are counted."""
    df: int
    """In how many of them the word is."""
    idf: float
    question_weight: float
    """Count times idf, over the question's length."""
    passage_weight: float
    contribution: float
    """The product of both weights. The score is the sum of the contributions."""


@dataclass(frozen=True, slots=True)
class _Index:
    """The vectors of a view's passages, as columns: term by term, then by passage."""

    terms: Mapping[str, int]
    """Term -> position, ascending by term."""
    idf: Scores
    df: NDArray[np.int64]
    offsets: NDArray[np.int64]
    """Rows ``offsets[i]`` to ``offsets[i + 1]`` are those of term ``i``."""
    passages: Codes
    counts: NDArray[np.int64]
    weights: Scores

    @classmethod
    def of(cls, view: View, parameters: TfidfParameters) -> Self:
        counted = [Counter(parameters.terms(text)) for text in view.searchable]
        terms = {one: place for place, one in enumerate(sorted(set().union(*counted)))}
        size = sum(map(len, counted))
        columns = np.fromiter(
            (terms[one] for each in counted for one in each), np.int64, size
        )
        counts = np.fromiter(
            (count for each in counted for count in each.values()), np.int64, size
        )
        passages = np.repeat(
            np.arange(len(counted)), np.fromiter(map(len, counted), np.int64)
        )
        order = np.lexsort((passages, columns))
        columns, counts, passages = columns[order], counts[order], passages[order]
        df = np.bincount(columns, minlength=len(terms))
        idf = _idf(df, len(counted))
        weights = counts * idf[columns]
        lengths = _lengths(passages, weights, len(counted))
        offsets = np.concatenate(([0], np.cumsum(df)))
        weights = weights / lengths[passages]
        return cls(terms, idf, df, offsets, passages, counts, weights)

    def question(self, words: Sequence[str]) -> list[tuple[str, int, int, float]]:
        """``(term, position, count, weight)`` of the known words, ascending."""
        counted = Counter(one for one in words if one in self.terms)
        known = sorted(counted)
        places = [self.terms[one] for one in known]
        counts = np.array([counted[one] for one in known], np.int64)
        weights = counts * self.idf[places] if known else np.empty(0)
        weights = weights / _lengths(np.zeros(len(known), np.int64), weights, 1)
        return list(zip(known, places, counts.tolist(), weights.tolist(), strict=True))

    def rows(self, place: int) -> slice:
        return slice(self.offsets[place], self.offsets[place + 1])


@dataclass(frozen=True, slots=True)
class Tfidf:
    """The retriever."""

    parameters: TfidfParameters

    def prepare(self, job: Job) -> Mapping[str, Json]:  # noqa: ARG002 -- the protocol's
        """There is nothing to load."""
        return {}

    def search(self, view: View, questions: Sequence[Question], *, budget: int) -> Run:
        """Rank the view; a question without a word in common with it gets nothing."""
        index = _Index.of(view, self.parameters)
        hits = []
        for question in questions:
            total = np.zeros(len(view.passages))
            for _, place, _, weight in index.question(
                self.parameters.terms(question.text)
            ):
                rows = index.rows(place)
                total[index.passages[rows]] += weight * index.weights[rows]
            if view.returnable is not None:
                total[~view.returnable] = 0.0
            found = np.flatnonzero(total > 0)
            best = found[top(total[found], found, budget)]
            hits.append((best, total[best]))
        question_ids = [question.question_id for question in questions]
        return Run.from_hits(question_ids, view.passages.ids, hits)


def explain(
    view: View,
    question_text: str,
    passage_ids: Sequence[str],
    parameters: TfidfParameters,
) -> dict[str, tuple[Term, ...]]:
    """Take the scores of passages apart, term by term.

    Args:
        view: what was searched.
        question_text: what was asked.
        passage_ids: whose scores; they are in the view.
        parameters: the retriever's.

    Returns:
        Passage id -> the terms that it shares with the question, ascending. Adding
        their contributions one after the other gives the score, to the last bit.
    """
    index = _Index.of(view, parameters)
    asked = index.question(parameters.terms(question_text))
    found: dict[str, tuple[Term, ...]] = {}
    for passage_id in passage_ids:
        code = view.passages.codes[passage_id]
        terms = []
        for term, place, count, weight in asked:
            rows = index.rows(place)
            at = int(rows.start + np.searchsorted(index.passages[rows], code))
            if at < rows.stop and index.passages[at] == code:
                passage_weight = float(index.weights[at])
                terms.append(
                    Term(
                        term=term,
                        question_tf=count,
                        passage_tf=int(index.counts[at]),
                        passages=len(view.passages),
                        df=int(index.df[place]),
                        idf=float(index.idf[place]),
                        question_weight=weight,
                        passage_weight=passage_weight,
                        contribution=weight * passage_weight,
                    )
                )
        found[passage_id] = tuple(terms)
    return found


def _idf(df: NDArray[np.int64], passages: int) -> Scores:
    distinct, inverse = np.unique(df, return_inverse=True)
    values = [_smooth_idf(one, passages) for one in distinct.tolist()]
    return np.array(values, np.float64)[inverse]


@lru_cache(maxsize=1 << 14)
def _smooth_idf(df: int, passages: int) -> float:
    # Decimal arithmetic is specified to the digit; a C library's logarithm is not.
    ratio = _DIGITS.divide(Decimal(passages + 1), Decimal(df + 1))
    return float(_DIGITS.add(_DIGITS.ln(ratio), Decimal(1)))


def _lengths(rows: NDArray[np.int64], weights: Scores, count: int) -> Scores:
    """The Euclidean length of each row's weights, added up in their order."""
    squares = np.bincount(rows, weights=weights * weights, minlength=count)
    return np.sqrt(squares.astype(np.float64))


PLUGIN = Plugin("retriever", TfidfParameters, Tfidf)
