"""SQLite FTS5: lexical retrieval by the full-text engine that Python brings along.

One index in memory for each view, so that its statistics are the view's. The score is
the negation of FTS5's own ``bm25()``, which is smaller for better passages.

Each distinct word of the questions is asked once, as a quoted string, and a question's
score is the sum of its words' scores in their order. ``bm25()`` of the words joined by
OR makes the same additions in the same order, but so

- no character of a question can be an operator, and no question is too long for
  FTS5's parser: there is no limit on words, brackets or letters;
- a word that many questions share is looked up once.

Formula: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and
Beyond" (2009), as in FTS5's documentation, with k1 = 1.2, b = 0.75, and 0.000001 for
the weight of a word that is in more than half of the passages.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import numpy as np

from leadline.documents import View
from leadline.errors import EngineError
from leadline.hashing import Json
from leadline.plugins import Plugin
from leadline.questions import Question
from leadline.ranking import Codes, Run, Scores, top
from leadline.retrieval.base import Job
from leadline.text import WORD_RULES, distinct, unicode_runs

_HITS = np.dtype([("rowid", np.int64), ("bm25", np.float64)])


@dataclass(frozen=True, slots=True)
class Fts5Parameters:
    """``words``: how a question is split.

    ``unicode`` folds question and passage alike, so "STRASSE" finds "Straße";
    ``ascii`` takes the question's runs of ``[a-z0-9]`` and leaves the passage to FTS5.
    ``tokenizer`` is FTS5's own: ``porter unicode61`` stems English, and ``trigram``
    finds words inside words of any script, from three characters on.
    """

    words: Literal["unicode", "ascii"] = "unicode"
    tokenizer: Literal["unicode61", "porter unicode61", "trigram"] = "unicode61"


@dataclass(frozen=True, slots=True)
class Fts5:
    """The retriever."""

    parameters: Fts5Parameters

    def prepare(self, job: Job) -> Mapping[str, Json]:  # noqa: ARG002 -- the protocol's
        """Name the engine; there is nothing to load."""
        return {"engine": "sqlite", "version": sqlite3.sqlite_version}

    def search(self, view: View, questions: Sequence[Question], *, budget: int) -> Run:
        """Rank the view; a question without a word in common with it gets nothing."""
        split = self._split
        asked = [distinct(split(question.text)) for question in questions]
        uses = Counter(word for words in asked for word in words)
        known: dict[str, tuple[Codes, Scores]] = {}
        hits = []
        with closing(self._index(view)) as index:
            for words in asked:
                total = np.zeros(len(view.passages))
                for word in words:
                    if word not in known:
                        known[word] = _matches(index, word)
                    codes, scores = known[word]
                    total[codes] += scores
                    uses[word] -= 1
                    if not uses[word]:
                        del known[word]
                if view.returnable is not None:
                    total[~view.returnable] = 0.0
                found = np.flatnonzero(total)
                best = found[top(total[found], found, budget)]
                hits.append((best, total[best]))
        question_ids = [question.question_id for question in questions]
        return Run.from_hits(question_ids, view.passages.ids, hits)

    @property
    def _split(self) -> Callable[[str], list[str]]:
        """How a question is split, and under ``unicode`` a passage too."""
        rule = self.parameters.words
        # Of a pair of Han characters there are no three to find.
        whole = rule == "unicode" and self.parameters.tokenizer == "trigram"
        return unicode_runs if whole else WORD_RULES[rule]

    def _index(self, view: View) -> sqlite3.Connection:
        """Index every passage of the view under its code + 1."""
        index = sqlite3.connect(":memory:", isolation_level=None)
        try:
            # The text is not kept, for the scores do not need it.
            index.execute(
                "CREATE VIRTUAL TABLE passage USING fts5"
                f"(text, content='', tokenize='{self.parameters.tokenizer}')"
            )
        except sqlite3.OperationalError as error:
            index.close()
            message = (
                f"SQLite {sqlite3.sqlite_version} cannot index with the tokenizer "
                f'"{self.parameters.tokenizer}": {error}. Use a Python whose SQLite '
                "is 3.34 or newer and has FTS5"
            )
            raise EngineError(message) from None
        texts = view.searchable
        if self.parameters.words == "unicode":
            split = self._split
            texts = tuple(" ".join(split(text)) for text in texts)
        index.execute("BEGIN")
        index.executemany(
            "INSERT INTO passage(rowid, text) VALUES (?, ?)", enumerate(texts, 1)
        )
        index.execute("COMMIT")
        return index


def _matches(index: sqlite3.Connection, word: str) -> tuple[Codes, Scores]:
    """The passages that have a word, and what it adds to their scores: always > 0."""
    quoted = '"' + word.replace('"', '""') + '"'
    rows = index.execute(
        "SELECT rowid, bm25(passage) FROM passage WHERE passage MATCH ?", (quoted,)
    )
    hits = np.fromiter(rows, _HITS)
    return hits["rowid"] - 1, -hits["bm25"]


PLUGIN = Plugin("retriever", Fts5Parameters, Fts5)
