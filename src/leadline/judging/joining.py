"""Joining cases with the questions asked, one to one."""

from collections.abc import Iterator, Mapping, Sequence

from leadline.errors import did_you_mean
from leadline.judging.cases import Case
from leadline.judging.comparison import Status
from leadline.judging.faults import Fault

_FEW = 1000
"""Up to this many ids are searched for the nearest one."""


def join(
    cases: Sequence[Case], splits: Mapping[str, str], split: str
) -> tuple[dict[str, Case], list[Fault]]:
    """The cases of the questions asked, in the order of the questions.

    Args:
        cases: in any order.
        splits: question id -> its split.
        split: the one that is asked.
    """
    first: dict[str, Case] = {}
    faults = []
    for case in cases:
        before = first.setdefault(case.question_id, case)
        if before is not case:
            faults.append(_second(case, before))
        elif case.case_class and splits.get(case.question_id) != split:
            faults.append(_stray(case, splits, split))
    asked = [one for one in splits if splits[one] == split]
    if any(case.case_class for case in cases):
        faults += [_without_case(one) for one in asked if one not in first]
    return {one: first[one] for one in asked if one in first}, faults


def class_faults(case: Case) -> Iterator[Fault]:
    """Where the declared class and the targets contradict one another."""
    relevant = sum(target.grade > 0 for target in case.targets)
    if case.case_class == "answerable" and not relevant:
        yield Fault(
            case,
            "an answerable case without targets"
            + (" of a grade above 0" if case.targets else ""),
            expected="at least one",
            remedy='Add a target, or declare the case "unanswerable".',
        )
    if case.case_class == "unanswerable" and relevant:
        yield Fault(
            case,
            f"an unanswerable case with targets ({relevant})",
            expected="none",
            remedy='Delete them, or declare the case "answerable".',
        )


def status(case: Case | None) -> Status:
    """What a question is by its case; None: the labels do not speak of it."""
    if case is None:
        return "unjudged"
    if case.case_class == "unanswerable":
        return "unsupported-excluded"
    relevant = any(target.grade > 0 for target in case.targets)
    return "supported" if relevant else "nothing-relevant"


def _second(case: Case, before: Case) -> Fault:
    return Fault(
        case,
        f"a second case (the first is at {before.place})"
        if before.place
        else "a second case",
        expected="one case a question",
        remedy="Join the two, or delete one.",
    )


def _stray(case: Case, splits: Mapping[str, str], split: str) -> Fault:
    other = splits.get(case.question_id)
    if other is not None:
        return Fault(
            case,
            f'a case outside the split: its question is of "{other}"',
            expected=f'cases of "{split}"',
            remedy="Keep the cases of each split in a file of their own.",
        )
    return Fault(
        case,
        "a case for a question that was not asked",
        expected="the id of a question that is",
        remedy=did_you_mean(case.question_id, splits)
        if len(splits) <= _FEW
        else "Correct the id, or delete the case.",
    )


def _without_case(question_id: str) -> Fault:
    return Fault(
        Case(question_id, None, ()),
        "no label",
        expected="one, for a question is never assumed to be unanswerable",
        remedy=f"Add it: leadline label {question_id} --source SOURCE_ID, or "
        "--unanswerable.",
    )
