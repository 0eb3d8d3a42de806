"""Every refusal is worded alike, and fits on one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline import errors
from leadline.errors import (
    BindingError,
    EngineError,
    ExperimentError,
    InputError,
    LeadlineError,
    SnapshotMismatchError,
    UndefinedMeasureError,
    describe,
    did_you_mean,
    shown,
)


def test_one_except_clause_catches_every_error_of_ours() -> None:
    ours = {
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert ours == {
        LeadlineError,
        InputError,
        ExperimentError,
        BindingError,
        SnapshotMismatchError,
        EngineError,
        UndefinedMeasureError,
    }
    assert all(issubclass(one, LeadlineError) for one in ours)
    assert issubclass(ExperimentError, InputError)
    assert issubclass(BindingError, InputError)


def test_the_tree_is_drawn_as_it_is() -> None:
    drawn = errors.__doc__ or ""
    for one in LeadlineError.__subclasses__():
        assert f"├── {one.__name__} " in drawn or f"└── {one.__name__} " in drawn
    for one in InputError.__subclasses__():
        assert (
            f"│   ├── {one.__name__} " in drawn or f"│   └── {one.__name__} " in drawn
        )


@pytest.mark.parametrize(
    ("where", "start"),
    [
        ({}, "found x, "),
        ({"file": "a.jsonl"}, "a.jsonl: found x, "),
        ({"file": "a", "line": 3}, "a, line 3: found x, "),
        ({"field": "text"}, 'field "text": found x, '),
        ({"file": "a", "field": "b.c"}, 'a, field "b.c": found x, '),
    ],
)
def test_a_message_says_where_what_and_what_to_do(
    where: dict[str, str], start: str
) -> None:
    message = describe("x", expected="y", remedy="Do z.", **where)  # type: ignore[arg-type]
    assert message == f"{start}expected y. Do z."


@given(st.text() | st.binary() | st.floats() | st.lists(st.text()), st.integers(2, 100))
def test_whatever_is_shown_is_short_and_printable(value: object, limit: int) -> None:
    text = shown(value, limit=limit)
    assert len(text) <= limit
    assert text.isprintable()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "'a'"),
        ("é", "'é'"),
        ("a\nb", r"'a\nb'"),
        ("\ud800", r"'\ud800'"),
        ("\x1b[2J", r"'\x1b[2J'"),
        ("\u202e", r"'\u202e'"),
        (None, "None"),
        (0.1, "0.1"),
        (b"\xff", r"b'\xff'"),
    ],
)
def test_shown_as(value: object, text: str) -> None:
    assert shown(value) == text


def test_the_nearest_name_is_offered_or_all_of_them() -> None:
    assert did_you_mean("labls", ["labels", "corpus"]) == 'Did you mean "labels"?'
    assert did_you_mean("zzz", {"b": 1, "a": 2}) == "Known: a, b."
    assert did_you_mean("zzz", []) == "None is known here."


@given(st.text(), st.sets(st.text(min_size=1), max_size=6))
def test_the_offer_depends_on_no_order(name: str, known: set[str]) -> None:
    assert did_you_mean(name, sorted(known)) == did_you_mean(
        name, sorted(known, reverse=True)
    )
