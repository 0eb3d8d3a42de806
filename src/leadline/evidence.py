"""Evidence packets: whole passages, quoted in ranked order under a budget.

A packet answers "what does the corpus say about this?" and nothing more. It never
cuts a passage, so that no exception is cut off its rule: a passage that does not fit
is skipped and named, and a shorter one further down may still fit. The budget counts
the characters of quoted text, not of JSON around it, and is no count of tokens.

Keeping passages whole does not prove that one supports an answer. Where several
versions of a source were found, the packet says so, also when the budget left only
one of them: whoever reads that one must know that there is another.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leadline.documents import Passages
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
    matched: tuple[str, ...] = ()
    """Words of the question that were found in it; empty too where retrieval does
    not look at words."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A passage that did not fit what was left of the budget."""

    rank: int
    passage_id: str
    source_id: str
    version: str
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
    """Source id -> its versions, where several were quoted or skipped."""
    notice: str = NOTICE


def pack(
    question: str,
    ranking: Ranking,
    passages: Passages,
    *,
    budget_chars: int,
    matched: Mapping[str, Sequence[str]] | None = None,
) -> Packet:
    """Quote a ranking's passages while they fit.

    Args:
        question: its text.
        ranking: best first; every passage of it is considered.
        passages: where the ranking's passage ids are found.
        budget_chars: the most characters of quoted text, at least 1.
        matched: passage id -> the words of the question that were found in it.

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
        document, text = passages.documents[code], passages.texts[code]
        who = (rank, passage_id, document.source_id, document.version)
        if len(text) > left:
            skipped.append(Skipped(*who, len(text), left))
            continue
        left -= len(text)
        words = tuple((matched or {}).get(passage_id, ()))
        quotes.append(Quote(*who, document.url, document.title, score, text, words))
    return Packet(
        question,
        budget_chars,
        budget_chars - left,
        tuple(quotes),
        tuple(skipped),
        conflicts([*quotes, *skipped]),
    )


def conflicts(found: Iterable[Quote | Skipped]) -> dict[str, tuple[str, ...]]:
    """Sources that were found in more than one version, with those versions."""
    versions: dict[str, set[str]] = {}
    for one in found:
        versions.setdefault(one.source_id, set()).add(one.version)
    return {
        source_id: tuple(sorted(several))
        for source_id, several in sorted(versions.items())
        if len(several) > 1
    }
