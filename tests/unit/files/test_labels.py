"""Labels name text by its hash, or they are refused; they are written as they read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import InputError
from leadline.files.labels import read_labels, write_labels
from leadline.hashing import text_sha256
from leadline.judging.cases import Case, ContentTarget, IdTarget
from tests.shared import shared

Put = Callable[[str, Any], Path]

SOURCE = text_sha256("the whole document")
PASSAGE = text_sha256("the passage")
TARGET: dict[str, Any] = {
    "source_id": "guide",
    "source_text_sha256": SOURCE,
    "passage_text_sha256": PASSAGE,
}


def test_a_case_is_what_its_row_says(put: Put) -> None:
    full = {**TARGET, "version": "3.12", "legacy_id": "guide:b71a", "grade": 2}
    path = put(
        "l.jsonl",
        [
            {"question_id": "q1", "class": "answerable", "targets": [full, TARGET]},
            {"question_id": "q2", "class": "unanswerable"},
        ],
    )
    assert read_labels(path) == (
        Case(
            "q1",
            "answerable",
            (
                ContentTarget("guide", "3.12", SOURCE, PASSAGE, "guide:b71a", 2.0),
                ContentTarget("guide", "", SOURCE, PASSAGE),
            ),
            f"{path}, line 1",
        ),
        Case("q2", "unanswerable", (), f"{path}, line 2"),
    )


def test_a_hash_in_capitals_is_the_same_hash(put: Put) -> None:
    target = {**TARGET, "passage_text_sha256": PASSAGE.upper()}
    row = {"question_id": "q1", "class": "answerable", "targets": [target]}
    (case,) = read_labels(put("l.jsonl", [row]))
    assert case.targets == (ContentTarget("guide", "", SOURCE, PASSAGE),)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"passage_text_sha256": ""},
            "found '', expected 64 hex digits. It is the sha2",
        ),
        (
            {"passage_text_sha256": ...},
            "found nothing, expected a string. Add the field",
        ),
        ({"passage_text_sha256": None}, "found null, expected a string."),
        ({"passage_text_sha256": "abc"}, "found 'abc', expected 64 hex digits."),
        ({"passage_text_sha256": "g" * 64}, "expected 64 hex digits."),
        ({"passage_text_sha256": PASSAGE + "\n"}, "expected 64 hex digits."),
    ],
)
@pytest.mark.parametrize("name", ["passage_text_sha256", "source_text_sha256"])
def test_a_missing_hash_matches_nothing(
    put: Put, change: dict[str, Any], message: str, name: str
) -> None:
    target = {**TARGET, name: change["passage_text_sha256"]}
    target = {key: value for key, value in target.items() if value is not ...}
    row = {"question_id": "q", "class": "answerable", "targets": [target]}
    path = put("l.jsonl", [{"question_id": "p", "class": "unanswerable"}, row])
    with pytest.raises(InputError) as refused:
        read_labels(path)
    where = f'{path}, line 2, field "targets[0].{name}": '
    assert str(refused.value).startswith(where)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"question_id": "q"},
            'field "class": found nothing, expected "answerable" or',
        ),
        (
            {"question_id": "q", "class": "unsupported"},
            'expected "answerable" or "unanswerable". Write "unanswerable".',
        ),
        (
            {"question_id": "q", "class": None},
            'found null, expected "answerable" or "u',
        ),
        (
            {"query_id": "q"},
            'field "query_id": found an unknown field, expected a fiel',
        ),
        ({"question_id": 1, "class": "answerable"}, "found 1, expected a string."),
        (
            {"question_id": " ", "class": "answerable"},
            "found ' ', expected an id: one ",
        ),
        (
            {"question_id": "q", "class": "answerable", "targets": ["d1"]},
            "field \"targets[0]\": found 'd1', expected a target: a source_id and the",
        ),
        (
            {
                "question_id": "q",
                "class": "answerable",
                "targets": [{**TARGET, "id": 1}],
            },
            'field "targets[0].id": found an unknown field',
        ),
        (
            {
                "question_id": "q",
                "class": "answerable",
                "targets": [TARGET, {**TARGET, "grade": -1}],
            },
            'field "targets[1].grade": found -1, expected 0 or more. Above 0 is relev',
        ),
        (
            {
                "question_id": "q",
                "class": "answerable",
                "targets": [{**TARGET, "grade": "2"}],
            },
            "found '2', expected a number.",
        ),
    ],
)
def test_a_wrong_row_is_refused(put: Put, row: dict[str, Any], message: str) -> None:
    path = put("l.jsonl", [row])
    with pytest.raises(InputError) as refused:
        read_labels(path)
    assert str(refused.value).startswith(f"{path}, line 1, field ")
    assert message in str(refused.value)


def test_a_form_that_is_not_known_is_refused(put: Put, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r'the ending "\.txt", expected \.jsonl or \.ts'
    ):
        read_labels(put("qrels.txt", "q 0 d1 1\n"))
    with pytest.raises(InputError, match=r": is a folder\. Expected a file\."):
        read_labels(tmp_path)
    with pytest.raises(InputError, match=r": does not exist\."):
        read_labels(tmp_path / "labels.jsonl")
    with pytest.raises(InputError, match=r": is empty\."):
        read_labels(put("labels.jsonl", ""))


# --- qrels -----------------------------------------------------------------------

ROWS = "q1\td1\t1\nq2\td2\t0\nq1\t007\t-1\n"


@pytest.mark.parametrize("header", ["", "query-id\tcorpus-id\tscore\n"])
def test_a_header_is_known_and_no_judgment_is_lost(put: Put, header: str) -> None:
    path = put("qrels.tsv", header + ROWS)
    first = 1 + bool(header)
    assert read_labels(path) == (
        Case(
            "q1",
            None,
            (IdTarget("d1", 1.0), IdTarget("007", -1.0)),
            f"{path}, line {first}",
        ),
        Case("q2", None, (IdTarget("d2", 0.0),), f"{path}, line {first + 1}"),
    )


def test_a_mark_windows_line_ends_and_a_missing_last_one_change_nothing(
    put: Put,
) -> None:
    plain = read_labels(put("qrels.tsv", ROWS))
    other = "\ufeff" + ROWS.replace("\n", "\r\n") + "\r\n"
    assert read_labels(put("qrels.tsv", other)) == plain
    assert read_labels(put("qrels.tsv", ROWS.removesuffix("\n"))) == plain


@pytest.mark.parametrize(
    "name", ["007", "01", "NA", "null", "nan", "7.0", "1e3", "TRUE", "a b"]
)
def test_an_id_is_text(put: Put, name: str) -> None:
    (case,) = read_labels(put("qrels.tsv", f"{name}\t{name}\t1\n"))
    assert (case.question_id, case.targets) == (name, (IdTarget(name, 1.0),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "q\td\t0.5\n",
            ", line 1, field \"score\": found '0.5', expected a whole number",
        ),
        ("q\td\t1 \n", "found '1 ', expected a whole number. Grades are whole; round"),
        ("q\td\t\n", "found '', expected a whole number."),
        ("q\td\tNaN\n", "found 'NaN', expected a whole number."),
        ("q\td\t\u0661\n", "expected a whole number."),
        ("query_id\tdoc_id\tscore\n", "found 'score', expected a whole number."),
        (
            "q 0 d 1\n",
            ", line 1: found 1 column, expected three between tabs: query-id",
        ),
        ("q\t0\td\t1\n", ", line 1: found 4 columns, expected three between tabs"),
        ("q\td\t1\nq\td\n", ", line 2: found 2 columns, expected three between tabs"),
        (
            "\td\t1\n",
            ", line 1, field \"query-id\": found '', expected an id: one line",
        ),
        ("q\t \t1\n", ", line 1, field \"corpus-id\": found ' ', expected an id"),
        ("q\td\t1\rq\te\t1\r", ", line 1: found a carriage return inside a line"),
        (
            "q\td\t1\n" + "query-id\tcorpus-id\tscore\n",
            ', line 2, field "score": found',
        ),
    ],
)
def test_a_wrong_judgment_is_refused(put: Put, text: str, message: str) -> None:
    path = put("qrels.tsv", text)
    with pytest.raises(InputError) as refused:
        read_labels(path)
    assert str(refused.value).startswith(f"{path}, line ")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("grade", "same"), [(0, "grade 2 there and 0 here"), (2, "the same grade")]
)
def test_a_pair_that_is_judged_twice_is_refused_by_both_lines(
    put: Put, grade: int, same: str
) -> None:
    path = put("qrels.tsv", f"q\td1\t2\nq\td2\t1\nq\td1\t{grade}\n")
    with pytest.raises(InputError) as refused:
        read_labels(path)
    assert str(refused.value) == (
        f"{path}, line 3: found question 'q' and document 'd1' again (first at line "
        f"1), {same}, expected every pair once. Delete one of the two lines."
    )


# --- writing ---------------------------------------------------------------------


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    cases = (
        Case(
            "q1 é",
            "answerable",
            (
                ContentTarget("a", "1", SOURCE, PASSAGE, "old", 0.5),
                ContentTarget("b", "", SOURCE, PASSAGE),
            ),
            f"{path}, line 1",
        ),
        Case("q2", "unanswerable", (), f"{path}, line 2"),
    )
    write_labels(path, cases)
    assert read_labels(path) == cases
    write_labels(path, [*cases, Case("q3", "unanswerable", ())])
    assert [one.question_id for one in read_labels(path)] == ["q1 é", "q2", "q3"]


def test_what_the_file_cannot_say_is_refused_and_leaves_it(put: Put) -> None:
    path = put("l.jsonl", "old")
    with pytest.raises(InputError, match="question 'q' has no class, expected answer"):
        write_labels(path, [Case("q", None, ())])
    target = IdTarget("d1", 1.0)
    with pytest.raises(InputError, match="target that only names 'd1', expected one t"):
        write_labels(path, [Case("q", "answerable", (target,))])
    assert path.read_text() == "old"


@pytest.mark.parametrize(("name", "judged"), [("scifact", 339), ("cranfield", 1837)])
def test_known_collections_load(name: str, judged: int) -> None:
    cases = read_labels(shared(f"data/{name}/beir/qrels/test.tsv"))
    assert sum(len(one.targets) for one in cases) == judged
