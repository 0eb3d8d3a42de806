"""A folder of texts: its files, all of them and nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import InputError
from leadline.files.corpus import read_corpus
from leadline.files.folder import first_heading

Put = Callable[[str, Any], Path]


def titles(folder: Path) -> dict[str, str]:
    return {one.source_id: one.title for one in read_corpus(folder).snapshot.documents}


def test_each_file_is_a_document_named_by_its_path(put: Put, tmp_path: Path) -> None:
    put("docs/b.md", "text\n# Bee\n")
    put("docs/a/deep/c.MARKDOWN", "no heading")
    put("docs/notes.txt", "# not a heading in plain text")
    put("docs/data.json", "{}")
    put("docs/.hidden.md", "x")
    put("docs/.git/x.md", "x")
    assert titles(tmp_path / "docs") == {
        "a/deep/c.MARKDOWN": "c",
        "b.md": "Bee",
        "notes.txt": "notes",
    }


def test_a_file_is_one_passage_with_its_exact_text(put: Put, tmp_path: Path) -> None:
    put("docs/a.md", b"\xef\xbb\xbf# A\r\n\r\ntext\r\n")
    snapshot = read_corpus(tmp_path / "docs").snapshot
    assert snapshot.passages.ids == ("a.md",)
    assert snapshot.passages.texts == ("# A\r\n\r\ntext\r\n",)


def test_links_lead_nowhere_outside(put: Put, tmp_path: Path) -> None:
    secret = put("secret.md", "outside")
    inside = put("docs/a.md", "inside")
    put("elsewhere/e.md", "outside")
    (tmp_path / "docs" / "alias.md").symlink_to(inside)
    (tmp_path / "docs" / "out.md").symlink_to(secret)
    (tmp_path / "docs" / "away").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "docs" / "loop").symlink_to(tmp_path / "docs")
    corpus = read_corpus(tmp_path / "docs")
    assert [one.source_id for one in corpus.snapshot.documents] == ["a.md", "alias.md"]
    assert corpus.notes == ("3 links were not followed: away, loop, out.md.",)


def test_the_folder_itself_may_be_a_link(put: Put, tmp_path: Path) -> None:
    put("docs/a.md", "inside")
    (tmp_path / "latest").symlink_to(tmp_path / "docs")
    assert list(titles(tmp_path / "latest")) == ["a.md"]


def test_a_folder_without_texts_is_refused(put: Put, tmp_path: Path) -> None:
    put("docs/a.html", "x")
    with pytest.raises(InputError, match=r"docs: found no document, expected files t"):
        read_corpus(tmp_path / "docs")


def test_a_file_that_is_not_utf8_is_refused_by_name(put: Put, tmp_path: Path) -> None:
    put("docs/a.md", b"caf\xe9")
    with pytest.raises(InputError, match=r"a\.md, line 1: found byte 0xe9 at offset 3"):
        read_corpus(tmp_path / "docs")


def test_a_folder_that_cannot_be_listed_is_no_empty_one(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("docs/a.md", "x")

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("os.scandir", refuse)
    with pytest.raises(InputError, match="docs: cannot be listed: Permission denied"):
        read_corpus(tmp_path / "docs")


@pytest.mark.parametrize("name", [b"caf\xe9.md", b"new\nline.md"])
def test_a_name_that_cannot_be_printed_is_refused(tmp_path: Path, name: bytes) -> None:
    path = Path(str(tmp_path)) / name.decode("utf-8", "surrogateescape")
    try:
        path.write_text("x")
    except OSError:
        pytest.skip("this file system has no such names")
    with pytest.raises(InputError, match=r"expected printable UTF-8\. Rename the fi"):
        read_corpus(tmp_path)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# One\n# Two", "One"),
        ("   ###   Three ###  \n", "Three"),
        ("#hashtag\n\n# Real\r\n", "Real"),
        ("Title\n=====\n\n# Later", "Title"),
        ("\n=====\n", ""),
        ("```\n# comment\n```\n# Real", "Real"),
        ("~~~\n```\n# comment\n~~~\n# Real", "Real"),
        ("---\n# yaml: comment\ntitle: x\n---\n# Real", "Real"),
        ("---\n# Real\n", "Real"),
        ("# C#\n", "C#"),
        ("# \n## Sub", "Sub"),
        ("text alone", ""),
        ("", ""),
    ],
)
def test_the_title_is_the_first_heading(text: str, title: str) -> None:
    assert first_heading(text) == title


def test_files_that_are_not_read_are_named(put: Put, tmp_path: Path) -> None:
    put("docs/a.md", "inside")
    put("docs/b.pdf", "%PDF")
    put("docs/c/d.html", "<p>")
    put("docs/.hidden.pdf", "%PDF")
    assert read_corpus(tmp_path / "docs").notes == (
        "2 files were not read, for another ending: b.pdf, c/d.html.",
    )
