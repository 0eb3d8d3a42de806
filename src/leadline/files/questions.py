"""Questions: an id, a text, and what the question may see.

A questions file holds no label. Whatever BEIR keeps in a query's metadata is not
looked at, for in some collections the answers are in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leadline.disk import read_jsonl, read_lines
from leadline.errors import InputError, shown
from leadline.files import beir
from leadline.files.places import Place, checked_id, refuse_repeats
from leadline.files.tables import read_table
from leadline.hashing import Json
from leadline.policies import Policy
from leadline.questions import DEVELOPMENT, Question
from leadline.rows import take


@dataclass(frozen=True, slots=True)
class _Row:
    question_id: str
    text: str
    policy: dict[str, Any] = field(default_factory=dict)
    version: str = ""
    split: str = DEVELOPMENT


@dataclass(frozen=True, slots=True)
class _BeirRow:
    question_id: str = field(metadata={"name": "_id"})
    text: str
    metadata: dict[str, Any] = field(default_factory=dict)


def read_questions(
    path: Path,
    *,
    split: str = DEVELOPMENT,
    ids: Path | None = None,
    policy: Policy | None = None,
) -> tuple[Question, ...]:
    """Read the questions of one split, in the order of the file.

    A row has a ``question_id``, a ``text``, and may have a ``policy``, a ``version``
    (short for the policy ``{"version": ...}``) and a ``split``. BEIR's queries (and a
    BEIR folder) have no split of their own: they belong to the one that is asked for.

    Args:
        path: ``.jsonl``, ``.csv``, or a BEIR folder.
        split: the one to use.
        ids: a file of ids, one a line: only these, and all of these.
        policy: joined with each question's own by *and*.

    Raises:
        InputError: something in a file is wrong; a question id stands twice (both
            lines are named); no question is in the split; an id is in no question.
    """
    rows = _read(path, split, policy or Policy())
    refuse_repeats([(one.question_id, place) for place, one in rows], "question")
    questions = [one for _, one in rows]
    chosen = [one for one in questions if one.split == split]
    if not chosen:
        splits = sorted({one.split for one in questions})
        raise InputError(
            f"{path}: found no question in the split {shown(split)}, expected one or "
            f"more. Splits here: {', '.join(splits)}."
        )
    if ids is None:
        return tuple(chosen)
    wanted = _read_ids(ids, {one.question_id: one.split for one in questions}, split)
    return tuple(one for one in chosen if one.question_id in wanted)


def _read(path: Path, split: str, policy: Policy) -> list[tuple[Place, Question]]:
    if path.is_dir():
        path /= beir.QUERIES
    suffix = path.suffix.lower()
    if suffix == ".csv":
        table = read_table(
            path, required=("question_id", "text"), optional=("version", "split")
        )
        return [(place, _question(cells, place, policy)) for place, cells in table]
    if suffix == ".jsonl" or not path.exists():
        rows = [(Place(path, line), values) for line, values in read_jsonl(path)]
        if "_id" in rows[0][1]:
            return [(place, _beir(one, place, policy, split)) for place, one in rows]
        return [(place, _question(one, place, policy)) for place, one in rows]
    raise InputError(
        f'{path}: found the ending "{path.suffix}", expected .jsonl, .csv or a BEIR '
        "folder. Name the questions so."
    )


def _question(values: Mapping[str, Json], place: Place, policy: Policy) -> Question:
    row = take(_Row, values, file=place.file, line=place.line)
    own = [{"version": row.version}] if "version" in values else []
    try:
        joined = _join([policy.rule, *own, Policy.parse(row.policy).rule])
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    return Question(
        checked_id(row.question_id, place, "question_id"),
        _asked(row.text, place),
        joined,
        checked_id(row.split, place, "split"),
    )


def _beir(
    values: Mapping[str, Json], place: Place, policy: Policy, split: str
) -> Question:
    row = take(_BeirRow, values, file=place.file, line=place.line)
    question_id = checked_id(row.question_id, place, "_id")
    return Question(question_id, _asked(row.text, place), policy, split)


def _asked(text: str, place: Place) -> str:
    if not text.strip():
        raise place.refusal(
            shown(text),
            field="text",
            expected="a question",
            remedy="Write one, or delete the row.",
        )
    return text


def _join(rules: Sequence[Mapping[str, Json]]) -> Policy:
    """All of the rules that say something, each once."""
    distinct = {Policy(rule).key: rule for rule in rules if rule}
    if len(distinct) > 1:
        return Policy({"$and": list(distinct.values())})
    return Policy(next(iter(distinct.values()), {}))


def _read_ids(path: Path, known: Mapping[str, str], split: str) -> set[str]:
    """The ids of a file; ``known`` is id -> split."""
    rows = [
        (line, Place(path, number))
        for number, line in read_lines(path, may_be_empty=False)
        if line.strip()
    ]
    refuse_repeats(rows, "id")
    for name, place in rows:
        if name not in known:
            raise place.refusal(
                f"the id {shown(name)}",
                expected="the id of a question",
                remedy="It is in no row of the questions file; delete or correct it.",
            )
        if known[name] != split:
            raise place.refusal(
                f"the id {shown(name)} of the split {shown(known[name])}",
                expected=f"ids of the split {shown(split)}",
                remedy="Ask for the other split, or delete the id.",
            )
    return {name for name, _ in rows}
