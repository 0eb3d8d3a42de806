"""The checks that every format shares."""

from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.files.places import Place, checked_id, checked_sha256, refuse_repeats

HERE = Place(Path("l.jsonl"), 3)


def test_a_place_prints_as_a_message_names_it() -> None:
    assert str(HERE) == "l.jsonl, line 3"
    assert str(Place(Path("docs/a.md"))) == "docs/a.md"


@pytest.mark.parametrize(
    "name",
    ["a", "007", " a", "a b", "é", "ドキュメント\u3000一", "\U0001f378", "a\u200db"],
)
def test_an_id_is_kept_as_it_is(name: str) -> None:
    assert checked_id(name, HERE, "_id") == name


@pytest.mark.parametrize(
    "name", ["", " ", "a\n", "\t", "a\x00", "\x7f", "a\u2028b", "\x85", "\ud800"]
)
def test_an_id_can_be_seen_on_one_line(name: str) -> None:
    with pytest.raises(InputError, match=r'^l\.jsonl, line 3, field "_id": found '):
        checked_id(name, HERE, "_id")


def test_a_hash_has_64_hex_digits() -> None:
    assert checked_sha256("Ab" * 32, HERE, "h") == "ab" * 32
    for wrong in ("", "ab", "g" * 64, "a" * 65, " " + "a" * 63, "a" * 63 + "\n"):
        with pytest.raises(InputError, match="expected 64 hex digits"):
            checked_sha256(wrong, HERE, "h")


def test_a_repeat_in_another_file_is_named_with_that_file() -> None:
    other = Place(Path("m.jsonl"), 8)
    refuse_repeats([("a", HERE), ("b", other)], "question")
    with pytest.raises(
        InputError, match=r"^m\.jsonl, line 8: .*\(first at l\.jsonl, l"
    ):
        refuse_repeats([("a", HERE), ("a", other)], "question")
