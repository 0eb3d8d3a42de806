"""What is wrong with labels, all of it in one message."""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.documents import Passages
from leadline.errors import BindingError, describe, shown
from leadline.judging.cases import Case, ContentTarget, IdTarget
from leadline.judging.hints import SHOWN, reasons


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with one case."""

    case: Case
    found: str
    expected: str
    remedy: str
    field: str | None = None
    unbound: ContentTarget | IdTarget | None = None
    """A target that binds to nothing: whoever reads this wants to know why."""

    def text(self, reason: str | None) -> str:
        """Where, what was found, what was expected, and the remedy."""
        place = f"{self.case.place}, " if self.case.place else ""
        return describe(
            f"{self.found} ({reason})" if reason else self.found,
            file=f"{place}question {shown(self.case.question_id)}",
            field=self.field,
            expected=self.expected,
            remedy=self.remedy,
        )


def refusal(faults: Sequence[Fault], passages: Passages) -> BindingError:
    """One error for all faults: the first ten in full, and how many there are."""
    first = faults[:SHOWN]
    why = reasons([one.unbound for one in first if one.unbound], passages)
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    more = f", of which the first {SHOWN} are" if len(faults) > SHOWN else ""
    lines = [
        f"labels do not fit the questions and the passages: {count}{more}",
        *(f"- {one.text(why[one.unbound] if one.unbound else None)}" for one in first),
    ]
    return BindingError("\n".join(lines))
