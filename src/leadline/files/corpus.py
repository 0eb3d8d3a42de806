"""The corpus: whatever form it is in, a snapshot comes out."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from leadline.disk import read_jsonl
from leadline.documents import Document, Snapshot
from leadline.errors import InputError
from leadline.files import beir, folder, own
from leadline.files.places import Place, refuse_repeats

_NAMED = 5  # ids in a note; the rest are counted


@dataclass(frozen=True, slots=True)
class Corpus:
    """A snapshot, and what its reader should be told about the load."""

    snapshot: Snapshot
    notes: tuple[str, ...]
    """Sentences; none of them is an error."""


def read_corpus(path: Path) -> Corpus:
    """Read documents and fix them in a snapshot.

    - A folder with a ``corpus.jsonl``: that file.
    - Another folder: its Markdown and text files, `leadline.files.folder`.
    - ``.jsonl``: Leadline's own rows, `leadline.files.own`; or BEIR's, where the
      first one has an ``_id``.
    - ``.csv``: columns named like the fields of Leadline's own rows.

    Raises:
        InputError: the path has none of these forms; something in it is wrong; two
            documents have the same source id and version (both places are named).
    """
    documents, notes = _read(path)
    refuse_repeats([(one.key, place) for place, one in documents], "document")
    snapshot = Snapshot.of(one for _, one in documents)
    blank = [one.key for one in snapshot.documents if not one.text.strip()]
    if blank:
        notes.append(
            f"{_count(len(blank), 'document has', 'documents have')} no text and can "
            f"match nothing: {_listed(blank)}."
        )
    return Corpus(snapshot, tuple(notes))


def _read(path: Path) -> tuple[list[tuple[Place, Document]], list[str]]:
    if path.is_dir() and not (path / beir.CORPUS).exists():
        found = folder.read_folder(path)
        notes = [
            f"{_count(len(names), f'{kind} was', f'{kind}s were')} not {done}: "
            f"{_listed(names)}."
            for names, kind, done in (
                (found.links, "link", "followed"),
                (found.others, "file", "read, for another ending"),
            )
            if names
        ]
        return found.documents, notes
    if path.is_dir():
        return _read_jsonl(path / beir.CORPUS)
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return own.read_csv(path), []
    if suffix == ".jsonl" or not path.exists():
        return _read_jsonl(path)
    raise InputError(
        f'{path}: found the ending "{path.suffix}", expected a folder, .jsonl or '
        ".csv. Name the corpus so."
    )


def _read_jsonl(path: Path) -> tuple[list[tuple[Place, Document]], list[str]]:
    rows = [(Place(path, line), values) for line, values in read_jsonl(path)]
    if "_id" not in rows[0][1]:
        return [(place, own.document(values, place)) for place, values in rows], []
    documents = []
    lossy = 0
    for place, values in rows:
        document, left_out = beir.document(values, place)
        documents.append((place, document))
        lossy += left_out
    if not lossy:
        return documents, []
    note = f"{_count(lossy, 'document has', 'documents have')} metadata that no policy"
    return documents, [f"{note} can test; it was left out."]


def _count(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - _NAMED:,} more" if len(every) > _NAMED else ""
    return ", ".join(every[:_NAMED]) + more
