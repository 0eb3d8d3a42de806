"""Contracts: what a plug-in must keep, to be run by its author.

Each promise is a function that takes what builds a fresh part and raises
`EngineError` where the promise is broken. `RETRIEVER`, `FUSION`, `RERANKER` and
`EMBEDDER` list them, to be run one by one::

    @pytest.mark.parametrize("promise", leadline.testing.RETRIEVER)
    def test_keeps(promise):
        promise(lambda: MyRetriever(depth=3))
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from leadline.documents import Document, Snapshot, Statistics, View
from leadline.errors import EngineError
from leadline.hashing import canonical
from leadline.policies import Policy
from leadline.questions import Question
from leadline.ranking import Run
from leadline.retrieval.base import Embedder, Fusion, Job, Reranker, Retriever, Role
from leadline.retrieval.promises import check_budget, check_run, check_same

CURRENT = Policy.parse({"status": "current"})
DOCUMENTS = (
    Document("berth", "A berth is reserved at the harbour office, in writing."),
    Document("crane", "The crane lifts two tonnes; the crane needs a licence."),
    Document("desk", "The help desk opens at nine and closes at five."),
    Document("desk", "The help desk opens at ten.", version="1", status="archived"),
    Document("empty", ""),
    Document("late", "Late returns cost two euros a day, at the help desk."),
    Document("twin", "The crane lifts two tonnes; the crane needs a licence."),
)
"""Eligible documents, one archived, one without a word, and two alike."""
QUESTIONS = (
    Question("hours", "When does the help desk open?", CURRENT),
    Question("lift", "What can the crane lift?", CURRENT),
    Question("blank", "", CURRENT),
    Question("odd", 'NOT "desk" AND (crane* OR title:^-\x00 {', CURRENT),
)
_BUDGET = 4


def job(
    documents: Iterable[Document] = DOCUMENTS,
    questions: Sequence[Question] = QUESTIONS,
    *,
    statistics: Statistics = "eligible",
) -> Job:
    """A small job without a cache, for the contracts and for other tests."""
    snapshot = Snapshot.of(documents)
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(question.policy.key, []).append(question)
    return Job(
        snapshot.passages,
        tuple(
            (snapshot.view(asked[0].policy, statistics=statistics), tuple(asked))
            for asked in groups.values()
        ),
    )


def _promise(*, kept: bool, sentence: str) -> None:
    if not kept:
        message = f"broken promise: {sentence}"
        raise EngineError(message)


# --- retrievers --------------------------------------------------------------------

BuildRetriever: TypeAlias = Callable[[], Retriever]


def _searched(build: BuildRetriever, work: Job, *, budget: int = _BUDGET) -> Run:
    """Prepare a fresh retriever, search the one view, and check the run."""
    retriever = build()
    retriever.prepare(work)
    view, questions = work.groups[0]
    found = retriever.search(view, questions, budget=budget)
    run = check_run(found, view, questions, source="the retriever")
    check_budget(run, budget, source="the retriever")
    return run


def retriever_keeps_what_every_run_promises(build: BuildRetriever) -> None:
    """In order, within the budget, and nothing that the question may not see."""
    for statistics in ("eligible", "snapshot"):
        for budget in (1, 2, 100):
            _searched(build, job(statistics=statistics), budget=budget)


def retriever_says_the_same_twice(build: BuildRetriever) -> None:
    """Equal jobs give equal answers to ``prepare``, in JSON, and equal runs."""
    work = job()
    answers = [canonical(dict(build().prepare(work))) for _ in range(2)]
    _promise(kept=answers[0] == answers[1], sentence="prepare answered otherwise")
    seals = {_searched(build, work).seal for _ in range(2)}
    _promise(kept=len(seals) == 1, sentence="a repeated search gave another run")


def retriever_cuts_one_ranking(build: BuildRetriever) -> None:
    """A smaller budget returns the beginning of what a larger one returns.

    So a filter is applied before the search: were it applied to what was found, a
    small budget would come back unfilled.
    """
    for statistics in ("eligible", "snapshot"):
        whole = _searched(build, job(statistics=statistics), budget=100)
        for budget in (1, 2, 3):
            cut = _searched(build, job(statistics=statistics), budget=budget)
            _promise(
                kept=cut.seal == whole.cut(budget).seal,
                sentence=f"budget {budget} is not the beginning of budget 100",
            )


def retriever_answers_each_question_alone(build: BuildRetriever) -> None:
    """The questions that are asked beside it do not change a ranking."""
    together = _searched(build, job())
    for question in QUESTIONS:
        alone = _searched(build, job(questions=[question]))
        _promise(
            kept=alone[question.question_id] == together[question.question_id],
            sentence=f"{question.question_id!r} is ranked otherwise when asked alone",
        )


def retriever_is_blind_to_what_is_not_eligible(build: BuildRetriever) -> None:
    """Documents that no question may see change nothing at all."""
    hidden = [
        Document("crane", "crane crane lift", version="0", status="archived"),
        Document("zebra", "When does the help desk open?", status="archived"),
    ]
    seen = [one for one in DOCUMENTS if one.status == "current"]
    seals = {_searched(build, job(docs)).seal for docs in (seen, [*seen, *hidden])}
    _promise(kept=len(seals) == 1, sentence="ineligible documents changed the run")


def retriever_searches_nothing_in_peace(build: BuildRetriever) -> None:
    """No eligible passage, and no word in any: empty rankings, no error."""
    for documents in ([Document("a", "desk", status="archived")], [Document("a", "")]):
        found = _searched(build, job(documents))
        _promise(kept=not len(found.passages), sentence="something came of nothing")


RETRIEVER: tuple[Callable[[BuildRetriever], None], ...] = (
    retriever_keeps_what_every_run_promises,
    retriever_says_the_same_twice,
    retriever_cuts_one_ranking,
    retriever_answers_each_question_alone,
    retriever_is_blind_to_what_is_not_eligible,
    retriever_searches_nothing_in_peace,
)

# --- fusions and rerankers ---------------------------------------------------------

BuildFusion: TypeAlias = Callable[[], Fusion]
BuildReranker: TypeAlias = Callable[[], Reranker]
_RANKINGS: tuple[Mapping[str, Sequence[str]], ...] = (
    {"hours": ["desk", "late", "crane"], "lift": [], "blank": [], "odd": ["late"]},
    {"hours": ["crane", "desk"], "lift": ["twin", "crane"], "blank": [], "odd": []},
)


def _branch(view: View, ranking: Mapping[str, Sequence[str]]) -> Run:
    codes = view.passages.codes
    hits = [
        (
            np.array([codes[one] for one in ids], dtype=np.int64),
            np.arange(len(ids), 0, -1, dtype=np.float64),
        )
        for ids in ranking.values()
    ]
    return Run.from_hits(tuple(ranking), view.passages.ids, hits)


def fusion_returns_what_the_branches_returned(build: BuildFusion) -> None:
    """All of it and nothing else, in the one order; the branches stay as they were."""
    view, questions = job().groups[0]
    branches = [_branch(view, ranking) for ranking in _RANKINGS]
    before = [(run.seal, run.passages.tobytes()) for run in branches]
    seals = set()
    for _ in range(2):
        found = check_run(build().fuse(branches), view, questions, source="the fusion")
        check_same(found, branches, source="the fusion")
        seals.add(found.seal)
    after = [(_copied(run).seal, run.passages.tobytes()) for run in branches]
    _promise(kept=before == after, sentence="a branch was changed")
    _promise(kept=len(seals) == 1, sentence="fusing again gave another run")


def fusion_of_nothing_is_nothing(build: BuildFusion) -> None:
    """Branches without a hit, and branches without a question."""
    view, _ = job().groups[0]
    for ranking in (dict.fromkeys(_RANKINGS[0], ()), {}):
        branches = [_branch(view, ranking)] * 2
        found = build().fuse(branches)
        _promise(
            kept=found.question_ids == tuple(ranking) and not len(found.passages),
            sentence="something came of nothing",
        )


def reranker_keeps_the_passages(build: BuildReranker) -> None:
    """The same ones for each question, in the one order; the input stays as it was."""
    work = job()
    view, questions = work.groups[0]
    reranker = build()
    canonical(dict(reranker.prepare(work)))
    for ranking in _RANKINGS:
        incoming = _branch(view, ranking)
        before = incoming.seal
        found = reranker.rerank(view, questions, incoming)
        run = check_run(found, view, questions, source="the reranker")
        check_same(run, [incoming], source="the reranker")
        again = reranker.rerank(view, questions, incoming)
        _promise(
            kept=again.seal == run.seal, sentence="reranking again gave another run"
        )
        _promise(
            kept=_copied(incoming).seal == before, sentence="the input was changed"
        )


def _copied(run: Run) -> Run:
    """The same columns, whose seal is not computed yet."""
    return Run(run.question_ids, run.passage_ids, run.offsets, run.passages, run.scores)


FUSION: tuple[Callable[[BuildFusion], None], ...] = (
    fusion_returns_what_the_branches_returned,
    fusion_of_nothing_is_nothing,
)
RERANKER: tuple[Callable[[BuildReranker], None], ...] = (reranker_keeps_the_passages,)

# --- embedders ---------------------------------------------------------------------

BuildEmbedder: TypeAlias = Callable[[], Embedder]
_TEXTS = ("The crane lifts.", "", "Öffnungszeiten", "desk " * 500, "The crane lifts.")
_ROLES: tuple[Role, ...] = ("question", "passage")


def embedder_says_who_it_is(build: BuildEmbedder) -> None:
    """A model, a dimension and the hash of its weights, each time the same."""
    identity = dict(build().identity())
    for key, kind in (("model", str), ("dimension", int), ("sha256", str)):
        kept = isinstance(identity.get(key), kind)
        _promise(kept=kept, sentence=f"identity has no {key} of type {kind.__name__}")
    same = canonical(identity) == canonical(dict(build().identity()))
    _promise(kept=same, sentence="identity changes from one call to the next")


def embedder_answers_in_the_promised_shape(build: BuildEmbedder) -> None:
    """One finite float32 row a text, and zeros for a text without words."""
    embedder = build()
    dimension = embedder.identity()["dimension"]
    for role in _ROLES:
        for texts in (_TEXTS, ()):
            found = embedder.embed(texts, role=role)
            _promise(
                kept=found.shape == (len(texts), dimension)
                and found.dtype == np.float32
                and bool(np.isfinite(found).all()),
                sentence=f"{found.dtype} of shape {found.shape} for {len(texts)} texts",
            )
        words = embedder.embed(_TEXTS, role=role).any(axis=1)
        kept = words.tolist() == [bool(text) for text in _TEXTS]
        _promise(kept=kept, sentence="zeros are for a text without words, and no other")


def embedder_does_not_mind_company(build: BuildEmbedder) -> None:
    """A text alone and in a batch, now and again, gives the same bytes."""
    embedder = build()
    for role in _ROLES:
        together = embedder.embed(_TEXTS, role=role)
        alone = [build().embed([text], role=role)[0] for text in _TEXTS]
        kept = together.tobytes() == np.stack(alone).tobytes()
        _promise(kept=kept, sentence=f"a {role} alone and in a batch differ")


EMBEDDER: tuple[Callable[[BuildEmbedder], None], ...] = (
    embedder_says_who_it_is,
    embedder_answers_in_the_promised_shape,
    embedder_does_not_mind_company,
)
