"""How a use case speaks while it works: words and progress, never results."""

from collections.abc import Callable
from dataclasses import dataclass

from leadline.retrieval.base import Progress, silent


def quiet(_sentence: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class Talk:
    """Where words and progress go; by default nowhere."""

    say: Callable[[str], None] = quiet
    progress: Progress = silent
