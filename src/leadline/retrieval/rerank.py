"""Coverage: rerank by the share of the question's words that a passage has.

Passages of equal coverage stay in their incoming order. Since a run has one order, by
score, that is written into the score:

    score = coverage - (incoming rank - 1) * 2**-40

Two shares of n words differ by at least 1 / n, so for any n questions' words and any
incoming ranks whose product is below 2**40 the last term decides between equal shares
only; each step of it is far above what a float64 can tell apart. `features` gives the
share itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from leadline.documents import View
from leadline.hashing import Json
from leadline.plugins import Plugin
from leadline.questions import Question
from leadline.ranking import Run, order
from leadline.retrieval.base import Job
from leadline.text import WORD_RULES, distinct

STEP = 2.0**-40
"""What each incoming rank takes off the score."""


@dataclass(frozen=True, slots=True)
class CoverageParameters:
    """``words``: how question and passage are split; see `leadline.text`."""

    words: Literal["unicode", "ascii"] = "unicode"


@dataclass(frozen=True, slots=True)
class Features:
    """What a coverage score is made of."""

    query_tokens: tuple[str, ...]
    """The question's distinct words, in its order."""
    matched_tokens: tuple[str, ...]
    """Those that the passage has, ascending."""

    @property
    def query_token_count(self) -> int:
        """How many distinct words the question has."""
        return len(self.query_tokens)

    @property
    def matched_count(self) -> int:
        """How many of them the passage has."""
        return len(self.matched_tokens)

    @property
    def coverage_score(self) -> float:
        """The share of the question's words; 0 for a question without words."""
        return self.matched_count / max(1, self.query_token_count)


def features(question_text: str, passage_text: str, *, rule: str) -> Features:
    """Split a question and what is searched of a passage, and compare the words.

    >>> found = features("Does it write bytes?", "It writes bytes.", rule="ascii")
    >>> found.matched_tokens, found.coverage_score
    (('bytes', 'it'), 0.5)
    """
    split = WORD_RULES[rule]
    asked = distinct(split(question_text))
    return Features(tuple(asked), tuple(sorted(set(asked) & set(split(passage_text)))))


@dataclass(frozen=True, slots=True)
class Coverage:
    """The reranker."""

    parameters: CoverageParameters

    def prepare(self, job: Job) -> Mapping[str, Json]:  # noqa: ARG002 -- the protocol's
        """There is nothing to load."""
        return {}

    def rerank(self, view: View, questions: Sequence[Question], run: Run) -> Run:
        """Order the incoming passages by coverage, then by incoming rank."""
        split = WORD_RULES[self.parameters.words]
        asked = [set(split(question.text)) for question in questions]
        wanted = set().union(*asked)
        # Of each passage that came in, only the words that some question asks for.
        words = {
            code: wanted.intersection(split(view.searchable[code]))
            for code in np.unique(run.passages).tolist()
        }
        hits = []
        for position, tokens in enumerate(asked):
            codes, _ = run.rows(position)
            matched = [len(tokens & words[code]) for code in codes.tolist()]
            shares = np.array(matched, dtype=np.float64) / max(1, len(tokens))
            scores = shares - np.arange(len(codes)) * STEP
            best = order(scores, codes)
            hits.append((codes[best], scores[best]))
        return Run.from_hits(run.question_ids, run.passage_ids, hits)


PLUGIN = Plugin("reranker", CoverageParameters, Coverage)
