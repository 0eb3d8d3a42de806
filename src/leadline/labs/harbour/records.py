"""The handbook's files, read strictly: records, questions, and their labels.

Every field is known and has its type, or the file is refused, with the place of the
fault. Questions and labels leave this module apart: ranking is given the first only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from leadline.disk import read_json
from leadline.documents import Document, Snapshot, View
from leadline.errors import InputError, describe, did_you_mean, shown
from leadline.judging.cases import Case, ContentTarget
from leadline.policies import Policy
from leadline.questions import Question
from leadline.rows import take

DATA = Path(__file__).parent / "data"

MAY_SEE = Policy.parse({"status": "current", "scope": "public"})
"""What a reader may see. It is applied before a word is counted."""


@dataclass(frozen=True, slots=True)
class Handbook:
    """The records, the questions and their labels."""

    snapshot: Snapshot
    questions: tuple[Question, ...]
    cases: tuple[Case, ...]

    @property
    def view(self) -> View:
        """What may be searched, and all that is ever counted."""
        return self.snapshot.view(MAY_SEE)

    def question(self, question_id: str) -> Question:
        """The question of this id.

        Raises:
            InputError: there is none.
        """
        known = {one.question_id: one for one in self.questions}
        if question_id not in known:
            message = f"no question is called {shown(question_id)}. "
            raise InputError(message + did_you_mean(question_id, known))
        return known[question_id]


@dataclass(frozen=True, slots=True)
class _Corpus:
    format: Literal["harbour.corpus/1"]
    about: str
    records: list[Any]


@dataclass(frozen=True, slots=True)
class _Questions:
    format: Literal["harbour.questions/1"]
    about: str
    cases: list[Any]


@dataclass(frozen=True, slots=True)
class _Record:
    source_id: str
    version: str
    status: Literal["current", "archived"]
    scope: Literal["public", "staff"]
    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class _Case:
    question_id: str
    text: str
    case_class: Literal["answerable", "unanswerable"] = field(
        metadata={"name": "class"}
    )
    targets: list[Any]
    note: str


@dataclass(frozen=True, slots=True)
class _Target:
    source_id: str
    version: str
    text_sha256: str


def load(folder: Path = DATA) -> Handbook:
    """Read the records and the questions, and check every field of both.

    Raises:
        InputError: names the file, the field, what was found and what was expected.
    """
    corpus = take_file(_Corpus, folder / "corpus.json")
    questions = take_file(_Questions, folder / "questions.json")
    snapshot = Snapshot.of(documents(corpus.records, folder / "corpus.json"))
    return Handbook(snapshot, *cases(questions.cases, folder / "questions.json"))


def take_file(kind: type[Any], path: Path) -> Any:  # noqa: ANN401 -- of that type
    """The object in a JSON file, checked against a table of fields."""
    return take(kind, _table(read_json(path), path, None), file=path)


def documents(records: Sequence[Any], path: Path) -> list[Document]:
    """Records as documents; each is a passage already, and nothing is cut."""
    found = []
    for place, value in enumerate(records):
        within = f"records[{place}]"
        row = take(_Record, _table(value, path, within), file=path, within=within)
        for name, good in (
            ("source_id", bool(row.source_id.strip())),
            ("text", bool(row.text.strip())),
            ("url", row.url.startswith("synthetic://")),
        ):
            if not good:
                message = describe(
                    shown(getattr(row, name)),
                    file=path,
                    field=f"{within}.{name}",
                    expected="synthetic://..." if name == "url" else "something",
                    remedy="Every record of this lab is made up, and says so."
                    if name == "url"
                    else "Write it, or delete the record.",
                )
                raise InputError(message)
        found.append(
            Document(
                source_id=row.source_id,
                version=row.version,
                status=row.status,
                scope=row.scope,
                url=row.url,
                title=row.title,
                text=row.text,
            )
        )
    return found


def cases(
    rows: Sequence[Any], path: Path
) -> tuple[tuple[Question, ...], tuple[Case, ...]]:
    """Questions and their labels, apart: ranking is given the first of the two."""
    questions, labels = [], []
    for place, value in enumerate(rows):
        within = f"cases[{place}]"
        row = take(_Case, _table(value, path, within), file=path, within=within)
        targets = []
        for number, inner in enumerate(row.targets):
            where = f"{within}.targets[{number}]"
            one = take(_Target, _table(inner, path, where), file=path, within=where)
            targets.append(
                ContentTarget(
                    one.source_id, one.version, one.text_sha256, one.text_sha256
                )
            )
        questions.append(Question(row.question_id, row.text, MAY_SEE))
        labels.append(
            Case(row.question_id, row.case_class, tuple(targets), f"{path}, {within}")
        )
    return tuple(questions), tuple(labels)


def _table(value: object, path: Path, within: str | None) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    message = describe(
        shown(value),
        file=path,
        field=within,
        expected="an object",
        remedy="Compare with the lab's own file.",
    )
    raise InputError(message)
