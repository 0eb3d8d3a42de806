"""What a question may not see changes no byte of what it gets.

And neither does the order of the documents, the number of threads or the hash seed.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.documents import Document, Snapshot
from leadline.experiment import Configuration
from leadline.plugins import Part
from leadline.policies import Policy
from leadline.questions import Question
from leadline.retrieval.base import Job
from leadline.retrieval.embedders import WORDLLAMA, WordLlamaParameters
from leadline.retrieval.fts5 import Fts5Parameters
from leadline.retrieval.fusion import RrfParameters
from leadline.retrieval.pipeline import Context, Prepared, prepare, run
from leadline.retrieval.rerank import CoverageParameters
from leadline.retrieval.tfidf import TfidfParameters
from leadline.retrieval.vector import Vector, VectorParameters
from tests.hashed import Hashed

POLICIES = (
    Policy.parse({"status": "current"}),
    Policy.parse({"status": "current", "lang": {"$in": ["en"]}}),
)
CONTEXT = Context("snapshot", "questions", "eligible", ("text",))
WORDS = st.sampled_from(
    ["desk", "crane", "opens", "Straße", "STRASSE", "the", "the,", "café", "x1", "("]
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)
EN, DE = {"lang": "en"}, {"lang": "de"}


def documents(status: str, prefix: str) -> st.SearchStrategy[list[Document]]:
    metadata = st.sampled_from([EN, DE, {}])
    return st.lists(st.tuples(TEXTS, metadata), max_size=6).map(
        lambda rows: [
            Document(f"{prefix}{place}", text, status=status, metadata=fields)
            for place, (text, fields) in enumerate(rows)
        ]
    )


QUESTIONS = st.lists(
    st.tuples(TEXTS, st.sampled_from(POLICIES)), min_size=1, max_size=4
).map(
    lambda rows: [
        Question(f"q{place}", text, policy) for place, (text, policy) in enumerate(rows)
    ]
)
VECTORS = VectorParameters(recording=Path("none"))
"""Never read: the tests bring their own vector branch."""
CONFIGURATIONS = (
    Configuration("lexical", Part("retriever", "fts5", Fts5Parameters()), (), 3),
    Configuration("tfidf", Part("retriever", "tfidf", TfidfParameters()), (), 3),
    Configuration("vector", Part("retriever", "vector", VECTORS), (), 3),
    Configuration(
        "rrf", Part("fusion", "rrf", RrfParameters()), ("lexical", "vector"), 3
    ),
    Configuration(
        "cov", Part("reranker", "coverage", CoverageParameters()), ("rrf",), 3
    ),
)


def job(corpus: Sequence[Document], questions: Sequence[Question]) -> Job:
    snapshot = Snapshot.of(corpus)
    groups = [
        (snapshot.view(policy), tuple(one for one in questions if one.policy == policy))
        for policy in POLICIES
    ]
    return Job(snapshot.passages, tuple(one for one in groups if one[1]))


def everything(
    corpus: Sequence[Document],
    questions: Sequence[Question],
    vector: Vector | None = None,
) -> tuple[object, ...]:
    """Every seal, and what the vector branch freezes."""
    work = job(corpus, questions)
    vector = vector or Vector(Hashed(), None)
    answer = vector.prepare(work)
    ours = [one for one in CONFIGURATIONS if one.name != "vector"]
    built = prepare(ours, work)
    prepared = Prepared(
        CONFIGURATIONS,
        {**built.parts, "vector": vector},
        {**built.answers, "vector": answer},
    )
    runs = run(prepared, work, CONTEXT, questions)
    return tuple(sorted(answer.items())), {name: one.seal for name, one in runs.items()}


SEEN = documents("current", "s")
HIDDEN = documents("archived", "h")


@settings(max_examples=150)
@given(SEEN, HIDDEN, HIDDEN, QUESTIONS)
def test_documents_that_no_question_may_see_change_no_byte(
    seen: list[Document],
    some: list[Document],
    others: list[Document],
    questions: list[Question],
) -> None:
    """Added, edited, removed: ``some`` and ``others`` share their ids."""
    alone = everything(seen, questions)
    assert everything([*seen, *some], questions) == alone
    assert everything([*seen, *others], questions) == alone


@settings(max_examples=50)
@given(SEEN, TEXTS, QUESTIONS)
def test_a_document_that_only_others_may_see_changes_nothing_for_me(
    seen: list[Document], text: str, questions: list[Question]
) -> None:
    mine = [one for one in questions if one.policy == POLICIES[1]]
    more = Document("german", text, status="current", metadata=DE)
    assert everything([*seen, more], mine) == everything(seen, mine)


@settings(max_examples=50)
@given(SEEN, HIDDEN, QUESTIONS, st.randoms(use_true_random=False))
def test_the_order_of_the_documents_changes_no_byte(
    seen: list[Document],
    hidden: list[Document],
    questions: list[Question],
    chance: object,
) -> None:
    corpus = [*seen, *hidden]
    turned = list(corpus)
    chance.shuffle(turned)  # type: ignore[attr-defined]  # Hypothesis's Random
    assert everything(turned, questions) == everything(corpus, questions)


def test_a_real_model_is_blind_too() -> None:
    pytest.importorskip("tokenizers", reason="the extra wordllama is not installed")
    embedder = WORDLLAMA.build(WordLlamaParameters(64))
    seen = [
        Document("a", "The help desk opens at nine."),
        Document("b", "A crane lifts two tonnes."),
    ]
    hidden = [
        Document("c", "When does the desk open? It opens at ten.", status="archived"),
        Document("d", "The help desk opens at nine.", status="archived"),
    ]
    questions = [Question("q", "When does the desk open?", POLICIES[0])]
    alone = everything(seen, questions, Vector(embedder, None))
    for corpus in ([*seen, *hidden], [*hidden[:1], *seen]):
        assert everything(corpus, questions, Vector(embedder, None)) == alone


PROGRAM = """
from leadline.documents import Document
from leadline.questions import Question
from tests.properties.test_noninterference import EN, POLICIES, everything
text = "desk crane {} w{} opens "
corpus = [Document(f"d{n}", text.format(n % 7, n % 3) * (n % 4), metadata=EN)
          for n in range(60)]
texts = ["desk w1 3", "crane opens 5 the", "w2 w0 desk", ""]
asked = [Question(f"q{n}", text, POLICIES[n % 2]) for n, text in enumerate(texts)]
print(everything(corpus, asked))
"""


def test_hash_seeds_and_threads_change_no_byte() -> None:
    root = Path(__file__).parents[2]
    found = set()
    for seed, threads in (("0", "1"), ("1", "2"), ("4242", "1")):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "OPENBLAS_NUM_THREADS": threads,
            "OMP_NUM_THREADS": threads,
        }
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            check=True,
            capture_output=True,
            cwd=root,
            env=environment,
        )
        found.add(done.stdout)
    assert len(found) == 1
    assert b"lexical" in found.pop()
