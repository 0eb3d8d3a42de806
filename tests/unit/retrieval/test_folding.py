"""Both lexical retrievers fold question and passage alike, in every script.

And whatever has no word matches nothing, and breaks nothing.
"""

import pytest

from leadline.retrieval.base import Retriever
from leadline.retrieval.fts5 import Fts5, Fts5Parameters
from leadline.retrieval.tfidf import Tfidf, TfidfParameters
from tests.retrievals import asking, searched

RETRIEVERS: dict[str, Retriever] = {
    "fts5": Fts5(Fts5Parameters()),
    "fts5 porter": Fts5(Fts5Parameters(tokenizer="porter unicode61")),
    "tfidf": Tfidf(TfidfParameters()),
    "tfidf stopped": Tfidf(TfidfParameters(stop_words="english")),
}
BOTH = pytest.mark.parametrize("name", RETRIEVERS)
TEXTS = {
    "t1": "İSTANBUL boğazı",
    "t2": "istanbul haritası",
    "t3": "IŞIK lambası",
    "t4": "ışık hızı",
    "t5": "STRASSE plan",
    "t6": "Straße plan",
    "nfc": "caf\u00e9 cr\u00e8me",
    "nfd": "cafe\u0301 cre\u0300me",
    "z1": "退款需要七个工作日到账",
    "z2": "快递丢失请联系客服",
    "z3": "会员生日当天可领取优惠券",
    "j1": "返品は到着後八日以内に限ります",
    "k1": "초과근무 승인은 팀장이 처리합니다",
    "h1": "हिन्दी में लिखना",
}


@BOTH
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("istanbul", {"t1", "t2"}),
        ("İstanbul", {"t1", "t2"}),
        ("I\u0307stanbul", {"t1", "t2"}),
        ("ışık", {"t4"}),
        ("strasse", {"t5", "t6"}),
        ("STRAẞE", {"t5", "t6"}),
        ("caf\u00e9", {"nfc", "nfd"}),
        ("CAFE\u0301", {"nfc", "nfd"}),
        ("退款", {"z1"}),
        ("返品", {"j1"}),
        ("초과근무 승인", {"k1"}),
        ("हिन्दी", {"h1"}),
        ("量子力学", set()),
    ],
)
def test_what_reads_the_same_is_found(
    name: str, asked: str, expected: set[str]
) -> None:
    found = searched(RETRIEVERS[name], asking(TEXTS, {"q": asked}))["q"]
    assert set(found.passage_ids) == expected
    if expected == {"nfc", "nfd"}:
        assert len(set(found.scores)) == 1


EMPTY = {
    "d1": "The dog is barking",
    "d2": "to be or not to be",
    "d3": "",
    "d4": "   \n\t ",
    "d5": "!!! --- ???",
    "d6": "dogs are cute",
}


@BOTH
def test_what_has_no_word_is_never_returned(name: str) -> None:
    asked = {"q1": "the dog", "q2": "to be or not to be", "q3": "???", "q4": ""}
    found = searched(RETRIEVERS[name], asking(EMPTY, asked))
    assert found["q1"].passage_ids[0] == "d1"
    stopped = name == "tfidf stopped"
    assert found["q2"].passage_ids == (() if stopped else ("d2",))
    assert len(found["q3"]) == len(found["q4"]) == 0
    assert found.returned() <= {"d1", "d2", "d6"}


@BOTH
def test_a_corpus_without_a_word_answers_nothing(name: str) -> None:
    asked = {"q1": "the dog", "q2": "???", "q3": ""}
    found = searched(RETRIEVERS[name], asking({"e1": "", "e2": "  "}, asked))
    assert found.lengths.tolist() == [0, 0, 0]
