"""Label: say what is right for a question, bound to the text as it is now."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from leadline.app.init import content_target
from leadline.disk import locked, read_text, write_atomically
from leadline.documents import Snapshot
from leadline.errors import InputError, did_you_mean, shown
from leadline.files.corpus import read_corpus
from leadline.files.experiment import Sources, read_experiment
from leadline.files.labels import read_labels, write_labels
from leadline.files.places import Place, checked_id
from leadline.files.questions import read_questions
from leadline.judging.binding import MOST_GRADE
from leadline.judging.cases import Case, ContentTarget


@dataclass(frozen=True, slots=True)
class Answer:
    """Where a question is answered: the passage of a source that holds a quote."""

    source_id: str
    version: str | None = None
    """Needed only where the source has several."""
    quote: str | None = None
    """Needed only where the source has several passages; exact text."""
    grade: float = 1.0


def label(
    path: Path,
    question_id: str,
    answer: Answer | None,
    *,
    ask: str | None = None,
    replaced: bool = False,
) -> Case:
    """Add a target to a question, or declare that it has no answer here.

    Args:
        path: the experiment file.
        question_id: which question.
        answer: where it is answered; None declares the question unanswerable.
        ask: also add the question, with this text.
        replaced: forget what the label file says of the question so far.

    Returns:
        The question's case as it now stands in the label file.

    Raises:
        InputError: the passage is not found or not the only one, the question does
            not exist, or the label contradicts one that is there.
    """
    if answer is not None and not 0 < answer.grade <= MOST_GRADE:
        message = f"the grade is {answer.grade}, expected a finite number above 0"
        raise InputError(message)
    checked_id(question_id, Place(path), "question_id")
    _, sources = read_experiment(path)
    if sources.labels is None or sources.labels.suffix != ".jsonl":
        message = (
            f"{path}: labels can be added to a .jsonl file; set labels.path to one"
        )
        raise InputError(message)
    if sources.questions.suffix != ".jsonl":
        message = f"{path}: questions can be added to a .jsonl file only"
        raise InputError(message)
    snapshot = read_corpus(sources.corpus).snapshot
    with locked(sources.labels):
        target = None if answer is None else _target(snapshot, answer)
        cases = read_labels(sources.labels) if sources.labels.exists() else ()
        if replaced:
            cases = tuple(one for one in cases if one.question_id != question_id)
        case, merged = _merge(cases, question_id, target)
        question = _question(sources, question_id, ask)
        if question is not None:
            write_atomically(sources.questions, question.encode())
        write_labels(sources.labels, merged)
    return case


def _target(snapshot: Snapshot, answer: Answer) -> ContentTarget:
    passages = snapshot.passages
    sources = {one.source_id for one in snapshot.documents}
    if answer.source_id not in sources:
        message = f"no document is called {shown(answer.source_id)}. "
        raise InputError(message + did_you_mean(answer.source_id, sources))
    of_source = [
        code
        for code, document in enumerate(passages.documents)
        if document.source_id == answer.source_id
        and answer.version in (None, document.version)
    ]
    quote = answer.quote
    found = [
        code for code in of_source if quote is None or quote in passages.texts[code]
    ]
    if not of_source:
        versions = {
            one.version
            for one in snapshot.documents
            if one.source_id == answer.source_id
        }
        message = f"{answer.source_id} has no version {shown(answer.version)}. "
        raise InputError(message + did_you_mean(str(answer.version), versions))
    if not found:
        message = (
            f"{answer.source_id} has no passage with the quote {shown(quote)}: give "
            "the text exactly as it stands, blanks and capitals too"
        )
        raise InputError(message)
    if len(found) > 1:
        names = ", ".join(passages.ids[code] for code in found[:5])
        several = len({passages.documents[code].version for code in found}) > 1
        message = f"{len(found)} passages of {answer.source_id} fit: {names}. Give " + (
            "a --source-version" if several else "a --quote that one of them holds"
        )
        raise InputError(message)
    return content_target(snapshot, found[0], grade=answer.grade)


def _merge(
    cases: tuple[Case, ...], question_id: str, target: ContentTarget | None
) -> tuple[Case, list[Case]]:
    old = next((one for one in cases if one.question_id == question_id), None)
    if old is None:
        new = Case(
            question_id,
            "unanswerable" if target is None else "answerable",
            () if target is None else (target,),
        )
        return new, [*cases, new]
    if target is None or old.case_class == "unanswerable":
        message = (
            f"question {question_id} already has a label ({old.place}: "
            f"{old.case_class}), and this one contradicts it; add --replace if the old "
            "label is wrong"
        )
        raise InputError(message)
    if any(_same(target, one) for one in old.targets):
        message = f"question {question_id} already has this target ({old.place})"
        raise InputError(message)
    new = replace(old, targets=(*old.targets, target))
    return new, [new if one is old else one for one in cases]


def _same(target: ContentTarget, other: object) -> bool:
    return isinstance(other, ContentTarget) and (
        replace(other, grade=target.grade, legacy_id=None) == target
    )


def _question(sources: Sources, question_id: str, ask: str | None) -> str | None:
    """The question file with the new question, or None where it stays as it is."""
    known = {}
    if sources.questions.exists() and read_text(sources.questions).strip():
        asked = read_questions(sources.questions, split=sources.split, ids=sources.ids)
        known = {one.question_id: one.text for one in asked}
    if ask is None:
        if question_id not in known:
            message = f'there is no question "{question_id}". '
            remedy = ' Add it with --ask "its text".'
            raise InputError(message + did_you_mean(question_id, known) + remedy)
        return None
    if not ask.strip():
        message = "the question's text is empty"
        raise InputError(message)
    if question_id in known:
        message = (
            f'question "{question_id}" is already there: {shown(known[question_id])}'
        )
        raise InputError(message)
    text = read_text(sources.questions) if sources.questions.exists() else ""
    row = {"question_id": question_id, "text": ask}
    if sources.split != "development":
        row["split"] = sources.split
    gap = "" if not text or text.endswith("\n") else "\n"
    return text + gap + json.dumps(row, ensure_ascii=False) + "\n"
