"""Words are split by one rule a name, for documents and questions alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.text import (
    STOP_WORDS,
    WORD_RULES,
    ascii_words,
    distinct,
    fold,
    unicode_runs,
    unicode_words,
)


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
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("Schiff\u00adfahrt می\u200cخواهم", ["schifffahrt", "میخواهم"]),
        ("a\u200bb \u0301c", ["a", "b", "c"]),
    ],
)
def test_unicode_words(text: str, words: list[str]) -> None:
    assert unicode_words(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("日本語 テキスト", ["日本", "本語", "テキ", "キス", "スト"]),
        ("退款", ["退款"]),
        ("駅", ["駅"]),
        ("第3章。GPU版本", ["第", "3", "章", "gpu", "版本"]),
        ("초과근무 승인은", ["초과", "과근", "근무", "승인", "인은"]),
        ("か\u3099き ｶﾞｷ", ["がき", "ガキ"]),
        ("葛\U000e0100城 漢\u0301字", ["葛城", "漢\u0301字"]),
        ("ラーメン", ["ラー", "ーメ", "メン"]),
        ("㍿", ["株式", "式会", "会社"]),
    ],
)
def test_scripts_without_blanks_give_pairs_of_characters(
    text: str, words: list[str]
) -> None:
    assert unicode_words(text) == words


@given(st.text("日本語ーが\u3099한국 a1_\u0301\ufe00"))
def test_runs_are_cut_only_between_characters(text: str) -> None:
    """Of a run nothing is lost: its pairs, put together again, are the run."""
    again = []
    for run in unicode_runs(text):
        words = unicode_words(run)
        assert words
        again.append(words[0])
        assert all(word in run for word in words)
    assert unicode_words(" ".join(unicode_runs(text))) == unicode_words(text)


@given(st.text())
def test_a_folded_text_stays_as_it_is(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_the_form_of_a_letter_changes_no_word(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert unicode_words(unicodedata.normalize(form, text)) == unicode_words(text)


@given(st.text() | st.text("aA zZ09-_é\u0130ßﬁ日本ーが\u3099한\u0301"))
def test_splitting_words_again_changes_nothing(text: str) -> None:
    for rule in WORD_RULES.values():
        assert rule(" ".join(rule(text))) == rule(text)


def test_a_rule_gives_no_stop_word_in_another_form() -> None:
    """A list that a rule would not give as it stands would stop nothing."""
    for stopped in STOP_WORDS.values():
        for rule in WORD_RULES.values():
            assert {word for one in stopped for word in rule(one)} == stopped


def test_every_list_has_its_name() -> None:
    assert STOP_WORDS["none"] == frozenset()
    assert {"the", "not", "no"} <= STOP_WORDS["english"]
    assert "without" not in STOP_WORDS["english"]


def test_every_rule_has_its_name() -> None:
    assert {"ascii": ascii_words, "unicode": unicode_words} == WORD_RULES


@given(st.lists(st.text("ab")))
def test_a_distinct_word_stands_at_its_first_place(words: list[str]) -> None:
    found = distinct(words)
    assert set(found) == set(words)
    places = [words.index(word) for word in found]
    assert places == sorted(set(places))
