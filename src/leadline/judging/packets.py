"""Packets, judged: what the quotes under a budget hold of what should be found.

A ranking can have every target and a packet none of them, for a budget counts
characters. Nothing here says whether a quote supports an answer.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from leadline.judging.comparison import Judged


@dataclass(frozen=True, slots=True)
class Quoted:
    """What one packet holds, as far as it is judged."""

    passage_ids: tuple[str, ...]
    used_chars: int
    repeated_chars: int
    """Of quotes whose very text was quoted before, in the same packet."""
    conflict: bool
    """Several versions of one source were found."""


@dataclass(frozen=True, slots=True)
class PacketResult:
    """One configuration's packets under one budget, over all questions."""

    targets_quoted: float | None
    """Mean share of the targets that are quoted, over the supported questions; None
    where there are none."""
    questions: dict[str, float | None]
    """The share a question; None where it is not supported."""
    used_chars: int
    """Over all questions."""
    repeated_chars: int
    """Over all questions; they buy nothing."""
    conflicts: tuple[str, ...]
    """Questions whose packet has several versions of one source."""
    false_evidence: tuple[str, ...]
    """Unanswerable questions for which something is quoted."""


def judge_packets(
    quoted: Mapping[str, Quoted], judged: Mapping[str, Judged]
) -> PacketResult:
    """Judge the packets of one configuration under one budget.

    Args:
        quoted: question id -> its packet.
        judged: what the labels say of each of these questions.
    """
    shares = {
        key: _share(one.passage_ids, judged[key].targets) for key, one in quoted.items()
    }
    values = [one for one in shares.values() if one is not None]
    return PacketResult(
        targets_quoted=math.fsum(values) / len(values) if values else None,
        questions=shares,
        used_chars=sum(one.used_chars for one in quoted.values()),
        repeated_chars=sum(one.repeated_chars for one in quoted.values()),
        conflicts=tuple(key for key, one in quoted.items() if one.conflict),
        false_evidence=tuple(
            key
            for key, one in quoted.items()
            if one.passage_ids and judged[key].status == "unsupported-excluded"
        ),
    )


def _share(quoted: tuple[str, ...], targets: tuple[str, ...]) -> float | None:
    return len(set(targets) & set(quoted)) / len(targets) if targets else None
