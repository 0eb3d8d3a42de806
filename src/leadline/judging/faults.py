"""What is wrong with labels, all of it in one message."""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.documents import Passages
from leadline.errors import BindingError, describe, shown
from leadline.judging.cases import Case, ContentTarget, IdTarget
from leadline.judging.hints import SHOWN, listed, reasons
from leadline.policies import Policy


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with one case."""

    case: Case
    found: str
    expected: str
    remedy: str
    position: int | None = None
    """Of the target at fault; None where the fault is the case's own."""
    unbound: bool = False
    """That target binds to nothing, and whoever reads this wants to know why."""

    @property
    def target(self) -> ContentTarget | IdTarget | None:
        """The target at fault."""
        return None if self.position is None else self.case.targets[self.position]

    def text(self, reason: str | None) -> str:
        """Where, what was found, what was expected, and the remedy."""
        place = f"{self.case.place}, " if self.case.place else ""
        return describe(
            f"{self.found} ({reason})" if reason else self.found,
            file=f"{place}question {shown(self.case.question_id)}",
            field=None if self.position is None else f"targets[{self.position}]",
            expected=self.expected,
            remedy=self.remedy,
        )


def repeated_target(case: Case, position: int) -> Fault:
    """A target on a passage that is one already."""
    return Fault(
        case,
        f"{_name(case, position)} that comes twice",
        expected="each passage once in a case",
        remedy="Delete one of them.",
        position=position,
    )


def stray_target(
    case: Case, position: int, passage_ids: Sequence[str], bound_by: Sequence[str]
) -> Fault:
    """A target that binds to no passage, or to several."""
    name = _name(case, position)
    if not passage_ids:
        return Fault(
            case,
            f"{name} that binds to no passage",
            expected=f"one passage with its {' and '.join(bound_by)}",
            remedy=f"Label it anew: leadline label {case.question_id} --source "
            f"{case.targets[position].source_id} --replace",
            position=position,
            unbound=True,
        )
    return Fault(
        case,
        f"{name} that binds to {len(passage_ids)} passages: {listed(passage_ids)}",
        expected="one",
        remedy=(
            "A label that only names a document needs one that is one passage: use "
            "labels that name text, or do not cut the documents."
            if isinstance(case.targets[position], IdTarget)
            else "Cut the source so that no two of its passages have the same text."
        ),
        position=position,
    )


def unseen_target(case: Case, position: int, passage_id: str, policy: Policy) -> Fault:
    """A target that could never be found."""
    return Fault(
        case,
        f"{_name(case, position)} that is not eligible for its question: the policy "
        f"{policy.key} does not admit {passage_id}",
        expected="a target that can be found",
        remedy="Correct the label, or what the question may see.",
        position=position,
    )


def _name(case: Case, position: int) -> str:
    return f"a target in source {shown(case.targets[position].source_id)}"


def refusal(faults: Sequence[Fault], passages: Passages) -> BindingError:
    """One error for all faults: the first ten in full, and how many there are."""
    first = faults[:SHOWN]
    targets = [one.target if one.unbound else None for one in first]
    why = reasons([one for one in targets if one is not None], passages)
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    more = f", of which the first {SHOWN} are" if len(faults) > SHOWN else ""
    lines = [
        f"labels do not fit the questions and the passages: {count}{more}",
        *(
            f"- {one.text(None if target is None else why[target])}"
            for one, target in zip(first, targets, strict=True)
        ),
    ]
    return BindingError("\n".join(lines))
