"""Questions, as retrieval sees them: an id, a text and a policy. No label.

What a question's right answer is lives in a `Case`, in a room that retrieval
cannot reach.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from leadline.hashing import digest
from leadline.policies import Policy

DEVELOPMENT = "development"
"""The split that is used unless another is asked for by name."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question; ``split`` says what it may be used for."""

    question_id: str
    text: str
    policy: Policy = field(default_factory=Policy)
    split: str = DEVELOPMENT


def questions_sha256(questions: Sequence[Question]) -> str:
    """Id of questions in their order: ids, texts, policies and splits."""
    return digest(
        "questions/1",
        [[one.question_id, one.text, one.policy.key, one.split] for one in questions],
    )
