"""JSON is what the standard says, and each thing more is refused by its name."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.strictjson import is_cut_short, parse_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_what_a_library_writes_reads_back(value: object, ascii_only: bool) -> None:  # noqa: FBT001 -- drawn
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert parse_json(text, file="any.json") == value


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"_id": "a", "_id": "b"}', "the key '_id' twice in one object"),
        ('[{"x": {"a": 1, "a": 1}}]', "the key 'a' twice in one object"),
        ('{"score": NaN}', "NaN, which is not JSON"),
        ("[-Infinity]", "-Infinity, which is not JSON"),
        ("[1e999]", "the number '1e999', which is too large"),
        ("1" * 5000, "a whole number of thousands of digits"),
        ("[" * 100_000, "nesting that is too deep"),
        ('{"a": 1,}', r"no JSON \("),
        ("[1] [2]", r"no JSON \(extra data, character 5\)"),
        ('"raw \x0b control"', r"no JSON \(invalid control character"),
    ],
)
def test_refuses(text: str, found: str) -> None:
    with pytest.raises(InputError, match=rf"^a\.jsonl, line 7: found {found}"):
        parse_json(text, file="a.jsonl", line=7)


@pytest.mark.parametrize(
    ("text", "code", "offset"),
    [
        (r'{"text": "broken \ud83d end"}', "U+D83D", 17),
        (r'{"text": "\udc00"}', "U+DC00", 10),
        (r'["\ud83d", "\udf78"]', "U+D83D", 2),
        (r'["\udf78\ud83c"]', "U+DF78", 2),
        (r'["\ud83c\ud83c\udf78"]', "U+D83C", 2),
        (r'["\ud83c\u0041"]', "U+D83C", 2),
        (r'["\\\ud83c\\udf78"]', "U+D83C", 4),
    ],
)
def test_half_a_pair_is_refused_where_it_stands(
    text: str, code: str, offset: int
) -> None:
    with pytest.raises(InputError) as refused:
        parse_json(text, file="c.jsonl", line=1)
    found = f"found half of a surrogate pair, {code}, at offset {offset}, expected"
    assert f"c.jsonl, line 1: {found}" in str(refused.value)


def test_a_whole_pair_is_one_character() -> None:
    assert parse_json(r'"\ud83c\udf78"', file="c.jsonl") == "\U0001f378"
    assert parse_json(r'"\\ud83c"', file="c.jsonl") == r"\ud83c"


def test_the_line_of_a_fault_is_found_in_a_whole_file() -> None:
    with pytest.raises(InputError, match=r"^a\.json, line 3: found no JSON"):
        parse_json('{\n"a": 1,\n"b": oops\n}', file="a.json")
    with pytest.raises(InputError, match=r"^a\.json, line 2: .*U\+D800, at offset 6"):
        parse_json('{\n"a": "\\ud800"\n}', file="a.json")


def test_only_a_line_feed_counts_as_a_line() -> None:
    with pytest.raises(InputError, match=r"^a\.json, line 2: "):
        parse_json('["\u2028\u2029\x85",\noops]', file="a.json")


@given(st.dictionaries(st.text(), VALUES, min_size=1), st.data())
def test_every_beginning_of_an_object_is_known_as_one(
    value: dict[str, object], data: st.DataObject
) -> None:
    text = json.dumps(value)
    assert not is_cut_short(text)
    assert is_cut_short(text[: data.draw(st.integers(1, len(text) - 1))])


@pytest.mark.parametrize("text", ["", "[1", "nonsense", '{"a" 1}', '{"a": 1}}'])
def test_what_is_wrong_otherwise_is_not_called_unfinished(text: str) -> None:
    assert not is_cut_short(text)
