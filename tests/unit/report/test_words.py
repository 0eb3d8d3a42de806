"""A word is led back to the very characters it came from."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from leadline.report.words import Piece, marked, word_spans
from leadline.text import unicode_words

TRICKY = [
    *"aZi0 _-.,=\n",
    *"\u0307\u0301\u0338İßﬁ½é中文ｆ한한\u3099か“ſKǆΐ\u0345\u200d😀اﷺ²",
]
TEXTS = st.lists(st.sampled_from(TRICKY) | st.characters(), max_size=14).map("".join)


@given(TEXTS)
@example("=\u0338a")
@example("i\u0307stanbul")
@example("half: ½½")
def test_words_are_those_of_the_rule_and_lie_in_the_text(text: str) -> None:
    spans = word_spans(text)
    assert [word for word, _, _ in spans] == unicode_words(text)
    assert all(0 <= start < end <= len(text) for _, start, end in spans)
    assert [start for _, start, _ in spans] == sorted(start for _, start, _ in spans)


@given(TEXTS, TEXTS)
def test_pieces_joined_are_the_text_again(text: str, question: str) -> None:
    pieces = marked(text, frozenset(unicode_words(question)))
    assert "".join(piece.text for piece in pieces) == text


@given(st.text("abc \n.-é", max_size=40), st.text("abc é", max_size=20))
def test_marked_is_just_what_the_question_says(text: str, question: str) -> None:
    words = frozenset(unicode_words(question))
    pieces = marked(text, words)
    found = [
        word for piece in pieces if piece.marked for word in unicode_words(piece.text)
    ]
    assert found == [word for word in unicode_words(text) if word in words]


@pytest.mark.parametrize(
    ("text", "question", "marks"),
    [
        ("Straße in İSTANBUL", "strasse istanbul", ["Straße", "İSTANBUL"]),
        ("ﬁle ｆｉｌｅ FILE", "file", ["ﬁle", "ｆｉｌｅ", "FILE"]),
        ("cafe\u0301, naïve—café", "café", ["cafe\u0301", "café"]),
        ("write_text(data)", "text", ["text"]),
        ("½ cup", "1", ["½"]),
        ("各种“字符”", "字符", ["字符"]),
    ],
)
def test_marks_survive_folding(text: str, question: str, marks: list[str]) -> None:
    pieces = marked(text, frozenset(unicode_words(question)))
    assert [piece.text for piece in pieces if piece.marked] == marks


def test_an_empty_text_has_no_piece() -> None:
    assert marked("", frozenset({"a"})) == ()
    assert marked("b", frozenset({"a"})) == (Piece("b", marked=False),)
