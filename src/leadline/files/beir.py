"""BEIR: ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/SPLIT.tsv`` in one folder.

Source: Thakur et al., BEIR, NeurIPS Datasets and Benchmarks (2021).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from leadline.disk import read_lines
from leadline.documents import OWN_FIELDS, Document
from leadline.errors import InputError, did_you_mean, shown
from leadline.files.places import Place, checked_id
from leadline.hashing import Json
from leadline.rows import take

CORPUS = "corpus.jsonl"
QUERIES = "queries.jsonl"

_HEADER = ("query-id", "corpus-id", "score")
_GRADE = re.compile(r"[+-]?[0-9]{1,9}")
_LIFTED = ("version", "status", "scope", "url")


@dataclass(frozen=True, slots=True)
class _Row:
    source_id: str = field(metadata={"name": "_id"})
    text: str
    title: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgment:
    """One row of a qrels file."""

    place: Place
    question_id: str
    source_id: str
    grade: int


def document(values: Mapping[str, Json], place: Place) -> tuple[Document, bool]:
    """One document from its row, and whether some of its metadata was left out.

    Of the metadata, strings, numbers and booleans are kept; what is nested is left
    out, for no policy could test it. A version, status, scope or url in it becomes
    the document's own.

    Raises:
        InputError: a field is unknown, missing or of a wrong type.
    """
    row = take(_Row, values, file=place.file, line=place.line)
    checked_id(row.source_id, place, "_id")
    own: dict[str, str] = {}
    rest: dict[str, str | int | float | bool] = {}
    for name, value in row.metadata.items():
        if name in _LIFTED and isinstance(value, str):
            own[name] = value
        elif name not in OWN_FIELDS and isinstance(value, (str, int, float)):
            rest[name] = value
    whole = Document(row.source_id, row.text, title=row.title, metadata=rest)
    lossy = len(own) + len(rest) < len(row.metadata)
    return replace(whole, **own), lossy  # type: ignore[arg-type]  # fields of text


def read_qrels(path: Path) -> Iterator[Judgment]:
    """Every judgment of a qrels file: three columns between tabs, with a header or not.

    Raises:
        InputError: like `read_lines`; a row that is not three columns, or whose
            grade is no whole number.
    """
    first = True
    for line, text in read_lines(path, may_be_empty=False):
        place = Place(path, line)
        if not text.strip():
            continue
        cells = text.split("\t")
        header, first = first and tuple(cells) == _HEADER, False
        if header:
            continue
        if len(cells) != len(_HEADER):
            raise place.refusal(
                f"{len(cells)} column{'s' if len(cells) > 1 else ''}",
                expected=f"three between tabs: {', '.join(_HEADER)}",
                remedy="Write the file as BEIR does.",
            )
        question_id, source_id, grade = cells
        if not _GRADE.fullmatch(grade):
            raise place.refusal(
                shown(grade),
                field="score",
                expected="a whole number",
                remedy="Grades are whole; round them before the comparison, not in it.",
            )
        yield Judgment(
            place,
            checked_id(question_id, place, "query-id"),
            checked_id(source_id, place, "corpus-id"),
            int(grade),
        )


def question_ids(folder: Path, split: str) -> list[str]:
    """Ids of the questions that a split judges, in the file's order.

    For writing an ids file before any comparison; a comparison never calls it.

    Raises:
        InputError: the folder has no such split (the message names those it has).
    """
    path = folder / "qrels" / f"{split}.tsv"
    if not path.is_file():
        splits = [one.stem for one in (folder / "qrels").glob("*.tsv")]
        raise InputError(
            f'{folder} has no split "{split}". {did_you_mean(split, splits)}'
        )
    return list(dict.fromkeys(one.question_id for one in read_qrels(path)))
