"""Questions are read with what they may see, and without what is right for them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import InputError
from leadline.files.questions import read_questions
from leadline.policies import Policy
from leadline.questions import Question
from tests.shared import shared

Put = Callable[[str, Any], Path]

ROWS = [
    {"question_id": "q1", "text": "one?"},
    {"question_id": "q2", "text": "two?", "split": "test"},
    {"question_id": "q3", "text": "three?", "version": "3.12"},
]


def test_a_row_says_what_the_question_may_see(put: Put) -> None:
    policy = {"scope": {"$in": ["public", "staff"]}}
    rows = [*ROWS, {"question_id": "q4", "text": "four?", "policy": policy}]
    assert read_questions(put("q.jsonl", rows)) == (
        Question("q1", "one?"),
        Question("q3", "three?", Policy({"version": "3.12"})),
        Question("q4", "four?", Policy(policy)),
    )


def test_one_split_is_read(put: Put) -> None:
    (question,) = read_questions(put("q.jsonl", ROWS), split="test")
    assert question == Question("q2", "two?", split="test")


def test_a_split_without_questions_is_refused_with_those_there_are(put: Put) -> None:
    path = put("q.jsonl", ROWS)
    with pytest.raises(InputError) as refused:
        read_questions(path, split="tset")
    assert str(refused.value) == (
        f"{path}: found no question in the split 'tset', expected one or more. "
        "Splits here: development, test."
    )


def test_every_policy_is_joined_by_and(put: Put) -> None:
    row = {"question_id": "q", "text": "?", "version": "1", "policy": {"status": "x"}}
    common = Policy({"scope": "public"})
    (question,) = read_questions(put("q.jsonl", [row]), policy=common)
    assert question.policy.rule == {
        "$and": [{"scope": "public"}, {"version": "1"}, {"status": "x"}]
    }
    first, second = read_questions(put("q.jsonl", ROWS), policy=common)
    assert first.policy == common
    assert second.policy.rule == {"$and": [{"scope": "public"}, {"version": "3.12"}]}


def test_a_policy_that_is_said_twice_is_joined_once(put: Put) -> None:
    row = {"question_id": "q", "text": "?", "policy": {"n": 1}}
    path = put("q.jsonl", [row])
    assert read_questions(path, policy=Policy({"n": 1}))[0].policy.rule == {"n": 1}
    joined = read_questions(path, policy=Policy({"n": True}))[0].policy.rule
    assert joined == {"$and": [{"n": True}, {"n": 1}]}


def test_an_empty_version_is_a_version(put: Put) -> None:
    path = put("q.jsonl", [{"question_id": "q", "text": "?", "version": ""}])
    assert read_questions(path)[0].policy.rule == {"version": ""}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"question_id": "q"},
            'line 1, field "text": found nothing, expected a string',
        ),
        (
            {"question_id": "q", "text": " \n"},
            "line 1, field \"text\": found ' \\n', expected a question. Write one, or",
        ),
        (
            {"question_id": "", "text": "?"},
            "found '', expected an id: one line, not bl",
        ),
        (
            {"question_id": 1, "text": "?"},
            "found 1, expected a string. Put it in quotes",
        ),
        (
            {"question_id": "q", "text": "?", "policy": {"version": {"$inn": []}}},
            'line 1: policy field "version": "$inn" is no operator. Did you mean "$in"',
        ),
        (
            {"question_id": "q", "text": "?", "policy": "x"},
            "found 'x', expected a table",
        ),
        (
            {"question_id": "q", "text": "?", "targets": []},
            'field "targets": found an u',
        ),
        ({"question_id": "q", "text": "?", "split": ""}, "field \"split\": found ''"),
    ],
)
def test_a_wrong_row_is_refused(put: Put, row: dict[str, Any], message: str) -> None:
    path = put("q.jsonl", [row])
    with pytest.raises(InputError) as refused:
        read_questions(path)
    assert str(refused.value).startswith(f"{path}, line 1")
    assert message in str(refused.value)


def test_a_repeated_question_is_refused_by_both_lines(put: Put) -> None:
    rows = [
        {"_id": "44", "text": "how to reset the router"},
        {"_id": "44", "text": "refund window for shoes"},
        {"_id": "45", "text": "opening hours"},
    ]
    path = put("q.jsonl", rows)
    with pytest.raises(InputError) as refused:
        read_questions(path)
    assert str(refused.value) == (
        f"{path}, line 2: found the question '44' again (first at line 1), expected "
        "every question once. Rename or delete one of the two."
    )


def test_half_a_pair_is_refused(put: Put) -> None:
    path = put("q.jsonl", r'{"_id": "q1", "text": "emoji \udc00 end"}')
    with pytest.raises(InputError, match=r"line 1: found half .*, U\+DC00, at offset"):
        read_questions(path)


# --- other forms -----------------------------------------------------------------


def test_beir_questions_belong_to_the_split_that_is_asked_for(put: Put) -> None:
    rows = [{"_id": "1", "text": "first"}, {"_id": "2", "text": "second"}]
    path = put("beir/queries.jsonl", rows)
    expected = tuple(Question(r["_id"], r["text"], split="test") for r in rows)
    assert read_questions(path, split="test") == expected
    assert read_questions(path.parent, split="test") == expected


def test_what_beir_keeps_beside_a_query_reaches_no_question(put: Put) -> None:
    label = {"13734012": [{"sentences": [4], "label": "CONTRADICT"}]}
    plain = put("a.jsonl", [{"_id": "2", "text": "claim"}])
    labelled = put("b.jsonl", [{"_id": "2", "text": "claim", "metadata": label}])
    assert read_questions(plain) == read_questions(labelled)


def test_csv_cells_are_kept_exactly(put: Put) -> None:
    path = put("q.csv", "question_id,text\n01,where?\n1,NA\n")
    asked = [(one.question_id, one.text) for one in read_questions(path)]
    assert asked == [("01", "where?"), ("1", "NA")]


def test_csv_has_splits_and_versions(put: Put) -> None:
    path = put("q.csv", "question_id,text,split,version\na,x?,test,2\nb,y?,dev,2\n")
    (question,) = read_questions(path, split="test")
    assert question == Question("a", "x?", Policy({"version": "2"}), "test")


def test_a_byte_order_mark_changes_nothing(put: Put) -> None:
    rows = '{"_id": "1", "text": "first question"}\n{"_id": "2", "text": "second"}\n'
    marked = read_questions(put("q.jsonl", "\ufeff" + rows))
    assert [one.question_id for one in marked] == ["1", "2"]
    table = "question_id,text\r\n1,first question\r\n2,second\r\n"
    assert read_questions(put("q.csv", "\ufeff" + table)) == marked


def test_a_path_of_no_known_form_is_refused(put: Put, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r'the ending "\.txt", expected \.jsonl, \.csv'
    ):
        read_questions(put("q.txt", "x"))
    with pytest.raises(InputError, match=r"queries\.jsonl: does not exist"):
        read_questions(tmp_path)
    with pytest.raises(InputError, match=r"nowhere: does not exist"):
        read_questions(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"q\.jsonl: is empty"):
        read_questions(put("q.jsonl", ""))


# --- ids -------------------------------------------------------------------------


def test_an_ids_file_chooses_and_the_questions_file_orders(put: Put) -> None:
    path = put("q.jsonl", [{"_id": one, "text": one} for one in "abcd"])
    ids = put("ids.txt", b"\xef\xbb\xbfd\r\n\r\nb\r\n")
    assert [one.question_id for one in read_questions(path, ids=ids)] == ["b", "d"]


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (
            "q1\nq9\n",
            "line 2: found the id 'q9', expected the id of a question. It is i",
        ),
        ("q1 \n", "line 1: found the id 'q1 ', expected the id of a question."),
        (
            "q1\nq2\n",
            "line 2: found the id 'q2' of the split 'test', expected ids of the",
        ),
        ("q1\nq3\nq1\n", "line 3: found the id 'q1' again (first at line 1), expected"),
        ("", ": is empty. Expected at least one record."),
        ("q1\rq3\r", "line 1: found a carriage return inside a line"),
    ],
)
def test_a_wrong_id_is_refused(put: Put, ids: str, message: str) -> None:
    path = put("q.jsonl", ROWS)
    chosen = put("ids.txt", ids)
    with pytest.raises(InputError) as refused:
        read_questions(path, ids=chosen)
    assert str(refused.value).startswith(str(chosen))
    assert message in str(refused.value)


@pytest.mark.parametrize(("name", "count"), [("scifact", 1109), ("cranfield", 225)])
def test_known_collections_load(name: str, count: int) -> None:
    assert len(read_questions(shared(f"data/{name}/beir"), split="test")) == count
