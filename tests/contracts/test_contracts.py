"""Every part that comes with Leadline keeps the contract that plug-ins can be held to.

And the contracts can fail: for each promise there is a part that breaks it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from leadline import testing
from leadline.documents import View
from leadline.errors import EngineError
from leadline.hashing import Json
from leadline.questions import Question
from leadline.ranking import Run
from leadline.retrieval.base import Job, Retriever, Role
from leadline.retrieval.embedders import WORDLLAMA, WordLlamaParameters
from leadline.retrieval.fts5 import Fts5, Fts5Parameters
from leadline.retrieval.fusion import Rrf, RrfParameters
from leadline.retrieval.rerank import Coverage, CoverageParameters
from leadline.retrieval.tfidf import Tfidf, TfidfParameters
from leadline.retrieval.vector import Vector
from tests.hashed import Hashed

RETRIEVERS: dict[str, Callable[[], Retriever]] = {
    "fts5": lambda: Fts5(Fts5Parameters()),
    "fts5 ascii": lambda: Fts5(Fts5Parameters(words="ascii")),
    "fts5 porter": lambda: Fts5(Fts5Parameters(tokenizer="porter unicode61")),
    "fts5 trigram": lambda: Fts5(Fts5Parameters(tokenizer="trigram")),
    "tfidf": lambda: Tfidf(TfidfParameters()),
    "tfidf stopped": lambda: Tfidf(TfidfParameters("ascii", "english")),
    "vector": lambda: Vector(Hashed(), None),
}
FUSIONS = {
    "rrf": lambda: Rrf(RrfParameters()),
    "rrf weighted": lambda: Rrf(RrfParameters(weights=(0.0, 2.5), rank_constant=0)),
}
RERANKERS = {
    "coverage": lambda: Coverage(CoverageParameters()),
    "coverage ascii": lambda: Coverage(CoverageParameters("ascii")),
}


@pytest.mark.parametrize("promise", testing.RETRIEVER)
@pytest.mark.parametrize("name", RETRIEVERS)
def test_our_retrievers_keep(name: str, promise: Callable[..., None]) -> None:
    promise(RETRIEVERS[name])


@pytest.mark.parametrize("promise", testing.FUSION)
@pytest.mark.parametrize("name", FUSIONS)
def test_our_fusions_keep(name: str, promise: Callable[..., None]) -> None:
    promise(FUSIONS[name])


@pytest.mark.parametrize("promise", testing.RERANKER)
@pytest.mark.parametrize("name", RERANKERS)
def test_our_rerankers_keep(name: str, promise: Callable[..., None]) -> None:
    promise(RERANKERS[name])


@pytest.mark.parametrize("promise", testing.EMBEDDER)
@pytest.mark.parametrize("name", ["hashed", "wordllama"])
def test_our_embedders_keep(name: str, promise: Callable[..., None]) -> None:
    if name == "hashed":
        promise(Hashed)
    else:
        pytest.importorskip("tokenizers", reason="an extra that is not installed")
        promise(lambda: WORDLLAMA.build(WordLlamaParameters(64)))


# --- the contracts can fail --------------------------------------------------------


@dataclass
class Retrieving:
    """FTS5, spoiled."""

    spoil: Callable[[Run, View, Sequence[Question], int], Run] = lambda run, *_: run
    answer: Callable[[Job], Mapping[str, Json]] = lambda _: {}
    deep: bool = False

    def prepare(self, job: Job) -> Mapping[str, Json]:
        return self.answer(job)

    def search(self, view: View, questions: Sequence[Question], *, budget: int) -> Run:
        engine = Fts5(Fts5Parameters())
        run = engine.search(view, questions, budget=99 if self.deep else budget)
        return self.spoil(run, view, questions, budget)


def filtered_late(
    run: Run, view: View, questions: Sequence[Question], budget: int
) -> Run:
    """Cut first and filter then, as no one should."""
    whole = View(view.passages, view.searchable)
    found = Fts5(Fts5Parameters()).search(whole, questions, budget=budget)
    hits = []
    for position in range(len(found)):
        codes, scores = found.rows(position)
        keep = np.ones(len(codes), bool)
        if view.returnable is not None:
            keep = view.returnable[codes]
        hits.append((codes[keep], scores[keep]))
    return Run.from_hits(found.question_ids, found.passage_ids, hits)


def louder_in_company(
    run: Run, view: View, questions: Sequence[Question], budget: int
) -> Run:
    return replace(run, scores=run.scores * len(questions))


CHANCE = np.random.default_rng(0)


def padded(run: Run, view: View, questions: Sequence[Question], budget: int) -> Run:
    """Fill up with whatever there is."""
    codes = np.arange(min(budget, len(view.passages)))
    if view.returnable is not None:
        codes = np.flatnonzero(view.returnable)[:budget]
    hits = [(codes, np.zeros(len(codes)))] * len(questions)
    return Run.from_hits(run.question_ids, run.passage_ids, hits)


BAD_RETRIEVERS: dict[str, tuple[Callable[[], Retriever], str]] = {
    "over budget": (
        lambda: Retrieving(deep=True),
        "retriever_keeps_what_every_run_promises",
    ),
    "another answer each time": (
        lambda: Retrieving(answer=lambda _: {"x": CHANCE.random()}),
        "retriever_says_the_same_twice",
    ),
    "another score each time": (
        lambda: Retrieving(
            lambda run, *_: replace(run, scores=run.scores + CHANCE.random())
        ),
        "retriever_says_the_same_twice",
    ),
    "filtered late": (lambda: Retrieving(filtered_late), "retriever_cuts_one_ranking"),
    "louder in company": (
        lambda: Retrieving(louder_in_company),
        "retriever_answers_each_question_alone",
    ),
    "padded": (lambda: Retrieving(padded), "retriever_searches_nothing_in_peace"),
}


@pytest.mark.parametrize("case", BAD_RETRIEVERS)
def test_a_spoiled_retriever_is_found_out(case: str) -> None:
    build, promise = BAD_RETRIEVERS[case]
    with pytest.raises(EngineError):
        getattr(testing, promise)(build)


def test_a_retriever_that_counts_hidden_documents_is_found_out() -> None:
    counted: list[int] = []

    def count(job: Job) -> Mapping[str, Json]:
        counted.append(len(job.passages))
        return {}

    def spoil(run: Run, *_: object) -> Run:
        return replace(run, scores=run.scores * counted[-1])

    with pytest.raises(EngineError, match="ineligible documents changed the run"):
        testing.retriever_is_blind_to_what_is_not_eligible(
            lambda: Retrieving(spoil, count)
        )


@dataclass
class Fusing:
    """RRF, spoiled."""

    spoil: Callable[[Sequence[Run], Run], Run]

    def fuse(self, branches: Sequence[Run]) -> Run:
        return self.spoil(branches, Rrf(RrfParameters()).fuse(branches))


def meddling(branches: Sequence[Run], run: Run) -> Run:
    branches[0].scores[:] = 0
    return run


@pytest.mark.parametrize(
    ("spoil", "promise", "message"),
    [
        (
            lambda branches, run: run.cut(1),
            testing.fusion_returns_what_the_branches_returned,
            "dropped",
        ),
        (
            meddling,
            testing.fusion_returns_what_the_branches_returned,
            "a branch was changed",
        ),
        (
            lambda branches, run: replace(run, scores=run.scores + CHANCE.random()),
            testing.fusion_returns_what_the_branches_returned,
            "fusing again gave another run",
        ),
        (
            lambda branches, run: replace(run, question_ids=("x",)),
            testing.fusion_of_nothing_is_nothing,
            "something came of nothing",
        ),
    ],
)
def test_a_spoiled_fusion_is_found_out(
    spoil: Callable[[Sequence[Run], Run], Run],
    promise: Callable[..., None],
    message: str,
) -> None:
    with pytest.raises(EngineError, match=message):
        promise(lambda: Fusing(spoil))


@dataclass
class Reranking:
    """Coverage, spoiled."""

    spoil: Callable[[Run, Run], Run]

    def prepare(self, job: Job) -> Mapping[str, Json]:
        return {}

    def rerank(self, view: View, questions: Sequence[Question], run: Run) -> Run:
        found = Coverage(CoverageParameters()).rerank(view, questions, run)
        return self.spoil(run, found)


def greedy(incoming: Run, run: Run) -> Run:
    incoming.scores[:] = 0
    return run


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda incoming, run: run.cut(1), "dropped"),
        (greedy, "the input was changed"),
        (
            lambda incoming, run: replace(run, scores=run.scores + CHANCE.random()),
            "reranking again gave another run",
        ),
    ],
)
def test_a_spoiled_reranker_is_found_out(
    spoil: Callable[[Run, Run], Run], message: str
) -> None:
    with pytest.raises(EngineError, match=message):
        testing.reranker_keeps_the_passages(lambda: Reranking(spoil))


class Embedding(Hashed):
    """The hashed embedder, spoiled."""

    def __init__(self, spoil: Callable[[NDArray[np.float32]], Any]) -> None:
        super().__init__()
        object.__setattr__(self, "spoil", spoil)

    def embed(self, texts: Sequence[str], *, role: Role) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self.spoil(super().embed(texts, role=role))  # type: ignore[attr-defined]
        return found


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda array: array.astype(float), "float64 of shape"),
        (lambda array: array[:, :3], r"shape \(5, 3\)"),
        (lambda array: array * np.float32("nan"), "float32 of shape"),
        (lambda array: array + np.float32(1), "zeros are for a text without words"),
        (lambda array: array / max(1, len(array)), "alone and in a batch differ"),
    ],
)
def test_a_spoiled_embedder_is_found_out(
    spoil: Callable[[NDArray[np.float32]], Any], message: str
) -> None:
    def keep_all() -> None:
        for promise in testing.EMBEDDER:
            promise(lambda: Embedding(spoil))

    with pytest.raises(EngineError, match=message):
        keep_all()


def test_an_embedder_without_a_name_is_found_out() -> None:
    class Nameless(Hashed):
        def identity(self) -> Mapping[str, Json]:
            return {"dimension": 8, "sha256": ""}

    with pytest.raises(EngineError, match="identity has no model of type str"):
        testing.embedder_says_who_it_is(Nameless)
