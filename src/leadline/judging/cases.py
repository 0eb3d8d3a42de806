"""Cases: a question's class and its targets, as the labels give them.

A case lives apart from its question, and only judging reads it. Whether a question
is unanswerable is declared, never inferred from a missing label.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

CaseClass: TypeAlias = Literal["answerable", "unanswerable"]


@dataclass(frozen=True, slots=True)
class ContentTarget:
    """A target that names text: it survives whatever renames or re-chunks passages.

    ``source_text_sha256`` is of the whole source document, ``passage_text_sha256``
    of the passage; both are the plain sha256 of the exact text. ``legacy_id`` is
    what the passage was called when the label was made: a note, never a key.
    """

    source_id: str
    version: str
    source_text_sha256: str
    passage_text_sha256: str
    legacy_id: str | None = None
    grade: float = 1.0


@dataclass(frozen=True, slots=True)
class IdTarget:
    """A target that only names a document, as TREC and BEIR judgments do.

    It binds to the one passage of the document of that source id.
    """

    source_id: str
    grade: float


@dataclass(frozen=True, slots=True)
class Case:
    """What is right for one question.

    ``case_class`` is None where the label file has no classes (TREC, BEIR): then a
    case without a positive grade is "nothing relevant", and is not unanswerable.
    """

    question_id: str
    case_class: CaseClass | None
    targets: tuple[ContentTarget | IdTarget, ...]
    place: str = ""
    """Where it was read, for messages: ``labels.jsonl, line 3``."""
