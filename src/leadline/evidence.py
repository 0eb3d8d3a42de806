"""Evidence packets: whole passages, quoted in ranked order under a budget.

A packet answers "what does the corpus say about this?" and nothing more. It never
cuts a passage, so that no exception is cut off its rule: a passage that does not fit
is skipped and named, and a shorter one further down may still fit. The budget counts
the characters of quoted text, not of JSON around it, and is no count of tokens.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from leadline.documents import Document, Passages
from leadline.errors import InputError
from leadline.ranking import Ranking

NOTICE = (
    "Quotes, not an answer. A score orders passages for this question; it is neither "
    "a probability nor a calibrated confidence."
)


@dataclass(frozen=True, slots=True)
class Quote:
    """One whole passage, and where it comes from."""

    rank: int
    passage_id: str
    source_id: str
    version: str
    url: str
    title: str
    score: float
    text: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A passage that did not fit what was left of the budget."""

    rank: int
    passage_id: str
    chars: int
    left: int
    """Characters of the budget that were left when it came up."""


@dataclass(frozen=True, slots=True)
class Packet:
    """What the corpus says about a question, under a budget."""

    question: str
    budget_chars: int
    used_chars: int
    quotes: tuple[Quote, ...]
    skipped: tuple[Skipped, ...]
    conflicts: Mapping[str, tuple[str, ...]]
    """Source id -> the versions of it that are quoted side by side."""
    notice: str = NOTICE


def pack(
    question: str, ranking: Ranking, passages: Passages, *, budget_chars: int
) -> Packet:
    """Quote a ranking's passages while they fit.

    Args:
        question: its text.
        ranking: best first; every passage of it is considered.
        passages: where the ranking's passage ids are found.
        budget_chars: the most characters of quoted text, at least 1.

    Raises:
        InputError: a budget below 1.
    """
    if budget_chars < 1:
        message = f"budget_chars is {budget_chars}, expected at least 1"
        raise InputError(message)
    quotes: list[Quote] = []
    skipped: list[Skipped] = []
    left = budget_chars
    rows = zip(ranking.passage_ids, ranking.scores, strict=True)
    for rank, (passage_id, score) in enumerate(rows, 1):
        code = passages.codes[passage_id]
        text = passages.texts[code]
        if len(text) > left:
            skipped.append(Skipped(rank, passage_id, len(text), left))
            continue
        left -= len(text)
        quotes.append(_quote(rank, passage_id, score, passages.documents[code], text))
    return Packet(
        question,
        budget_chars,
        budget_chars - left,
        tuple(quotes),
        tuple(skipped),
        conflicts(quotes),
    )


def conflicts(quotes: list[Quote]) -> dict[str, tuple[str, ...]]:
    """Sources that are quoted in more than one version, with those versions."""
    versions: dict[str, set[str]] = {}
    for quote in quotes:
        versions.setdefault(quote.source_id, set()).add(quote.version)
    return {
        source_id: tuple(sorted(found))
        for source_id, found in sorted(versions.items())
        if len(found) > 1
    }


def _quote(
    rank: int, passage_id: str, score: float, document: Document, text: str
) -> Quote:
    return Quote(
        rank,
        passage_id,
        document.source_id,
        document.version,
        document.url,
        document.title,
        score,
        text,
    )
