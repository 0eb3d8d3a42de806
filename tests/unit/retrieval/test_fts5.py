"""FTS5: its own scores, exactly; no operator in a question; no question too long."""

import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.documents import Document, Snapshot, Statistics
from leadline.errors import EngineError
from leadline.policies import Policy
from leadline.questions import Question
from leadline.retrieval.fts5 import PLUGIN, Fts5, Fts5Parameters
from leadline.testing import job
from leadline.text import ascii_words, distinct
from tests.recorded import LEXICAL, OTHER, QUERIES, TEXTS
from tests.retrievals import asking, documents, questions, searched

NOTES = {
    "d1": "The multi-agent planner retries failed steps",
    "d2": "Order BENCH-100821 shipped on Tuesday",
    "d3": "Breeder's and Exhibitor's Association annual show",
    "d4": "Ubuntu 20.04 upgrade notes",
    "d5": "C++ and C# bindings for the parser",
    "d6": "near the river bank NOT open on Sunday OR Monday",
}
FIRST_HITS = {
    "multi-agent": "d1",
    "BENCH-100821": "d2",
    "Breeder's and Exhibitor's Association": "d3",
    "What changed in ubuntu 20.04?": "d4",
    "C++ (bindings)": "d5",
    "is it NOT open on Sunday": "d6",
    "NEAR the river": "d6",
    '"unbalanced planner': "d1",
    "*": None,
    "title:planner": "d1",
    "-100821": "d2",
    "planner AND": "d1",
    "^planner": "d1",
    "{planner}": "d1",
    "planner\\": "d1",
    "'; DROP TABLE docs; --": None,
    "()": None,
    '""': None,
    "NEAR(multi agent, 2)": "d1",
    "planner*": "d1",
    "+planner": "d1",
    "100% planner": "d1",
    "grammar::fa": None,
    "planner, retries; steps": "d1",
    "?": None,
    "plan*": None,
    "Tuesday^2 OR": "d2",
    'field:"river bank"~3': "d6",
}
BOTH = pytest.mark.parametrize("words", ["unicode", "ascii"])


def build(**parameters: str) -> Fts5:
    built: Fts5 = PLUGIN.build(Fts5Parameters(**parameters))  # type: ignore[arg-type]
    return built


@BOTH
@pytest.mark.parametrize(("question", "first"), FIRST_HITS.items())
def test_every_word_of_a_question_is_literal(
    words: str, question: str, first: str | None
) -> None:
    found = searched(build(words=words), asking(NOTES, {"q": question}))["q"]
    assert (found.passage_ids[0] if found.passage_ids else None) == first


@BOTH
def test_the_recorded_scores_come_out(words: str) -> None:
    corpus = [Document(one, text, version="3.12") for one, text in TEXTS.items()]
    corpus.append(Document("copyfile", OTHER, version="3.13"))
    work = job(corpus, questions(QUERIES, {"version": "3.12"}), statistics="snapshot")
    found = searched(build(words=words), work, budget=3)
    for question_id, rows in LEXICAL.items():
        ranking = found[question_id]
        assert ranking.passage_ids == tuple(f"{source}@3.12" for source, _ in rows)
        recorded = [-score for _, score in rows]
        assert ranking.scores == pytest.approx(recorded, rel=0, abs=1e-12)


TEXT = st.text(st.sampled_from("abcdefgh  .,é"), max_size=40)


@given(st.lists(TEXT, min_size=1, max_size=12), st.text("abcdefgh ", max_size=20))
def test_the_score_is_the_engines_own_for_all_words_at_once(
    texts: list[str], question: str
) -> None:
    """Asking word by word and adding up is what FTS5 does, to the last bit."""
    names = [f"d{place:02}" for place in range(len(texts))]
    work = asking(dict(zip(names, texts, strict=True)), {"q": question})
    found = searched(build(words="ascii"), work)["q"]
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE t USING fts5(x)")
    index.executemany("INSERT INTO t(rowid, x) VALUES (?, ?)", enumerate(texts))
    terms = " OR ".join(f'"{word}"' for word in distinct(ascii_words(question)))
    rows = index.execute(
        "SELECT rowid, bm25(t) FROM t WHERE t MATCH ? ORDER BY 2, 1", (terms or '""',)
    ).fetchall()
    index.close()
    assert found.passage_ids == tuple(names[row] for row, _ in rows)
    assert found.scores == pytest.approx([-score for _, score in rows], rel=1e-14)


def test_a_word_in_half_of_the_passages_still_scores() -> None:
    texts = {
        "d1": "hello there good man",
        "d2": "quite windy in london",
        "d3": "windy in athens",
        "d4": "how is the weather",
    }
    work = asking(texts, {"q1": "windy", "q2": "windy london"})
    found = searched(build(), work)
    assert found["q1"].passage_ids == ("d3", "d2")
    assert min(found["q1"].scores) > 0
    assert found["q2"].passage_ids[0] == "d2"


def test_a_word_in_every_passage_ranks_by_its_use() -> None:
    texts = {"d1": "pink pink pink", "d2": "blue blue pink", "d3": "red red pink"}
    found = searched(build(), asking(texts, {"q": "pink"}))["q"]
    assert found.passage_ids == ("d1", "d2", "d3")
    assert found.scores[1] == found.scores[2] > 0


@pytest.mark.parametrize("budget", [10, 1000])
def test_only_what_matches_is_returned(budget: int) -> None:
    texts = {
        "c0": "a cat purrs",
        "c1": "a dog barks",
        "c2": "a bird sings",
        "c3": "a fish swims",
    }
    work = asking(texts, {"q1": "cat or dog", "q2": "zzqx wwvv"})
    found = searched(build(), work, budget=budget)
    assert found["q1"].passage_ids == ("c0", "c1")
    assert len(found["q2"]) == 0


@pytest.mark.parametrize("tokenizer", ["unicode61", "porter unicode61", "trigram"])
def test_no_question_is_too_long(tokenizer: str) -> None:
    words = " ".join(f"w{number}" for number in range(20_000))
    asked = {
        "words": f"planner {words}",
        "brackets": "(" * 5_000 + "planner" + ")" * 5_000,
        "repeats": "planner " * 10_000,
        "letters": "x" * 200_000,
    }
    found = searched(build(tokenizer=tokenizer), asking(NOTES, asked))
    for name in ("words", "brackets", "repeats"):
        assert found[name].passage_ids[0] == "d1"
    assert len(found["letters"]) == 0


@pytest.mark.parametrize("statistics", ["eligible", "snapshot"])
def test_a_filter_leaves_the_budget_full(statistics: Statistics) -> None:
    corpus = [
        Document(
            f"p{n:02}",
            "shared word item " + "shared word " * (n < 35),
            metadata={"lang": "de" if n >= 35 else "en"},
        )
        for n in range(40)
    ]
    asked = questions({"q": "shared word"}, {"lang": "de"})
    found = searched(build(), job(corpus, asked, statistics=statistics), budget=3)["q"]
    assert found.passage_ids == ("p35", "p36", "p37")


def test_folding_is_the_same_for_question_and_passage() -> None:
    texts = {"a": "Die Straße nach İzmir", "b": "ﬁne Å", "c": "nothing"}
    found = searched(
        build(), asking(texts, {"q1": "STRASSE", "q2": "izmir", "q3": "FINE"})
    )
    assert [found[one].passage_ids for one in found.question_ids] == [
        ("a",),
        ("a",),
        ("b",),
    ]


def test_porter_stems() -> None:
    texts = {"a": "the planner retried", "b": "nothing"}
    work = asking(texts, {"q": "retries"})
    assert len(searched(build(), work)["q"]) == 0
    stemmed = searched(build(tokenizer="porter unicode61"), work)["q"]
    assert stemmed.passage_ids == ("a",)


def test_trigrams_find_words_inside_words() -> None:
    texts = {"a": "東京都の天気", "b": "the planner"}
    work = asking(texts, {"q1": "東京都", "q2": "lanne"})
    found = searched(build(tokenizer="trigram"), work)
    assert found["q1"].passage_ids == ("a",)
    assert found["q2"].passage_ids == ("b",)


@BOTH
def test_odd_characters_break_nothing(words: str) -> None:
    odd = "a\x00b \u0301\u200b\ufeff \U0001f600 \ud7ff word \uffff"
    texts = {"a": odd, "b": "\x00", "c": ""}
    found = searched(build(words=words), asking(texts, {"q": odd, "none": "\x00"}))
    assert found["q"].passage_ids[0] == "a"
    assert len(found["none"]) == 0


def test_the_engine_is_named() -> None:
    answer = build().prepare(asking(NOTES, {}))
    assert answer == {"engine": "sqlite", "version": sqlite3.sqlite_version}


def test_an_sqlite_that_cannot_index_is_named() -> None:
    retriever = Fts5(Fts5Parameters(tokenizer="no such one"))  # type: ignore[arg-type]
    view = Snapshot.of(documents(NOTES)).view(Policy())
    with pytest.raises(
        EngineError, match=r"SQLite [\d.]+ cannot index with the .* FTS5"
    ):
        retriever.search(view, [Question("q", "planner")], budget=3)


def test_columns_are_what_a_run_is_made_of() -> None:
    found = searched(build(), asking(NOTES, {"q": "planner"}))
    assert found.passages.dtype == np.int64
    assert found.scores.dtype == np.float64
