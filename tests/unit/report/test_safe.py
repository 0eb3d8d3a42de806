"""Whatever a text holds, it is seen and does nothing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from leadline.report import safe

ANY = st.text(st.characters(exclude_categories=()))
NASTY = st.lists(
    st.sampled_from([*"ab \n\t", "\x1b[31m", "\u202e", "\u200b", "\r", "語", "\x9b"])
).map("".join)


@given(ANY | NASTY)
def test_a_line_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    shown = safe.visible(text)
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cs"}]
    assert not set(shown) & set(
        "\u200b\u200e\u200f\u202a\u202e\u2066\u2069\ufeff\u2028"
    )


@given(ANY | NASTY)
def test_a_page_holds_no_control_and_no_override(text: str) -> None:
    shown = safe.harmless(text)
    shown.encode("utf-8")
    assert {c for c in shown if unicodedata.category(c) == "Cc"} <= set("\n\t")
    assert not set(shown) & set("\u202a\u202d\u202e\u2066\u2069")


@given(st.text(st.characters(categories=("L", "N", "P", "Zs"))))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    unseen = set("\u115f\u1160\u3164\uffa0")
    if not unseen & set(text):
        assert safe.visible(text) == safe.harmless(text) == text


def test_joiners_stay_on_a_page_and_are_shown_in_a_terminal() -> None:
    persian = "می\u200cخواهم"
    assert safe.harmless(persian) == persian
    assert "<U+200C>" in safe.visible(persian)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b]0;pwned\x07", "<U+001B>[2J<U+001B>]0;pwned<U+0007>"),
        ("invoice\u202efdp.exe", "invoice<U+202E>fdp.exe"),
        ("lex\u200bical", "lex<U+200B>ical"),
        ("half a pair: \ud83c", "half a pair: <U+D83C>"),
        ("\u0301accent", "<U+0301>accent"),
    ],
)
def test_what_cannot_be_seen_is_named(text: str, shown: str) -> None:
    assert safe.visible(text) == shown


@given(ANY | NASTY, st.integers(8, 60))
def test_a_quoted_passage_fits_its_width(text: str, width: int) -> None:
    for line in safe.quote(text, width=width).split("\n"):
        assert cell_len(line) <= width
        assert line.startswith("  |")


@given(st.text("abc \n", max_size=60), st.integers(12, 40))
def test_a_quoted_passage_keeps_every_letter(text: str, width: int) -> None:
    quoted = safe.quote(text, width=width)
    assert [c for c in quoted if c in "abc"] == [c for c in text if c in "abc"]


@given(ANY)
def test_ascii_is_there_for_who_takes_nothing_else(text: str) -> None:
    assert safe.ascii_only(text).isascii()


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " https://x.example/",
        "data:text/html,<script>",
        "https:///nohost",
        "https://x.example/a b",
        'https://x.example/"onclick=',
        "https://x.example/\u202e",
        "ftp://x.example/",
        "//x.example/",
        "",
    ],
)
def test_an_address_that_is_not_plain_http_is_no_link(url: str) -> None:
    assert safe.link(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://x.example",
        "HTTPS://x.example/a?b=c#d",
        "https://x.example/%22",
        "https://例え.jp/",
    ],
)
def test_a_plain_address_is_a_link(url: str) -> None:
    assert safe.link(url) == url
