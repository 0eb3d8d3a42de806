"""Context: whole passages in ranked order, under several budgets."""

from typing import Any

from records import Handbook
from retrieval import packet, search

MECHANISM = (
    "whole passages in ranked order while their text fits the characters left; one "
    "that does not fit is skipped and named, and a shorter one further down may fit"
)
QUESTION_ID = "radio-and-late-cost"
BUDGETS = (100, 120, 200, 400)
DEPTH = 3


def run(handbook: Handbook, question_id: str | None) -> dict[str, Any]:
    """Choose for one question under each budget."""
    question = handbook.question(question_id or QUESTION_ID)
    ranked = search(handbook.snapshot, question.text, k=DEPTH)
    return {
        "mechanism": MECHANISM,
        "question": question.text,
        "ranked": [
            {"passage_id": one.passage_id, "chars": len(one.text)} for one in ranked
        ],
        "budgets": {
            f"{budget} characters": packet(ranked, budget) for budget in BUDGETS
        },
        "look_at": "The budget counts characters of quoted text. A packet that fits is "
        "not a packet that answers: at some budgets one of two sources is there.",
    }
