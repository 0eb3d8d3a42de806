"""Vector retrieval: the cosine of the whole question with each passage, exact.

The vectors come from an embedder, through the cache, or from a recording. A text
without words has a vector of zeros, which has no direction: such a passage is never
returned, such a question gets an empty ranking, and `Vector.prepare` counts both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from leadline.documents import View
from leadline.errors import EngineError, ExperimentError, describe
from leadline.hashing import Json, digest_columns
from leadline.plugins import Part, Plugin
from leadline.questions import Question
from leadline.ranking import Run
from leadline.retrieval.base import Embedder, Job, Role, eligible
from leadline.retrieval.cache import embed
from leadline.retrieval.dot import Vectors, nearest
from leadline.retrieval.recording import bind, read_recording


@dataclass(frozen=True, slots=True)
class VectorParameters:
    """Where the vectors come from: exactly one of an embedder and a recording."""

    embedder: Part | None = field(default=None, metadata={"kind": "embedder"})
    recording: Path | None = None

    def __post_init__(self) -> None:
        """Refuse both, and refuse neither."""
        if (self.embedder is None) == (self.recording is None):
            message = describe(
                "neither" if self.embedder is None else "both of them",
                expected='either the key "embedder" or the key "recording"',
                remedy='For example embedder = "wordllama".',
            )
            raise ExperimentError(message)


@dataclass(frozen=True, slots=True)
class _Table:
    """The vectors of one kind of text, by id."""

    rows: Mapping[str, int]
    vectors: Vectors

    def take(self, ids: Sequence[str]) -> Vectors:
        try:
            rows = np.array([self.rows[one] for one in ids], dtype=np.int64)
        except KeyError as error:
            message = f"the vector of {error} was not prepared; call prepare first"
            raise EngineError(message) from None
        return self.vectors.take(rows)

    def sha256(self) -> str:
        """Of the vectors, ascending by id."""
        ids = sorted(self.rows)
        return digest_columns("vectors/1", ids, self.take(ids).components)

    @property
    def zeros(self) -> int:
        """How many ids have a vector of zeros."""
        used = np.array(list(self.rows.values()), dtype=np.int64)
        return int(np.count_nonzero(self.vectors.lengths[used] == 0))


_NOTHING = _Table({}, Vectors(np.empty((0, 1), np.float32), np.empty(0)))


@dataclass(slots=True)
class Vector:
    """The retriever; ``prepare`` fills its tables."""

    embedder: Embedder | None
    recording: Path | None
    _passages: _Table = field(default=_NOTHING, init=False)
    _questions: _Table = field(default=_NOTHING, init=False)

    def prepare(self, job: Job) -> Mapping[str, Json]:
        """Embed, or read the recording, and answer with the hashes of the vectors.

        Only passages that some question may be shown are embedded, and each distinct
        text once.
        """
        identity: dict[str, Json]
        if self.embedder is not None:
            identity = dict(self.embedder.identity())
            self._passages = _embedded(self.embedder, job, "passage")
            self._questions = _embedded(self.embedder, job, "question")
        else:
            identity = self._read(job)
        return {
            **identity,
            "passages": len(self._passages.rows),
            "passages_without_words": self._passages.zeros,
            "passage_vectors_sha256": self._passages.sha256(),
            "questions": len(self._questions.rows),
            "questions_without_words": self._questions.zeros,
            "question_vectors_sha256": self._questions.sha256(),
        }

    def _read(self, job: Job) -> dict[str, Json]:
        assert self.recording is not None  # noqa: S101 -- the parameters' own rule
        recording = read_recording(self.recording)
        bind(recording, job, file=self.recording)
        self._passages = _only(
            recording.passages.ids, recording.passages.components, job.visible()
        )
        self._questions = _only(
            recording.questions.ids, recording.questions.components, job.asked()
        )
        return {"model": recording.model, "dimension": recording.dimension}

    def search(self, view: View, questions: Sequence[Question], *, budget: int) -> Run:
        """Rank every passage that may be returned and has words, by cosine."""
        codes = eligible(view)
        passages = self._passages.take(
            [view.passages.ids[one] for one in codes.tolist()]
        )
        asked = self._questions.take([one.question_id for one in questions])
        worded = np.flatnonzero(passages.lengths)
        askable = np.flatnonzero(asked.lengths)
        codes = codes[worded]
        hits = [(codes[:0], np.empty(0))] * len(questions)
        found = nearest(passages.take(worded), asked.take(askable), budget=budget)
        for position, (near, scores) in zip(askable.tolist(), found, strict=True):
            hits[position] = codes[near], scores
        question_ids = [one.question_id for one in questions]
        return Run.from_hits(question_ids, view.passages.ids, hits)


def _embedded(embedder: Embedder, job: Job, role: Role) -> _Table:
    texts = job.visible() if role == "passage" else job.asked()
    places: dict[str, int] = {}
    for text in texts.values():
        places.setdefault(text, len(places))
    components = embed(
        embedder, list(places), role=role, cache=job.cache, progress=job.progress
    )
    rows = {one: places[text] for one, text in texts.items()}
    return _Table(rows, Vectors.of(components))


def _only(
    ids: Sequence[str], components: NDArray[np.float32], wanted: Mapping[str, str]
) -> _Table:
    rows = {one: row for row, one in enumerate(ids) if one in wanted}
    return _Table(rows, Vectors.of(components))


def build(parameters: VectorParameters) -> Vector:
    """Build the embedder, if it is one that vectors come from."""
    part = parameters.embedder
    return Vector(None if part is None else part.build(), parameters.recording)


PLUGIN = Plugin("retriever", VectorParameters, build)
