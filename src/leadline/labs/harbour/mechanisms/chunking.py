"""Chunking: one text cut by several rules, and what a cut does to an exception."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from leadline.documents import Snapshot, Span
from leadline.questions import Question
from records import MAY_SEE, Handbook
from retrieval import MECHANISM as RANKED_BY
from retrieval import run as rank

MECHANISM = (
    "every passage cut by a rule (whole record; sentences; windows of 80 characters; "
    "windows of 80 that start every 40), ranked anew, first passage quoted. "
)
QUESTION = "Are open flames forbidden on the pontoon?"
EXCEPTION = "The one exception is a gas stove in a closed cabin"

_SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s|$)|$)", re.DOTALL)


def whole(text: str) -> tuple[Span, ...]:
    """Nothing is cut."""
    return (Span(0, len(text)),)


def sentences(text: str) -> tuple[Span, ...]:
    """A cut after each full stop, exclamation mark or question mark."""
    return tuple(Span(*one.span()) for one in _SENTENCE.finditer(text))


def windows(size: int, step: int) -> Callable[[str], tuple[Span, ...]]:
    """Stretches of ``size`` characters, one every ``step`` characters."""

    def cut(text: str) -> tuple[Span, ...]:
        last = max(1, len(text) - size + step)
        return tuple(
            Span(start, min(start + size, len(text))) for start in range(0, last, step)
        )

    return cut


RULES: Mapping[str, Callable[[str], tuple[Span, ...]]] = {
    "whole record": whole,
    "sentences": sentences,
    "80 characters": windows(80, 80),
    "80 characters, 40 shared": windows(80, 40),
}


def run(handbook: Handbook, _question_id: str | None) -> dict[str, Any]:
    """Cut, rank, and see whether the first passage still has its exception."""
    question = Question("cut", QUESTION, MAY_SEE)
    found = {}
    for name, rule in RULES.items():
        snapshot = Snapshot.of(
            replace(one, spans=rule(one.text)) for one in handbook.snapshot.documents
        )
        ranking = rank(snapshot, (question,))["lexical"]["cut"]
        first = ranking.passage_ids[0]
        passages = snapshot.passages
        text = passages.texts[passages.codes[first]]
        found[name] = {
            "passages": len(snapshot.view(MAY_SEE).passages),
            "first": first,
            "text": text,
            "exception_quoted": EXCEPTION in text,
        }
    return {
        "mechanism": MECHANISM + RANKED_BY,
        "question": QUESTION,
        "rules": found,
        "look_at": "A shorter passage matches better and says less: the rule comes "
        "back without its exception, and nothing in the score shows it.",
    }
