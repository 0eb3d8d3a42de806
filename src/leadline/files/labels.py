"""Labels: what is right for each question. Only judging reads what comes from here.

Leadline's own are JSON Lines, and name text:
``{"question_id": "q1", "class": "answerable", "targets": [{...}]}``. BEIR's qrels name
documents by id.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leadline.disk import read_jsonl, write_atomically
from leadline.errors import InputError, shown
from leadline.files.beir import Judgment, read_qrels
from leadline.files.places import Place, checked_id, checked_sha256
from leadline.hashing import Json
from leadline.judging.cases import Case, CaseClass, ContentTarget, IdTarget
from leadline.rows import spelled, take

_OTHER_WORDS = {"supported": "answerable", "unsupported": "unanswerable"}
"""What some label files say; here each class has one name."""


@dataclass(frozen=True, slots=True)
class _Row:
    question_id: str
    case_class: CaseClass = field(metadata={"name": "class"})
    targets: list[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Target:
    source_id: str
    source_text_sha256: str
    passage_text_sha256: str
    version: str = ""
    legacy_id: str | None = None
    grade: float = 1.0


def read_labels(path: Path) -> tuple[Case, ...]:
    """Read the cases of a label file, in its order.

    Whether they fit the questions and the snapshot is for binding to say.

    Args:
        path: ``.jsonl`` of Leadline's own rows, or ``.tsv`` of BEIR's qrels. Of
            qrels, a question's rows make one case, which has no class.

    Raises:
        InputError: something in the file is wrong: an unknown field or class, a hash
            that is not 64 hex digits, a grade that is no number (in qrels: no whole
            number), or a pair of question and document that is judged twice.
    """
    suffix = path.suffix.lower()
    if suffix == ".tsv":
        return _qrels(path)
    if suffix == ".jsonl" or not path.is_file():
        return tuple(_case(row, Place(path, line)) for line, row in read_jsonl(path))
    raise InputError(
        f'{path}: found the ending "{path.suffix}", expected .jsonl or .tsv (BEIR '
        "qrels). Name the labels so."
    )


def write_labels(path: Path, cases: Iterable[Case]) -> None:
    """Write cases as Leadline's own rows, atomically; to add one, write all of them.

    Raises:
        InputError: the file cannot be written, or a case cannot be said in it: one
            without a class, or with a target that names no text.
    """
    lines = [json.dumps(_row(case), ensure_ascii=False) for case in cases]
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode())


def _case(values: Mapping[str, Json], place: Place) -> Case:
    named = values.get("class")
    if isinstance(named, str) and named in _OTHER_WORDS:
        raise place.refusal(
            shown(named),
            field="class",
            expected='"answerable" or "unanswerable"',
            remedy=f'Write "{_OTHER_WORDS[named]}".',
        )
    row = take(_Row, values, file=place.file, line=place.line)
    return Case(
        checked_id(row.question_id, place, "question_id"),
        row.case_class,
        tuple(
            _target(one, place, f"targets[{position}]")
            for position, one in enumerate(row.targets)
        ),
        str(place),
    )


def _target(one: Json, place: Place, within: str) -> ContentTarget:
    if not isinstance(one, Mapping):
        raise place.refusal(
            spelled(one),
            field=within,
            expected="a target: a source_id and the hashes of two texts",
            remedy="Labels bind by content; an id alone binds to nothing.",
        )
    row = take(_Target, one, file=place.file, line=place.line, within=within)
    if not row.grade >= 0:
        raise place.refusal(
            shown(row.grade),
            field=f"{within}.grade",
            expected="0 or more",
            remedy="Above 0 is relevant.",
        )
    source, passage = (
        checked_sha256(getattr(row, name), place, f"{within}.{name}")
        for name in ("source_text_sha256", "passage_text_sha256")
    )
    return ContentTarget(
        checked_id(row.source_id, place, f"{within}.source_id"),
        row.version,
        source,
        passage,
        legacy_id=row.legacy_id,
        grade=float(row.grade),
    )


def _qrels(path: Path) -> tuple[Case, ...]:
    cases: dict[str, dict[str, Judgment]] = {}
    for one in read_qrels(path):
        row = cases.setdefault(one.question_id, {})
        if before := row.get(one.source_id):
            same = (
                "the same grade"
                if before.grade == one.grade
                else (f"grade {before.grade} there and {one.grade} here")
            )
            raise one.place.refusal(
                f"question {shown(one.question_id)} and document "
                f"{shown(one.source_id)} again (first at line {before.place.line}), "
                f"{same}",
                expected="every pair once",
                remedy="Delete one of the two lines.",
            )
        row[one.source_id] = one
    return tuple(
        Case(
            question_id,
            None,
            tuple(IdTarget(one.source_id, float(one.grade)) for one in row.values()),
            str(next(iter(row.values())).place),
        )
        for question_id, row in cases.items()
    )


def _row(case: Case) -> Json:
    if case.case_class is None:
        raise InputError(
            f"question {shown(case.question_id)} has no class, expected answerable or "
            "unanswerable. Declare one; it cannot be inferred."
        )
    return {
        "question_id": case.question_id,
        "class": case.case_class,
        "targets": [_target_row(one, case.question_id) for one in case.targets],
    }


def _target_row(target: ContentTarget | IdTarget, question_id: str) -> Json:
    if isinstance(target, IdTarget):
        raise InputError(
            f"question {shown(question_id)} has a target that only names "
            f"{shown(target.source_id)}, expected one that names text. Bind it first."
        )
    row: dict[str, Any] = {
        "source_id": target.source_id,
        "version": target.version,
        "source_text_sha256": target.source_text_sha256,
        "passage_text_sha256": target.passage_text_sha256,
    }
    if target.legacy_id is not None:
        row["legacy_id"] = target.legacy_id
    if target.grade != 1.0:
        row["grade"] = target.grade
    return row
