"""Leadline's own corpus rows: one document each, with its passages where it has any.

``{"source_id": "guide", "version": "3.12", "text": "...", "passages": [...]}``
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leadline.documents import OWN_FIELDS, Document, Span
from leadline.errors import shown
from leadline.files.places import Place, checked_id, checked_sha256
from leadline.files.tables import read_table
from leadline.hashing import Json, text_sha256
from leadline.policies import Value
from leadline.rows import spelled, take

_METADATA = "metadata."
_COLUMNS = ("version", "status", "scope", "url", "title", "text_sha256")


@dataclass(frozen=True, slots=True)
class _Row:
    source_id: str
    text: str
    version: str = ""
    status: str = "current"
    scope: str = "public"
    url: str = ""
    title: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    text_sha256: str = ""
    passages: list[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    text_sha256: str = ""


@dataclass(frozen=True, slots=True)
class _Quote:
    text: str
    text_sha256: str = ""


def read_csv(path: Path) -> list[tuple[Place, Document]]:
    """Every document of a CSV file, whole; ``metadata.NAME`` columns are metadata."""
    rows = read_table(
        path, required=("source_id", "text"), optional=_COLUMNS, prefix=_METADATA
    )
    found = []
    for place, cells in rows:
        own = {name: one for name, one in cells.items() if "." not in name}
        metadata = {
            name.removeprefix(_METADATA): one
            for name, one in cells.items()
            if name.startswith(_METADATA)
        }
        found.append((place, document({**own, "metadata": metadata}, place)))
    return found


def document(values: Mapping[str, Json], place: Place) -> Document:
    """One document from its row.

    A passage is ``{"start", "end"}`` in characters (code points) of the text, or
    ``{"text"}``, which must stand exactly once in it. Wherever a ``text_sha256`` is
    given, it must be that of the text.

    Raises:
        InputError: a field is unknown, missing or of a wrong type; a hash differs;
            a passage is not in the text, or is there more than once.
    """
    row = take(_Row, values, file=place.file, line=place.line)
    checked_id(row.source_id, place, "source_id")
    if "text_sha256" in values:
        _verify(row.text, row.text_sha256, place, "text_sha256")
    return Document(
        source_id=row.source_id,
        text=row.text,
        version=row.version,
        status=row.status,
        scope=row.scope,
        url=row.url,
        title=row.title,
        metadata={
            name: _scalar(name, value, place) for name, value in row.metadata.items()
        },
        spans=_spans(row, place) if "passages" in values else None,
    )


def _scalar(name: str, value: Json, place: Place) -> Value:
    if not isinstance(value, (str, int, float)):
        raise place.refusal(
            spelled(value),
            field=_METADATA + name,
            expected="a string, a number, true or false",
            remedy="A policy can test nothing else; leave it out.",
        )
    if name in OWN_FIELDS:
        raise place.refusal(
            "a name that the document itself has",
            field=_METADATA + name,
            expected="another name",
            remedy=f'Put "{name}" beside the text, not into the metadata.',
        )
    return value


def _spans(row: _Row, place: Place) -> tuple[Span, ...]:
    if not row.passages:
        raise place.refusal(
            "an empty list",
            field="passages",
            expected="at least one passage",
            remedy="Leave the field out where the document is one passage.",
        )
    spans: list[Span] = []
    for position, one in enumerate(row.passages):
        within = f"passages[{position}]"
        span = _span(one, row.text, place, within)
        if span in spans:
            raise place.refusal(
                f"characters {span.start}-{span.end} again",
                field=within,
                expected="every passage once",
                remedy="Delete one of the two.",
            )
        spans.append(span)
    return tuple(spans)


def _span(one: Json, text: str, place: Place, within: str) -> Span:
    if not isinstance(one, Mapping):
        raise place.refusal(
            spelled(one),
            field=within,
            expected='{"start": ..., "end": ...} or {"text": ...}',
            remedy="Say where the passage is.",
        )
    if "text" in one:
        quote = take(_Quote, one, file=place.file, line=place.line, within=within)
        span, sha256 = _only(quote.text, text, place, within), quote.text_sha256
    else:
        row = take(_Span, one, file=place.file, line=place.line, within=within)
        span, sha256 = Span(row.start, row.end), row.text_sha256
        if not 0 <= span.start < span.end <= len(text):
            raise place.refusal(
                f"characters {span.start}-{span.end}",
                field=within,
                expected=f"0 <= start < end <= {len(text)}, the text's length",
                remedy="Count characters, not bytes.",
            )
    if "text_sha256" in one:
        _verify(text[span.start : span.end], sha256, place, f"{within}.text_sha256")
    return span


def _only(quote: str, text: str, place: Place, within: str) -> Span:
    start = text.find(quote) if quote else -1
    if start < 0 or text.find(quote, start + 1) >= 0:
        times = "empty text" if not quote else "text that is not in the document"
        if start >= 0:
            times = "text that is in the document more than once"
        raise place.refusal(
            f"{times}, {shown(quote)}",
            field=f"{within}.text",
            expected="text that is in the document exactly once",
            remedy="Give start and end instead.",
        )
    return Span(start, start + len(quote))


def _verify(text: str, claimed: str, place: Place, name: str) -> None:
    expected = text_sha256(text)
    if checked_sha256(claimed, place, name) != expected:
        raise place.refusal(
            shown(claimed),
            field=name,
            expected=f"{expected}, the sha256 of the text here",
            remedy="The text or the hash was changed; take both from one source.",
        )
