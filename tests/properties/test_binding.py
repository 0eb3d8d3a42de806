"""Binding reads what labels say, and not the order in which they say it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.documents import Document, Snapshot
from leadline.errors import BindingError
from leadline.judging.binding import bind
from leadline.judging.cases import Case, CaseClass, ContentTarget
from leadline.questions import DEVELOPMENT, Question

DOCUMENTS = [Document(f"d{number}", f"Text number {number}.") for number in range(8)]
PASSAGES = Snapshot.of(DOCUMENTS).passages
QUESTIONS = [Question(f"q{number}", "how?") for number in range(5)]


def target(document: Document, grade: float) -> ContentTarget:
    return ContentTarget(
        document.source_id, "", document.text_sha256, document.text_sha256, None, grade
    )


def case(question: Question, grades: dict[int, int]) -> Case:
    """Answerable where some grade is above 0."""
    found: CaseClass = "answerable" if any(grades.values()) else "unanswerable"
    targets = (target(DOCUMENTS[one], grade) for one, grade in grades.items())
    return Case(question.question_id, found, tuple(targets))


GRADES = st.dictionaries(st.integers(0, 7), st.integers(0, 2), max_size=8)
CASES = st.tuples(*(GRADES.map(lambda one, q=q: case(q, one)) for q in QUESTIONS))


@given(CASES, st.randoms())
def test_the_order_of_cases_and_targets_is_nothing(
    cases: tuple[Case, ...], random: Random
) -> None:
    binding = bind(cases, QUESTIONS, PASSAGES, split=DEVELOPMENT)
    shuffled = [
        Case(one.question_id, one.case_class, tuple(reversed(one.targets)))
        for one in cases
    ]
    random.shuffle(shuffled)
    again = bind(shuffled, QUESTIONS, PASSAGES, split=DEVELOPMENT)
    assert again.receipts == binding.receipts
    assert again.judged == binding.judged
    assert list(again.judged) == list(binding.judged)
    assert again.notes == binding.notes


@given(CASES)
def test_every_judgment_has_its_receipt_and_its_row(cases: tuple[Case, ...]) -> None:
    binding = bind(cases, QUESTIONS, PASSAGES, split=DEVELOPMENT)
    said = {
        (one.question_id, target.source_id, target.grade)
        for one in cases
        for target in one.targets
    }
    kept = {(one.question_id, one.source_id, one.grade) for one in binding.receipts}
    assert kept == said
    assert [one.passage_id for one in binding.receipts] == list(
        binding.qrels.passage_ids
    )
    assert [one.grade for one in binding.receipts] == binding.qrels.grades.tolist()


@given(CASES, st.integers(0, 7))
def test_no_label_binds_to_a_text_that_has_changed(
    cases: tuple[Case, ...], changed: int
) -> None:
    """Same id, other text: whoever labelled it labelled something else."""
    documents = [
        Document(one.source_id, one.text + "!") if number == changed else one
        for number, one in enumerate(DOCUMENTS)
    ]
    passages = Snapshot.of(documents).passages
    named = {target.source_id for one in cases for target in one.targets}
    if f"d{changed}" not in named:
        bind(cases, QUESTIONS, passages, split=DEVELOPMENT)
        return
    with pytest.raises(BindingError, match=f"id d{changed} exists, text differs"):
        bind(cases, QUESTIONS, passages, split=DEVELOPMENT)
