"""Binding: each target to exactly one passage of the snapshot, with a receipt.

A target that names text binds where source, version and both hashes agree. One that
only names a document binds to that document's one passage. Whatever binds to no
passage, or to several, is refused; ids are never trusted across snapshots.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from leadline.documents import Passages
from leadline.errors import BindingError, InputError, shown
from leadline.judging.cases import Case, ContentTarget, IdTarget
from leadline.judging.comparison import Judged, Status
from leadline.judging.faults import (
    Fault,
    refusal,
    repeated_target,
    stray_target,
    unseen_target,
)
from leadline.judging.hints import listed, twins
from leadline.judging.joining import class_faults, join, status
from leadline.policies import Policy
from leadline.questions import Question

CONTENT = ("source_id", "version", "source_text_sha256", "passage_text_sha256")
"""What must agree for a target that names text."""
DOCUMENT = ("source_id",)
"""What must agree for a target that only names a document."""
MOST_GRADE = 1e9
"""Beyond it, sums of gains would lose what they are sums of."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """How one target was bound."""

    question_id: str
    passage_id: str
    grade: float
    bound_by: tuple[str, ...]
    """The fields that had to agree."""
    source_id: str
    version: str
    source_text_sha256: str
    passage_text_sha256: str
    legacy_id: str | None


@dataclass(frozen=True)
class Qrels:
    """Bound judgments as columns. Grades above 0 are relevant.

    Rows ``offsets[i]`` to ``offsets[i + 1]`` are those of question ``i``, best grade
    first and then by passage id.
    """

    question_ids: tuple[str, ...]
    offsets: NDArray[np.int64]
    passage_ids: tuple[str, ...]
    grades: NDArray[np.float64]

    @classmethod
    def of(cls, grades: Mapping[str, Mapping[str, float]]) -> Self:
        """Put a dict of dicts, question -> passage -> grade, into columns.

        Raises:
            InputError: a grade is not finite, or is beyond a thousand million.
        """
        for question_id, judged in grades.items():
            for passage_id, grade in judged.items():
                if not (math.isfinite(grade) and abs(grade) <= MOST_GRADE):
                    raise InputError(
                        f"question {shown(question_id)}, passage {shown(passage_id)}: "
                        f"found grade {grade}, expected a finite number of at most "
                        f"{MOST_GRADE:.0f}. Correct the judgment."
                    )
        rows = [
            row
            for judged in grades.values()
            for row in sorted(judged.items(), key=lambda row: (-row[1], row[0]))
        ]
        lengths = np.fromiter(map(len, grades.values()), np.int64, len(grades))
        return cls(
            tuple(grades),
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            tuple(passage_id for passage_id, _ in rows),
            np.array([grade for _, grade in rows], np.float64),
        )


@dataclass(frozen=True)
class Binding:
    """What the labels say of the questions asked, and where it is written."""

    qrels: Qrels
    """Every question asked, in order; one without judgments has no rows."""
    receipts: tuple[Receipt, ...]
    """One a judgment, in the order of the qrels' rows."""
    judged: dict[str, Judged]
    notes: tuple[str, ...] = ()
    """What is allowed and worth knowing, in sentences."""


def bind(
    cases: Sequence[Case],
    questions: Sequence[Question],
    passages: Passages,
    *,
    split: str,
) -> Binding:
    """Bind every target of the questions asked; the order of the cases is nothing.

    Args:
        cases: as the label file gives them. One without a class, of a question that
            was not asked, is left out, and a note names it.
        questions: those asked are the ones of the split.
        passages: the whole snapshot's.
        split: its name.

    Raises:
        BindingError: lists every fault, the first ten in full: a second case for a
            question, a case of another split or of a question that was not asked, a
            question without a case where there are classes, a class that contradicts
            the targets, and a target that comes twice, that binds to no passage or
            to several, or that its question may not see.
    """
    splits = {one.question_id: one.split for one in questions}
    policies = {one.question_id: one.policy for one in questions}
    kept, faults = join(cases, splits, split)
    index = _index(kept.values(), passages)
    receipts: list[Receipt] = []
    for question_id, case in kept.items():
        faults += class_faults(case)
        for one in _bound(case, policies[question_id], passages, index):
            if isinstance(one, Fault):
                faults.append(one)
            else:
                receipts.append(one)
    if faults:
        raise refusal(faults, passages)
    statuses = {one: status(kept.get(one)) for one in splits if splits[one] == split}
    binding = rebind(statuses, receipts)
    seen_by = {
        one.passage_id: policies[one.question_id]
        for one in binding.receipts
        if one.grade > 0
    }
    ignored = sorted({one.question_id for one in cases} - set(kept))
    notes = (*_notes(binding, ignored), *twins(seen_by, passages))
    return Binding(binding.qrels, binding.receipts, binding.judged, notes)


def rebind(statuses: Mapping[str, Status], receipts: Iterable[Receipt]) -> Binding:
    """Make a binding of receipts, as a record keeps them.

    Args:
        statuses: of each question asked, in order.
        receipts: in any order.

    Raises:
        BindingError: a receipt of a question that was not asked, a second one for a
            question and a passage, or a status that the receipts contradict.
    """
    rows: dict[str, dict[str, Receipt]] = {question_id: {} for question_id in statuses}
    for one in receipts:
        where = f"receipt of question {shown(one.question_id)}"
        if one.question_id not in rows:
            raise BindingError(f"{where}: that question was not asked")
        if one.passage_id in rows[one.question_id]:
            raise BindingError(f"{where}: passage {shown(one.passage_id)} comes twice")
        rows[one.question_id][one.passage_id] = one
    qrels = Qrels.of(
        {
            question_id: {key: one.grade for key, one in row.items()}
            for question_id, row in rows.items()
        }
    )
    judged = {}
    ordered: list[Receipt] = []
    for position, (question_id, declared) in enumerate(statuses.items()):
        start, end = qrels.offsets[position : position + 2].tolist()
        passage_ids = qrels.passage_ids[start:end]
        grades = [one for one in qrels.grades[start:end].tolist() if one > 0]
        if (declared == "supported") != bool(grades):
            raise BindingError(
                f"question {shown(question_id)} is {declared}, and {len(grades)} of "
                "its receipts are of a relevant passage"
            )
        judged[question_id] = Judged(
            declared, passage_ids[: len(grades)], tuple(grades)
        )
        ordered += [rows[question_id][passage_id] for passage_id in passage_ids]
    return Binding(qrels, tuple(ordered), judged)


_Key: TypeAlias = tuple[str, ...]
"""What a target is bound by: the values of the fields that must agree."""


def _index(cases: Iterable[Case], passages: Passages) -> Mapping[_Key, list[int]]:
    """Both keys of each passage -> codes, for the sources that some target names."""
    wanted = {target.source_id for case in cases for target in case.targets}
    index: defaultdict[_Key, list[int]] = defaultdict(list)
    for code, document in enumerate(passages.documents):
        if document.source_id in wanted:
            texts = (document.text_sha256, passages.text_sha256s[code])
            index[document.source_id, document.version, *texts].append(code)
            index[document.source_id,].append(code)
    return index


def _bound(
    case: Case, policy: Policy, passages: Passages, index: Mapping[_Key, list[int]]
) -> Iterator[Receipt | Fault]:
    """A receipt for each target that binds, and a fault for each that does not."""
    taken: set[_Key | int] = set()
    for position, target in enumerate(case.targets):
        bound_by = DOCUMENT if isinstance(target, IdTarget) else CONTENT
        key = tuple(getattr(target, name) for name in bound_by)
        codes = index.get(key, [])
        repeated = key in taken or not taken.isdisjoint(codes)
        taken.update((key, *codes))
        if repeated:
            yield repeated_target(case, position)
        elif len(codes) != 1:
            ids = [passages.ids[code] for code in codes]
            yield stray_target(case, position, ids, bound_by)
        elif target.grade > 0 and not policy.admits(passages.documents[codes[0]]):
            yield unseen_target(case, position, passages.ids[codes[0]], policy)
        else:
            yield _receipt(case.question_id, target, bound_by, passages, codes[0])


def _receipt(
    question_id: str,
    target: ContentTarget | IdTarget,
    bound_by: tuple[str, ...],
    passages: Passages,
    code: int,
) -> Receipt:
    document = passages.documents[code]
    return Receipt(
        question_id,
        passages.ids[code],
        target.grade,
        bound_by,
        document.source_id,
        document.version,
        document.text_sha256,
        passages.text_sha256s[code],
        target.legacy_id if isinstance(target, ContentTarget) else None,
    )


def _notes(binding: Binding, ignored: Sequence[str]) -> Iterator[str]:
    by_id = sum(one.bound_by == DOCUMENT for one in binding.receipts)
    unjudged = [one for one, row in binding.judged.items() if row.status == "unjudged"]
    if ignored:
        yield f"Judged, not asked and left out: {listed(ignored)}."
    if unjudged:
        yield f"Asked, not judged and in no mean: {listed(unjudged)}."
    if by_id:
        some = "1 judgment names" if by_id == 1 else f"{by_id} judgments name"
        yield (
            f"{some} a document without a hash of its text: nothing says that it is "
            "still the text that was judged."
        )
