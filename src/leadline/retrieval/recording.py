"""Recordings: vectors in a file, bound to the texts that they were made of.

One JSON document::

    {"format": "leadline.vectors/1", "model": "...", "dimension": 3,
     "passages": [{"passage_id": "a", "text_sha256": "...", "vector": [1, 0, 0]}],
     "questions": [{"question_id": "q", "text_sha256": "...", "vector": [0, 1, 0]}]}

``text_sha256`` is of the text that was embedded: what is searched of a passage, and the
whole question. A recording that does not fit the snapshot and the questions to the
letter is refused, for its ranking would be of other texts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from leadline.disk import read_json, write_json
from leadline.errors import InputError, describe, shown
from leadline.hashing import Json, text_sha256
from leadline.retrieval.base import Embedder, Job, Role
from leadline.retrieval.cache import embed
from leadline.retrieval.dot import lengths
from leadline.rows import take

Format: TypeAlias = Literal["leadline.vectors/1"]
_FORMAT: Format = "leadline.vectors/1"
_LARGEST = float(np.finfo(np.float32).max)
_LISTED = 5


@dataclass(frozen=True, slots=True)
class Recorded:
    """The vectors of one kind of text: row ``i`` is that of ``ids[i]``."""

    ids: tuple[str, ...]
    text_sha256s: tuple[str, ...]
    components: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Recording:
    """What a file of vectors holds."""

    model: str
    dimension: int
    passages: Recorded
    questions: Recorded


@dataclass(frozen=True, slots=True)
class _File:
    format: Format
    model: str
    dimension: int
    passages: list[Json]
    questions: list[Json]


@dataclass(frozen=True, slots=True)
class _Passage:
    key: str = field(metadata={"name": "passage_id"})
    text_sha256: str
    vector: list[float]


@dataclass(frozen=True, slots=True)
class _Question:
    key: str = field(metadata={"name": "question_id"})
    text_sha256: str
    vector: list[float]


def read_recording(path: Path) -> Recording:
    """Read a file of vectors and check every number in it.

    Raises:
        InputError: names the file and the field: another format, an id twice, another
            number of components, one that is no finite float32, or a vector of zeros.
    """
    file = take(_File, _table(read_json(path), path), file=path)
    if file.dimension < 1:
        message = describe(
            str(file.dimension),
            file=path,
            field="dimension",
            expected="1 or more",
            remedy="Give the number of components of a vector.",
        )
        raise InputError(message)
    return Recording(
        file.model,
        file.dimension,
        _recorded(_Passage, file.passages, path, "passages", file.dimension),
        _recorded(_Question, file.questions, path, "questions", file.dimension),
    )


def write_recording(path: Path, recording: Recording) -> None:
    """Write a file of vectors; reading it gives the same float32 numbers.

    Raises:
        InputError: the file cannot be written.
    """
    write_json(
        path,
        {
            "format": _FORMAT,
            "model": recording.model,
            "dimension": recording.dimension,
            "passages": _entries(recording.passages, "passage_id"),
            "questions": _entries(recording.questions, "question_id"),
        },
    )


def record(embedder: Embedder, job: Job) -> Recording:
    """Embed every passage that some question may be shown, and every question.

    Raises:
        EngineError: the embedder failed, or broke its promise.
        InputError: a text without words, of which no direction can be recorded.
    """
    passages = _embedded(embedder, job, "passage")
    questions = _embedded(embedder, job, "question")
    model = str(embedder.identity()["model"])
    return Recording(model, passages.components.shape[1], passages, questions)


def bind(recording: Recording, job: Job, *, file: Path) -> None:
    """Hold a recording to the snapshot and to the questions.

    Every passage that some question may be shown, and every question, must have a
    vector of its very text. A passage that no question may be shown needs none, but a
    wrong one is refused. Vectors of other questions, such as those of another split,
    are allowed, and nothing reads them.

    Raises:
        InputError: passages or questions without a vector, vectors of passages that
            are not in the snapshot, or vectors of another text, each with their ids.
    """
    passages, questions = _hashes(recording.passages), _hashes(recording.questions)
    visible, asked = job.visible(), job.asked()
    every = dict(zip(job.passages.ids, job.passages.searchable(job.index), strict=True))
    texts = every | visible
    faults = (
        (
            "vectors of passages that are not in the snapshot",
            set(passages) - set(texts),
        ),
        ("no vector for the passages", set(visible) - set(passages)),
        ("no vector for the questions", set(asked) - set(questions)),
        ("vectors of other texts for the passages", _stale(passages, texts)),
        ("vectors of other texts for the questions", _stale(questions, asked)),
    )
    for fault, ids in faults:
        if ids:
            message = describe(
                f"{fault} {listed(ids)}",
                file=file,
                expected="the vectors of this snapshot and of these questions",
                remedy="Record the vectors again.",
            )
            raise InputError(message)


def listed(ids: Iterable[str]) -> str:
    """The first ids, ascending, and how many more there are.

    >>> listed(["b", "a"])
    "'a', 'b'"
    """
    names = sorted(ids)
    more = len(names) - _LISTED
    first = ", ".join(map(shown, names[:_LISTED]))
    return f"{first} and {more} more" if more > 0 else first


def _table(value: Json, path: Path, where: str | None = None) -> Mapping[str, Json]:
    if isinstance(value, dict):
        return value
    message = describe(
        shown(value),
        file=path,
        field=where,
        expected="an object" if where else f'an object with "format": "{_FORMAT}"',
        remedy="Record the vectors again.",
    )
    raise InputError(message)


def _recorded(
    kind: type[_Passage | _Question],
    values: Sequence[Json],
    path: Path,
    within: str,
    dimension: int,
) -> Recorded:
    components = np.zeros((len(values), dimension), dtype=np.float32)
    hashes: dict[str, str] = {}
    for row, value in enumerate(values):
        where = f"{within}[{row}]"
        table = _table(value, path, where)
        one: _Passage | _Question = take(kind, table, file=path, within=where)
        fault = _fault(one.vector, where, dimension)
        if fault is None and one.key in hashes:
            fault = where, f"the id {shown(one.key)} a second time", "each id once"
        if fault is None:
            components[row] = one.vector
            if not components[row].any():
                nothing = f"zeros only, for {shown(one.key)}"
                fault = f"{where}.vector", nothing, "a vector with a direction"
        if fault is not None:
            place, found, expected = fault
            message = describe(
                found,
                file=path,
                field=place,
                expected=expected,
                remedy="Record the vectors again.",
            )
            raise InputError(message)
        hashes[one.key] = one.text_sha256
    return Recorded(tuple(hashes), tuple(hashes.values()), components)


def _fault(
    vector: Sequence[object], where: str, dimension: int
) -> tuple[str, str, str] | None:
    """Where a vector is wrong, what was found there, and what was expected."""
    if len(vector) != dimension:
        return f"{where}.vector", f"{len(vector)} numbers", str(dimension)
    for place, value in enumerate(vector):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not -_LARGEST <= value <= _LARGEST:  # type: ignore[operator]  # a number
            return f"{where}.vector[{place}]", shown(value), "a finite float32 number"
    return None


def _entries(recorded: Recorded, key: str) -> list[Json]:
    return [
        {
            key: name,
            "text_sha256": text_hash,
            # The shortest digits that give the same float32.
            "vector": [float(str(one)) for one in vector],
        }
        for name, text_hash, vector in zip(
            recorded.ids, recorded.text_sha256s, recorded.components, strict=True
        )
    ]


def _embedded(embedder: Embedder, job: Job, role: Role) -> Recorded:
    texts = job.visible() if role == "passage" else job.asked()
    components = embed(embedder, list(texts.values()), role=role, cache=job.cache)
    if blank := [
        one for one, size in zip(texts, lengths(components), strict=True) if not size
    ]:
        message = (
            f"{role} without words, of which no vector can be recorded: "
            f"{listed(blank)}. Give it a text, or leave it out"
        )
        raise InputError(message)
    return Recorded(tuple(texts), tuple(map(text_sha256, texts.values())), components)


def _hashes(recorded: Recorded) -> dict[str, str]:
    return dict(zip(recorded.ids, recorded.text_sha256s, strict=True))


def _stale(hashes: Mapping[str, str], texts: Mapping[str, str]) -> set[str]:
    return {
        one
        for one, text in texts.items()
        if one in hashes and hashes[one] != text_sha256(text)
    }
