"""TF-IDF: the formula, what is left out, and each score taken apart."""

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from leadline.documents import Document, Snapshot
from leadline.errors import ExperimentError
from leadline.files.corpus import read_corpus
from leadline.files.questions import read_questions
from leadline.plugins import resolve
from leadline.policies import Policy
from leadline.questions import Question
from leadline.retrieval.base import Job
from leadline.retrieval.tfidf import PLUGIN, Term, Tfidf, TfidfParameters, explain
from leadline.testing import job
from tests.retrievals import asking, questions, searched
from tests.shared import shared

TEXTS = {
    "a": "The desk opens at nine. The desk!",
    "b": "A crane lifts; the crane is closed at nine",
    "c": "Nothing here",
    "d": "",
}


def build(**parameters: str) -> Tfidf:
    found: Tfidf = PLUGIN.build(TfidfParameters(**parameters))  # type: ignore[arg-type]
    return found


def by_hand(texts: Mapping[str, list[str]], asked: list[str]) -> dict[str, float]:
    """The rule, written out for small corpora."""

    def weights(words: list[str]) -> dict[str, float]:
        found = {}
        for word in set(words):
            df = sum(word in other for other in texts.values())
            if df:
                idf = math.log((len(texts) + 1) / (df + 1)) + 1
                found[word] = words.count(word) * idf
        length = math.hypot(*found.values())
        return {word: weight / length for word, weight in found.items()}

    question = weights(asked)
    return {
        name: math.fsum(
            weight * question.get(word, 0.0) for word, weight in weights(words).items()
        )
        for name, words in texts.items()
    }


def test_the_score_is_the_rule_written_out() -> None:
    parameters = TfidfParameters("ascii", "english")
    terms = {name: parameters.terms(text) for name, text in TEXTS.items()}
    assert terms["a"] == ["desk", "opens", "nine", "desk"]
    asked = "Is the desk or the crane open at nine, nine sharp?"
    expected = by_hand(terms, parameters.terms(asked))
    work = asking(TEXTS, {"q": asked})
    found = searched(build(words="ascii", stop_words="english"), work)["q"]
    assert found.passage_ids == ("a", "b")
    assert dict(zip(found.passage_ids, found.scores, strict=True)) == pytest.approx(
        {name: score for name, score in expected.items() if score}, rel=0, abs=1e-15
    )


def test_a_text_is_nearest_to_itself() -> None:
    found = searched(build(), asking(TEXTS, {"q": TEXTS["b"]}))["q"]
    assert found.passage_ids[0] == "b"
    assert found.scores[0] == pytest.approx(1, rel=0, abs=1e-15)


def test_nothing_in_common_returns_nothing() -> None:
    asked = {"odd": "zebra", "blank": "", "signs": "?!", "stopped": "is it the one"}
    found = searched(build(stop_words="english"), asking(TEXTS, asked))
    assert found.lengths.tolist() == [0, 0, 0, 0]


def test_passages_without_words_are_never_returned() -> None:
    texts = {"a": "the of and", "b": "", "c": "?!", "d": "desk"}
    work = asking(texts, {"q1": "the desk of", "q2": "the of"})
    found = searched(build(stop_words="english"), work)
    assert found["q1"].passage_ids == ("d",)
    assert found["q2"].passage_ids == ()


def test_a_corpus_without_words_answers_every_question_with_nothing() -> None:
    for texts in ({}, {"a": ""}, {"a": "the", "b": "?"}):
        found = searched(build(stop_words="english"), asking(texts, {"q": "the desk"}))
        assert len(found["q"]) == 0


def test_ties_are_broken_by_id() -> None:
    texts = dict.fromkeys(["x9", "x10", "b", "a"], "one desk")
    found = searched(build(), asking(texts, {"q": "desk"}))["q"]
    assert found.passage_ids == ("a", "b", "x10", "x9")
    assert len(set(found.scores)) == 1


def test_words_are_counted_in_what_a_question_may_see() -> None:
    """Under ``snapshot`` the hidden passages count too, and stay hidden."""
    corpus = [
        Document("a", "desk nine"),
        Document("b", "crane nine"),
        Document("old", "desk desk", status="archived"),
    ]
    asked = questions({"q": "desk nine"}, {"status": "current"})
    scores = {}
    for statistics in ("eligible", "snapshot"):
        found = searched(build(), job(corpus, asked, statistics=statistics))["q"]  # type: ignore[arg-type]
        assert found.passage_ids == ("a", "b")
        scores[statistics] = found.scores
    assert scores["eligible"] != scores["snapshot"]
    alone = searched(build(), job(corpus[:2], asked))["q"]
    assert scores["eligible"] == alone.scores


def test_the_parts_of_a_score_add_up_to_it() -> None:
    parameters = TfidfParameters("ascii", "english")
    asked = "Is the crane closed at nine, nine sharp?"
    work = asking(TEXTS, {"q": asked})
    found = searched(Tfidf(parameters), work)["q"]
    parts = explain(work.groups[0][0], asked, ["b", "a", "c"], parameters)
    assert [one.term for one in parts["b"]] == ["closed", "crane", "nine"]
    crane, nine = parts["b"][1:]
    assert (crane.question_tf, crane.passage_tf, crane.df) == (1, 2, 1)
    assert (nine.question_tf, nine.passage_tf, nine.df) == (2, 1, 2)
    assert {one.passages for one in parts["b"]} == {4}
    assert nine.idf == pytest.approx(math.log(5 / 3) + 1, rel=0, abs=1e-15)
    assert parts["c"] == ()
    for passage_id, score in zip(found.passage_ids, found.scores, strict=True):
        total = 0.0
        for one in parts[passage_id]:
            assert one.contribution == one.question_weight * one.passage_weight
            total += one.contribution
        assert total == score


def test_an_explanation_is_of_the_view_that_was_searched() -> None:
    corpus = [Document("a", "desk"), Document("z", "desk", status="archived")]
    view = Snapshot.of(corpus).view(Policy.parse({"status": "current"}))
    ((only,),) = explain(view, "desk", ["a"], TfidfParameters()).values()
    assert only == Term("desk", 1, 1, 1, 1, 1.0, 1.0, 1.0, 1.0)


def test_columns_are_what_a_run_is_made_of() -> None:
    found = searched(build(), asking(TEXTS, {"q": "desk"}))
    assert (found.passages.dtype, found.scores.dtype) == (np.int64, np.float64)


def test_lists_and_rules_go_by_name() -> None:
    table = {"words": "ascii", "stop_words": "english"}
    part = resolve("retriever", "tfidf", table, base=Path(), where="here")
    assert part.parameters == TfidfParameters("ascii", "english")
    assert part.frozen() == {"name": "tfidf", **table}
    with pytest.raises(ExperimentError, match=r"here\.stop_words.*found 'klingon'"):
        resolve(
            "retriever",
            "tfidf",
            {"stop_words": "klingon"},
            base=Path(),
            where="here",
        )


def test_scores_are_those_of_scikit_learn_on_a_whole_collection() -> None:
    from sklearn.feature_extraction.text import (  # noqa: PLC0415 -- seconds to load
        TfidfVectorizer,
    )

    folder = shared("data/cranfield/beir")
    corpus = read_corpus(folder).snapshot
    view = corpus.view(Policy(), index=("title", "text"))
    asked = read_questions(folder, split="test")
    assert (len(view.passages), len(asked)) == (1400, 225)
    parameters = TfidfParameters("ascii", "english")
    found = Tfidf(parameters).search(view, asked, budget=len(view.passages))
    theirs = TfidfVectorizer(analyzer=parameters.terms, smooth_idf=True, norm="l2")
    passages = theirs.fit_transform(view.searchable)
    matrix = theirs.transform([one.text for one in asked]) @ passages.T
    ours = np.zeros(matrix.shape)
    for place in range(len(found)):
        codes, scores = found.rows(place)
        ours[place, codes] = scores
    expected = matrix.toarray()
    assert np.abs(ours - expected).max() < 1e-12
    assert ((ours > 0) == (expected > 0)).all()


def test_a_job_of_one_question_needs_nothing_else() -> None:
    view = Snapshot.of([Document("a", "desk")]).view(Policy())
    question = Question("q", "desk")
    work = Job(view.passages, ((view, (question,)),))
    assert build().prepare(work) == {}
    found = build().search(view, [question], budget=1)
    assert found["q"].scores == (1.0,)
