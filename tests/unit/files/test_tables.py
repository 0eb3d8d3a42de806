"""CSV is read by its header, exactly, and each fault has its line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.files.tables import read_table

Put = Callable[[str, Any], Path]


def cells(
    path: Path, *, prefix: str | None = None
) -> list[tuple[int | None, dict[str, str]]]:
    rows = read_table(path, required=("id", "text"), prefix=prefix)
    return [(place.line, row) for place, row in rows]


def test_a_mark_and_windows_line_ends_are_no_data(put: Put) -> None:
    path = put("t.csv", b"\xef\xbb\xbfid,text\r\n1,a\r\n\r\n2,b")
    expected = [(2, {"id": "1", "text": "a"}), (4, {"id": "2", "text": "b"})]
    assert cells(path) == expected


def test_a_record_is_named_by_the_line_where_it_begins(put: Put) -> None:
    path = put("t.csv", 'id,text\n1,"a\nb\u2028c"\n2,d\n')
    assert cells(path) == [
        (2, {"id": "1", "text": "a\nb\u2028c"}),
        (4, {"id": "2", "text": "d"}),
    ]


def test_a_cell_may_be_long(put: Put) -> None:
    long = "x" * 200_000
    assert cells(put("t.csv", f"id,text\n1,{long}\n"))[0][1]["text"] == long


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
            st.text(st.characters(exclude_categories=["Cs"])),
        )
    )
)
def test_quoted_cells_come_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"'

    lines = ["id,text", *(f"{quoted(a)},{quoted(b)}" for a, b in rows)]
    path = tmp_path_factory.getbasetemp() / "t.csv"
    path.write_bytes("\n".join(lines).encode())
    assert [tuple(row.values()) for _, row in cells(path)] == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "id,txt\n",
            ", line 1: found the column 'txt', expected a header with columns",
        ),
        ("id,txt\n", 'Did you mean "text"?'),
        ("1,first\n", ", line 1: found the column '1', expected a header"),
        (
            "id;text\n1;a\n",
            "found the column 'id;text', expected a header with columns ",
        ),
        (
            "id\n1\n",
            ", line 1: found no column 'text', expected a header with id, text.",
        ),
        (
            "id,text,id\n",
            ", line 1: found the column 'id' twice, expected every column",
        ),
        ("id,text\n1,a\n2\n", ", line 3: found 1 cell, expected 2, as in the header."),
        ("id,text\n1,a,b\n", ", line 2: found 3 cells, expected 2, as in the header."),
        ('id,text\n1,"a\nb\n', ", line 2: found an unfinished record, expected cells"),
        ('id,text\n1,"a"b\n', ", line 2: found no CSV ("),
        ("id,text\r1,a\r", ", line 1: found no CSV ("),
        ("", ": is empty. Expected at least one record."),
        ('""\n', ": is empty. Expected a header."),
    ],
)
def test_refuses(put: Put, text: str, message: str) -> None:
    path = put("t.csv", text)
    with pytest.raises(InputError) as refused:
        cells(path)
    assert str(refused.value).startswith(str(path))
    assert message in str(refused.value)


def test_a_prefix_lets_any_name_in(put: Put) -> None:
    path = put("t.csv", "id,text,metadata.x\n1,a,b\n")
    assert cells(path, prefix="metadata.")[0][1]["metadata.x"] == "b"
    bare = put("t.csv", "id,text,metadata.\n")
    with pytest.raises(
        InputError, match=r"column 'metadata\.', .* metadata\.NAME may h"
    ):
        cells(bare, prefix="metadata.")


def test_two_different_encodings_are_refused_by_their_offset(put: Put) -> None:
    with pytest.raises(InputError, match="byte 0xe9 at offset 14, which is not UTF-8"):
        cells(put("t.csv", "id,text\nq1,caf\xe9\n".encode("cp1252")))
    with pytest.raises(InputError, match="which is not UTF-8 but UTF-16"):
        cells(put("t.csv", "\ufeffid,text\n".encode("utf-16-le")))
