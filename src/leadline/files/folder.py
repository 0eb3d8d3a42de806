"""A folder of Markdown and text files: each file is one document and one passage."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from leadline.disk import read_text
from leadline.documents import Document
from leadline.errors import InputError, shown
from leadline.files.places import Place

SUFFIXES = (".md", ".markdown", ".txt")

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder holds; hidden files and folders apart."""

    documents: list[tuple[Place, Document]]
    """Ascending by path."""
    links: list[str]
    """Not followed, for they lead outside or to a folder."""
    others: list[str]
    """Files with another ending; not read."""


def read_folder(root: Path) -> Folder:
    """Every document below a folder.

    The source id is the path from the folder, with ``/`` on every system; the title
    is the first Markdown heading, or the file's name without its ending. Hidden
    files and folders are skipped. A link is followed to a file inside the folder
    and nowhere else.

    Raises:
        InputError: a file cannot be read, a name is not UTF-8, or there is no file
            with one of the endings.
    """
    files, links, others = _files(root)
    if not files:
        raise InputError(
            f"{root}: found no document, expected files that end in "
            f"{', '.join(SUFFIXES)}, or BEIR's corpus.jsonl. Check the path."
        )
    found = []
    for source_id in sorted(files):
        path = root / source_id
        text = read_text(path)
        title = "" if path.suffix.lower() == ".txt" else first_heading(text)
        document = Document(source_id, text, title=title or path.stem)
        found.append((Place(path), document))
    return Folder(found, sorted(links), sorted(others))


def _files(root: Path) -> tuple[list[str], list[str], list[str]]:
    def refuse(error: OSError) -> None:
        raise InputError(
            f"{error.filename}: cannot be listed: {error.strerror}. "
            "Check its permissions."
        )

    inside = root.resolve()
    found: list[str] = []
    skipped: list[str] = []
    others: list[str] = []
    for folder, folders, files in os.walk(root, onerror=refuse):
        here = Path(folder)
        folders[:] = [name for name in folders if not name.startswith(".")]
        skipped += [
            _source_id(root, here / n) for n in folders if (here / n).is_symlink()
        ]
        for name in files:
            path = here / name
            if name.startswith("."):
                continue
            if path.suffix.lower() not in SUFFIXES:
                others.append(ascii(path.relative_to(root).as_posix())[1:-1])
                continue
            source_id = _source_id(root, path)
            outside = not path.resolve().is_relative_to(inside)
            (skipped if path.is_symlink() and outside else found).append(source_id)
    return found, skipped, others


def _source_id(root: Path, path: Path) -> str:
    source_id = path.relative_to(root).as_posix()
    if not source_id.isprintable():  # what is not UTF-8 comes as a lone surrogate
        raise InputError(
            f"{root}: found the name {shown(source_id)}, expected printable UTF-8. "
            "Rename the file."
        )
    return source_id


def first_heading(text: str) -> str:
    r"""The text of the first Markdown heading, or nothing.

    A heading starts with ``#``, or has ``=`` below it; code blocks and front matter
    have none.

    >>> first_heading("intro\n\n## Writing files ##\n")
    'Writing files'
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines[0] == "---" and "---" in lines[1:]:
        lines = lines[lines.index("---", 1) + 1 :]
    fence = ""
    before = ""
    for line in lines:
        if mark := _FENCE.match(line):
            fence = mark[1] if not fence else "" if mark[1] == fence else fence
            before = ""
            continue
        if not fence:
            if (heading := _HEADING.fullmatch(line)) and heading[1]:
                return heading[1]
            if _UNDERLINE.fullmatch(line) and before.strip():
                return before.strip()
        before = line
    return ""
