"""A row is held to its table of fields, and a fault is named by its field."""

from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from leadline.errors import InputError
from leadline.rows import take


@dataclass(frozen=True, slots=True)
class Row:
    """One field of each type."""

    text: str
    kind: Literal["open", "closed"] = field(default="open", metadata={"name": "class"})
    count: int = 0
    weight: float = 1.0
    flag: bool = False
    table: dict[str, Any] = field(default_factory=dict)
    items: list[Any] = field(default_factory=list)
    note: str | None = None


def test_what_is_absent_has_its_default() -> None:
    assert take(Row, {"text": "a"}, file="r.jsonl") == Row("a")


def test_every_type_is_taken_as_it_is() -> None:
    values = {"text": "", "class": "closed", "count": 2, "weight": 3, "flag": True}
    row = take(Row, {**values, "table": {"a": 1}, "items": [1], "note": None}, file="r")
    assert row == Row("", "closed", 2, 3, flag=True, table={"a": 1}, items=[1])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, 'field "text": found nothing, expected a string. Add the field.'),
        (
            {"text": "a", "wieght": 1},
            (
                'field "wieght": found an unknown field, expected a field that is '
                'known here. Did you mean "weight"?'
            ),
        ),
        (
            {"text": 7},
            'field "text": found 7, expected a string. Put it in quotes: "7".',
        ),
        ({"text": None}, 'field "text": found null, expected a string.'),
        ({"text": ["a"]}, "field \"text\": found ['a'], expected a string."),
        ({"text": "a", "count": "7"}, "found '7', expected a whole number."),
        ({"text": "a", "count": 7.0}, "found 7.0, expected a whole number."),
        ({"text": "a", "count": True}, "found true, expected a whole number."),
        ({"text": "a", "weight": "1"}, "found '1', expected a number."),
        ({"text": "a", "flag": 1}, "found 1, expected true or false."),
        ({"text": "a", "table": []}, "found [], expected a table of names and values"),
        ({"text": "a", "items": {}}, "found {}, expected a list."),
        ({"text": "a", "note": []}, "found [], expected a string or null."),
        (
            {"text": "a", "class": "closd"},
            (
                'field "class": found \'closd\', expected "open" or "closed". '
                'Did you mean "closed"?'
            ),
        ),
        ({"text": "a", "kind": "open"}, 'field "kind": found an unknown field'),
    ],
)
def test_refuses(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refused:
        take(Row, values, file="r.jsonl", line=3)
    assert str(refused.value).startswith("r.jsonl, line 3, field ")
    assert message in str(refused.value)


def test_a_row_within_another_is_named_by_its_path() -> None:
    with pytest.raises(InputError, match=r'^r, line 9, field "targets\[0\]\.text": '):
        take(Row, {}, file="r", line=9, within="targets[0]")


def test_the_line_may_be_found_by_the_field() -> None:
    lines = {"retrieval.count": 12}
    with pytest.raises(InputError, match=r"^r, line 12, "):
        take(
            Row,
            {"text": "a", "count": "x"},
            file="r",
            line=lines.get,
            within="retrieval",
        )
