"""Words are split by one rule a name, for documents and questions alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.text import WORD_RULES, ascii_words, distinct, unicode_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("... --- !!!", []),
        ("json.dumps(obj)", ["json", "dumps", "obj"]),
        ("UTF-8 utf8", ["utf", "8", "utf8"]),
        ("snake_case", ["snake", "case"]),
        ("café", ["caf"]),
        ('a "quoted" OR b*', ["a", "quoted", "or", "b"]),
        ("\u212a", ["k"]),
    ],
)
def test_ascii_words(text: str, words: list[str]) -> None:
    assert ascii_words(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("caf\u00e9 cafe\u0301", ["café", "café"]),
        ("ﬁne ﬀ", ["fine", "ff"]),
        ("İstanbul istanbul", ["istanbul", "istanbul"]),
        ("snake_case", ["snake", "case"]),
        ("Ελληνικά, русский", ["ελληνικά", "русский"]),
        ("\uff11\uff12\uff13 x²", ["123", "x2"]),
        ("日本語 テキスト", ["日本語", "テキスト"]),
    ],
)
def test_unicode_words(text: str, words: list[str]) -> None:
    assert unicode_words(text) == words


@given(st.text())
def test_the_form_of_a_letter_changes_no_word(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert unicode_words(unicodedata.normalize(form, text)) == unicode_words(text)


@given(st.text("aA zZ09-_é\u0130ßﬁ"))
def test_splitting_words_again_changes_nothing(text: str) -> None:
    for rule in WORD_RULES.values():
        assert rule(" ".join(rule(text))) == rule(text)


def test_every_rule_has_its_name() -> None:
    assert {"ascii": ascii_words, "unicode": unicode_words} == WORD_RULES


@given(st.lists(st.text("ab")))
def test_a_distinct_word_stands_at_its_first_place(words: list[str]) -> None:
    found = distinct(words)
    assert set(found) == set(words)
    places = [words.index(word) for word in found]
    assert places == sorted(set(places))
