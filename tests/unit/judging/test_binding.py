"""A label binds by content to exactly one passage, or it is refused with its reason."""

from collections.abc import Sequence

import pytest

from leadline.documents import Document, Snapshot, Span
from leadline.errors import BindingError, InputError
from leadline.hashing import text_sha256
from leadline.judging.binding import Binding, Qrels, Receipt, bind, rebind
from leadline.judging.cases import Case, CaseClass, ContentTarget, IdTarget
from leadline.policies import Policy
from leadline.questions import DEVELOPMENT, Question

LID = Document("lid", "Open the lid.", version="1")
LAMP = Document("lamp", "The lamp turns green.", version="1")
RESET = "Press reset. Wait."
CUT = Document("reset", RESET, version="1", spans=(Span(0, 12), Span(13, 18)))


def target(
    document: Document,
    text: str | None = None,
    *,
    legacy_id: str | None = None,
    grade: float = 1.0,
) -> ContentTarget:
    """A target on a passage of a document; by default, on the whole of it."""
    return ContentTarget(
        document.source_id,
        document.version,
        document.text_sha256,
        text_sha256(document.text if text is None else text),
        legacy_id=legacy_id,
        grade=grade,
    )


def case(
    question_id: str,
    *targets: ContentTarget | IdTarget,
    case_class: CaseClass | None = "answerable",
    place: str = "labels.jsonl, line 3",
) -> Case:
    return Case(question_id, case_class, targets, place)


def bound(
    cases: Sequence[Case],
    *documents: Document,
    questions: Sequence[Question] = (Question("q", "how?"),),
) -> Binding:
    passages = Snapshot.of(documents).passages
    return bind(cases, questions, passages, split=DEVELOPMENT)


def fault(
    cases: Sequence[Case],
    *documents: Document,
    questions: Sequence[Question] = (Question("q", "how?"),),
) -> str:
    """The one fault that binding finds."""
    with pytest.raises(BindingError) as caught:
        bound(cases, *documents, questions=questions)
    head, line = str(caught.value).split("\n")
    assert head == "labels do not fit the questions and the passages: 1 fault"
    return line


def test_a_target_binds_to_the_passage_with_its_text_and_leaves_a_receipt() -> None:
    label = target(CUT, "Wait.", legacy_id="reset:b71a", grade=2.0)
    binding = bound([case("q", label)], CUT, LID)
    assert binding.receipts == (
        Receipt(
            question_id="q",
            passage_id="reset@1#13-18",
            grade=2.0,
            bound_by=(
                "source_id",
                "version",
                "source_text_sha256",
                "passage_text_sha256",
            ),
            source_id="reset",
            version="1",
            source_text_sha256=text_sha256(RESET),
            passage_text_sha256=text_sha256("Wait."),
            legacy_id="reset:b71a",
        ),
    )
    assert binding.judged["q"].status == "supported"
    assert binding.judged["q"].targets == ("reset@1#13-18",)
    assert binding.notes == ()


def test_the_version_of_the_label_chooses_among_versions() -> None:
    newer = Document("lid", LID.text, version="2")
    binding = bound([case("q", target(newer))], LID, newer)
    assert binding.judged["q"].targets == ("lid@2",)


def test_a_target_that_names_a_document_binds_to_its_one_passage() -> None:
    binding = bound([case("q", IdTarget("lid", 1.0), case_class=None)], LID, LAMP)
    assert binding.judged["q"].targets == ("lid@1",)
    assert binding.receipts[0].bound_by == ("source_id",)
    assert binding.receipts[0].passage_text_sha256 == text_sha256(LID.text)
    assert binding.notes == (
        (
            "1 judgment names a document without a hash of its text: nothing says that "
            "it is still the text that was judged."
        ),
    )


def test_targets_are_best_grade_first_and_then_by_id() -> None:
    binding = bound(
        [case("q", target(LID), target(LAMP), target(CUT, "Wait.", grade=2.0))],
        LID,
        LAMP,
        CUT,
    )
    assert binding.judged["q"].targets == ("reset@1#13-18", "lamp@1", "lid@1")
    assert binding.judged["q"].grades == (2.0, 1.0, 1.0)


def test_a_passage_judged_and_not_relevant_is_kept_and_is_no_target() -> None:
    binding = bound([case("q", target(LID), target(LAMP, grade=0.0))], LID, LAMP)
    assert binding.qrels.passage_ids == ("lid@1", "lamp@1")
    assert binding.qrels.grades.tolist() == [1.0, 0.0]
    assert binding.judged["q"].targets == ("lid@1",)
    assert len(binding.receipts) == 2


def test_every_question_asked_has_a_status_in_the_order_asked() -> None:
    asked = [Question(one, one) for one in ("z", "none", "y", "x")]
    binding = bound(
        [
            case("x", IdTarget("lid", 0.0), case_class=None),
            case("y", case_class="unanswerable"),
            case("z", target(LID), case_class=None),
        ],
        LID,
        questions=[asked[0], asked[2], asked[3]],
    )
    assert {one: row.status for one, row in binding.judged.items()} == {
        "z": "supported",
        "y": "unsupported-excluded",
        "x": "nothing-relevant",
    }
    assert tuple(binding.judged) == binding.qrels.question_ids == ("z", "y", "x")


def test_without_classes_a_question_that_nobody_judged_is_unjudged() -> None:
    binding = bound(
        [
            case("q", IdTarget("lid", 1.0), case_class=None),
            case("other", IdTarget("gone", 1.0), case_class=None),
        ],
        LID,
        questions=[Question("q", "how?"), Question("new", "and now?")],
    )
    assert binding.judged["new"].status == "unjudged"
    assert binding.notes[:2] == (
        "Judged, not asked and left out: 'other'.",
        "Asked, not judged and in no mean: 'new'.",
    )


def test_a_second_case_is_refused_and_the_first_is_named() -> None:
    first = case("q", target(LID), place="labels.jsonl, line 1")
    assert fault([first, case("q", target(LID))], LID) == (
        "- labels.jsonl, line 3, question 'q': found a second case (the first is at "
        "labels.jsonl, line 1), expected one case a question. Join the two, or delete "
        "one."
    )


def test_a_case_outside_the_split_is_refused() -> None:
    questions = [Question("q", "how?"), Question("h", "held out", split="held-out")]
    cases = [case("q", target(LID)), case("h", target(LID))]
    assert fault(cases, LID, questions=questions) == (
        "- labels.jsonl, line 3, question 'h': found a case outside the split: its "
        'question is of "held-out", expected cases of "development". Keep the cases '
        "of each split in a file of their own."
    )


def test_a_case_for_a_question_that_was_not_asked_is_refused() -> None:
    questions = [Question("how-to-save", "how?")]
    cases = [case("how-to-save", target(LID)), case("how-to-sav", target(LID))]
    assert fault(cases, LID, questions=questions) == (
        "- labels.jsonl, line 3, question 'how-to-sav': found a case for a question "
        "that was not asked, expected the id of a question that is. Did you mean "
        '"how-to-save"?'
    )


def test_a_question_without_a_case_is_never_taken_for_unanswerable() -> None:
    questions = [Question("q", "how?"), Question("new", "and now?")]
    assert fault([case("q", target(LID))], LID, questions=questions) == (
        "- question 'new': found no label, expected one, for a question is never "
        "assumed to be unanswerable. Add it: leadline label new --source SOURCE_ID, "
        "or --unanswerable."
    )


@pytest.mark.parametrize(
    ("targets", "found"),
    [
        ((), "an answerable case without targets"),
        (
            (target(LID, grade=0.0),),
            "an answerable case without targets of a grade above 0",
        ),
    ],
)
def test_an_answerable_case_needs_a_target(
    targets: Sequence[ContentTarget], found: str
) -> None:
    assert fault([case("q", *targets)], LID) == (
        f"- labels.jsonl, line 3, question 'q': found {found}, expected at least one. "
        'Add a target, or declare the case "unanswerable".'
    )


def test_an_unanswerable_case_has_no_target() -> None:
    assert fault([case("q", target(LID), case_class="unanswerable")], LID) == (
        "- labels.jsonl, line 3, question 'q': found an unanswerable case with "
        'targets (1), expected none. Delete them, or declare the case "answerable".'
    )


@pytest.mark.parametrize("again", [target(LID, legacy_id="old"), IdTarget("lid", 1.0)])
def test_a_passage_is_a_target_once(again: ContentTarget | IdTarget) -> None:
    assert fault([case("q", target(LID), again)], LID) == (
        "- labels.jsonl, line 3, question 'q', field \"targets[1]\": found a target in "
        "source 'lid' that comes twice, expected each passage once in a case. Delete "
        "one of them."
    )


def test_passages_equal_in_text_are_ambiguous_and_both_are_named() -> None:
    twice = Document("twice", "ab ab", spans=(Span(3, 5), Span(0, 2)))
    assert fault([case("q", target(twice, "ab"))], twice) == (
        "- labels.jsonl, line 3, question 'q', field \"targets[0]\": found a target in "
        "source 'twice' that binds to 2 passages: 'twice#0-2', 'twice#3-5', expected "
        "one. Cut the source so that no two of its passages have the same text."
    )


def test_a_document_in_several_passages_is_no_target_by_its_id() -> None:
    label = case("q", IdTarget("reset", 1.0), case_class=None)
    assert fault([label], CUT) == (
        "- labels.jsonl, line 3, question 'q', field \"targets[0]\": found a target in "
        "source 'reset' that binds to 2 passages: 'reset@1#0-12', 'reset@1#13-18', "
        "expected one. A label that only names a document needs one that is one "
        "passage: use labels that name text, or do not cut the documents."
    )


def test_a_target_that_its_question_may_not_see_can_never_be_found() -> None:
    question = Question("q", "how?", Policy({"version": "2"}))
    assert fault([case("q", target(LID))], LID, questions=[question]) == (
        "- labels.jsonl, line 3, question 'q', field \"targets[0]\": found a target in "
        "source 'lid' that is not eligible for its question: the policy "
        '{"version":"2"} does not admit lid@1, expected a target that can be found. '
        "Correct the label, or what the question may see."
    )


def test_a_passage_judged_not_relevant_need_not_be_seen() -> None:
    question = Question("q", "how?", Policy({"version": {"$ne": "2"}}))
    newer = Document("lid", LID.text, version="2")
    labels = [case("q", target(LID), target(newer, grade=0.0))]
    assert len(bound(labels, LID, newer, questions=[question]).receipts) == 2


def test_all_faults_are_told_together_and_counted() -> None:
    questions = [Question(f"q{number:02}", "how?") for number in range(14)]
    cases = [case(one.question_id) for one in questions]
    with pytest.raises(BindingError) as caught:
        bound(cases, LID, questions=questions)
    head, *lines = str(caught.value).split("\n")
    assert head.endswith(": 14 faults, of which the first 10 are")
    assert [line.split("'")[1] for line in lines] == [f"q{n:02}" for n in range(10)]


def test_a_twin_of_a_target_in_another_source_is_worth_a_note() -> None:
    """Returning the twin is not counted as found, and nobody should wonder why."""
    here = Document("a", "Refunds are paid within seven days.")
    twin = Document("b", here.text)
    hidden = Document("c", here.text, status="archived")
    question = Question("q", "how?", Policy({"status": "current"}))
    binding = bound([case("q", target(here))], here, twin, hidden, questions=[question])
    assert binding.judged["q"].targets == ("a",)
    assert binding.notes == (
        (
            "These have the text of a target in another place, and count as not "
            "relevant: 'b (as a)'."
        ),
    )


def test_a_binding_is_made_again_from_its_receipts() -> None:
    binding = bound([case("q", target(LAMP, grade=0.0), target(LID))], LID, LAMP)
    statuses = {one: row.status for one, row in binding.judged.items()}
    again = rebind(statuses, binding.receipts[::-1])
    assert again.judged == binding.judged
    assert again.receipts == binding.receipts
    assert again.qrels.passage_ids == binding.qrels.passage_ids


def test_receipts_that_contradict_the_questions_are_refused() -> None:
    receipts = bound([case("q", target(LID))], LID).receipts
    with pytest.raises(BindingError, match="'q': that question was not asked"):
        rebind({"other": "unjudged"}, receipts)
    with pytest.raises(BindingError, match="passage 'lid@1' comes twice"):
        rebind({"q": "supported"}, receipts * 2)
    with pytest.raises(BindingError, match="'q' is unjudged, and 1 of its receipts"):
        rebind({"q": "unjudged"}, receipts)
    with pytest.raises(BindingError, match="'q' is supported, and 0 of its receipts"):
        rebind({"q": "supported"}, [])


@pytest.mark.parametrize("grade", [float("nan"), float("inf"), 1e10])
def test_a_grade_is_a_number_that_can_be_summed(grade: float) -> None:
    with pytest.raises(
        InputError, match=r"question 'q', passage 'd': found grade .*finite number"
    ):
        Qrels.of({"q": {"d": grade}})
