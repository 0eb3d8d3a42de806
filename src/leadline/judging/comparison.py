"""A comparison: every compared configuration judged, per question first.

Everything here is plain data that goes into the record as it stands. A value that
does not exist is None.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Status: TypeAlias = Literal[
    "supported", "unsupported-excluded", "nothing-relevant", "unjudged"
]
"""``supported``: answerable, with a relevant passage; only these are in any mean.
``unsupported-excluded``: declared unanswerable. ``nothing-relevant``: judged, and no
passage has a positive grade. ``unjudged``: the labels say nothing of it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the labels say of one question."""

    status: Status
    targets: tuple[str, ...]
    """Passage ids of positive grade: best grade first, then id ascending."""
    grades: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question under one configuration."""

    target_ranks: tuple[int | None, ...]
    """Aligned with `Judged.targets`; None: not returned."""
    values: dict[str, float] | None
    """Measure -> value; None where the question is not supported."""
    returned: int
    """How many passages came back."""


@dataclass(frozen=True, slots=True)
class ConfigurationResult:
    """One configuration over all questions."""

    means: dict[str, float | None]
    """Measure -> mean over the supported questions; None when there are none."""
    intervals: dict[str, tuple[float, float] | None]
    """Measure -> percentile bootstrap interval of the mean, at 1 - alpha."""
    questions: dict[str, Outcome]
    misses: dict[str, tuple[str, ...]]
    """Cut-off (as text: ``"2"``) -> supported questions with recall 0 there."""
    empty: tuple[str, ...]
    """Supported questions for which nothing was returned; they score 0."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two configurations on one measure, question by question: ``b`` against ``a``."""

    a: str
    b: str
    measure: str
    count: int
    """Questions compared."""
    wins: int
    """Questions where ``b`` is better."""
    draws: int
    losses: int
    mean_difference: float | None
    """Mean of b - a."""
    interval: tuple[float, float] | None
    """Percentile bootstrap interval of the mean difference, at 1 - alpha."""
    test: str
    """For example ``paired randomisation, exact (8 sign patterns)``."""
    p: float | None
    p_adjusted: float | None
    """Holm, over every pair and measure of this comparison."""
    verdict: Literal["b is better", "a is better", "draw"]
    needed: int | None
    """On a draw with a difference: about how many questions such as these would show
    it; None where no number would. See `statistics.needed`."""


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """What came back for a question that has no answer here."""

    question_id: str
    returned: dict[str, int]
    """Configuration -> how many passages."""
    top_score: dict[str, float | None]
    """Configuration -> score of the first one."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that judging says."""

    measures: tuple[str, ...]
    cutoffs: tuple[int, ...]
    """Those of the measures, ascending."""
    baseline: str | None
    alpha: float
    resamples: int
    seed: int
    """Of the runs' seals and the bound labels: equal ones resample alike."""
    questions: dict[str, Judged]
    supported_count: int
    configurations: dict[str, ConfigurationResult]
    pairs: tuple[Pair, ...]
    correction: str
    """For example ``Holm over 12 comparisons``."""
    unanswerable: tuple[Unanswerable, ...]
    verdicts: tuple[str, ...]
    """Sentences, one for each pair on the first measure."""
