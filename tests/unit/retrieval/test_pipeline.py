"""The pipeline: each stage once, every promise held, nothing repeated."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from leadline.documents import Document, Snapshot, View
from leadline.errors import EngineError, InputError, LeadlineError
from leadline.experiment import Configuration
from leadline.hashing import Json
from leadline.plugins import BUILT_IN, Kind, Part, Plugin
from leadline.plugins import find as plugins_find
from leadline.policies import Policy
from leadline.questions import Question
from leadline.ranking import Run
from leadline.retrieval.base import Job, Progress, silent
from leadline.retrieval.fts5 import Fts5, Fts5Parameters
from leadline.retrieval.fusion import RrfParameters
from leadline.retrieval.pipeline import Context, Prepared, Store, prepare, run
from leadline.retrieval.rerank import CoverageParameters

CONTEXT = Context("snapshot", "questions", "eligible", ("text",))
DOCUMENTS = [
    Document("a", "the desk opens at nine", version="1"),
    Document("a", "the desk opens at ten", version="2"),
    Document("b", "a crane lifts the desk", version="1"),
    Document("c", "berths are reserved", version="2"),
]
QUESTIONS = [
    Question("q2", "when does the desk open", Policy.parse({"version": "1"})),
    Question("q1", "when does the desk open", Policy.parse({"version": "2"})),
    Question("q3", "who lifts the desk", Policy.parse({"version": "1"})),
]


@dataclass(frozen=True)
class Anything:
    """Parameters that no file has to spell."""

    value: Any = None


@pytest.fixture
def install(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[Kind, Callable[[], Any]], Part]:
    """Make a part out of anything, as if a package had brought it."""
    found: dict[tuple[str, str], Plugin] = {}

    def find(kind: Kind, name: str) -> Plugin:
        return found.get((kind, name)) or plugins_find(kind, name)

    def put(kind: Kind, build: Callable[[], Any]) -> Part:
        name = f"theirs-{len(found)}"
        found[kind, name] = Plugin(kind, Anything, lambda _: build())
        monkeypatch.setattr("leadline.plugins.find", find)
        return Part(kind, name, Anything())

    return put


UNICODE = Fts5Parameters()


def lexical(
    name: str = "lexical",
    parameters: Fts5Parameters = UNICODE,
    *,
    budget: int = 10,
) -> Configuration:
    return Configuration(name, Part("retriever", "fts5", parameters), (), budget)


def fused(name: str, *inputs: str) -> Configuration:
    return Configuration(name, Part("fusion", "rrf", RrfParameters()), inputs, 10)


def covered(name: str, source: str) -> Configuration:
    part = Part("reranker", "coverage", CoverageParameters())
    return Configuration(name, part, (source,), 10)


def work(progress: Progress = silent) -> Job:
    snapshot = Snapshot.of(DOCUMENTS)
    groups: dict[str, list[Question]] = {}
    for question in QUESTIONS:
        groups.setdefault(question.policy.key, []).append(question)
    views = tuple(
        (snapshot.view(asked[0].policy), tuple(asked)) for asked in groups.values()
    )
    return Job(snapshot.passages, views, progress=progress)


ALL = [
    lexical(),
    lexical("stemmed", Fts5Parameters(tokenizer="porter unicode61")),
    fused("fused", "lexical", "stemmed"),
    covered("covered", "fused"),
]


@dataclass
class Memory:
    """A store in memory."""

    runs: dict[str, Run] = field(default_factory=dict)

    def get(self, key: str) -> Run | None:
        return self.runs.get(key)

    def put(self, key: str, run: Run) -> None:
        self.runs[key] = run


def seals(runs: Mapping[str, Run]) -> dict[str, str]:
    return {name: run.seal for name, run in runs.items()}


def ran(
    configurations: Sequence[Configuration] = ALL, *, store: Store | None = None
) -> dict[str, Run]:
    job = work()
    return run(prepare(configurations, job), job, CONTEXT, QUESTIONS, store=store)


def test_every_configuration_is_run_over_every_question_in_their_order() -> None:
    runs = ran()
    assert list(runs) == ["lexical", "stemmed", "fused", "covered"]
    for found in runs.values():
        assert found.question_ids == ("q2", "q1", "q3")
        assert set(found["q1"].passage_ids) <= {"a@2", "c@2"}
        assert set(found["q2"].passage_ids) <= {"a@1", "b@1"}
    assert runs["covered"]["q3"].passage_ids == ("b@1", "a@1")


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions of each search, in order."""
    found: list[str] = []
    search = Fts5.search

    def count(
        self: Fts5, view: View, questions: Sequence[Question], *, budget: int
    ) -> Run:
        found.append(" ".join(one.question_id for one in questions))
        return search(self, view, questions, budget=budget)

    monkeypatch.setattr(Fts5, "search", count)
    return found


def test_a_shared_stage_is_run_once(searches: list[str]) -> None:
    ran([*ALL, covered("other", "lexical"), fused("alone", "lexical")])
    assert searches == ["q2 q3", "q1"] * 2


def test_a_repeat_searches_nothing(searches: list[str]) -> None:
    store = Memory()
    first = ran(store=store)
    searches.clear()
    assert seals(ran(store=store)) == seals(first)
    assert searches == []


def test_a_killed_run_resumes_after_its_last_sealed_stage(searches: list[str]) -> None:
    """Stages that are built on stored ones are computed from them."""
    store = Memory()
    first = ran(store=store)
    for key, kept in list(store.runs.items()):
        if kept.seal in {first["fused"].seal, first["covered"].seal}:
            del store.runs[key]
    searches.clear()
    assert seals(ran(store=store)) == seals(first)
    assert searches == []
    assert len(store.runs) == 4


def test_a_name_is_no_part_of_what_a_stage_depends_on(searches: list[str]) -> None:
    store = Memory()
    ran([lexical("one")], store=store)
    searches.clear()
    ran([lexical("another")], store=store)
    assert searches == []


@pytest.mark.parametrize(
    "change",
    [
        {"snapshot_id": "other"},
        {"questions_sha256": "other"},
        {"statistics": "snapshot"},
        {"index": ("title", "text")},
    ],
)
def test_whatever_a_stage_depends_on_makes_another_key(
    searches: list[str], change: dict[str, Any]
) -> None:
    store, job = Memory(), work()
    prepared = prepare([lexical()], job)
    run(prepared, job, CONTEXT, QUESTIONS, store=store)
    searches.clear()
    run(prepared, job, replace(CONTEXT, **change), QUESTIONS, store=store)
    assert len(searches) == 2


@pytest.mark.parametrize(
    "other",
    [
        lexical(budget=9),
        lexical(parameters=Fts5Parameters(words="ascii")),
        lexical(parameters=Fts5Parameters(tokenizer="trigram")),
    ],
)
def test_another_budget_or_parameter_makes_another_key(
    searches: list[str], other: Configuration
) -> None:
    store = Memory()
    ran([lexical()], store=store)
    searches.clear()
    ran([other], store=store)
    assert len(searches) == 2


def test_a_changed_input_makes_another_key_for_what_is_built_on_it() -> None:
    store = Memory()
    ran([lexical(), covered("covered", "lexical")], store=store)
    ran([lexical(budget=1), covered("covered", "lexical")], store=store)
    assert len(store.runs) == 4


def test_a_stored_run_of_other_questions_counts_as_absent(searches: list[str]) -> None:
    store = Memory()
    first = ran([lexical()], store=store)
    (key,) = store.runs
    store.runs[key] = Run.from_scores({"other": {"a@1": 1.0}})
    assert seals(ran([lexical()], store=store)) == seals(first)


def test_equal_parts_are_built_and_prepared_once(
    install: Callable[[Kind, Callable[[], Any]], Part],
) -> None:
    built: list[Retriever] = []

    def build() -> Retriever:
        built.append(Retriever())
        return built[-1]

    part = install("retriever", build)
    configurations = [
        Configuration(name, part, (), n) for n, name in ((1, "a"), (2, "b"))
    ]
    prepared = prepare(configurations, work())
    assert len(built) == 1
    assert built[0].prepared == 1
    assert prepared.answers == {"a": {"by": "theirs"}, "b": {"by": "theirs"}}


def test_progress_is_told_by_configuration() -> None:
    told: list[tuple[str, int, int]] = []
    job = work(progress=lambda *one: told.append(one))
    run(prepare([lexical()], job), job, CONTEXT, QUESTIONS)
    assert told == [
        ("preparing", 0, 1),
        ("preparing", 1, 1),
        ("lexical", 0, 3),
        ("lexical", 2, 3),
        ("lexical", 3, 3),
    ]


# --- broken promises ---------------------------------------------------------------


@dataclass
class Retriever:
    """Answers with what it was told to."""

    answer: Callable[[View, Sequence[Question]], Any] | Exception | None = None
    prepare_answer: Any = field(default_factory=lambda: {"by": "theirs"})
    prepared: int = 0

    def prepare(self, job: Job) -> Mapping[str, Json]:
        self.prepared += 1
        if isinstance(self.prepare_answer, Exception):
            raise self.prepare_answer
        found: Mapping[str, Json] = self.prepare_answer
        return found

    def search(self, view: View, questions: Sequence[Question], *, budget: int) -> Run:
        return self.found(view, questions)

    def rerank(self, view: View, questions: Sequence[Question], run: Run) -> Run:
        return self.found(view, questions)

    def found(self, view: View, questions: Sequence[Question]) -> Run:
        if isinstance(self.answer, Exception):
            raise self.answer
        assert self.answer is not None
        found: Run = self.answer(view, questions)
        return found


def hits(
    view: View,
    questions: Sequence[Question],
    *rows: tuple[int, float],
    **changes: object,
) -> Run:
    codes = np.array([code for code, _ in rows], dtype=np.int64)
    scores = np.array([score for _, score in rows], dtype=np.float64)
    each = [(codes, scores)] * len(questions)
    ids = [one.question_id for one in questions]
    return replace(Run.from_hits(ids, view.passages.ids, each), **changes)  # type: ignore[arg-type]  # some are wrong


BROKEN: dict[str, tuple[Callable[[View, Sequence[Question]], Any], str]] = {
    "no run": (lambda v, q: [], " returned list, expected a Run"),
    "other questions": (
        lambda v, q: hits(v, q[:1], (0, 1.0)),
        " returned a run over other questions, or in another order, than it was asked",
    ),
    "other passages": (
        lambda v, q: hits(v, q, passage_ids=("x", "y")),
        " returned a run over other passage_ids than the view's",
    ),
    "float codes": (
        lambda v, q: hits(v, q, passages=np.empty(0)),
        " returned passages of float64, expected one dimension of int64",
    ),
    "a list": (
        lambda v, q: hits(v, q, scores=[]),
        " returned scores of list, expected one dimension of float64",
    ),
    "columns of other lengths": (
        lambda v, q: hits(v, q, (0, 1.0), scores=np.ones(7)),
        " returned offsets, passages and scores that do not fit together",
    ),
    "offsets that go back": (
        lambda v, q: hits(v, q, (0, 1.0), offsets=np.array([0, 3, 2])),
        " returned offsets, passages and scores that do not fit together",
    ),
    "an unknown passage": (
        lambda v, q: hits(v, q, (2, 1.0)),
        " returned the passage code 2, which the view has not",
    ),
    "a negative code": (
        lambda v, q: hits(v, q, (-1, 1.0)),
        " returned the passage code -1, which the view has not",
    ),
    "NaN": (
        lambda v, q: hits(v, q, (0, float("nan"))),
        ", question 'q2': a score is NaN or infinite",
    ),
    "a passage twice": (
        lambda v, q: hits(v, q, (0, 2.0), (0, 1.0)),
        ", question 'q2': a passage was returned twice",
    ),
    "another order": (
        lambda v, q: hits(v, q, (0, 1.0), (1, 2.0)),
        ", question 'q2': hits are out of order",
    ),
    "a tie the wrong way round": (
        lambda v, q: hits(v, q, (1, 1.0), (0, 1.0)),
        ", question 'q2': hits are out of order",
    ),
    "too many": (
        lambda v, q: hits(v, q, (0, 2.0), (1, 1.0)),
        ", question 'q2': returned 2 passages, expected at most 1",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_promise_names_configuration_question_and_fault(
    install: Callable[[Kind, Callable[[], Any]], Part], case: str
) -> None:
    answer, fault = BROKEN[case]
    part = install("retriever", lambda: Retriever(answer))
    with pytest.raises(EngineError) as refused:
        ran([Configuration("mine", part, (), 1)])
    expected = f'configuration "mine" (retriever "{part.name}"){fault}'
    assert str(refused.value).startswith(expected)


def test_a_passage_that_may_not_be_seen_is_refused(
    install: Callable[[Kind, Callable[[], Any]], Part],
) -> None:
    snapshot = Snapshot.of(DOCUMENTS)
    view = snapshot.view(QUESTIONS[0].policy, statistics="snapshot")
    job = Job(snapshot.passages, ((view, (QUESTIONS[0],)),))
    part = install("retriever", lambda: Retriever(lambda v, q: hits(v, q, (1, 1.0))))
    prepared = prepare([Configuration("mine", part, (), 1)], job)
    with pytest.raises(EngineError, match="that the question may not see"):
        run(prepared, job, CONTEXT, QUESTIONS[:1])


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([(0, 1.0)], "question 'q2': dropped the passage 'b@1'"),
        ([], "question 'q2': dropped the passage 'a@1'"),
    ],
)
def test_a_reranker_may_drop_nothing(
    install: Callable[[Kind, Callable[[], Any]], Part],
    rows: list[tuple[int, float]],
    fault: str,
) -> None:
    part = install("reranker", lambda: Retriever(lambda v, q: hits(v, q, *rows)))
    with pytest.raises(EngineError, match=fault):
        ran([lexical(), Configuration("mine", part, ("lexical",), 1)])


def test_a_reranker_may_add_nothing(
    install: Callable[[Kind, Callable[[], Any]], Part],
) -> None:
    part = install(
        "reranker", lambda: Retriever(lambda v, q: hits(v, q, (0, 2.0), (1, 1.0)))
    )
    with pytest.raises(EngineError, match="question 'q2': added the passage 'b@1'"):
        ran([lexical(budget=1), Configuration("mine", part, ("lexical",), 1)])


@pytest.mark.parametrize("where", ["build", "prepare", "search"])
def test_what_a_foreign_part_raises_is_blamed_on_it(
    install: Callable[[Kind, Callable[[], Any]], Part], where: str
) -> None:
    error = ValueError("the server is down")

    def build() -> Retriever:
        if where == "build":
            raise error
        return Retriever(error, error if where == "prepare" else {})

    part = install("retriever", build)
    with pytest.raises(EngineError) as refused:
        ran([Configuration("mine", part, (), 1)])
    assert str(refused.value) == (
        f'configuration "mine" (retriever "{part.name}") failed: '
        "ValueError: the server is down"
    )
    assert refused.value.__cause__ is error


def test_an_error_of_ours_is_passed_on(
    install: Callable[[Kind, Callable[[], Any]], Part],
) -> None:
    part = install("retriever", lambda: Retriever(None, InputError("no such file")))
    with pytest.raises(InputError, match=r"^no such file$"):
        ran([Configuration("mine", part, (), 1)])


def test_a_bug_of_ours_stays_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Fts5, "search", fail)
    with pytest.raises(ZeroDivisionError):
        ran()
    assert "fts5" in BUILT_IN["retriever"]


@pytest.mark.parametrize("answer", [{"x": float("nan")}, {"x": object()}])
def test_an_answer_that_cannot_be_frozen_is_refused(
    install: Callable[[Kind, Callable[[], Any]], Part], answer: object
) -> None:
    part = install("retriever", lambda: Retriever(None, answer))
    with pytest.raises(EngineError, match="answered to prepare what JSON cannot hold"):
        prepare([Configuration("mine", part, (), 1)], work())


def test_all_parts_are_built_before_the_first_prepares(
    install: Callable[[Kind, Callable[[], Any]], Part],
) -> None:
    """What cannot work is known before any work."""
    first = Retriever()

    def refuse() -> Retriever:
        message = "not installed"
        raise InputError(message)

    parts = [install("retriever", lambda: first), install("retriever", refuse)]
    with pytest.raises(LeadlineError, match="not installed"):
        prepare([Configuration(one.name, one, (), 1) for one in parts], work())
    assert first.prepared == 0


def test_nothing_to_run_is_no_run() -> None:
    job = work()
    assert run(Prepared((), {}, {}), job, CONTEXT, QUESTIONS) == {}
