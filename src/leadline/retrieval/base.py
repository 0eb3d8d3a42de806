"""What a retriever, a fusion, a reranker and an embedder promise.

These are protocols: a plug-in matches the shape and imports nothing but the values
that it is given. No signature here can carry a label.

The life of a part: it is built from checked parameters; ``prepare`` does all that
must be fixed before the freeze (embed, load a recording) and answers with what
identifies it; then it is called once for each view, that is, for each group of
questions with the same policy.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from leadline.documents import Passages, View
from leadline.errors import EngineError, LeadlineError
from leadline.hashing import Json
from leadline.questions import Question
from leadline.ranking import Run

Role: TypeAlias = Literal["question", "passage"]
"""What a text is to an embedder; some models treat the two differently."""
Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how many are done, and how many there are."""


def silent(_label: str, _done: int, _total: int) -> None:
    """Show no progress."""


def eligible(view: View) -> NDArray[np.int64]:
    """Codes of the passages that may be returned, ascending."""
    if view.returnable is None:
        return np.arange(len(view.passages))
    return np.flatnonzero(view.returnable)


@dataclass(frozen=True, slots=True)
class Job:
    """All that is known before the freeze."""

    passages: Passages
    """The whole snapshot's, to check a recording against. Nothing that is computed
    for a question may depend on the passages that are in none of its views."""
    groups: tuple[tuple[View, tuple[Question, ...]], ...]
    """Each distinct policy's view, with the questions that have it."""
    cache: Path | None = None
    """A folder for what is expensive to compute; None keeps nothing."""
    progress: Progress = silent
    index: tuple[str, ...] = ("text",)
    """The fields that the views' searchable text was made of."""

    def visible(self) -> dict[str, str]:
        """Passage id -> searchable text of all that some question may be shown."""
        found: dict[str, str] = {}
        for view, _ in self.groups:
            ids = view.passages.ids
            for code in eligible(view).tolist():
                found[ids[code]] = view.searchable[code]
        return dict(sorted(found.items()))

    def asked(self) -> dict[str, str]:
        """Question id -> text of every question."""
        asked = (question for _, questions in self.groups for question in questions)
        return dict(sorted((one.question_id, one.text) for one in asked))


@contextmanager
def blaming(part: str) -> Iterator[None]:
    """Name the part, which is not ours, whose code fails in this block.

    Raises:
        EngineError: instead of anything but a `LeadlineError`, which names its cause
            already.
    """
    try:
        yield
    except LeadlineError:
        raise
    except Exception as error:
        message = f"{part} failed: {type(error).__name__}: {error}"
        raise EngineError(message) from error


class Retriever(Protocol):
    """Ranks the passages of a view."""

    def prepare(self, job: Job) -> Mapping[str, Json]:
        """Do all that must be fixed before the freeze.

        Returns:
            What identifies this part beyond its parameters: engine and model
            versions, hashes of what was read. It goes into the freeze.

        Raises:
            InputError: what it was given does not fit the snapshot or questions.
        """

    def search(self, view: View, questions: Sequence[Question], *, budget: int) -> Run:
        """Rank the view for each question.

        Returns:
            A run over just these questions, with ``passage_ids`` being the view's:
            0 to ``budget`` hits a question, in the package's one order, returnable
            passages only. A passage that matches nothing is left out, so an empty
            ranking is an answer, not an error.
        """


class Fusion(Protocol):
    """Makes one run of several over the same view and questions."""

    def fuse(self, branches: Sequence[Run]) -> Run:
        """Return every passage that a branch returned, scored anew.

        The branches share ``question_ids`` and ``passage_ids``.
        """


class Reranker(Protocol):
    """Reorders what was found; adds nothing and drops nothing."""

    def prepare(self, job: Job) -> Mapping[str, Json]:
        """Like `Retriever.prepare`."""

    def rerank(self, view: View, questions: Sequence[Question], run: Run) -> Run:
        """Return the same passages for each question, scored anew."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    def identity(self) -> Mapping[str, Json]:
        """What vectors depend on: ``model``, ``dimension``, the weights' ``sha256``."""

    def embed(self, texts: Sequence[str], *, role: Role) -> NDArray[np.float32]:
        """Return shape ``(len(texts), dimension)``; a row of zeros for no words."""
