"""Small corpora, questions and runs for tests of retrieval."""

from collections.abc import Mapping, Sequence

import numpy as np

from leadline.documents import Document
from leadline.hashing import Json
from leadline.policies import Policy
from leadline.questions import Question
from leadline.ranking import Run
from leadline.retrieval.base import Job, Retriever
from leadline.testing import job


def documents(texts: Mapping[str, str]) -> list[Document]:
    """One document a text."""
    return [Document(source_id, text) for source_id, text in texts.items()]


def questions(
    texts: Mapping[str, str], policy: Mapping[str, Json] | None = None
) -> list[Question]:
    """One question a text, all with one policy."""
    rule = Policy.parse(policy or {})
    return [Question(question_id, text, rule) for question_id, text in texts.items()]


def searched(retriever: Retriever, work: Job, *, budget: int = 100) -> Run:
    """Prepare, and search the one group of a job."""
    retriever.prepare(work)
    view, asked = work.groups[0]
    return retriever.search(view, asked, budget=budget)


def asking(texts: Mapping[str, str], asked: Mapping[str, str]) -> Job:
    """A job over plain texts, all of which may be seen."""
    return job(documents(texts), questions(asked))


def run(rankings: Mapping[str, Mapping[str, float]], ids: Sequence[str] = ()) -> Run:
    """A run over the passages named, and ``ids``."""
    names = sorted({*ids, *(one for row in rankings.values() for one in row)})
    codes = {name: code for code, name in enumerate(names)}
    hits = []
    for row in rankings.values():
        best = sorted(row.items(), key=lambda item: (-item[1], item[0]))
        hits.append(
            (
                np.array([codes[one] for one, _ in best], dtype=np.int64),
                np.array([score for _, score in best], dtype=np.float64),
            )
        )
    return Run.from_hits(tuple(rankings), names, hits)
